/**
 * Creates or upgrades the schema of a shared history, and its partitions.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { PgDb, PgQueries } from './pg-db.ts';
import { sharedMigrations } from './schema.ts';

const oldestServer = 150_000;

/**
 * Applies missing migrations in one transaction. Several processes may call it at the same time.
 * @throws EngineError `store.newer-version` if a newer version of Millrace has upgraded the schema; `store.unreadable`
 * if the schema belongs to another program; `store.denied`, `store.read-only`, `store.unreachable`
 */
export async function migrateShared(db: PgDb): Promise<void> {
  // The usual case needs no lock, and works for a user who may not create tables.
  if ((await readVersion(db, db)) === sharedMigrations.length) return;
  await db.transaction(async (tx) => {
    await lock(tx, db.schema);
    const version = await readVersion(db, tx);
    if (version === sharedMigrations.length) return;
    if (version === 0) {
      await tx.run('CREATE SCHEMA IF NOT EXISTS "millrace"'.replace('millrace', db.schema));
      await tx.run('CREATE TABLE millrace.millrace_history (version integer NOT NULL)');
      await tx.run('INSERT INTO millrace.millrace_history VALUES (0)');
    }
    // Without values, the driver sends all statements of a migration at once.
    for (const migration of sharedMigrations.slice(version)) await tx.run(migration);
    await tx.run('UPDATE millrace.millrace_history SET version = $1', [sharedMigrations.length]);
  });
}

/** @throws EngineError `store.not-found` if the schema does not exist; those of `migrateShared` */
export async function checkShared(db: PgDb): Promise<void> {
  const version = await readVersion(db, db);
  if (version === sharedMigrations.length) return;
  const state = version === 0 ? 'contains no run history' : `has the old format ${version}`;
  throw new EngineError({
    code: 'store.not-found',
    message: `The history at ${db.place} ${state}. Start a worker or engine with it first, which creates and upgrades it.`,
  });
}

/** Held until the end of the transaction. The key is different for each schema. */
async function lock(tx: PgQueries, schema: string): Promise<void> {
  await tx.rows(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`millrace:${schema}`]);
}

async function readVersion(db: PgDb, queries: PgQueries): Promise<number> {
  const [state] = await queries.rows<{ server: number; own: boolean; used: boolean }>(
    `SELECT current_setting('server_version_num')::integer AS server,
       to_regclass($1) IS NOT NULL AS own,
       EXISTS (SELECT 1 FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $2) AS used`,
    [`"${db.schema}".millrace_history`, db.schema],
  );
  if (state !== undefined && state.server < oldestServer) throw unusable(db, 'needs PostgreSQL 15 or newer');
  if (state?.own !== true) {
    if (state?.used === true)
      throw unusable(
        db,
        'has tables of another program in this schema. Choose another schema in the URL: ?schema=NAME',
      );
    return 0;
  }
  const [row] = await queries.rows<{ version: number }>('SELECT version FROM millrace.millrace_history');
  const version = row?.version ?? 0;
  if (version <= sharedMigrations.length) return version;
  const known = sharedMigrations.length;
  throw new EngineError({
    code: 'store.newer-version',
    message: `The history at ${db.place} was upgraded by a newer version of Millrace (format ${version}; this version supports up to ${known}). Update Millrace on this machine.`,
    details: { version, known },
  });
}

function unusable({ place }: PgDb, why: string): EngineError {
  return new EngineError({ code: 'store.unreadable', message: `The history at ${place} ${why}.` });
}

const weekMs = 7 * 24 * 3_600_000;

/** Returns the partition of runs that were created at this time in epoch milliseconds. */
export function weekOf(at: number): number {
  return Math.floor(at / weekMs);
}

/** Returns the first moment after the week, in epoch milliseconds. */
export function endOfWeek(week: number): number {
  return (week + 1) * weekMs;
}

/** Creates the partition for a week and the next one. */
export async function createWeek(db: PgDb, week: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lock(tx, db.schema);
    for (const each of [week, week + 1])
      await tx.run(
        `CREATE TABLE IF NOT EXISTS millrace.${tableOfWeek(each)} PARTITION OF millrace.event FOR VALUES FROM (${each}) TO (${each + 1})`,
      );
  });
}

/** Returns the name of the table with a week's events. */
export function tableOfWeek(week: number): string {
  return week < 0 ? `event_before_${-week}` : `event_${week}`;
}
