/**
 * Compares two runs of the history: an overview of all nodes, and the values of one node in both.
 */
import { EngineError } from '../../base/engine-error.ts';
import { type RunId, taskIdOf } from '../../base/ids.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import {
  type ComparedPair,
  type ComparedRun,
  type CompareRequest,
  compareRuns,
  type RunComparison,
  runInLog,
} from '../../runtime/compare/compare-runs.ts';
import { type ReadRun, readComparedRun } from '../../runtime/compare/read-compared-run.ts';
import {
  type DifferenceCause,
  type NodeInRuns,
  type NodeValues,
  type ValuePair,
  whyDifferent,
} from '../../runtime/compare/why-different.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunState } from '../../runtime/kernel/events/run-state.ts';
import { runNotFound } from '../executor/refusals.ts';

/** Compares runs. Methods throw EngineError `run.not-found`, and `run.too-long` for a log that is too long to compare. */
export interface RunComparer {
  compareRuns(request: CompareRequest): Promise<RunComparison>;
  /** @param request `place` is the full name of a node, with the items of the loops around it */
  compareNode(request: CompareRequest & { readonly place: string }): Promise<NodeInRuns>;
}

/** What a comparison reads of the history, as `RunHistoryReader` describes. */
interface ComparisonReads {
  readHead(runId: RunId): Promise<{ readonly lastSeq: number }>;
  readEvents(runId: RunId, afterSeq: number, limit: number): Promise<readonly EventEnvelope[]>;
  readDefinition(runId: RunId): Promise<string>;
  readCalledDefinition(root: RunId, called: RunId): Promise<string>;
  readValue(hash: string): Promise<JsonValue>;
}

/** Number of runs that stay in memory, because a person looks at the nodes of a comparison one after the other. */
const mostKept = 4;
const keptOf = new WeakMap<ComparisonReads, Map<string, Promise<ReadRun>>>();

export async function compareStoredRuns(reads: ComparisonReads, request: CompareRequest): Promise<RunComparison> {
  return compareRuns(await readPair(reads, request));
}

export async function compareStoredNode(
  reads: ComparisonReads,
  { place, ...request }: CompareRequest & { readonly place: string },
): Promise<NodeInRuns> {
  const pair = await readPair(reads, request);
  const causes = whyDifferent(pair, place);
  const called = calledAt(pair, place);
  return {
    causes: await Promise.all(causes.map((cause) => wholeCause(reads, cause))),
    a: await valuesAt(reads, pair.a, place),
    b: await valuesAt(reads, pair.b, place),
    ...(called === undefined ? {} : { called }),
  };
}

async function readPair(reads: ComparisonReads, { a, b, called }: CompareRequest): Promise<ComparedPair> {
  return { a: await readSide(reads, a, called?.a), b: await readSide(reads, b, called?.b) };
}

async function readSide(reads: ComparisonReads, root: RunId, called: RunId | undefined): Promise<ComparedRun> {
  const run = runInLog(await readKept(reads, root), called ?? root);
  if (run === undefined) throw runNotFound(called ?? root);
  const text = called === undefined ? await reads.readDefinition(root) : await reads.readCalledDefinition(root, called);
  return { ...run, doc: run.state.kind === 'flow' ? parseFlow(text).doc : null };
}

async function readKept(reads: ComparisonReads, runId: RunId): Promise<ReadRun> {
  const { lastSeq } = await reads.readHead(runId);
  const kept = keptOf.get(reads) ?? new Map<string, Promise<ReadRun>>();
  keptOf.set(reads, kept);
  const key = `${runId} ${lastSeq}`;
  const read = kept.get(key) ?? readOrRefuse(reads, runId);
  kept.delete(key);
  kept.set(key, read);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  read.catch(() => kept.delete(key));
  return await read;
}

async function readOrRefuse(reads: ComparisonReads, runId: RunId): Promise<ReadRun> {
  const read = await readComparedRun(reads, runId);
  if (read !== null) return read;
  throw new EngineError({
    code: 'run.too-long',
    message: `The log of run "${runId}" is too long to compare. Compare shorter runs, or run a part of the flow.`,
  });
}

async function valuesAt(
  reads: ComparisonReads,
  { state, calls }: ComparedRun,
  place: string,
): Promise<NodeValues | null> {
  const node = state.nodes.get(place);
  if (node === undefined) return null;
  const input = await wholeValue(reads, node.input);
  const output = await wholeValue(reads, node.output);
  const model = calls.get(place)?.model;
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(node.error === undefined ? {} : { error: node.error }),
    ...(model === undefined ? {} : { model }),
  };
}

/** A larger value is compared by its first characters only. */
const mostBytes = 1_000_000;

/** Replaces a handle, or those in the fields of a value, by the values that they stand for. */
async function wholeValue(reads: ComparisonReads, value: JsonValue | undefined): Promise<JsonValue | undefined> {
  if (isValueHandle(value)) return value.bytes > mostBytes ? value.preview : await reads.readValue(value.$value);
  if (!isJsonMap(value)) return value;
  const fields = Object.entries(value).map(async ([key, field]) => [key, (await wholeValue(reads, field)) ?? null]);
  return Object.fromEntries(await Promise.all(fields)) as JsonValue;
}

async function wholeCause(reads: ComparisonReads, cause: DifferenceCause): Promise<DifferenceCause> {
  if (cause.kind !== 'definition' && cause.kind !== 'input') return cause;
  const values = cause.values.map(
    async ({ path, a, b }): Promise<ValuePair> => ({
      path,
      a: await wholeValue(reads, a),
      b: await wholeValue(reads, b),
    }),
  );
  return { kind: cause.kind, values: await Promise.all(values) };
}

function calledAt({ a, b }: ComparedPair, place: string): NodeInRuns['called'] {
  const [first, second] = [lastCalled(a.state, place), lastCalled(b.state, place)];
  if (first?.runId == null || second?.runId == null || first.sourcePath !== second.sourcePath) return undefined;
  const { kind, sourcePath } = second;
  return { kind, sourcePath, runs: { a: first.runId, b: second.runId } };
}

function lastCalled({ runId, children }: RunState, place: string): RunState | undefined {
  const taskId = taskIdOf(place);
  return [...children.values()].findLast((child) => child.parentRunId === runId && child.parentTaskId === taskId);
}
