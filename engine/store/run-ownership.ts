/**
 * Whose runs are whose: a store writes only runs that it recorded itself, and renews the lease on them.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { asRunId, type RunId } from '../base/ids.ts';
import type { Db, TxDb } from './db.ts';
import { isOwnerAlive, type Owner } from './owner.ts';
import { ownerOf, type RunRow } from './run-row.ts';

/** How long a run counts as alive after its owner's last sign of life, where nothing better tells. */
const leaseMs = 60_000;
const renewalMs = 15_000;

/** The unfinished runs of one store. A timer goes only while there are some. */
export class RunOwnership {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #owner: Owner;
  readonly #rowIds = new Map<RunId, number>();
  readonly #givenUp = new Set<RunId>();
  #endTimer: (() => void) | undefined;

  constructor(db: Db, context: { readonly clock: Clock; readonly owner: Owner }) {
    this.#db = db;
    this.#clock = context.clock;
    this.#owner = context.owner;
  }

  /** Writes the owner into the row of a new run, in the transaction that makes it; `add` follows when it is committed. */
  sign(tx: TxDb, rowId: number): void {
    const { host, pid, start } = this.#owner;
    tx.run(
      'UPDATE run SET owner_host = ?, owner_pid = ?, owner_start = ?, lease_until = ? WHERE id = ?',
      host,
      pid,
      start,
      this.#clock.now() + leaseMs,
      rowId,
    );
  }

  add(runId: RunId, rowId: number): void {
    this.#rowIds.set(runId, rowId);
    this.#renewLater();
  }

  /** @throws EngineError `store.not-owner` for a run of another engine, or one that has ended */
  rowIdOf(runId: RunId): number {
    const rowId = this.#rowIds.get(runId);
    if (rowId === undefined) {
      throw new EngineError({
        code: 'store.not-owner',
        message: `Run ${runId} has ended or belongs to another engine; nothing can be added to it here.`,
      });
    }
    return rowId;
  }

  /** The run has ended. */
  remove(runId: RunId): void {
    this.#rowIds.delete(runId);
    if (this.#rowIds.size === 0) {
      this.#stopRenewal();
    }
  }

  /** The run goes on no longer, and nobody could record that it has ended. Harmless for any other. */
  giveUp(runId: RunId): void {
    const rowId = this.#rowIds.get(runId);
    if (rowId === undefined) {
      return;
    }
    // Where not even this can be written, other processes learn it when this one ends.
    tolerateStoreFailure(() => this.#db.run('UPDATE run SET owner_host = NULL, owner_pid = NULL WHERE id = ?', rowId));
    this.#givenUp.add(runId);
    this.remove(runId);
  }

  /** Gives up the runs that have not ended. */
  release(): void {
    for (const runId of [...this.#rowIds.keys()]) {
      this.giveUp(runId);
    }
  }

  /** A check for several rows at one moment: whether nobody alive has the run. */
  createAbandonedCheck(): (row: RunRow) => boolean {
    const now = this.#clock.now();
    const known = new Map<string, boolean>();
    return (row) => {
      const runId = asRunId(row.run_id);
      if (this.#rowIds.has(runId)) {
        return false;
      }
      if (this.#givenUp.has(runId)) {
        return true;
      }
      const owner = ownerOf(row);
      if (owner === undefined || row.lease_until === null) {
        return true;
      }
      const key = `${owner.host} ${owner.pid} ${owner.start} ${row.lease_until}`;
      const isAbandoned = known.get(key) ?? !isOwnerAlive(owner, { until: row.lease_until, now });
      known.set(key, isAbandoned);
      return isAbandoned;
    };
  }

  #renewLater(): void {
    this.#endTimer ??= this.#clock.setTimer(() => {
      this.#endTimer = undefined;
      this.#renew();
      this.#renewLater();
    }, renewalMs);
  }

  #renew(): void {
    const until = this.#clock.now() + leaseMs;
    tolerateStoreFailure(() =>
      this.#db.execTx((tx) => {
        for (const rowId of this.#rowIds.values()) {
          tx.run('UPDATE run SET lease_until = ? WHERE id = ?', until, rowId);
        }
      }),
    );
  }

  #stopRenewal(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
  }
}

/** For signs of life: a full disk must stop neither timer nor closing; the next write that matters tells of it. */
function tolerateStoreFailure(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!EngineError.is(error)) {
      throw error;
    }
  }
}
