/**
 * Updates the table `waiting` of open requests from a run's events, in the transaction that makes the events durable. A
 * log without requests needs no SQL statement.
 */
import type { RunId } from '../../base/ids.ts';
import { isAskReason } from '../../runtime/kernel/events/open-asks.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { endedTask, nameOfTask, startedTask } from '../../runtime/kernel/events/task-events.ts';
import type { AskEvent } from '../../runtime/kernel/requests/ask.ts';
import { lineOfRequest } from '../../runtime/kernel/requests/ask-request.ts';
import { callerNameOf } from '../../runtime/kernel/requests/waiting-requests.ts';
import type { TxDb } from './db.ts';
import { decodeGroup } from './event-group.ts';
import { readLogTexts, type StoredRunLog } from './event-log.ts';

/** Key of the request that asks whether interrupted work may run again. It is not a node's own question. */
export const noKey = '';

/** The caller of a run: the parent run and its node. */
interface ParentRunCall {
  readonly parentRunId: RunId;
  readonly caller: string | undefined;
}

/** The rows of one run. Names are full: in a child run, they are prefixed with the name of the calling node and `/`. */
export class WaitingProjection {
  readonly #log: StoredRunLog;
  /** Keys of the rows, by name. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #calls = new Map<RunId, ParentRunCall>();
  /** Whether the child runs that started before this store owned the run are known. */
  #knowsEarlierCalls: boolean;

  private constructor(log: StoredRunLog, isNew: boolean) {
    this.#log = log;
    this.#knowsEarlierCalls = isNew;
  }

  /** Creates the projection of a new run, or of a log that is read from its start. */
  static ofNew(log: StoredRunLog): WaitingProjection {
    return new WaitingProjection(log, true);
  }

  /** Creates the projection of a run that is continued. */
  static ofStored(db: TxDb, log: StoredRunLog): WaitingProjection {
    const projection = new WaitingProjection(log, false);
    const rows = db.all<{ name: string; key: string }>('SELECT name, key FROM waiting WHERE run = ?', log.rowId);
    for (const { name, key } of rows) projection.#note(name, key);
    return projection;
  }

  /**
   * Returns whether events may change rows. If so, pass them to `apply`, otherwise to `pass`. This is called for every
   * group and rarely returns true.
   */
  concerns(events: readonly EventEnvelope[]): boolean {
    const isWaiting = this.#keys.size > 0;
    for (const { event } of events) {
      if (asking.has(event.type) || (isWaiting && ending.has(event.type))) return true;
    }
    return false;
  }

  /** Processes events of the run that do not change any row. */
  pass(events: readonly EventEnvelope[]): void {
    for (const envelope of events) {
      if (envelope.rootRunId === undefined) continue;
      this.#noteCall(envelope);
      this.#dropCall(envelope);
    }
  }

  /** Processes the next events of the run. */
  apply(db: TxDb, events: readonly EventEnvelope[]): void {
    for (const envelope of events) {
      this.#noteCall(envelope);
      if (asking.has(envelope.event.type) || this.#keys.size > 0) this.#change(db, envelope);
      this.#dropCall(envelope);
    }
  }

  #noteCall({ runId, parentRunId, rootRunId, event }: EventEnvelope): void {
    if (rootRunId !== undefined && parentRunId !== undefined && event.type === 'run:start')
      this.#calls.set(runId, { parentRunId, caller: callerNameOf(event) });
  }

  #dropCall({ runId, rootRunId, event }: EventEnvelope): void {
    if (rootRunId !== undefined && event.type === 'run:end') this.#calls.delete(runId);
  }

  #change(db: TxDb, { runId, at, event }: EventEnvelope): void {
    const started = startedTask(event);
    if (started !== undefined)
      this.#dropStarted(db, this.#nameOf(db, runId, nameOfTask(started)), started.resumed === true);
    const ended = endedTask(event);
    if (ended !== undefined) this.#dropAll(db, this.#nameOf(db, runId, nameOfTask(ended)));
    switch (event.type) {
      case 'approval:requested':
      case 'input:requested':
        this.#put(db, this.#nameOf(db, runId, event.nodeId), { at, event });
        break;
      case 'approval:resolved':
      case 'input:received':
        this.#drop(db, this.#nameOf(db, runId, event.nodeId), [event.key, noKey]);
        break;
      case 'node:suspended':
        // A question of the node itself or of its child run has a separate row.
        if (isAskReason(event.request.reason)) break;
        this.#putCut(db, this.#nameOf(db, runId, event.nodeId), { at, title: event.request.message });
        break;
      case 'node:input':
        this.#drop(db, this.#nameOf(db, runId, event.nodeId), [noKey]);
        break;
      case 'stage:start':
        if (event.taskId !== undefined) break;
        for (const stage of ['BeforeAll', 'AfterAll']) this.#drop(db, this.#nameOf(db, runId, stage), [noKey]);
        break;
      case 'run:end':
        this.#dropAll(db, this.#prefixOf(db, runId)?.slice(0, -1));
        break;
      default:
    }
  }

  #put(db: TxDb, name: string | undefined, { at, event }: { readonly at: number; readonly event: RequestEvent }): void {
    if (name === undefined) return;
    const { key, requestHash, request } = event;
    const { deadlineAt } = request;
    // The previous question under this key is no longer open.
    this.#drop(db, name, [key, noKey]);
    db.run(
      `INSERT INTO waiting (run, name, key, request_hash, title, request, asked_at, deadline_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#log.rowId,
      name,
      key,
      requestHash,
      lineOfRequest(request),
      JSON.stringify(request),
      at,
      deadlineAt ?? null,
    );
    this.#note(name, key);
  }

  #putCut(db: TxDb, name: string | undefined, { at, title }: { readonly at: number; readonly title: string }): void {
    // If the node has asked a question, it waits for the answer to that question.
    if (name === undefined || this.#keys.has(name)) return;
    db.run(
      'INSERT INTO waiting (run, name, key, title, asked_at) VALUES (?, ?, ?, ?, ?)',
      this.#log.rowId,
      name,
      noKey,
      title,
      at,
    );
    this.#note(name, noKey);
  }

  /** Deletes the questions of a node that starts. A resumed node keeps its earlier questions. */
  #dropStarted(db: TxDb, name: string | undefined, isResumed: boolean): void {
    if (isResumed) this.#drop(db, name, [noKey]);
    else this.#dropAll(db, name);
  }

  #drop(db: TxDb, name: string | undefined, keys: readonly string[]): void {
    const known = name === undefined ? undefined : this.#keys.get(name);
    if (name === undefined || known === undefined) return;
    for (const key of keys) {
      if (!known.delete(key)) continue;
      db.run('DELETE FROM waiting WHERE run = ? AND name = ? AND key = ?', this.#log.rowId, name, key);
    }
    if (known.size === 0) this.#keys.delete(name);
  }

  /** Deletes the questions of a node and of its child runs. @param name undefined for all nodes */
  #dropAll(db: TxDb, name: string | undefined): void {
    if (name === undefined) return;
    for (const [other, keys] of this.#keys) {
      if (name === '' || other === name || other.startsWith(`${name}/`)) this.#drop(db, other, [...keys]);
    }
  }

  #note(name: string, key: string): void {
    const keys = this.#keys.get(name);
    if (keys === undefined) this.#keys.set(name, new Set([key]));
    else keys.add(key);
  }

  #nameOf(db: TxDb, runId: RunId, local: string): string | undefined {
    const prefix = this.#prefixOf(db, runId);
    return prefix === undefined ? undefined : prefix + local;
  }

  /** Returns undefined if the child run does not belong to a node. */
  #prefixOf(db: TxDb, runId: RunId): string | undefined {
    if (runId === this.#log.runId) return '';
    const { parentRunId, caller } = this.#callOf(db, runId) ?? {};
    const outer = parentRunId === undefined ? undefined : this.#prefixOf(db, parentRunId);
    return outer === undefined || caller === undefined ? undefined : `${outer}${caller}/`;
  }

  #callOf(db: TxDb, runId: RunId): ParentRunCall | undefined {
    const known = this.#calls.get(runId);
    if (known !== undefined || this.#knowsEarlierCalls) return known;
    this.#knowsEarlierCalls = true;
    for (const text of readLogTexts(db, this.#log.rowId)) {
      // Most groups contain no start event, and parsing them would take most of the time.
      if (!text.includes('"run:start"')) continue;
      for (const { runId: called, parentRunId, event } of decodeGroup(text, this.#log)) {
        if (event.type !== 'run:start' || parentRunId === undefined || called === this.#log.runId) continue;
        this.#calls.set(called, { parentRunId, caller: callerNameOf(event) });
      }
    }
    return this.#calls.get(runId);
  }
}

type RequestEvent = Extract<AskEvent, { readonly request: unknown }>;

/** Events after which a request may be open. */
const asking: ReadonlySet<RunEvent['type']> = new Set(['approval:requested', 'input:requested', 'node:suspended']);
/** Events after which a request may be closed. */
const ending: ReadonlySet<RunEvent['type']> = new Set([
  'approval:resolved',
  'input:received',
  'node:input',
  'stage:start',
  'task:start',
  'task:complete',
  'task:failed',
  'task:cancelled',
  'task:skipped',
  'run:end',
]);

/** Calls `decode`, and returns undefined for damaged events, which affect only one run's requests. */
function unlessDamaged<Result>(decode: () => Result): Result | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Fills the table from the logs of all unfinished runs. */
export function fillWaiting(tx: TxDb): void {
  const runs = tx.all<{ id: number; run_id: RunId; session_id: StoredRunLog['sessionId'] }>(
    `SELECT id, run_id, session_id FROM run WHERE status IN ('queued', 'running', 'suspended')`,
  );
  for (const { id, run_id, session_id } of runs) {
    const log = { rowId: id, runId: run_id, sessionId: session_id };
    const projection = WaitingProjection.ofNew(log);
    for (const text of readLogTexts(tx, id)) {
      const events = unlessDamaged(() => decodeGroup(text, log));
      if (events !== undefined) projection.apply(tx, events);
    }
  }
}
