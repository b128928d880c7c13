/**
 * The `run` table's rows → records of the history.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import { asRunId } from '../base/ids.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { RunKind, RunPart } from '../kernel/run-event.ts';
import type { RunStatus, RunSummary, WaitStatus } from '../kernel/run-state.ts';
import type { Owner } from './owner.ts';
import type { RunRecord } from './run-store.ts';

/** For what a suspended run waits; null for the decision whether what was cut may run again. */
export type StoredWait = 'PENDING_HUMAN' | 'PENDING_USER_INPUT' | 'PENDING_PERMISSION';

/** A row as the database gives it, without what may be large. */
export interface RunRow {
  readonly id: number;
  readonly run_id: string;
  readonly kind: RunKind;
  readonly name: string;
  readonly source_path: string;
  readonly definition_hash: string;
  readonly status: Exclude<RunStatus, 'interrupted'>;
  readonly started_at: number;
  readonly duration_ms: number | null;
  readonly redo_of: string | null;
  readonly redo_count: number | null;
  readonly rerun_of: string | null;
  readonly error: string | null;
  readonly failed_nodes: string;
  readonly owner_host: string | null;
  readonly owner_pid: number | null;
  readonly owner_start: string | null;
  readonly lease_until: number | null;
  readonly wait: StoredWait | null;
  /** JSON list of what its last event says of `costUsd` and `unpricedCalls`; null while it has not ended. */
  readonly spending: string | null;
  /** JSON list of what its first event says of `scope` and `pinned`; null for one that has not begun, and for an agent. */
  readonly part: string | null;
}

/**
 * The columns of `RunRow`. What a run has cost stands in its last event and what of its flow it is about in its first one, each one
 * look into the tree of events away. A log that is damaged does not take the list of runs with it.
 */
export const runColumns = `id, run_id, kind, name, source_path, definition_hash, status, started_at, duration_ms, redo_of,
  redo_count, rerun_of, error, failed_nodes, owner_host, owner_pid, owner_start, lease_until, wait,
  CASE WHEN duration_ms IS NOT NULL THEN (
    SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$[#-1].costUsd', '$[#-1].unpricedCalls') END
    FROM event_group WHERE event_group.id BETWEEN run.id << 32 AND run.id << 32 | 4294967295
    ORDER BY event_group.id DESC LIMIT 1
  ) END AS spending,
  CASE WHEN kind = 'flow' THEN (
    SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$[1].scope', '$[1].pinned') END
    FROM event_group WHERE event_group.id BETWEEN run.id << 32 AND run.id << 32 | 4294967295
    ORDER BY event_group.id LIMIT 1
  ) END AS part`;

/** Who has the run; undefined when nobody has, because its store was closed before it ended. */
export function ownerOf(row: RunRow): Owner | undefined {
  return row.owner_host === null || row.owner_pid === null
    ? undefined
    : { host: row.owner_host, pid: row.owner_pid, start: row.owner_start ?? '' };
}

const kinds: ReadonlySet<string> = new Set<RunKind>(['flow', 'agent']);
const statuses: ReadonlySet<string> = new Set<RunRow['status']>([
  'queued',
  'running',
  'suspended',
  'completed',
  'failed',
  'cancelled',
  'skipped',
]);

/** @param isAbandoned whether nobody alive has the run; decides only for one that has not ended */
export function toSummary(row: RunRow, isAbandoned: boolean): RunSummary {
  if (!kinds.has(row.kind) || !statuses.has(row.status)) throw new SyntaxError('a run is of no known kind or status');
  return {
    runId: asRunId(row.run_id),
    number: row.id,
    kind: row.kind,
    name: row.name,
    sourcePath: row.source_path,
    definitionHash: row.definition_hash,
    status: isAbandoned && (row.status === 'queued' || row.status === 'running') ? 'interrupted' : row.status,
    startedAt: row.started_at,
    ...(row.status === 'suspended' && row.wait !== null ? { waitStatus: waitStatusOf(row.wait) } : {}),
    ...(row.duration_ms === null ? {} : { durationMs: row.duration_ms }),
    ...(row.redo_of === null ? {} : { redoOf: asRunId(row.redo_of) }),
    ...(row.redo_count === null ? {} : { redoCount: row.redo_count }),
    ...(row.rerun_of === null ? {} : { rerunOf: asRunId(row.rerun_of) }),
    ...parsePart(row.part),
    ...parseSpending(row.spending),
    ...(row.error === null ? {} : { error: parseError(row.error) }),
    failedNodes: parseFailedNodes(row.failed_nodes),
  };
}

/** Both names of an approval are read: it is stored under another one than it is shown. */
function waitStatusOf(wait: string): WaitStatus {
  return wait === 'PENDING_USER_INPUT' || wait === 'PENDING_PERMISSION' ? wait : 'PENDING_APPROVAL';
}

function parseSpending(text: string | null): Pick<RunSummary, 'costUsd' | 'unpricedCalls'> {
  if (text === null) return {};
  const [costUsd, unpricedCalls] = JSON.parse(text) as readonly unknown[];
  return {
    ...(typeof costUsd === 'number' ? { costUsd } : {}),
    ...(typeof unpricedCalls === 'number' ? { unpricedCalls } : {}),
  };
}

/** What a damaged log says in its place is left out. */
function parsePart(text: string | null): Pick<RunSummary, 'scope' | 'pinned'> {
  if (text === null) return {};
  const [scope, pinned] = JSON.parse(text) as readonly unknown[];
  return {
    ...(isPart(scope) ? { scope } : {}),
    ...(Array.isArray(pinned) && pinned.every((id) => typeof id === 'string') ? { pinned } : {}),
  };
}

function isPart(value: unknown): value is RunPart {
  if (typeof value !== 'object' || value === null) return false;
  return 'only' in value ? typeof value.only === 'string' : 'to' in value && typeof value.to === 'string';
}

function parseError(text: string): ErrorRecord {
  const error = JSON.parse(text) as ErrorRecord | null;
  if (typeof error?.code === 'string' && typeof error.message === 'string') return error;
  throw new SyntaxError('an error has no code or no message');
}

function parseFailedNodes(text: string): readonly string[] {
  const nodes: unknown = JSON.parse(text);
  if (Array.isArray(nodes) && nodes.every((node) => typeof node === 'string')) return nodes;
  throw new SyntaxError('a list of nodes holds something else');
}

/** The parts of a row that may be large, as JSON texts. */
export interface LargeColumns {
  readonly inputs: string;
  /** Null = none were recorded. */
  readonly node_settings: string | null;
}

/** Adds to a summary what only single runs are asked for. */
export function toRecord(summary: RunSummary, { inputs, node_settings }: LargeColumns): RunRecord {
  return {
    ...summary,
    inputs: JSON.parse(inputs) as JsonValue,
    nodeSettings: node_settings === null ? {} : (JSON.parse(node_settings) as Record<string, string>),
  };
}
