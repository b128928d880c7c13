/**
 * One SQLite connection: single-shot calls, and transactions that no other statement can get into.
 */
import {
  loadSqlite,
  type SqliteConnection,
  type SqliteStatement,
  type SqlValue,
  toStoreError,
} from './sqlite-driver.ts';

interface RunResult {
  /** How many rows the statement inserted, changed or deleted. */
  readonly changes: number;
  /** The number of the row inserted last on this connection. */
  readonly lastRowId: number;
}

/**
 * The calls of a connection and of a transaction in it. `sql` should be a constant text: each text is prepared once and
 * kept. Every call throws EngineError `store.full` | `store.write-failed` | `store.unreadable`; a mistake in the
 * statement stays a plain error.
 */
export interface TxDb {
  /** Executes one statement. */
  run(sql: string, ...params: readonly SqlValue[]): RunResult;
  /** The first row, or undefined. `Row` is the caller's knowledge of the columns; it is not checked. */
  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined;
  /** All rows. */
  all<Row>(sql: string, ...params: readonly SqlValue[]): readonly Row[];
  /** Executes several statements without parameters. */
  exec(sql: string): void;
  /**
   * Runs `work` in a transaction (in a savepoint when this is one): committed when it returns, rolled back when it
   * throws. Until then only the handle that `work` got may be used, and afterwards never again. `work` must be
   * synchronous: a promise as its result is an error and rolls back.
   */
  execTx<Result>(work: (tx: TxDb) => Result): Result;
}

export interface Db extends TxDb {
  /** The database's path; null = in memory. */
  readonly file: string | null;
  /** Runs `read`, which only reads, synchronously on this handle: all that it reads is of one moment, whatever other processes write. */
  readTogether<Result>(read: () => Result): Result;
  /** Harmless when it is closed already. @throws Error inside a transaction */
  close(): void;
}

/**
 * Opens a database without changing it: the file is made when missing, its folder is not.
 * @param file its path; null = in memory
 * @throws EngineError `store.write-failed` when it cannot be opened
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
  const session = new Session(connection, place);
  return new RootDb(session, file);
}

/** What all handles on one connection share. */
class Session {
  readonly connection: SqliteConnection;
  /** The one handle that may be used now. */
  innermost: Handle | undefined;
  /** Why SQLite itself ended the open transaction, if it did. */
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

  /** The error to throw for what the driver threw, after noting whether it cost the open transaction. */
  failure(thrown: unknown, inTransaction: boolean): unknown {
    const error = toStoreError(thrown, this.#place);
    if (inTransaction && !this.connection.isTransaction) {
      this.lostBecause ??= error;
    }
    return error;
  }

  /** Undoes what a failed transaction or savepoint did, unless SQLite has done so itself. */
  undo(rollback: string): void {
    if (!this.connection.isTransaction) {
      return;
    }
    try {
      this.connection.exec(rollback);
    } catch (error) {
      // The failure that led here is the one to report; this one only forbids to go on.
      this.lostBecause ??= error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#emptyLog();
    this.connection.close();
  }

  /**
   * The packaged driver keeps a closed file open until its statements are collected as garbage. So that the file is
   * whole by itself at once, what lies in the write-ahead log is moved into it, unless others are using it just now.
   */
  #emptyLog(): void {
    try {
      this.connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: the log stays valid beside the file, and the next opening reads it.
    }
  }
}

class Handle implements TxDb {
  protected readonly session: Session;
  /** 0 = the connection itself, 1 = a transaction, above = savepoints. */
  readonly #depth: number;

  constructor(session: Session, depth: number) {
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
        'This database handle cannot be used here: it was closed, its transaction is over, or another one is open inside it. Use the handle that execTx passed in.',
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

  constructor(session: Session, file: string | null) {
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
      // Nothing was written, so there is nothing to keep.
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

/** IMMEDIATE takes the write lock at once: a transaction that reads first could otherwise not be upgraded. */
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
    // Whatever the abandoned work does later fails on its dead handle; the error below already says why.
    Promise.resolve(result).catch(() => undefined);
    throw new Error('The work of a transaction must be synchronous, but it returned a promise. It was rolled back.');
  }
}
