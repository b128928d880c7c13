/**
 * Chooses the earlier run to reuse when running up to a node, and plans the result. The plan uses the same comparison
 * as the run.
 */
import type { RunId } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import type { FlowJobs } from '../executor/flow-jobs.ts';
import { unlessDamaged } from '../reads/read-log.ts';
import { mostRuns } from './latest-outputs.ts';
import type { RerunStep } from './rerun-step.ts';

/** A run that ends at a node. */
export interface PlanUpTo {
  /** See `StartRun`. */
  readonly path: string;
  readonly text?: string;
  readonly nodeId: string;
  /** See `StartRun`. */
  readonly pins?: Readonly<Record<string, JsonValue>>;
}

/** The run to rerun with `part: { to }`, and the planned result. */
export interface UpToPlan {
  readonly runId: RunId;
  readonly steps: readonly RerunStep[];
}

/**
 * Finds the run to reuse among the latest runs with the same inputs as the most recent one: the run with the fewest
 * nodes to run again or, of several such runs, the latest. Undefined if no run has ended.
 * @throws EngineError as `Engine.planRerun` does
 */
export async function planUpTo(
  { path, nodeId, ...request }: PlanUpTo,
  flows: Pick<FlowJobs, 'readRerun'>,
  { store, registry }: { readonly store: RunStore; readonly registry: NodeTypeLookup },
): Promise<UpToPlan | undefined> {
  let best: (UpToPlan & { readonly count: number }) | undefined;
  for (const runId of alikeRuns(path, store)) {
    const { rerun } = await flows.readRerun({ runId, part: { to: nodeId }, ...request });
    const steps = rerun.plan(registry);
    const count = steps.filter(({ fate }) => fate === 'runs' || fate === 'maybe').length;
    if (best === undefined || count < best.count) best = { runId, steps, count };
    if (count === 0) break;
  }
  return best && { runId: best.runId, steps: best.steps };
}

function alikeRuns(path: string, store: RunStore): readonly RunId[] {
  const records = store
    .listRuns({ sourcePath: path, limit: mostRuns })
    .filter(({ kind, status }) => kind === 'flow' && hasEnded.has(status))
    .flatMap(({ runId }) => unlessDamaged(() => store.getRun(runId), undefined) ?? []);
  const [latest] = records;
  return records.flatMap(({ runId, inputs }) => (jsonEquals(inputs, latest?.inputs ?? null) ? [runId] : []));
}

const hasEnded: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
