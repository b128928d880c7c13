/**
 * Computes statistics of runs: how long they take, what they cost, which nodes are slow, and what fails since when. Reads
 * the list of runs, and the events of only the newest ones.
 */
import type { RunId } from '../../base/ids.ts';
import type { RunListQuery } from '../../history/store/run-store.ts';
import { readPages } from '../../runtime/kernel/capabilities/read-run.ts';
import { baseNodeId } from '../../runtime/kernel/events/node-places.ts';
import type { RunStatus, RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { endedTask, nameOfTask, outcomeOf } from '../../runtime/kernel/events/task-events.ts';
import type { RunHistoryReader } from './history.ts';
import { groupBy, type NodeFailures, readFailures } from './node-failures.ts';

/** Half of the values are at most `p50`, and 95 % at most `p95`. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly total: number;
}

/** Spreads of runs that have ended; a field is absent if no run has such a value. */
export interface RunSpreads {
  /** Milliseconds. */
  readonly durationMs?: Spread;
  readonly tokens?: Spread;
  readonly costUsd?: Spread;
}

/** Consecutive runs that have ended. */
export interface StatsPoint extends RunSpreads {
  /** Numbers of the first and the last run. */
  readonly first: number;
  readonly last: number;
  /** When the last run started, in epoch milliseconds. */
  readonly startedAt: number;
  readonly runs: number;
  readonly failed: number;
}

export interface NodeTimes {
  /** ID in the file. The iterations of a loop count as one node. */
  readonly nodeId: string;
  /** Number of times that it ended, and how often it failed. */
  readonly count: number;
  readonly failed: number;
  readonly durationMs: Spread;
}

export interface FlowTotals extends RunSpreads {
  readonly sourcePath: string;
  readonly runs: number;
  readonly failed: number;
}

export interface RunStats extends RunSpreads {
  /** Number of runs that were counted, up to `mostCountedRuns`. */
  readonly runs: number;
  /** Whether there are more runs, which were not counted. */
  readonly isCut: boolean;
  readonly statuses: Readonly<Partial<Record<RunStatus, number>>>;
  readonly flows: readonly FlowTotals[];
  /** Oldest first, at most `mostPoints`. */
  readonly points: readonly StatsPoint[];
  /** Slowest first; only for one flow. */
  readonly nodes: readonly NodeTimes[];
  /** Number of newest runs that `nodes` is about. */
  readonly nodeRuns: number;
  /** Most frequent first; only for one flow. */
  readonly failures: readonly NodeFailures[];
}

/** A task of a run that has ended. */
export interface TaskTime {
  readonly nodeId: string;
  readonly durationMs: number;
  readonly isFailed: boolean;
}

/** Selects the runs of statistics. */
export type StatsQuery = Omit<RunListQuery, 'limit' | 'below'>;

export const mostCountedRuns = 10_000;
const pageRuns = 1_000;
const mostPoints = 60;
/** Node times need events. Reading more of them would take seconds. */
const mostNodeRuns = 200;
const mostNodeEvents = 40_000;

/** @throws EngineError those of `listRuns` */
export async function readRunStats(history: RunHistoryReader, query: StatsQuery): Promise<RunStats> {
  const { runs, isCut } = await listPages(history, query);
  const isOneFlow = query.sourcePath !== undefined;
  const ended = runs.filter(({ durationMs }) => durationMs !== undefined);
  const times = isOneFlow ? await readNodeTimes(history, ended) : { nodes: [], nodeRuns: 0 };
  return {
    runs: runs.length,
    isCut,
    statuses: countBy(runs, ({ status }) => status),
    ...spreadsOf(ended),
    flows: [...groupBy(runs, ({ sourcePath }) => sourcePath)].map(([sourcePath, ofFlow]) => ({
      sourcePath,
      ...totalsOf(ofFlow),
    })),
    points: pointsOf(ended),
    ...times,
    failures: isOneFlow ? await readFailures(history, ended) : [],
  };
}

/** Returns the tasks of runs that have ended, in the order in which they ended, up to `limit` of each run. */
export async function readTaskTimes(
  history: RunHistoryReader,
  runIds: readonly RunId[],
  limit: number,
): Promise<Map<RunId, readonly TaskTime[]>> {
  const times = new Map<RunId, readonly TaskTime[]>();
  for (const runId of runIds) {
    times.set(runId, (await readTasks(history, runId, limit * eventsPerTask)).tasks.slice(0, limit));
    await otherWork();
  }
  return times;
}

/** Other work of the process continues between two pages. */
async function listPages(
  history: RunHistoryReader,
  query: StatsQuery,
): Promise<{ readonly runs: readonly RunSummary[]; readonly isCut: boolean }> {
  const runs: RunSummary[] = [];
  for (;;) {
    const below = runs.at(-1)?.number;
    const page = await history.listRuns({ ...query, ...(below === undefined ? {} : { below }), limit: pageRuns });
    runs.push(...page);
    if (page.length < pageRuns) return { runs, isCut: false };
    if (runs.length >= mostCountedRuns) return { runs, isCut: true };
    await otherWork();
  }
}

function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function totalsOf(runs: readonly RunSummary[]): Omit<FlowTotals, 'sourcePath'> {
  return { runs: runs.length, failed: runs.filter(({ status }) => status === 'failed').length, ...spreadsOf(runs) };
}

function spreadsOf(runs: readonly RunSummary[]): RunSpreads {
  const spreads = (['durationMs', 'tokens', 'costUsd'] as const).flatMap((field) => {
    const spread = spreadOf(runs.flatMap((run) => run[field] ?? []));
    return spread === undefined ? [] : [[field, spread] as const];
  });
  return Object.fromEntries(spreads);
}

function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  if (sorted.length === 0) return undefined;
  return { p50: at(0.5), p95: at(0.95), total: sorted.reduce((sum, value) => sum + value, 0) };
}

function pointsOf(newestFirst: readonly RunSummary[]): readonly StatsPoint[] {
  const runs = newestFirst.toReversed();
  const size = Math.max(1, Math.ceil(runs.length / mostPoints));
  return Array.from({ length: Math.ceil(runs.length / size) }, (_, index) => {
    const group = runs.slice(index * size, (index + 1) * size);
    const [first, last] = [group[0], group.at(-1)];
    const named = { first: first?.number ?? 0, last: last?.number ?? 0, startedAt: last?.startedAt ?? 0 };
    return { ...named, ...totalsOf(group) };
  });
}

async function readNodeTimes(
  history: RunHistoryReader,
  newestFirst: readonly RunSummary[],
): Promise<Pick<RunStats, 'nodes' | 'nodeRuns'>> {
  const tasks: TaskTime[] = [];
  let [nodeRuns, left] = [0, mostNodeEvents];
  for (const { runId, damage } of newestFirst.slice(0, mostNodeRuns)) {
    if (left <= 0) break;
    if (damage !== undefined) continue;
    const found = await readTasks(history, runId, left);
    tasks.push(...found.tasks);
    left -= found.events;
    nodeRuns += 1;
    await otherWork();
  }
  const nodes = [...groupBy(tasks, ({ nodeId }) => nodeId)].map(([nodeId, ofNode]) => ({
    nodeId,
    count: ofNode.length,
    failed: ofNode.filter((task) => task.isFailed).length,
    durationMs: spreadOf(ofNode.map(({ durationMs }) => durationMs)) ?? { p50: 0, p95: 0, total: 0 },
  }));
  return { nodes: nodes.sort((a, b) => b.durationMs.p95 - a.durationMs.p95), nodeRuns };
}

/** Events of one task: its start, input, calls, end and edges. */
const eventsPerTask = 8;

/** Reads the run's own tasks, not those of its child runs, which their nodes include. */
async function readTasks(
  history: RunHistoryReader,
  runId: RunId,
  mostEvents: number,
): Promise<{ readonly tasks: readonly TaskTime[]; readonly events: number }> {
  const tasks: TaskTime[] = [];
  let events = 0;
  for await (const page of readPages(history, runId, { lastSeq: mostEvents - 1 })) {
    events += page.length;
    for (const envelope of page) {
      const task = envelope.runId === runId ? endedTask(envelope.event) : undefined;
      if (task === undefined || !('durationMs' in task)) continue;
      // The inputs of an agent are one node.
      const nodeId = baseNodeId(nameOfTask(task)).replace(/^(input):\d+$/, '$1');
      tasks.push({ nodeId, durationMs: task.durationMs, isFailed: outcomeOf(task) === 'failed' });
    }
  }
  return { tasks, events };
}

function countBy<Item, Key extends string>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Partial<Record<Key, number>> {
  const counts = [...groupBy(items, keyOf)].map(([key, { length }]) => [key, length] as const);
  return Object.fromEntries(counts) as Partial<Record<Key, number>>;
}
