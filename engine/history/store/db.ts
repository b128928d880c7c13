/**
 * Provides a SQLite connection with single statements, and with transactions that exclude other statements.
 */
import {
  loadSqlite,
  type SqliteConnection,
  type SqliteStatement,
  type SqlValue,
  toStoreError,
} from './sqlite-driver.ts';

interface RunResult {
  /** Number of rows that the statement inserted, changed or deleted. */
  readonly changes: number;
  /** Row id of the last insert on this connection. */
  readonly lastRowId: number;
}

/**
 * Methods of a connection and of a transaction. `sql` should be a constant, because each SQL text is prepared once and
 * cached. Every call throws EngineError `store.full` | `store.write-failed` | `store.unreadable`; a mistake in the
 * statement throws a plain error.
 */
export interface TxDb {
  /** Executes one statement. */
  run(sql: string, ...params: readonly SqlValue[]): RunResult;
  /** Returns the first row, or undefined. `Row` is not checked against the columns. */
  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined;
  /** Returns all rows. */
  all<Row>(sql: string, ...params: readonly SqlValue[]): readonly Row[];
  /** Executes several statements without parameters. */
  exec(sql: string): void;
  /**
   * Runs `work` in a transaction (or a savepoint within one): commits when it returns, and rolls back if it throws.
   * During the transaction, only the handle passed to `work` may be used; afterwards, that handle is invalid. `work`
   * must be synchronous: if it returns a promise, the transaction is rolled back with an error.
   */
  execTx<Result>(work: (tx: TxDb) => Result): Result;
}

export interface Db extends TxDb {
  /** Path of the database; null if it is in memory. */
  readonly file: string | null;
  /**
   * Calls `read`, which must only read, in one transaction: it sees a consistent state, whatever other processes write
   * in the meantime.
   */
  readTogether<Result>(read: () => Result): Result;
  /** Closes the connection. Has no effect if it is already closed. @throws Error inside of a transaction */
  close(): void;
}

/**
 * Opens a database without changing it. Creates the file if it is missing, but not its folder.
 * @param file its path; null for in memory
 * @throws EngineError `store.write-failed` if it cannot be opened
 */
export async function openDb(file: string | null): Promise<Db> {
  const open = await loadSqlite();
  const place = file ?? 'the history in memory';
  let connection: SqliteConnection;
  try {
    connection = open(file ?? ':memory:');
  } catch (error) {
    throw toStoreError(error, place);
  }
  connection.exec('PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON');
  const session = new DatabaseSession(connection, place);
  return new RootDb(session, file);
}

/** State shared by all handles of a connection. */
class DatabaseSession {
  readonly connection: SqliteConnection;
  /** The only handle that may currently be used. */
  innermost: Handle | undefined;
  /** Why SQLite ended the open transaction, if it did. */
  lostBecause: unknown;
  readonly #place: string;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(connection: SqliteConnection, place: string) {
    this.connection = connection;
    this.#place = place;
  }

  statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Returns the error to throw for a driver error. Records whether the error ended the open transaction. */
  failure(thrown: unknown, inTransaction: boolean): unknown {
    const error = toStoreError(thrown, this.#place);
    if (inTransaction && !this.connection.isTransaction) {
      this.lostBecause ??= error;
    }
    return error;
  }

  /** Rolls back a failed transaction or savepoint, unless SQLite has already done so. */
  undo(rollback: string): void {
    if (!this.connection.isTransaction) {
      return;
    }
    try {
      this.connection.exec(rollback);
    } catch (error) {
      // The original failure is reported. This error only prevents further use.
      this.lostBecause ??= error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#emptyLog();
    this.connection.close();
  }

  /**
   * Checkpoints the write-ahead log, so that the file is complete immediately, unless other connections use it. The
   * packaged driver keeps a closed file open until its statements are garbage-collected.
   */
  #emptyLog(): void {
    try {
      this.connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // No data is lost: the log stays valid next to the file, and the next connection reads it.
    }
  }
}

class Handle implements TxDb {
  protected readonly session: DatabaseSession;
  /** 0 for the connection itself, 1 for a transaction, higher for savepoints. */
  readonly #depth: number;

  constructor(session: DatabaseSession, depth: number) {
    this.session = session;
    this.#depth = depth;
  }

  run(sql: string, ...params: readonly SqlValue[]): RunResult {
    this.#assertUsable();
    try {
      const { changes, lastInsertRowid } = this.session.statement(sql).run(...params);
      return { changes: Number(changes), lastRowId: Number(lastInsertRowid) };
    } catch (error) {
      throw this.#failure(error);
    }
  }

  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined {
    this.#assertUsable();
    try {
      return this.session.statement(sql).get(...params) as Row | undefined;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  all<Row>(sql: string, ...params: readonly SqlValue[]): readonly Row[] {
    this.#assertUsable();
    try {
      return this.session.statement(sql).all(...params) as Row[];
    } catch (error) {
      throw this.#failure(error);
    }
  }

  exec(sql: string): void {
    this.#assertUsable();
    try {
      this.session.connection.exec(sql);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  execTx<Result>(work: (tx: TxDb) => Result): Result {
    const { begin, commit, rollback } = boundariesAt(this.#depth);
    this.run(begin);
    const tx = new Handle(this.session, this.#depth + 1);
    this.session.innermost = tx;
    try {
      const result = work(tx);
      refusePromise(result);
      tx.run(commit);
      return result;
    } catch (error) {
      this.session.undo(rollback);
      throw error;
    } finally {
      this.session.innermost = this;
      if (this.#depth === 0) {
        this.session.lostBecause = undefined;
      }
    }
  }

  #assertUsable(): void {
    if (this.session.innermost !== this) {
      throw new Error(
        'This database handle cannot be used here: it is closed, its transaction has ended, or a nested transaction is open. Use the handle that execTx passes to its callback.',
      );
    }
    if (this.session.lostBecause !== undefined) {
      throw this.session.lostBecause;
    }
  }

  #failure(error: unknown): unknown {
    return this.session.failure(error, this.#depth > 0);
  }
}

class RootDb extends Handle implements Db {
  readonly file: string | null;
  #isClosed = false;

  constructor(session: DatabaseSession, file: string | null) {
    super(session, 0);
    this.file = file;
    session.innermost = this;
  }

  readTogether<Result>(read: () => Result): Result {
    this.exec('BEGIN');
    try {
      const result = read();
      refusePromise(result);
      return result;
    } finally {
      // The transaction only read, so there is nothing to commit.
      this.session.undo('ROLLBACK');
      this.session.lostBecause = undefined;
    }
  }

  close(): void {
    if (this.#isClosed) {
      return;
    }
    if (this.session.innermost !== this) {
      throw new Error('A database cannot be closed inside a transaction.');
    }
    this.#isClosed = true;
    this.session.innermost = undefined;
    this.session.close();
  }
}

/**
 * Returns the statements that begin, commit and roll back. IMMEDIATE acquires the write lock at the start, because a
 * transaction that reads first might not be able to upgrade its lock.
 */
function boundariesAt(depth: number): { begin: string; commit: string; rollback: string } {
  return depth === 0
    ? { begin: 'BEGIN IMMEDIATE', commit: 'COMMIT', rollback: 'ROLLBACK' }
    : {
        begin: `SAVEPOINT nested_${depth}`,
        commit: `RELEASE nested_${depth}`,
        rollback: `ROLLBACK TO nested_${depth}; RELEASE nested_${depth}`,
      };
}

function refusePromise(result: unknown): void {
  if (typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function') {
    // Later failures of the abandoned work are ignored; the error below contains the reason.
    Promise.resolve(result).catch(() => undefined);
    throw new Error('The work of a transaction must be synchronous, but it returned a promise. It was rolled back.');
  }
}
