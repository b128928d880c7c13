/**
 * Chooses the SQLite driver and interprets its errors. The driver is the one built into Node if that is complete,
 * otherwise the package with the same API.
 */
import { createRequire } from 'node:module';
import { EngineError } from '../../base/engine-error.ts';

/**
 * Parameter of a statement. The types exclude `Date`, `undefined` and objects, because the drivers treat them
 * differently.
 */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** A prepared statement of either driver. */
export interface SqliteStatement {
  run(...params: readonly SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...params: readonly SqlValue[]): unknown;
  all(...params: readonly SqlValue[]): unknown[];
}

/** An open connection of either driver. Every call is synchronous. */
export interface SqliteConnection {
  /** Becomes false as soon as SQLite itself rolls back, which may happen on a full disk. */
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** Opens a database file, or `:memory:`. Creates the file if it is missing, but not its folder. */
type OpenSqlite = (file: string) => SqliteConnection;

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => SqliteConnection;
}

let loading: Promise<OpenSqlite> | undefined;

/** Returns the driver of this process, loaded once. */
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
  // Unlike `import()`, `require` does not start Node's ES module loader, which takes longer than the package itself.
  return createRequire(import.meta.filename)('@photostructure/sqlite') as SqliteModule;
}

/**
 * Returns whether the driver reports open transactions, as `Db` requires. The first versions of `node:sqlite` do not.
 */
function knowsItsTransaction(builtin: SqliteModule): boolean {
  const connection = new builtin.DatabaseSync(':memory:');
  const isComplete = connection.isTransaction !== undefined;
  connection.close();
  return isComplete;
}

/**
 * Calls `load` without the warning that some Node versions print about `node:sqlite`. Other warnings are still printed.
 */
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
/** SQLite result codes CORRUPT and NOTADB. */
const damagedCodes: ReadonlySet<number> = new Set([11, 26]);
/** SQLite result codes PERM, READONLY, IOERR, CANTOPEN, PROTOCOL, NOLFS and AUTH. */
const outsideCodes: ReadonlySet<number> = new Set([3, 8, 10, 14, 15, 22, 23]);

/**
 * Converts a driver error to a store error. Programming errors (invalid SQL, a violated constraint) are returned
 * unchanged.
 * @param place path of the database, or its name in a message
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
      message: `The disk is full, so nothing can be recorded in ${place}. Free some space, then run the flow again.`,
      cause: thrown,
    });
  }
  if (busyCodes.has(code)) {
    return new EngineError({
      code: 'store.write-failed',
      message: `Another program has locked ${place} for more than 5 seconds. Close it, or try again.`,
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
      message: `${place} cannot be opened or written (${reason}). Check that the folder exists and is writable.`,
      cause: thrown,
    });
  }
  return thrown;
}

/**
 * Returns the error for a file with content that a history cannot have.
 * @param place as in `toStoreError`
 * @param cause the evidence: an error, or a description
 */
export function damagedStore(place: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'store.unreadable',
    message: `${place} is damaged or is not a run history (${reason}). The file is unchanged. Move it to start a new history.`,
    cause,
  });
}

/**
 * Returns whether the driver does not report the cause of an error. The packaged driver does not report which error
 * occurred while it read several rows, and both drivers reject a number that JavaScript cannot represent. Our
 * statements cause neither error.
 */
function isUnnamedTrouble(thrown: unknown): boolean {
  if (!(thrown instanceof Error && 'code' in thrown)) return false;
  return (thrown.code === 'ERR_SQLITE_ERROR' && !('errcode' in thrown)) || thrown.code === 'ERR_OUT_OF_RANGE';
}

/** Returns the primary result code, which is the lowest byte of the extended code. */
function resultCodeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number')) {
    return undefined;
  }
  return thrown.errcode & 0xff;
}
