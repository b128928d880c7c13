/**
 * Stores firings: the reasons why triggers start runs. A firing is recorded once, before its run, and starts at most one
 * run, so that none is lost or doubled by a crash or by several services.
 */
import { asRunId, type RunId } from '../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { type ClaimedFiring, firingTaken, unfinishedRows } from './claim-firing.ts';
import type { Db, TxDb } from './db.ts';
import { contentHash, keepText, largeSize } from './large-value.ts';
import { parsedJson, safeNumber } from './run-row.ts';
import {
  type AwaitedRun,
  moveWatch,
  type SeenRuns,
  type TriggerName,
  type TriggerWatch,
  unseenRuns,
  watchOf,
} from './trigger-watch.ts';

/** Waiting firings start as soon as they may. The others are settled. */
export type FiringState = 'waiting' | 'started' | 'skipped' | 'missed' | 'refused' | 'canceled';

export interface NewFiring extends TriggerName {
  /** Unique among the firings of a trigger: the time at which it was due, or the ID of its event. */
  readonly key: string;
  /** What the inputs of the run are made of. */
  readonly event: JsonMap;
  /** Higher ones start first. */
  readonly priority: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly state: Exclude<FiringState, 'started'>;
  /** Why it does not wait. */
  readonly reason?: string;
}

export interface Firing extends Omit<NewFiring, 'state'> {
  readonly id: number;
  readonly state: FiringState;
  readonly runId?: RunId;
}

const againMark = '#again';

/** Returns the key of a firing that repeats another one. There is one for each firing. */
export function againKey({ id, key }: Pick<Firing, 'id' | 'key'>): string {
  return `${key}${againMark}${id}`;
}

/** A firing that is recorded. It is not new if there was one with its key. */
export interface AddedFiring {
  readonly firing: Firing;
  readonly isNew: boolean;
}

/** Selects firings, newest first. */
export interface FiringQuery {
  readonly flow?: string;
  readonly trigger?: string;
  readonly key?: string;
  /** The run that it has started. */
  readonly runId?: RunId;
  readonly limit: number;
}

/** The firing that a new run belongs to: one that waits, or one that is recorded together with the run. */
export type FiringOfRun =
  | ClaimedFiring
  | (Omit<ClaimedFiring, 'id'> & { readonly added: Omit<NewFiring, 'state' | 'reason'> });

export interface FiringStore {
  /**
   * Records firings and moves the trigger's watch, in one transaction. Firings that exist already are left unchanged.
   * @param from the watch that the firings were computed from; undefined if there was none
   * @returns the number of new firings; undefined if another process has moved the watch, and nothing was recorded
   * @throws EngineError `store.full` | `store.write-failed`
   */
  look(
    name: TriggerName,
    watch: { readonly from: TriggerWatch | undefined; readonly to: TriggerWatch },
    firings: readonly NewFiring[],
  ): number | undefined;
  watchOf(name: TriggerName): TriggerWatch | undefined;
  /** Returns the runs of a flow, given by its path, that have not been seen, by number. */
  unseenRuns(sourcePath: string, seen: SeenRuns): readonly AwaitedRun[];
  /** Records a firing. Returns the existing one with the same key, if there is one. @throws EngineError as `look` */
  add(firing: NewFiring): AddedFiring;
  /** Does the same for several firings, in one transaction. */
  addAll(firings: readonly NewFiring[]): readonly AddedFiring[];
  find(id: number): Firing | undefined;
  /** Returns the firing of a trigger that starts next: by priority, then in the order in which they were recorded. */
  nextWaiting(name: TriggerName): Firing | undefined;
  /** Returns the triggers with firings that wait. */
  waitingTriggers(): readonly TriggerName[];
  list(query: FiringQuery): readonly Firing[];
  /**
   * Returns the key of the last firing of a trigger that started a run, without the marks of `againKey`; undefined if
   * there is none.
   */
  lastStarted(name: TriggerName): string | undefined;
  /** Returns how many runs a trigger has started since a time (epoch milliseconds). */
  countStarted(name: TriggerName, since: number): number;
  /** Returns the unfinished runs of a trigger, of all triggers of a flow, or of all triggers, oldest first. */
  unfinishedRuns(name: Partial<TriggerName>): readonly RunId[];
  /** Settles a waiting firing. @returns false if it no longer waits */
  settle(id: number, state: Exclude<FiringState, 'waiting' | 'started'>, reason: string): boolean;
  /** Settles all waiting firings of a trigger. */
  settleWaiting(name: TriggerName, state: 'canceled', reason: string): void;
  /** Deletes settled firings from before a time. Firings with the same keys could then be recorded again. */
  deleteBefore(time: number): void;
}

interface FiringRow {
  readonly id: number;
  readonly flow: string;
  readonly trigger_id: string;
  readonly key: string;
  readonly event: string;
  readonly priority: number;
  readonly created_at: number | null;
  readonly state: string;
  readonly reason: string | null;
  readonly run_id: string | null;
}

const columns = `id, flow, trigger_id, key, event, priority, ${safeNumber('created_at')}, state, reason, run_id`;

/** The start of the `event` column if the text of the event is stored under its hash. */
const byHash = '$';

/** Creates the store on a migrated database. */
export function createFiringStore(db: Db): FiringStore {
  return {
    ...readsOf(db),
    look: (name, { from, to }, firings) =>
      db.execTx((tx) => {
        if (!moveWatch(tx, name, { from, to })) return undefined;
        return firings.filter((firing) => insert(tx, firing) !== undefined).length;
      }),
    add: (firing) => db.execTx((tx) => addTo(tx, firing)),
    addAll: (firings) => db.execTx((tx) => firings.map((firing) => addTo(tx, firing))),
    settle(id, state, reason) {
      const set = `UPDATE firing SET state = ?, reason = ? WHERE id = ? AND state = 'waiting'`;
      return db.run(set, state, reason, id).changes > 0;
    },
    settleWaiting({ flow, trigger }, state, reason) {
      const set = `UPDATE firing SET state = ?, reason = ? WHERE flow = ? AND trigger_id = ? AND state = 'waiting'`;
      db.run(set, state, reason, flow, trigger);
    },
    deleteBefore(time) {
      db.run(`DELETE FROM firing WHERE created_at < ? AND state <> 'waiting'`, time);
    },
  };
}

function addTo(tx: TxDb, firing: NewFiring): AddedFiring {
  const id = insert(tx, firing);
  if (id !== undefined) return { firing: { ...firing, id }, isNew: true };
  const { flow, trigger, key } = firing;
  const where = 'WHERE flow = ? AND trigger_id = ? AND key = ?';
  const row = tx.get<FiringRow>(`SELECT ${columns} FROM firing ${where}`, flow, trigger, key);
  if (row === undefined) throw new Error('The firing was not recorded.');
  return { firing: readFiring(tx, row), isNew: false };
}

type FiringReads = Pick<
  FiringStore,
  | 'watchOf'
  | 'unseenRuns'
  | 'find'
  | 'nextWaiting'
  | 'waitingTriggers'
  | 'list'
  | 'lastStarted'
  | 'countStarted'
  | 'unfinishedRuns'
>;

function readsOf(db: Db): FiringReads {
  const toFiring = (row: FiringRow): Firing => readFiring(db, row);
  const started = `FROM firing WHERE flow = ? AND trigger_id = ? AND state = 'started'`;
  return {
    watchOf: (name) => watchOf(db, name),
    unseenRuns: (sourcePath, seen) => unseenRuns(db, sourcePath, seen),
    find(id) {
      const row = db.get<FiringRow>(`SELECT ${columns} FROM firing WHERE id = ?`, id);
      return row && toFiring(row);
    },
    nextWaiting({ flow, trigger }) {
      const where = `WHERE state = 'waiting' AND flow = ? AND trigger_id = ? ORDER BY priority DESC, id LIMIT 1`;
      const row = db.get<FiringRow>(`SELECT ${columns} FROM firing ${where}`, flow, trigger);
      return row && toFiring(row);
    },
    waitingTriggers: () =>
      db.all<TriggerName>(`SELECT DISTINCT flow, trigger_id AS "trigger" FROM firing WHERE state = 'waiting'`),
    list: (query) => listFirings(db, query),
    lastStarted: ({ flow, trigger }) =>
      db
        .get<{ key: string }>(`SELECT key ${started} ORDER BY key DESC LIMIT 1`, flow, trigger)
        ?.key.split(againMark)[0],
    countStarted: ({ flow, trigger }, since) =>
      db.get<{ n: number }>(`SELECT count(*) AS n ${started} AND created_at >= ?`, flow, trigger, since)?.n ?? 0,
    unfinishedRuns: (name) => unfinishedRows(db, name, () => false).map(({ run_id }) => asRunId(run_id)),
  };
}

function listFirings(db: Db, query: FiringQuery): readonly Firing[] {
  const { flow, trigger, key, runId, limit } = query;
  const wanted = { flow, trigger_id: trigger, key, run_id: runId };
  const given = Object.entries(wanted).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  const where = given.length === 0 ? '' : `WHERE ${given.map(({ column }) => `${column} = ?`).join(' AND ')}`;
  const sql = `SELECT ${columns} FROM firing ${where} ORDER BY id DESC LIMIT ?`;
  return db.all<FiringRow>(sql, ...given.map(({ value }) => value), limit).map((row) => readFiring(db, row));
}

/**
 * Makes sure that the firing of a new run is recorded, in the transaction that records the run.
 * @throws EngineError `firing.taken` if there is one with the same key
 */
export function recordedFiring(tx: TxDb, firing: FiringOfRun): ClaimedFiring {
  if ('id' in firing) return firing;
  const { added, ...limits } = firing;
  const id = insert(tx, { ...added, state: 'waiting' });
  if (id === undefined) throw firingTaken();
  return { ...limits, id };
}

/** Returns the ID of the firing; undefined if there is one with its key. */
function insert(
  tx: TxDb,
  { flow, trigger, key, event, priority, createdAt, state, reason }: NewFiring,
): number | undefined {
  const { changes, lastRowId } = tx.run(
    `INSERT INTO firing (flow, trigger_id, key, event, priority, created_at, state, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    flow,
    trigger,
    key,
    storedEvent(tx, event),
    priority,
    createdAt,
    state,
    reason ?? null,
  );
  return changes > 0 ? lastRowId : undefined;
}

function storedEvent(tx: TxDb, event: JsonMap): string {
  const text = JSON.stringify(event);
  if (largeSize(text) === undefined) return text;
  const hash = contentHash(text);
  keepText(tx, hash, text);
  return byHash + hash;
}

function readFiring(db: TxDb, row: FiringRow): Firing {
  const { id, flow, trigger_id: trigger, key, priority, reason, run_id } = row;
  return {
    ...{ id, flow, trigger, key, priority, event: readEvent(db, row.event) },
    createdAt: row.created_at ?? 0,
    state: row.state as FiringState,
    ...(reason === null ? {} : { reason }),
    ...(run_id === null ? {} : { runId: asRunId(run_id) }),
  };
}

/** Returns an empty event if it is damaged; its inputs are then missing, which the run reports. */
function readEvent(db: TxDb, stored: string): JsonMap {
  const text = stored.startsWith(byHash)
    ? db.get<{ text: string }>('SELECT text FROM value WHERE hash = ?', stored.slice(byHash.length))?.text
    : stored;
  const event = parsedJson(text) as JsonValue | undefined;
  return typeof event === 'object' && event !== null && !Array.isArray(event) ? (event as JsonMap) : {};
}
