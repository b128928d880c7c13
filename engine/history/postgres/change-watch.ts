/**
 * Notices changes of a shared history: by notifications of PostgreSQL, and by asking every second, because a connection
 * may be lost or may not pass notifications on (some poolers do not).
 */
import type { Client } from 'pg';
import { Listeners } from '../../base/listeners.ts';
import type { PgDb, PgQueries } from './pg-db.ts';
import type { SharedChange } from './shared-history.ts';

const pollMs = 1000;
/** Changes that arrive together are reported together. */
const gatherMs = 20;
/** Time between notifications about events. Each notification makes commits of the whole server wait for each other. */
const announceRunsMs = 200;

type Listener = (changes: ReadonlySet<SharedChange>) => void;

const kinds: readonly SharedChange[] = ['runs', 'answers', 'requests'];

interface Versions {
  readonly runs: string | null;
  readonly answers: number | null;
  readonly requests: number | null;
}

export class ChangeWatch {
  readonly #db: PgDb;
  readonly #workspace: number;
  readonly #channel: string;
  readonly #listeners = new Listeners<[changes: ReadonlySet<SharedChange>]>();
  readonly #gathered = new Set<SharedChange>();
  /** The time since the first subscriber, as an identity; undefined without subscribers. */
  #period: object | undefined;
  #gatherTimer: NodeJS.Timeout | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  #runsTimer: NodeJS.Timeout | undefined;
  #client: Client | undefined;
  #versions: Versions | undefined;
  #isClosed = false;

  constructor(db: PgDb, workspace: number) {
    this.#db = db;
    this.#workspace = workspace;
    this.#channel = `millrace_${db.schema}`.slice(0, 63);
  }

  subscribe(listener: Listener): () => void {
    const stop = this.#listeners.add(listener);
    if (this.#period === undefined) {
      this.#period = {};
      this.#pollLater(this.#period, 0);
    }
    return () => {
      stop();
      if (this.#listeners.count === 0) this.#stopWatching();
    };
  }

  /** Notifies all processes, at the end of the transaction. */
  async announce(queries: PgQueries, change: SharedChange): Promise<void> {
    await queries.rows('SELECT pg_notify($1, $2)', [this.#channel, `${this.#workspace} ${change}`]);
  }

  /** Notifies all processes soon that runs have new events. */
  announceRuns(): void {
    if (this.#isClosed) return;
    this.#runsTimer ??= setTimeout(() => {
      this.#runsTimer = undefined;
      // Others notice the change themselves within a second.
      void this.announce(this.#db, 'runs').catch(() => undefined);
    }, announceRunsMs).unref();
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#stopWatching();
    clearTimeout(this.#runsTimer);
  }

  #stopWatching(): void {
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#gatherTimer);
    this.#period = undefined;
    this.#gatherTimer = undefined;
    this.#versions = undefined;
    this.#gathered.clear();
    this.#dropClient();
  }

  #gather(changes: readonly SharedChange[]): void {
    for (const change of changes) this.#gathered.add(change);
    if (this.#gathered.size === 0 || this.#period === undefined) return;
    this.#gatherTimer ??= setTimeout(() => {
      this.#gatherTimer = undefined;
      const told = new Set(this.#gathered);
      this.#gathered.clear();
      this.#listeners.tell(rethrow, told);
    }, gatherMs);
  }

  #pollLater(period: object, ms: number): void {
    this.#pollTimer = setTimeout(() => void this.#poll(period), ms);
  }

  /** A poll that ends after its period has no effect: a later period polls by itself. */
  async #poll(period: object): Promise<void> {
    try {
      await this.#listen();
      const versions = await this.#readVersions();
      if (this.#period !== period) return;
      const former = this.#versions;
      this.#versions = versions;
      // The first time, there may have been changes since the caller read the history.
      this.#gather(kinds.filter((kind) => former === undefined || former[kind] !== versions[kind]));
    } catch {
      if (this.#period !== period) return;
      // The server cannot be reached. The reader's next call reports the reason.
      this.#versions = undefined;
    }
    this.#pollLater(period, pollMs);
  }

  async #readVersions(): Promise<Versions> {
    const [row] = await this.#db.prepared<Versions>(
      `SELECT (
           SELECT changed::text FROM millrace.progress
           WHERE workspace = $1 AND changed < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY changed DESC LIMIT 1
         ) AS runs,
         (SELECT max(id) FROM millrace.answer) AS answers, (SELECT max(id) FROM millrace.run_request) AS requests`,
      [this.#workspace],
    );
    return row ?? { runs: null, answers: null, requests: null };
  }

  async #listen(): Promise<void> {
    if (this.#client !== undefined) return;
    const client = this.#db.createClient();
    this.#client = client;
    const drop = (): void => {
      if (this.#client === client) this.#dropClient();
    };
    client.on('error', drop);
    client.on('end', drop);
    client.on('notification', ({ payload = '' }) => {
      const [workspace, change] = payload.split(' ');
      if (workspace === String(this.#workspace)) this.#gather(kinds.filter((kind) => kind === change));
    });
    try {
      await client.connect();
      await client.query(`LISTEN "${this.#channel}"`);
    } catch (error) {
      drop();
      throw error;
    }
  }

  #dropClient(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.end().catch(() => undefined);
  }
}

/** A failing listener is a bug of its owner. */
function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
