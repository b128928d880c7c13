/**
 * The one place that knows which SQLite serves: the one built into Node where it is complete, else the package with the same
 * API; and what its errors mean.
 */
import { createRequire } from 'node:module';
import { EngineError } from '../base/engine-error.ts';

/** What a statement takes. A `Date`, `undefined` or an object is refused by the types: the drivers treat them differently. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** A prepared statement of either driver. */
export interface SqliteStatement {
  run(...params: readonly SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...params: readonly SqlValue[]): unknown;
  all(...params: readonly SqlValue[]): unknown[];
}

/** An open connection of either driver. Every call is synchronous. */
export interface SqliteConnection {
  /** False as soon as SQLite itself has rolled back, as it may when the disk is full. */
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** Opens a database file, or `:memory:`. Creates the file when it is missing, never the folder. */
type OpenSqlite = (file: string) => SqliteConnection;

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => SqliteConnection;
}

let loading: Promise<OpenSqlite> | undefined;

/** The driver of this process, loaded once. */
export function loadSqlite(): Promise<OpenSqlite> {
  loading ??= Promise.resolve().then(() => {
    const { DatabaseSync } = findModule();
    return (file) => new DatabaseSync(file);
  });
  return loading;
}

function findModule(): SqliteModule {
  const builtin = withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite') as SqliteModule | undefined);
  if (builtin !== undefined && knowsItsTransaction(builtin)) {
    return builtin;
  }
  // Unlike `import()`, `require` does not start Node's loader for ES modules, which takes longer than the package itself.
  return createRequire(import.meta.filename)('@photostructure/sqlite') as SqliteModule;
}

/** The first versions of `node:sqlite` cannot say whether a transaction is open, which `Db` has to know. */
function knowsItsTransaction(builtin: SqliteModule): boolean {
  const connection = new builtin.DatabaseSync(':memory:');
  const isComplete = connection.isTransaction !== undefined;
  connection.close();
  return isComplete;
}

/** Loads something without the notice that some Node versions print about `node:sqlite`; other warnings pass. */
function withoutExperimentalWarning<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning;
  const filtered = (...args: Parameters<typeof emitWarning>): void => {
    if (String(args[1]) !== 'ExperimentalWarning') {
      emitWarning.apply(process, args);
    }
  };
  process.emitWarning = filtered as typeof emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

const busyCodes: ReadonlySet<number> = new Set([5, 6]);
const fullCode = 13;
/** CORRUPT, NOTADB. */
const damagedCodes: ReadonlySet<number> = new Set([11, 26]);
/** PERM, READONLY, IOERR, CANTOPEN, PROTOCOL, NOLFS, AUTH. */
const outsideCodes: ReadonlySet<number> = new Set([3, 8, 10, 14, 15, 22, 23]);

/**
 * The store's error for what a driver threw; anything that is our own mistake (bad SQL, a broken constraint) comes back
 * unchanged, as a bug.
 * @param place the database's path, or what stands for it in a message
 */
export function toStoreError(thrown: unknown, place: string): unknown {
  const code = resultCodeOf(thrown);
  if (code === undefined) {
    return isUnnamedTrouble(thrown) ? damagedStore(place, thrown) : thrown;
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  if (code === fullCode) {
    return new EngineError({
      code: 'store.full',
      message: `The disk is full: nothing more can be recorded in ${place}. Free some space, then run the flow again.`,
      cause: thrown,
    });
  }
  if (busyCodes.has(code)) {
    return new EngineError({
      code: 'store.write-failed',
      message: `Another program has kept ${place} locked for more than 5 seconds. Close it, or try again.`,
      recoverable: true,
      cause: thrown,
    });
  }
  if (damagedCodes.has(code)) {
    return damagedStore(place, thrown);
  }
  if (outsideCodes.has(code)) {
    return new EngineError({
      code: 'store.write-failed',
      message: `${place} cannot be opened or written (${reason}). Check that the folder exists and that you may write to it.`,
      cause: thrown,
    });
  }
  return thrown;
}

/**
 * The error for a file that holds what no history can hold.
 * @param place as in `toStoreError`
 * @param cause what shows it: an error, or what is wrong in words
 */
export function damagedStore(place: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'store.unreadable',
    message: `${place} is damaged or is no run history (${reason}). Move the file away to start a new one; it is left as it is.`,
    cause,
  });
}

/**
 * The packaged driver does not say which trouble it met while it read several rows, and either driver refuses a number that is
 * too large for a number. Neither comes of a statement of ours.
 */
function isUnnamedTrouble(thrown: unknown): boolean {
  if (!(thrown instanceof Error && 'code' in thrown)) return false;
  return (thrown.code === 'ERR_SQLITE_ERROR' && !('errcode' in thrown)) || thrown.code === 'ERR_OUT_OF_RANGE';
}

/** The primary result code; the extended one keeps its detail above the lowest byte. */
function resultCodeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number')) {
    return undefined;
  }
  return thrown.errcode & 0xff;
}
