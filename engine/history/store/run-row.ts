/**
 * Converts rows of the `run` table to history records. A damaged row becomes a record that describes the damage.
 */
import { EngineError, type ErrorRecord } from '../../base/engine-error.ts';
import { asRunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunKind, RunPart, StartedBy } from '../../runtime/kernel/events/run-event.ts';
import type { RunStatus, RunSummary, WaitStatus } from '../../runtime/kernel/events/run-state.ts';
import { startKinds } from '../../runtime/kernel/events/start-event.ts';
import type { Owner } from './owner.ts';

export interface RunRecord extends RunSummary {
  readonly inputs: JsonValue;
  readonly nodeSettings: Readonly<Record<string, string>>;
}

/** What a suspended run waits for; null if it waits for the decision whether interrupted work may run again. */
export type StoredWait = 'PENDING_HUMAN' | 'PENDING_USER_INPUT' | 'PENDING_PERMISSION' | 'PAUSED';

/** The columns of a row that identify the owner. */
export interface OwnedRow {
  readonly id: number;
  readonly run_id: string;
  readonly owner_host: string | null;
  readonly owner_pid: number | null;
  readonly owner_start: string | null;
  readonly lease_until: number | null;
}

/** A row as the database returns it, without large columns. Any field may be invalid, because a file can be damaged. */
export interface RunRow extends OwnedRow {
  readonly kind: RunKind;
  readonly name: string;
  readonly source_path: string;
  readonly definition_hash: string;
  readonly status: Exclude<RunStatus, 'interrupted'>;
  /** Null if the stored value is not a time. */
  readonly started_at: number | null;
  readonly duration_ms: number | null;
  readonly redo_of: string | null;
  readonly redo_count: number | null;
  readonly rerun_of: string | null;
  readonly error: string | null;
  readonly failed_nodes: string;
  readonly wait: StoredWait | null;
  /**
   * JSON list of `costUsd`, `unpricedCalls`, `reason`, `promptTokens` and `completionTokens` from its last event; null if
   * it has not ended.
   */
  readonly spending: string | null;
  /**
   * JSON list of `scope` and `pinned` from its first event, in a shared history also `startedBy`; null for an agent, and
   * for a run that has not started.
   */
  readonly part: string | null;
  /** JSON of `startedBy`; absent in a shared history. */
  readonly started_by?: string | null;
  readonly note?: string | null;
  /** JSON list; absent in a shared history, like `note`. */
  readonly labels?: string | null;
  /** The first problem with the data that the row refers to; null if there is none. */
  readonly lost: string | null;
}

/** The columns from which a summary is made. */
export type SummaryRow = Omit<RunRow, 'owner_host' | 'owner_pid' | 'owner_start' | 'lease_until'>;

/**
 * Returns SQL for a column's number, or null if JavaScript cannot represent it. Reading such a number would make all
 * rows fail.
 */
export function safeNumber(column: string): string {
  return `CASE WHEN ${column} BETWEEN -9007199254740991 AND 9007199254740991 THEN ${column} END AS ${column}`;
}

/** The columns of `OwnedRow`. */
export const ownedColumns = `id, run_id, owner_host, ${safeNumber('owner_pid')}, owner_start, ${safeNumber('lease_until')}`;

/** Maximum size of inputs that are read for a list. Lists must be fast, so larger ones are not read. */
const mostListedInput = 16_384;

/** SQL that detects a damaged group. A group starts with the time of its first event and ends with an event. */
const isDamagedGroup = `CASE WHEN json_valid(json)
  THEN json_extract(json, '$[0].at') IS NULL OR json_extract(json, '$[#-1].type') IS NULL ELSE 1 END`;

/** SQL for the groups of a row of `run`. */
export const groupsOfRun = 'FROM event_group WHERE event_group.id BETWEEN run.id << 32 AND run.id << 32 | 4294967295';

/**
 * The columns of `RunRow`. The run's cost is in its last event and its scope in the first one. Each needs a single
 * lookup in the event tree. Damaged values do not make reading the row fail.
 */
export const runColumns = `${ownedColumns}, kind, name, source_path, definition_hash, status, ${safeNumber('started_at')},
  ${safeNumber('duration_ms')}, redo_of, ${safeNumber('redo_count')}, rerun_of, error, failed_nodes, wait, started_by, note,
  (SELECT json_group_array(label) FROM run_label WHERE run_label.run = run.id) AS labels,
  CASE WHEN duration_ms IS NOT NULL THEN (
    SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$[#-1].costUsd', '$[#-1].unpricedCalls', '$[#-1].reason',
      '$[#-1].usage.promptTokens', '$[#-1].usage.completionTokens') END
    ${groupsOfRun} ORDER BY event_group.id DESC LIMIT 1
  ) END AS spending,
  CASE WHEN kind = 'flow' THEN (
    SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$[1].scope', '$[1].pinned') END
    ${groupsOfRun} ORDER BY event_group.id LIMIT 1
  ) END AS part,
  CASE
    WHEN octet_length(inputs) <= ${mostListedInput} AND NOT json_valid(inputs) THEN 'its inputs are not valid JSON'
    WHEN NOT EXISTS (SELECT 1 FROM value WHERE hash = definition_hash) THEN 'the text of its flow is missing'
    WHEN node_settings_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM value WHERE hash = node_settings_hash)
      THEN 'its node settings are missing'
    WHEN status IN ('completed', 'failed', 'cancelled', 'suspended') AND NOT EXISTS (SELECT 1 ${groupsOfRun})
      THEN 'its events are missing'
    WHEN (SELECT ${isDamagedGroup} ${groupsOfRun} ORDER BY event_group.id LIMIT 1) THEN 'its first events are damaged'
    WHEN (SELECT ${isDamagedGroup} ${groupsOfRun} ORDER BY event_group.id DESC LIMIT 1) THEN 'its last events are damaged'
    WHEN coalesce(duration_ms, 0) NOT BETWEEN -9007199254740991 AND 9007199254740991 THEN 'its duration is not a number'
  END AS lost`;

/** The columns of a row that cannot be read completely, such as one on a damaged page. */
export const keyColumns = `id, run_id, kind, name, source_path, definition_hash, '' AS status, NULL AS started_at,
  NULL AS duration_ms, NULL AS redo_of, NULL AS redo_count, NULL AS rerun_of, NULL AS error, '[]' AS failed_nodes,
  NULL AS owner_host, NULL AS owner_pid, NULL AS owner_start, NULL AS lease_until, NULL AS wait, NULL AS spending,
  NULL AS part, NULL AS started_by, NULL AS note, NULL AS labels, 'its row cannot be read' AS lost`;

/** Returns the owner of the run; undefined if there is none, because the store was closed before the run ended. */
export function ownerOf(row: OwnedRow): Owner | undefined {
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

/** The latest time that a `Date` can represent, in epoch milliseconds. */
const lastMoment = 8.64e15;

const starters: ReadonlySet<unknown> = new Set(startKinds);

const isStarter = (value: unknown): value is StartedBy['kind'] => starters.has(value);
const isKind = (value: unknown): value is RunKind => kinds.has(String(value));
const isStatus = (value: unknown): value is RunRow['status'] => statuses.has(String(value));
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= lastMoment;
const isTextList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

function isError(value: unknown): value is ErrorRecord {
  const { code, message } = isMap(value) ? value : {};
  return isText(code) && isText(message);
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const unknownError: ErrorRecord = {
  code: 'store.unreadable',
  message: 'The recorded error cannot be read.',
  recoverable: false,
};

/**
 * Converts a row. Damaged fields get substitutes, and `damage` describes the first problem.
 * @param isAbandoned whether no live process owns the run; matters only for a run that has not ended
 */
export function toSummary(row: SummaryRow, isAbandoned: boolean): RunSummary {
  const damages = row.lost === null ? [] : [row.lost];
  const read = <Value>(value: unknown, { is, orElse, problem }: ColumnReadOptions<Value>): Value => {
    if (is(value)) return value;
    damages.push(problem);
    return orElse;
  };
  const text = (field: 'run_id' | 'name' | 'source_path' | 'definition_hash'): string =>
    read(row[field], { is: isText, orElse: '', problem: `its ${field} is not text` });
  const status = read(row.status, { is: isStatus, orElse: 'failed' as const, problem: 'its status is unknown' });
  const summary: RunSummary = {
    runId: asRunId(text('run_id')),
    number: row.id,
    kind: read(row.kind, { is: isKind, orElse: 'flow' as const, problem: 'its kind is unknown' }),
    name: text('name'),
    sourcePath: text('source_path'),
    definitionHash: text('definition_hash'),
    status: isAbandoned && (status === 'queued' || status === 'running') ? 'interrupted' : status,
    startedAt: read(row.started_at, { is: isCount, orElse: 0, problem: 'its start time is invalid' }),
    ...(status === 'suspended' && row.wait !== null ? { waitStatus: waitStatusOf(row.wait) } : {}),
    ...(isCount(row.duration_ms) ? { durationMs: row.duration_ms } : {}),
    ...(isText(row.redo_of) ? { redoOf: asRunId(row.redo_of) } : {}),
    ...(isCount(row.redo_count) ? { redoCount: row.redo_count } : {}),
    ...(isText(row.rerun_of) ? { rerunOf: asRunId(row.rerun_of) } : {}),
    ...parsePart(row.part),
    ...parseStarter(row),
    ...parseSpending(row.spending),
    ...parseMarks(row),
    ...(row.error === null
      ? {}
      : { error: read(parsedJson(row.error), { is: isError, orElse: unknownError, problem: 'its error is damaged' }) }),
    failedNodes: read(parsedJson(row.failed_nodes), {
      is: isTextList,
      orElse: [],
      problem: 'its list of failed nodes is damaged',
    }),
  };
  const [damage] = damages;
  return damage === undefined ? summary : { ...summary, damage };
}

interface ColumnReadOptions<Value> {
  readonly is: (value: unknown) => value is Value;
  readonly orElse: Value;
  readonly problem: string;
}

/** Accepts both names of an approval, because its stored name differs from its public one. */
function waitStatusOf(wait: string): WaitStatus {
  return wait === 'PENDING_USER_INPUT' || wait === 'PENDING_PERMISSION' || wait === 'PAUSED'
    ? wait
    : 'PENDING_APPROVAL';
}

function parseSpending(text: string | null): Pick<RunSummary, 'costUsd' | 'unpricedCalls' | 'endReason' | 'tokens'> {
  if (text === null) return {};
  const [costUsd, unpricedCalls, reason, ...counts] = parsedList(text);
  const tokens = counts.filter(isCount);
  return {
    ...(typeof costUsd === 'number' ? { costUsd } : {}),
    ...(typeof unpricedCalls === 'number' ? { unpricedCalls } : {}),
    ...(reason === 'corrected' ? { endReason: reason } : {}),
    ...(tokens.length === 0 ? {} : { tokens: tokens.reduce((sum, count) => sum + count, 0) }),
  };
}

/** Omits invalid values. */
function parseMarks({ note = null, labels = null }: SummaryRow): Pick<RunSummary, 'labels' | 'note'> {
  const list = labels === null ? [] : parsedList(labels).filter(isText);
  return { ...(list.length === 0 ? {} : { labels: list }), ...(isText(note) ? { note } : {}) };
}

/** Omits invalid values of a damaged log. */
function parsePart(text: string | null): Pick<RunSummary, 'scope' | 'pinned'> {
  if (text === null) return {};
  const [scope, pinned] = parsedList(text);
  return {
    ...(isPart(scope) ? { scope } : {}),
    ...(Array.isArray(pinned) && pinned.every((id) => typeof id === 'string') ? { pinned } : {}),
  };
}

/** Omits an invalid value. */
function parseStarter({ started_by, part }: SummaryRow): Pick<RunSummary, 'startedBy'> {
  const value = started_by == null ? parsedList(part ?? '')[2] : parsedJson(started_by);
  const { kind, name } = isMap(value) ? value : {};
  if (!isStarter(kind)) return {};
  return { startedBy: isText(name) ? { kind, name } : { kind } };
}

function isPart(value: unknown): value is RunPart {
  if (typeof value !== 'object' || value === null) return false;
  return 'only' in value ? typeof value.only === 'string' : 'to' in value && typeof value.to === 'string';
}

function parsedList(text: string): readonly unknown[] {
  const list = parsedJson(text);
  return Array.isArray(list) ? list : [];
}

/** Parses JSON text. Returns undefined if it is invalid. */
export function parsedJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** Columns of a row that may be large, as JSON text. */
export interface LargeColumns {
  readonly inputs: string;
  /** Null if none were recorded. */
  readonly node_settings: string | null;
}

/**
 * Adds the data that is read only for single runs.
 * @throws EngineError `store.unreadable` for a damaged run
 */
export function toRecord(summary: RunSummary, { inputs, node_settings }: LargeColumns, place: RunPlace): RunRecord {
  if (summary.damage !== undefined) throw damagedRun(place, summary.number, summary.damage);
  const given = parsedJson(inputs);
  if (given === undefined) throw damagedRun(place, summary.number, 'its inputs are not valid JSON');
  const nodeSettings = node_settings === null ? {} : parsedJson(node_settings);
  if (!isMap(nodeSettings) || !Object.values(nodeSettings).every(isText))
    throw damagedRun(place, summary.number, 'its node settings are damaged');
  // Every value has been checked.
  return { ...summary, inputs: given as JsonValue, nodeSettings: nodeSettings as Readonly<Record<string, string>> };
}

/** The history of a run, for messages. The command line can delete runs of a file. */
export type RunPlace = string | { readonly shared: string };

/**
 * Returns the error for a single run that cannot be used.
 * @param damage the problem, as a clause
 */
export function damagedRun(place: RunPlace, number: number, damage: string, cause?: unknown): EngineError {
  const [name, advice] =
    typeof place === 'string'
      ? [place, ` To remove it, delete the run: \`millrace runs delete ${number}\`.`]
      : [place.shared, ''];
  return new EngineError({
    code: 'store.unreadable',
    message: `Run #${number} in ${name} is damaged: ${damage}. Other runs are not affected.${advice}`,
    cause,
  });
}
