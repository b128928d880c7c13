/**
 * The lease of this process: other machines show its runs as running for as long as it is renewed. One row per process,
 * so that renewing costs the same for any number of runs.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { PgDb } from './pg-db.ts';
import type { OwnRun } from './run-records.ts';
import { serverNow } from './schema.ts';

/** How long a lease is valid, and how often it is renewed, in milliseconds. Only the server's clock is compared. */
export interface LeaseTimes {
  readonly validMs: number;
  readonly renewMs: number;
}

export const usualLease: LeaseTimes = { validMs: 30_000, renewMs: 10_000 };

/** Owns runs while the process lives. Takes the lease when the first run is owned. */
export class Lease {
  readonly #db: PgDb;
  readonly #workspace: number;
  readonly #own: OwnRun;
  readonly #times: LeaseTimes;
  #timer: NodeJS.Timeout | undefined;
  #taken: Promise<void> | undefined;
  #isClosed = false;

  constructor(db: PgDb, workspace: number, own: OwnRun, times: LeaseTimes) {
    this.#db = db;
    this.#workspace = workspace;
    this.#own = own;
    this.#times = times;
  }

  /** Returns the owner for runs of this process. Its lease is valid. */
  async take(): Promise<OwnRun> {
    this.#taken ??= this.#renew().then(() => this.#renewLater());
    try {
      await this.#taken;
    } catch (error) {
      this.#taken = undefined;
      throw error;
    }
    return this.#own;
  }

  /** Owns a run unless another process with a valid lease owns it. Returns whether this process owns it. */
  async own(runId: RunId): Promise<boolean> {
    const { home, owner } = await this.take();
    const changed = await this.#db.run(
      `UPDATE millrace.run SET owner = $2 WHERE run_id = $1 AND workspace = $4 AND home = $3 AND (owner IS NULL OR owner = $2 OR NOT EXISTS (
         SELECT 1 FROM millrace.engine WHERE engine.id = run.owner AND lease_until > ${serverNow}
       ))`,
      [runId, owner, home, this.#workspace],
    );
    return changed > 0;
  }

  async disown(runId: RunId): Promise<void> {
    await this.#db.run('UPDATE millrace.run SET owner = NULL WHERE run_id = $1 AND workspace = $2 AND owner = $3', [
      runId,
      this.#workspace,
      this.#own.owner,
    ]);
  }

  /** Ends the lease, so that its runs show as interrupted at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#taken === undefined) return;
    try {
      await this.#db.run('DELETE FROM millrace.engine WHERE id = $1', [this.#own.owner]);
    } catch (error) {
      // The lease then ends by itself.
      if (!EngineError.is(error)) throw error;
    }
  }

  async #renew(): Promise<void> {
    await this.#db.run(
      `INSERT INTO millrace.engine (id, lease_until) VALUES ($1, ${serverNow} + $2)
       ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
      [this.#own.owner, this.#times.validMs],
    );
  }

  #renewLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      // A failed renewal is repeated; the lease is valid for several intervals.
      void this.#renew()
        .catch(() => undefined)
        .finally(() => this.#renewLater());
    }, this.#times.renewMs);
    this.#timer.unref();
  }
}
