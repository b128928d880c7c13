/**
 * Finds the nodes that fail most, since when they fail in every run, and what has changed in the flow then.
 */
import { diffFlows } from '../../language/edit/diff/diff-flows.ts';
import { baseNodeId } from '../../runtime/kernel/events/node-places.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { RunHistoryReader } from './history.ts';

/** A run, as far as statistics name it. */
export type NamedRun = Pick<RunSummary, 'runId' | 'number' | 'startedAt'>;

/** How often a node has failed, and since when it fails in every run. */
export interface NodeFailures {
  /** Absent for runs that failed without any node, for example because a policy refused them. */
  readonly nodeId?: string;
  /** Number of runs in which it has failed. */
  readonly runs: number;
  readonly last: NamedRun;
  /** Message of the last of these runs; absent if that run itself did not fail. */
  readonly message?: string;
  /** Absent if the latest run in which it could have failed was fine. */
  readonly streak?: FailureStreak;
}

/** Consecutive runs in which a node has failed, up to the latest one. */
export interface FailureStreak {
  readonly runs: number;
  readonly first: NamedRun;
  /** The run before them; absent if there is none. */
  readonly before?: NamedRun;
  /** What has changed in the flow since the run before, in English. Empty if nothing has; absent if it is not known. */
  readonly changes?: readonly string[];
}

const mostFailures = 10;

/** Returns the nodes that have failed in any of the runs, the most frequent first. */
export async function readFailures(
  history: RunHistoryReader,
  newestFirst: readonly RunSummary[],
): Promise<readonly NodeFailures[]> {
  const failed = newestFirst.flatMap((run) => failedNodesOf(run).map((nodeId) => ({ nodeId, run })));
  const byNode = [...groupBy(failed, ({ nodeId }) => nodeId)].sort(([, a], [, b]) => b.length - a.length);
  const failures: NodeFailures[] = [];
  for (const [nodeId, found] of byNode.slice(0, mostFailures)) {
    const [last] = found;
    if (last === undefined) continue;
    const streak = await readStreak(history, newestFirst, nodeId);
    failures.push({
      ...(nodeId === undefined ? {} : { nodeId }),
      runs: found.length,
      last: named(last.run),
      ...(last.run.error === undefined ? {} : { message: last.run.error.message }),
      ...(streak === undefined ? {} : { streak }),
    });
  }
  return failures;
}

/** Returns the nodes that have failed in a run; undefined in the list if it failed without any. */
function failedNodesOf(run: RunSummary): readonly (string | undefined)[] {
  if (run.failedNodes.length === 0) return run.status === 'failed' ? [undefined] : [];
  return [...new Set(run.failedNodes.map(baseNodeId))];
}

async function readStreak(
  history: RunHistoryReader,
  newestFirst: readonly RunSummary[],
  nodeId: string | undefined,
): Promise<FailureStreak | undefined> {
  const runs: RunSummary[] = [];
  let before: RunSummary | undefined;
  for (const run of newestFirst) {
    if (failedNodesOf(run).includes(nodeId)) runs.push(run);
    else if (isFine(run)) {
      before = run;
      break;
    }
  }
  const first = runs.at(-1);
  if (first === undefined) return undefined;
  const changes = before === undefined ? undefined : await readChanges(history, before, first);
  return {
    runs: runs.length,
    first: named(first),
    ...(before === undefined ? {} : { before: named(before) }),
    ...(changes === undefined ? {} : { changes }),
  };
}

/** A run that stopped earlier, or ran only a part of the flow, does not show whether a node still fails. */
function isFine({ status, scope }: RunSummary): boolean {
  return status === 'completed' && scope === undefined;
}

function named({ runId, number, startedAt }: RunSummary): NamedRun {
  return { runId, number, startedAt };
}

async function readChanges(
  history: RunHistoryReader,
  before: RunSummary,
  after: RunSummary,
): Promise<readonly string[] | undefined> {
  if (before.definitionHash === after.definitionHash) return [];
  if (before.kind !== 'flow' || after.kind !== 'flow') return undefined;
  const [former, latter] = [await history.readDefinition(before.runId), await history.readDefinition(after.runId)];
  return diffFlows({ before: former, after: latter }).differences.map(({ text }) => text);
}

/** Groups items by a key, in the order in which the keys first appear. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
