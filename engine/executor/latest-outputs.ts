/**
 * What the latest runs of a flow gave: outputs that a part of the flow uses instead of running, and inputs.
 */
import type { RunId } from '../base/ids.ts';
import type { TakenOutput, TakenOutputs } from '../flow/run-scope.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { foldRun } from '../kernel/fold-run.ts';
import type { RunPart } from '../kernel/run-event.ts';
import { emptyRunState, type NodeState } from '../kernel/run-state.ts';
import type { RunStore } from '../store/run-store.ts';
import { isLostIn, wholeIn } from './earlier-run.ts';
import { usesOf } from './part-of-flow.ts';
import { readLog, unlessDamaged } from './read-log.ts';
import { missingOutputs } from './refusals.ts';

/** Older runs are not looked into: the flow has changed since. */
export const mostRuns = 20;

/** What of a flow is to run, and outputs that its nodes give instead. */
interface PartRequest {
  readonly path: string;
  readonly part?: RunPart;
  readonly pins?: Readonly<Record<string, JsonValue>>;
}

/**
 * The outputs that nodes take instead of running: pinned ones, and for a node alone what those that it uses gave last. Undefined when
 * all of the flow runs.
 * @throws EngineError `run.missing-outputs` when a node alone would fail without an output that no run has
 */
export function takenOutputs(
  flow: CompiledFlow,
  { path, part, pins = {} }: PartRequest,
  store: RunStore,
): TakenOutputs | undefined {
  const pinned = Object.entries(pins).map(([id, output]) => [id, { output, pin: true }] as const);
  if (part === undefined || 'to' in part) return pinned.length === 0 ? undefined : new Map(pinned);
  const { all, strict } = usesOf(flow, part.only);
  const wanted = all.filter((id) => !Object.hasOwn(pins, id));
  const found = latestOutputs(path, wanted, store);
  const missing = wanted.filter((id) => strict.has(id) && !found.has(id));
  if (missing.length > 0) throw missingOutputs(part.only, missing);
  return new Map<string, TakenOutput>([...found, ...pinned]);
}

/** What a node gave, and in which run. */
export interface GivenOutput {
  readonly output: JsonValue;
  readonly fromRunId: RunId;
}

/**
 * What nodes gave last, whichever run of the flow at a path that was in; of those that gave something. What they failed of or were
 * skipped for does not count, and neither does what was pinned then: a pin holds as long as it is there.
 */
export function latestOutputs(
  sourcePath: string,
  ids: readonly string[],
  store: RunStore,
): ReadonlyMap<string, GivenOutput> {
  const found = new Map<string, GivenOutput>();
  const wanted = new Set(ids);
  for (const { runId, kind } of wanted.size === 0 ? [] : store.listRuns({ sourcePath, limit: mostRuns })) {
    if (kind !== 'flow') continue;
    const { nodes } = unlessDamaged(() => foldRun(emptyRunState, [...readLog(store, runId)]), emptyRunState);
    for (const id of wanted) {
      const output = validOutput(nodes.get(id), store);
      if (output === undefined) continue;
      found.set(id, { output: wholeIn(store, output), fromRunId: runId });
      wanted.delete(id);
    }
    if (wanted.size === 0) break;
  }
  return found;
}

function validOutput({ status, output, isPinned }: Partial<NodeState> = {}, store: RunStore): JsonValue | undefined {
  if ((status !== 'completed' && status !== 'reused') || isPinned === true || isLostIn(store, output)) return undefined;
  return output;
}

/** What the latest run of the flow at a path was given; empty when there is none. */
export function latestInputs(sourcePath: string, store: RunStore): JsonMap {
  const latest = store
    .listRuns({ sourcePath, limit: mostRuns })
    .find(({ kind, damage }) => kind === 'flow' && damage === undefined);
  const inputs = latest && unlessDamaged(() => store.getRun(latest.runId), undefined)?.inputs;
  return isJsonMap(inputs) ? inputs : {};
}

/** What of its flow an earlier run was about, with the outputs that were pinned in it; empty for a run of the whole. */
export function partThatRan(
  runId: RunId,
  store: RunStore,
): { readonly part?: RunPart; readonly pins?: Readonly<Record<string, JsonValue>> } {
  const start = store.readEvents(runId, -1, 1)[0]?.event;
  if (start?.type !== 'run:start') return {};
  const part = start.scope === undefined ? {} : { part: start.scope };
  if (start.pinned === undefined) return part;
  const pinned = [...readLog(store, runId)].flatMap(({ event }) =>
    event.type === 'node:reused' && event.pin === true ? [[event.nodeId, wholeIn(store, event.output)] as const] : [],
  );
  return { ...part, pins: Object.fromEntries(pinned) };
}
