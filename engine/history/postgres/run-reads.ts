/**
 * Reads runs, events and texts from PostgreSQL.
 */
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId, type SessionId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunStatus, RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { decodeGroup } from '../store/event-group.ts';
import { contentHash } from '../store/large-value.ts';
import { damagedRun, type RunPlace, type RunRecord, type SummaryRow, toRecord, toSummary } from '../store/run-row.ts';
import { type RunListQuery, startedByTexts } from '../store/run-store.ts';
import { eventProblem } from './event-shape.ts';
import type { PgQueries, PgValue } from './pg-db.ts';
import { decodeText, encodeText } from './safe-text.ts';
import { serverNow } from './schema.ts';

/** A row as `runColumns` reads it. */
interface StoredRow extends Omit<SummaryRow, 'name' | 'source_path'> {
  readonly name: string | null;
  readonly source_path: string | null;
  readonly is_abandoned: boolean;
}

/** Lists contain the first characters of longer names. */
export const longestName = 4096;

/** Maximum number of bytes in other columns of lists. */
const largestText = 1_000_000;

/** SQL for whether no process owns a run. */
const isAbandoned = `run.host_engine IS NULL AND NOT EXISTS (
    SELECT 1 FROM millrace.engine WHERE engine.id = run.owner AND engine.lease_until > ${serverNow}
  )`;

/** Columns of a listed run, as in SQLite. The first problem is reported as `lost`. */
const runColumns = `run.number AS id, run.run_id, run.kind, left(source.name, ${longestName}) AS name,
  left(source.path, ${longestName}) AS source_path, run.definition_hash, run.status, run.started_at, run.duration_ms,
  run.redo_of, run.redo_count, run.rerun_of, ${limited('run.error')}, ${limited('run.failed_nodes')}, run.wait,
  ${limited('run.spending')}, ${limited('run.part')},
  CASE WHEN source.id IS NULL THEN 'the name of its flow is missing'
    WHEN NOT EXISTS (SELECT 1 FROM millrace.value WHERE hash = run.definition_hash) THEN 'the text of its flow is missing'
    WHEN run.node_settings_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM millrace.value WHERE hash = run.node_settings_hash)
      THEN 'its node settings are missing'
  END AS lost,
  ${isAbandoned} AS is_abandoned`;

/** Returns SQL for a column of a list. A text so large is damaged, and would cost all readers of the list. */
function limited(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${largestText} THEN ${column} WHEN ${column} IS NOT NULL THEN '' END AS ${column.replace('run.', '')}`;
}

export class RunReads {
  readonly #queries: PgQueries;
  readonly #workspace: number;
  readonly #place: RunPlace;

  /** @param place the history, for messages */
  constructor(queries: PgQueries, { workspace, place }: { readonly workspace: number; readonly place: string }) {
    this.#queries = queries;
    this.#workspace = workspace;
    this.#place = { shared: place };
  }

  /** @throws EngineError `store.not-shared` for a filter that only a workspace's own history has */
  async listRuns(query: RunListQuery): Promise<readonly RunSummary[]> {
    refuseOwnFilters(query);
    const sources = await this.#findSources(query);
    const values: PgValue[] = [this.#workspace, query.limit, ...(sources === undefined ? [] : [sources])];
    const text = listStatement(query, { sourceCount: sources?.length, value: (value) => `$${values.push(value)}` });
    return (await this.#queries.rows<StoredRow>(text, values)).map(summaryOf);
  }

  /** Returns the sources with this file and text; undefined for all. */
  async #findSources({ sourcePath, find = {} }: RunListQuery): Promise<readonly number[] | undefined> {
    if (sourcePath === undefined && find.text === undefined) return undefined;
    const rows = await this.#queries.rows<{ id: number }>(
      `SELECT id FROM millrace.source WHERE workspace = $1 AND path = coalesce($2, path)
         AND position(lower($3::text COLLATE "C") IN lower((name || E'\\n' || path) COLLATE "C")) > 0`,
      [this.#workspace, sourcePath === undefined ? null : encodeText(sourcePath), encodeText(find.text ?? '')],
    );
    return rows.map(({ id }) => id);
  }

  async findSummary(runId: RunId): Promise<RunSummary | undefined> {
    const row = await this.#find(runId);
    return row && summaryOf(row);
  }

  async getRun(runId: RunId): Promise<RunRecord | undefined> {
    const summary = await this.findSummary(runId);
    if (summary === undefined) return undefined;
    const [row] = await this.#queries.prepared<{ inputs: string; settings: string | null }>(
      'SELECT inputs, node_settings_hash AS settings FROM millrace.run WHERE run_id = $1 AND workspace = $2',
      [runId, this.#workspace],
    );
    const settings = row?.settings ?? undefined;
    // A text that is lost in the meantime, or was changed, is damaged like any other.
    const node_settings = settings === undefined ? null : ((await this.readText(settings)) ?? '');
    return toRecord(summary, { inputs: row?.inputs ?? 'null', node_settings }, this.#place);
  }

  async findRun(number: number): Promise<RunId | undefined> {
    if (!Number.isSafeInteger(number)) return undefined;
    const [row] = await this.#queries.rows<{ run_id: string }>(
      'SELECT run_id FROM millrace.run WHERE number = $1 AND workspace = $2',
      [number, this.#workspace],
    );
    return row === undefined ? undefined : asRunId(row.run_id);
  }

  async projectedSeq(runId: RunId): Promise<number> {
    const [row] = await this.#queries.prepared<{ applied_seq: number }>(
      `SELECT applied_seq FROM millrace.run JOIN millrace.progress ON progress.run = run.number
       WHERE run_id = $1 AND run.workspace = $2`,
      [runId, this.#workspace],
    );
    return row?.applied_seq ?? -1;
  }

  async readEvents(runId: RunId, afterSeq: number, limit: number): Promise<readonly EventEnvelope[]> {
    const rows = await this.#queries.prepared<{ number: number; session_id: SessionId; json: string }>(
      // No number is missing, so the page has an end. With LIMIT, the server would read and sort all later events.
      `SELECT run.number, session_id, json FROM millrace.run JOIN millrace.progress ON progress.run = run.number
       JOIN millrace.event ON event.run = run.number AND event.week = run.week
       WHERE run_id = $1 AND run.workspace = $2 AND seq > $3::bigint AND seq <= least(applied_seq, $3::bigint + $4::bigint)
       ORDER BY seq`,
      [runId, this.#workspace, wholeNumber(afterSeq), wholeNumber(limit)],
    );
    return rows.flatMap(({ number, session_id: sessionId, json }) => {
      try {
        const events = decodeGroup(json, { runId, sessionId });
        const [problem] = events.flatMap((event) => eventProblem(event) ?? []);
        if (problem !== undefined) throw new SyntaxError(problem);
        return events;
      } catch (error) {
        const reason = error instanceof Error ? ` (${error.message})` : '';
        throw damagedRun(this.#place, number, `its events cannot be read${reason}`, error);
      }
    });
  }

  async readText(hash: string): Promise<string | undefined> {
    return (await this.#readTexts([hash])).get(hash);
  }

  async readValue(hash: string): Promise<JsonValue | undefined> {
    return (await this.readValues([hash])).get(hash);
  }

  async readValues(hashes: readonly string[]): Promise<ReadonlyMap<string, JsonValue>> {
    const values = new Map<string, JsonValue>();
    for (const [hash, text] of await this.#readTexts(hashes)) {
      const value = parsedValue(text);
      if (value !== undefined) values.set(hash, value);
    }
    return values;
  }

  async #readTexts(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#queries.prepared<{ hash: string; content: Buffer }>(
      'SELECT hash, content FROM millrace.value WHERE hash = ANY ($1::text[])',
      [hashes.filter((hash) => hashForm.test(hash))],
    );
    const texts = rows.map(({ hash, content }) => [hash, content.toString('utf8')] as const);
    // Texts are used under their hash, for example to decide whether a flow may use secrets.
    return new Map(texts.filter(([hash, text]) => contentHash(text) === hash));
  }

  async #find(runId: RunId): Promise<StoredRow | undefined> {
    const [row] = await this.#queries.prepared<StoredRow>(
      `SELECT ${runColumns} FROM millrace.run LEFT JOIN millrace.source ON source.id = run.source
       WHERE run.run_id = $1 AND run.workspace = $2`,
      [runId, this.#workspace],
    );
    return row;
  }
}

const hashForm = /^[0-9a-f]{64}$/;

/** Returns undefined for a text that is not a value, such as a definition. */
function parsedValue(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The largest `bigint` that JavaScript represents; callers pass `Infinity` for "no limit". */
function wholeNumber(value: number): number {
  return Math.trunc(Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER));
}

function summaryOf({ is_abandoned, ...row }: StoredRow): RunSummary {
  const { name, source_path } = row;
  return toSummary({ ...row, name: decodeText(name ?? ''), source_path: decodeText(source_path ?? '') }, is_abandoned);
}

/** With more sources, reading the newest runs of all sources and choosing from them is faster. */
const fewSources = 50;

interface ListContext {
  /** Number of chosen sources, which are the third value; undefined for all. */
  readonly sourceCount: number | undefined;
  /** Adds a value. Returns its parameter. */
  readonly value: (given: PgValue) => string;
}

/** An interrupted run is stored as queued or running. */
function statusCondition(status: RunStatus): string {
  if (status === 'interrupted') return `run.status IN ('queued', 'running') AND ${isAbandoned}`;
  return status === 'queued' || status === 'running'
    ? `run.status = '${status}' AND NOT (${isAbandoned})`
    : `run.status = '${status}'`;
}

function refuseOwnFilters({ label, find }: RunListQuery): void {
  if (label === undefined && find?.content === undefined) return;
  const what = label === undefined ? 'Text in inputs and outputs' : 'Labels of runs';
  throw new EngineError({
    code: 'store.not-shared',
    message: `${what} can be searched only in a workspace's own history, not in a shared one. Filter by status, file, start or time instead.`,
  });
}

/** Returns the statement that lists runs. The first two values are the workspace and the limit. */
function listStatement(query: RunListQuery, { sourceCount, value }: ListContext): string {
  const { status, startedBy, since, until, below, find = {} } = query;
  const ofRun = [
    ...(status === undefined ? [] : [statusCondition(status)]),
    ...(since === undefined ? [] : [`run.started_at >= ${value(since)}`]),
    ...(until === undefined ? [] : [`run.started_at < ${value(until)}`]),
    ...(below === undefined ? [] : [`run.number < ${value(wholeNumber(below))}`]),
    ...(startedBy === undefined ? [] : startedByTexts(startedBy)).map(
      (text) => `position(${value(text)} in run.part) > 0`,
    ),
    ...(find.number === undefined ? [] : [`run.number = ${value(wholeNumber(find.number))}`]),
  ];
  const newest = 'ORDER BY run.number DESC LIMIT $2';
  const from = (conditions: readonly string[]): string =>
    `SELECT run.* FROM millrace.run WHERE ${[...conditions, ...ofRun].join(' AND ')} ${newest}`;
  const ofAll = ['run.workspace = $1', ...(sourceCount === undefined ? [] : ['run.source = ANY ($3::bigint[])'])];
  const chosen =
    sourceCount === undefined || sourceCount > fewSources
      ? from(ofAll)
      : `SELECT run.* FROM unnest($3::bigint[]) AS wanted (id)
         CROSS JOIN LATERAL (${from(['run.source = wanted.id', 'run.workspace = $1'])}) run ${newest}`;
  return `SELECT ${runColumns} FROM (${chosen}) run LEFT JOIN millrace.source ON source.id = run.source ORDER BY run.number DESC`;
}
