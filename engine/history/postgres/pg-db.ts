/**
 * Runs SQL on PostgreSQL with a limited number of connections. Statements name tables with the schema `millrace`, which
 * is replaced by the configured one.
 */
import type { Client, ClientBase, ClientConfig, Pool } from 'pg';
import type { SharedPlace } from './connection-url.ts';
import { asStoreError, codeOf, needsPassword } from './pg-error.ts';

export type PgValue = string | number | boolean | null | Buffer | readonly (string | number | null)[];

/** Runs statements. Errors: those of `asStoreError`. */
export interface PgQueries {
  rows<Row extends object>(text: string, values?: readonly PgValue[]): Promise<readonly Row[]>;
  /** Like `rows`, for a statement that runs so often that each connection should parse it only once. */
  prepared<Row extends object>(text: string, values: readonly PgValue[]): Promise<readonly Row[]>;
  /** Returns the number of changed rows. */
  run(text: string, values?: readonly PgValue[]): Promise<number>;
}

export interface PgDb extends PgQueries {
  /** Host, database and schema, for messages. */
  readonly place: string;
  readonly schema: string;
  /** Runs `work` in a transaction. Repeats it after a deadlock, so it must have no other effects. */
  transaction<Result>(work: (tx: PgQueries) => Promise<Result>): Promise<Result>;
  /** Runs reads that all see the same state. */
  snapshot<Result>(read: (tx: PgQueries) => Promise<Result>): Promise<Result>;
  /** Creates a connection that is not part of the pool. The caller connects and closes it. */
  createClient(): Client;
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;
const statementTimeoutMs = 30_000;
const idleMs = 30_000;
const defaultConnections = 8;
const mostAttempts = 5;

/** OID of `bigint`. The driver returns it as text, because it may be larger than a safe integer; ours never are. */
const bigint = 20;

/** Loads the driver. Connects when the first statement runs. */
export async function openPgDb(at: SharedPlace, connections = defaultConnections): Promise<PgDb> {
  const { default: pg } = await import('pg');
  const config: ClientConfig = {
    ...at.connection,
    // Otherwise, the driver would look for a password in other places.
    password: at.connection.password ?? (() => Promise.reject(needsPassword(at))),
    application_name: 'millrace',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The server's own timeout comes first, unless the connection is broken.
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    types: {
      getTypeParser: (oid, format) => (oid === bigint ? Number : pg.types.getTypeParser(oid, format)),
    },
  };
  const pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: idleMs, allowExitOnIdle: true });
  // A connection that breaks while it is idle is removed from the pool. The next statement opens another one.
  pool.on('error', () => undefined);
  return new PooledDb(at, pool, () => new pg.Client(config));
}

class PooledDb implements PgDb {
  readonly place: string;
  readonly schema: string;
  readonly createClient: () => Client;
  readonly #at: SharedPlace;
  readonly #pool: Pool;
  readonly #texts = new Map<string, string>();

  constructor(at: SharedPlace, pool: Pool, createClient: () => Client) {
    this.place = at.place;
    this.schema = at.schema;
    this.#at = at;
    this.createClient = createClient;
    this.#pool = pool;
  }

  async rows<Row extends object>(text: string, values: readonly PgValue[] = []): Promise<readonly Row[]> {
    return await this.#queriesOf(this.#pool).rows<Row>(text, values);
  }

  async prepared<Row extends object>(text: string, values: readonly PgValue[]): Promise<readonly Row[]> {
    return await this.#queriesOf(this.#pool).prepared<Row>(text, values);
  }

  async run(text: string, values: readonly PgValue[] = []): Promise<number> {
    return await this.#queriesOf(this.#pool).run(text, values);
  }

  async transaction<Result>(work: (tx: PgQueries) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#within('BEGIN', work);
      } catch (error) {
        // 40P01: deadlock, 40001: serialization failure.
        const cause = error instanceof Error ? error.cause : undefined;
        if (!['40P01', '40001'].includes(codeOf(cause)) || attempt === mostAttempts) throw error;
      }
    }
  }

  async snapshot<Result>(read: (tx: PgQueries) => Promise<Result>): Promise<Result> {
    return await this.#within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', read);
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #within<Result>(begin: string, work: (tx: PgQueries) => Promise<Result>): Promise<Result> {
    const client = await this.#mapped(() => this.#pool.connect());
    let broken: Error | undefined;
    // Without a listener, a connection that breaks between two statements would end the process.
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await this.#mapped(() => client.query(begin));
      const result = await work(this.#queriesOf(client));
      await this.#mapped(() => client.query('COMMIT'));
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  #queriesOf(client: Pick<ClientBase, 'query'>): PgQueries {
    return {
      rows: async <Row extends object>(text: string, values: readonly PgValue[] = []) =>
        (await this.#mapped(() => client.query<Row>(this.#ofSchema(text), [...values]))).rows,
      prepared: async <Row extends object>(text: string, values: readonly PgValue[]) =>
        (await this.#mapped(() => client.query<Row>(this.#named(text, values)))).rows,
      run: async (text, values = []) =>
        (await this.#mapped(() => client.query(this.#ofSchema(text), [...values]))).rowCount ?? 0,
    };
  }

  #ofSchema(text: string): string {
    return text.replaceAll('millrace.', `"${this.schema}".`);
  }

  /** Statements are few and constant, so each has a permanent name. */
  #named(text: string, values: readonly PgValue[]): { name: string; text: string; values: PgValue[] } {
    const known = this.#texts.get(text) ?? this.#ofSchema(text);
    this.#texts.set(text, known);
    const name = `millrace_${[...this.#texts.keys()].indexOf(text)}`;
    return { name, text: known, values: [...values] };
  }

  async #mapped<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw asStoreError(error, this.#at);
    }
  }
}
