/**
 * The one place that knows which SQLite serves: the one built into Node where it is complete, else the package with the same API.
 */

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
export type OpenSqlite = (file: string) => SqliteConnection;

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => SqliteConnection;
}

let loading: Promise<OpenSqlite> | undefined;

/** The driver of this process, loaded once. */
export function loadSqlite(): Promise<OpenSqlite> {
  loading ??= findModule().then(
    ({ DatabaseSync }) =>
      (file) =>
        new DatabaseSync(file),
  );
  return loading;
}

async function findModule(): Promise<SqliteModule> {
  const builtin = withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite') as SqliteModule | undefined);
  if (builtin !== undefined && knowsItsTransaction(builtin)) {
    return builtin;
  }
  return (await import('@photostructure/sqlite')) as SqliteModule;
}

/** The first versions of `node:sqlite` cannot tell whether a transaction is open, which `Db` has to know. */
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
