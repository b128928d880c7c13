/**
 * Reads the latest runs of a flow: the outputs that a partial run uses instead of running nodes, and the inputs.
 */
import type { RunId } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { TakenOutput, TakenOutputs } from '../../runtime/flow/run-scope.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { RunPart } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type NodeState } from '../../runtime/kernel/events/run-state.ts';
import { missingOutputs } from '../executor/refusals.ts';
import { readLog, unlessDamaged } from '../reads/read-log.ts';
import { isStoredValueLost, readStoredValue } from './earlier-run.ts';
import { usesOf } from './part-of-flow.ts';

/** Maximum number of runs that are searched. Older runs are ignored because the flow has probably changed since. */
export const mostRuns = 20;

/** The part of a flow to run, and the outputs that replace the other nodes. */
export interface PartRequest {
  readonly path: string;
  readonly part?: RunPart;
  readonly pins?: Readonly<Record<string, JsonValue>>;
  /** Describes those of the pins that a person gives for this run only. */
  readonly given?: TakenOutputs;
}

/**
 * Returns the outputs that replace nodes: pinned outputs and, if a single node runs, the latest outputs of the nodes it
 * uses. Undefined if the whole flow runs.
 * @throws EngineError `run.missing-outputs` if a single node requires an output that no run has
 */
export function takenOutputs(
  flow: CompiledFlow,
  { path, part, pins = {}, given }: PartRequest,
  store: RunStore,
): TakenOutputs | undefined {
  const pinned = Object.entries(pins).map(
    ([id, output]) => [id, given?.get(id) ?? { output, pin: true as const }] as const,
  );
  if (part === undefined || 'to' in part) return pinned.length === 0 ? undefined : new Map(pinned);
  const { all, strict } = usesOf(flow, part.only);
  const wanted = all.filter((id) => !Object.hasOwn(pins, id));
  const found = latestOutputs(path, wanted, store);
  const missing = wanted.filter((id) => strict.has(id) && !found.has(id));
  if (missing.length > 0) throw missingOutputs(part.only, missing);
  return new Map<string, TakenOutput>([...found, ...pinned]);
}

/** An output of a node, and the run that produced it. */
export interface LatestNodeOutput {
  readonly output: JsonValue;
  readonly fromRunId: RunId;
}

/**
 * Returns the latest output of each node across the runs of the flow at a path. Nodes without an output are omitted.
 * Failures, skips and outputs that were pinned in those runs do not count, because a pin is valid only while it is set.
 */
export function latestOutputs(
  sourcePath: string,
  ids: readonly string[],
  store: RunStore,
): ReadonlyMap<string, LatestNodeOutput> {
  const found = new Map<string, LatestNodeOutput>();
  const wanted = new Set(ids);
  for (const { runId, kind } of wanted.size === 0 ? [] : store.listRuns({ sourcePath, limit: mostRuns })) {
    if (kind !== 'flow') continue;
    const { nodes } = unlessDamaged(() => foldRun(emptyRunState, [...readLog(store, runId)]), emptyRunState);
    for (const id of wanted) {
      const output = validOutput(nodes.get(id), store);
      if (output === undefined) continue;
      found.set(id, { output: readStoredValue(store, output), fromRunId: runId });
      wanted.delete(id);
    }
    if (wanted.size === 0) break;
  }
  return found;
}

function validOutput({ status, output, isPinned }: Partial<NodeState> = {}, store: RunStore): JsonValue | undefined {
  if ((status !== 'completed' && status !== 'reused') || isPinned === true || isStoredValueLost(store, output))
    return undefined;
  return output;
}

/** Returns the inputs of the latest run of the flow at a path; empty if there is no run. */
export function latestInputs(sourcePath: string, store: RunStore): JsonMap {
  const latest = store
    .listRuns({ sourcePath, limit: mostRuns })
    .find(({ kind, damage }) => kind === 'flow' && damage === undefined);
  const inputs = latest && unlessDamaged(() => store.getRun(latest.runId), undefined)?.inputs;
  return isJsonMap(inputs) ? inputs : {};
}

/**
 * Returns the part of the flow that an earlier run executed, and its pinned outputs; empty if it ran the whole flow.
 */
export function partThatRan(
  runId: RunId,
  store: RunStore,
): { readonly part?: RunPart; readonly pins?: Readonly<Record<string, JsonValue>> } {
  const start = store.readEvents(runId, -1, 1)[0]?.event;
  if (start?.type !== 'run:start') return {};
  const part = start.scope === undefined ? {} : { part: start.scope };
  if (start.pinned === undefined) return part;
  const ids = new Set(start.pinned);
  const pinned = [...readLog(store, runId)].flatMap(({ event }) =>
    event.type === 'node:reused' && event.pin === true && ids.has(event.nodeId)
      ? [[event.nodeId, readStoredValue(store, event.output)] as const]
      : [],
  );
  return { ...part, pins: Object.fromEntries(pinned) };
}
