/**
 * Reads a run that becomes a test, with everything that its case contains.
 */
import { isAbsolute } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { type RunId, taskNameOf } from '../../base/ids.ts';
import type { RecordedCall } from '../../history/cassette/compare-requests.ts';
import { readDefinitions, textsOf } from '../../host/reads/run-definitions.ts';
import type { CaseAnswer, CaseDoc } from '../../language/cases/case-doc.ts';
import type { FlowDoc } from '../../language/flow/flow-doc.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { StoredDefinition } from '../../language/flow/stored-definition.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { readWholeRun } from '../../runtime/kernel/capabilities/read-run.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState, type RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { RunNodes } from '../run-nodes.ts';
import type { TestedEngine } from '../run-tests.ts';

/** A run that can be a test. */
export interface TestableRun {
  readonly run: RunSummary;
  readonly events: readonly EventEnvelope[];
  readonly state: RunState;
  readonly nodes: RunNodes;
  /** The flow that ran; undefined for an agent. */
  readonly flow: FlowDoc | undefined;
  readonly definitions: ReadonlyMap<string, StoredDefinition>;
  /** Texts of the definitions by path, as they were when the run started. */
  readonly texts: Readonly<Record<string, string>>;
  readonly parts: Pick<CaseDoc, 'input' | 'answers' | 'pins'>;
  /** What people gave nodes that cannot be pinned, as entries of a cassette. */
  readonly given: readonly RecordedCall[];
  /** Parts of the run that a test cannot repeat, as sentences. */
  readonly lost: readonly string[];
}

/** @throws EngineError `run.not-found` | `test.not-testable` */
export async function readTestableRun(runId: RunId, engine: TestedEngine): Promise<TestableRun> {
  const { run, events } = await readWholeRun(engine, runId);
  const state = foldRun(emptyRunState, events);
  refuse(reasonAgainst(run, events) ?? longWait(state, events), run);
  const nodes = new RunNodes(state, (hash) => engine.readValue(hash));
  const executed = await readDefinitions(engine, runId);
  const definitions = new Map(executed.map(({ hash, definition }) => [hash, definition]));
  const own = definitions.get(run.definitionHash)?.text ?? '';
  const flow = run.kind === 'flow' ? (parseFlow(own).doc ?? undefined) : undefined;
  const level = flow?.flow.policy?.autonomy;
  if (run.kind === 'flow' && state.autonomy !== null && state.autonomy !== level)
    refuse(`it had the autonomy level ${state.autonomy}, which the flow does not set`, run);
  const collected = new CollectedParts(run.sourcePath, (value) => nodes.whole(value));
  for (const envelope of events) await collected.take(envelope);
  const input = await nodes.whole(state.inputs);
  const isEmpty = !(isJsonMap(input) || isJsonList(input)) || Object.keys(input).length === 0;
  return {
    ...{ run, events, state, nodes, flow, definitions, texts: textsOf(executed) },
    ...{ given: [...collected.given.values()], lost: collected.lost },
    parts: { ...(isEmpty ? {} : { input: input as JsonMap }), ...collected.parts() },
  };
}

function refuse(reason: string | undefined, { number }: RunSummary): void {
  if (reason === undefined) return;
  throw new EngineError({
    code: 'test.not-testable',
    message: `Run ${number} cannot become a test: ${reason}. Run the whole flow again, and save that run.`,
  });
}

/** Reasons why a run cannot become a test. */
const reasons: readonly (readonly [applies: (run: RunSummary) => boolean, reason: string])[] = [
  [({ status }) => status === 'queued' || status === 'running', 'it has not ended'],
  [({ status }) => status === 'interrupted', 'it was interrupted'],
  [({ status }) => status === 'cancelled', 'it was canceled'],
  [({ waitStatus }) => waitStatus === 'PAUSED', 'it is paused'],
  [({ waitStatus }) => waitStatus === 'PENDING_PERMISSION', 'it waits for a permission'],
  [({ status, waitStatus }) => status === 'suspended' && waitStatus === undefined, 'it was interrupted'],
  [({ rerunOf }) => rerunOf !== undefined, 'it reuses results of an earlier run'],
  [({ redoOf }) => redoOf !== undefined, 'it repeats an earlier run'],
  [({ scope }) => scope !== undefined, 'only a part of the flow ran'],
  [({ damage }) => damage !== undefined, 'the history cannot read all of it'],
  [({ sourcePath: path }) => isAbsolute(path) || path.startsWith('../'), 'its file is outside the workspace'],
];

function reasonAgainst(run: RunSummary, events: readonly EventEnvelope[]): string | undefined {
  const found = reasons.find(([applies]) => applies(run));
  if (found !== undefined) return found[1];
  const start = events.find(({ event }) => event.type === 'run:start')?.event as { sessionId?: string } | undefined;
  if (start === undefined) return 'it did not start';
  return start.sessionId === undefined ? undefined : 'it belongs to a conversation';
}

/** A test waits as long as its run, so it must not wait for minutes. In milliseconds. */
const longestWaitMs = 60_000;

function longWait({ nodes, children }: RunState, events: readonly EventEnvelope[]): string | undefined {
  const retries = events.reduce((sum, { event }) => sum + (event.type === 'node:retry' ? event.delayMs : 0), 0);
  const waits = [...nodes.values(), ...[...children.values()].flatMap((child) => [...child.nodes.values()])];
  const waitMs = waits.reduce(
    (sum, { nodeType, durationMs = 0 }) => sum + (nodeType === 'control.wait' ? durationMs : 0),
    retries,
  );
  if (waitMs <= longestWaitMs) return undefined;
  return `it waited ${Math.round(waitMs / 1000)} s, and a test waits just as long`;
}

/** Collects what people contributed to a run. */
class CollectedParts {
  readonly given = new Map<string, RecordedCall>();
  readonly lost: string[] = [];
  readonly #path: string;
  readonly #whole: (value: JsonValue) => Promise<JsonValue>;
  readonly #pins = new Map<string, JsonValue>();
  readonly #answers: (CaseAnswer & { readonly key: string })[] = [];
  /** Names before those of the nodes of a run. */
  readonly #prefixes = new Map<string, string>();

  constructor(path: string, whole: (value: JsonValue) => Promise<JsonValue>) {
    this.#path = path;
    this.#whole = whole;
  }

  parts(): Pick<CaseDoc, 'answers' | 'pins'> {
    const answers = this.#answers.map(({ key, ...answer }) => {
      const keys = new Set(this.#answers.flatMap((other) => (other.node === answer.node ? [other.key] : [])));
      return keys.size > 1 ? { ...answer, key } : answer;
    });
    return {
      ...(this.#pins.size === 0 ? {} : { pins: Object.fromEntries(this.#pins) }),
      ...(answers.length === 0 ? {} : { answers }),
    };
  }

  async take({ event, runId, parentRunId }: EventEnvelope): Promise<void> {
    if (event.type === 'run:start') {
      const above = parentRunId === undefined ? undefined : (this.#prefixes.get(parentRunId) ?? '');
      const caller = event.parentTaskId === undefined ? event.parentStage : taskNameOf(event.parentTaskId);
      this.#prefixes.set(runId, above === undefined ? '' : `${above}${caller ?? ''}/`);
    }
    const prefix = this.#prefixes.get(runId) ?? '';
    if (event.type === 'node:reused' || event.type === 'node:input') await this.#takeGiven(prefix, event);
    else if (event.type === 'approval:resolved' || event.type === 'input:received')
      await this.#takeAnswer(prefix, event);
  }

  async #takeGiven(
    prefix: string,
    event: Extract<RunEvent, { readonly type: 'node:reused' | 'node:input' }>,
  ): Promise<void> {
    const node = prefix + event.nodeId;
    if (event.type === 'node:input') {
      if (event.edited !== undefined) await this.#give(node, { input: event.input }, event.edited.by);
    } else if (event.pin !== true && event.given === undefined) return;
    else if (/[/[]/.test(node)) await this.#give(node, { output: event.output }, event.given?.by);
    else this.#pins.set(node, await this.#whole(event.output));
  }

  async #give(node: string, value: JsonMap, by: string | undefined): Promise<void> {
    const response = await this.#whole({ ...value, ...(by === undefined ? {} : { by }) });
    this.given.set(node, { kind: 'given', request: { flow: this.#path, node }, outcome: { response } });
  }

  async #takeAnswer(
    prefix: string,
    event: Extract<RunEvent, { readonly type: 'approval:resolved' | 'input:received' }>,
  ): Promise<void> {
    const node = prefix + event.nodeId;
    const payload = await this.#whole(event.payload);
    const { approved, comment, expired, values: form, ...others } = isJsonMap(payload) ? payload : {};
    if (expired === true) {
      this.lost.push(`The request of ${node} was not answered in time, and a test does not wait.`);
      return;
    }
    const isInput = event.type === 'input:received';
    const values = isInput ? (isJsonMap(form ?? null) ? (form as JsonMap) : {}) : others;
    this.#answers.push({
      ...{ node, key: event.key },
      ...(isInput ? {} : { decision: approved === true ? ('approve' as const) : ('reject' as const) }),
      ...(isInput || Object.keys(values).length > 0 ? { values } : {}),
      ...(typeof comment === 'string' && comment !== '' ? { comment } : {}),
      ...(event.by === undefined || event.by === '' ? {} : { by: event.by }),
    });
  }
}
