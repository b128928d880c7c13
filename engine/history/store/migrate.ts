/**
 * Upgrades a history database to the current format, and rejects other databases.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../../base/engine-error.ts';
import type { Db, TxDb } from './db.ts';
import {
  answersMigration,
  eventGroupsMigration,
  firingsMigration,
  pausesMigration,
  requestsMigration,
  runMarksMigration,
  runsMigration,
  sessionsMigration,
  triggerStateMigration,
  waitingMigration,
  workMigration,
} from './migrations.ts';
import { damagedStore } from './sqlite-driver.ts';
import { fillWaiting } from './waiting-rows.ts';

/** Migrations in order. The format version is the number of applied migrations. A published migration never changes. */
const migrations: readonly string[] = [
  runsMigration,
  eventGroupsMigration,
  workMigration,
  answersMigration,
  waitingMigration,
  sessionsMigration,
  requestsMigration,
  firingsMigration,
  triggerStateMigration,
  runMarksMigration,
  pausesMigration,
];

/** The first format version with a table of open requests. */
const formatWithWaiting = 5;

/** Identifies the file as a Millrace history, so that another program's database is never mistaken for one. */
const applicationId = 0x4d6c7263;

/** Tables of the current format, to check files that claim to have it. */
const tables: readonly string[] = [
  'SELECT hash, text FROM value',
  `SELECT id, run_id, session_id, kind, name, source_path, definition_hash, inputs, status, started_at, duration_ms, redo_of,
     redo_count, error, failed_nodes, owner_host, owner_pid, owner_start, lease_until, rerun_of, node_settings_hash, wait, started_by, note FROM run`,
  'SELECT id, run, name, key, request_hash, payload, answered_by, answered_at FROM answer',
  'SELECT id, run, name, key, request_hash, title, request, asked_at, deadline_at, reminded_at FROM waiting',
  'SELECT id, json, run, last_seq FROM event_group',
  'SELECT id, work_id, kind, status, data, message, created_at, started_at, ended_at FROM work',
  `SELECT id, session_id, catalogue_path, catalogue_name, catalogue_hash, title, turn_count, started_at, changed_at, owner_host,
     owner_pid, owner_start, lease_until FROM session`,
  'SELECT session, seq, at, turn_id, type, json FROM session_event',
  'SELECT session, seq, text FROM session_snapshot',
  'SELECT id, run, kind, requested_at FROM run_request',
  'SELECT run, kind, name, value FROM run_pause',
  'SELECT id, flow, trigger_id, key, event, priority, created_at, state, reason, run_id FROM firing',
  'SELECT flow, trigger_id, definition_hash, looked_at, state FROM trigger_watch',
  'SELECT run, label FROM run_label',
];

const patienceMs = 5_000;
const pauseMs = 25;

/**
 * Applies missing migrations in one transaction. A rejected file is not changed.
 * @throws EngineError `store.newer-version` | `store.unreadable` if the file belongs to another program or is damaged |
 * `store.full` | `store.write-failed`
 */
export async function migrate(db: Db): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      migrateOnce(db);
      return;
    } catch (error) {
      // If two processes switch a new file to WAL at the same time, SQLite fails one of them without waiting.
      if (!(EngineError.is(error) && error.recoverable && performance.now() < deadline)) {
        throw error;
      }
      await wait(pauseMs);
    }
  }
}

function migrateOnce(db: Db): void {
  refuseForeign(db, db.file);
  // Done last, because it writes to the file. A checkpoint at 16 MB waits for the disk once. SQLite's default would
  // wait four times, which would be half the cost of small commits.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
  db.execTx((tx) => {
    refuseForeign(tx, db.file);
    const version = pragma(tx, 'user_version');
    asFormatSays(db.file, version, () => {
      for (const migration of migrations.slice(version)) tx.exec(migration);
      if (version < formatWithWaiting) fillWaiting(tx);
      for (const select of tables) tx.get(`${select} LIMIT 0`);
    });
    tx.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  });
}

/** Runs work that can fail only if the file does not have the format that its version number declares. */
function asFormatSays(file: string | null, version: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (EngineError.is(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw damagedStore(String(file), `it declares format ${version} but does not match it: ${reason}`);
  }
}

function refuseForeign(db: TxDb, file: string | null): void {
  const isEmpty = db.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
  if (!isEmpty && pragma(db, 'application_id') !== applicationId) {
    throw new EngineError({
      code: 'store.unreadable',
      message: `${file} is a database of another program. Choose another file for the run history. This file is unchanged.`,
    });
  }
  const version = pragma(db, 'user_version');
  if (version < 0) throw damagedStore(String(file), `format ${version} does not exist`);
  if (version > migrations.length) {
    throw new EngineError({
      code: 'store.newer-version',
      message: `${file} was written by a newer version of Millrace (format ${version}; this version supports up to ${migrations.length}). Update Millrace, or choose another file for the run history. This file is unchanged.`,
      details: { version, known: migrations.length },
    });
  }
}

function pragma(db: TxDb, name: 'user_version' | 'application_id'): number {
  return db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}
