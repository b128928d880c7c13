/**
 * Tracks run ownership: a store writes only runs that it has recorded or claimed, and renews their leases.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId, type SessionId } from '../../base/ids.ts';
import type { Db, TxDb } from './db.ts';
import { nextSeqOf, type StoredRunLog } from './event-log.ts';
import { isOwnerAlive, type Owner } from './owner.ts';
import { type OwnedRow, ownedColumns, ownerOf, type RunRow } from './run-row.ts';
import type { SqlValue } from './sqlite-driver.ts';
import { WaitingProjection } from './waiting-projection.ts';
import { readWaitingRows } from './waiting-rows.ts';

/** Milliseconds for which a run counts as alive after the last renewal, if its owner cannot be identified. */
const leaseMs = 60_000;
const renewalMs = 15_000;

/** A run that a store may write. */
export interface OwnedRun extends StoredRunLog {
  /** Number of its next event. */
  nextSeq: number;
  /** Its open requests. */
  readonly waiting: WaitingProjection;
  /** Time before which no other process can claim the run, in epoch milliseconds. */
  leasedUntil: number;
}

type ClaimedRow = OwnedRow & Pick<RunRow, 'status'> & { readonly session_id: SessionId };

/** A store's unfinished runs. The renewal timer runs only while there are any. */
export class RunOwnership {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #owner: Owner;
  readonly #owned = new Map<RunId, OwnedRun>();
  readonly #givenUp = new Set<RunId>();
  #endTimer: (() => void) | undefined;

  constructor(db: Db, context: { readonly clock: Clock; readonly owner: Owner }) {
    this.#db = db;
    this.#clock = context.clock;
    this.#owner = context.owner;
  }

  /** Writes the owner into the row of a run, in a transaction; call `add` after the commit. */
  sign(tx: TxDb, log: StoredRunLog, nextSeq: number): OwnedRun {
    const { host, pid, start } = this.#owner;
    const leasedUntil = this.#clock.now() + leaseMs;
    tx.run(
      'UPDATE run SET owner_host = ?, owner_pid = ?, owner_start = ?, lease_until = ? WHERE id = ?',
      host,
      pid,
      start,
      leasedUntil,
      log.rowId,
    );
    const waiting = nextSeq === 0 ? WaitingProjection.ofNew(log.runId) : readWaitingRows(tx, log);
    return { ...log, nextSeq, waiting, leasedUntil };
  }

  add(runId: RunId, run: OwnedRun): void {
    this.#owned.set(runId, run);
    this.#givenUp.delete(runId);
    this.#renewLater();
  }

  /**
   * Claims a run without a live owner. If several processes try at once, one succeeds.
   * @throws EngineError `run.not-found` | `run.invalid-state` if it has ended or has a live owner
   */
  claim(runId: RunId): void {
    const run = this.#db.execTx((tx) => {
      const row = this.#rowOf(tx, runId);
      const isEnded = row.status !== 'queued' && row.status !== 'running' && row.status !== 'suspended';
      if (isEnded || !this.createAbandonedCheck()(row)) {
        throw notClaimable(row, { isEnded, isOwn: this.#owned.has(runId) });
      }
      return this.#takeOver(tx, row);
    });
    this.add(runId, run);
  }

  /**
   * Claims an unfinished run in a transaction unless it has a live owner; call `add` after the commit.
   * @throws EngineError `run.not-found`
   */
  takeAbandoned(tx: TxDb, runId: RunId): OwnedRun | undefined {
    const row = this.#rowOf(tx, runId);
    return this.createAbandonedCheck()(row) ? this.#takeOver(tx, row) : undefined;
  }

  #rowOf(tx: TxDb, runId: RunId): ClaimedRow {
    const row = tx.get<ClaimedRow>(`SELECT session_id, status, ${ownedColumns} FROM run WHERE run_id = ?`, runId);
    if (row !== undefined) return row;
    throw new EngineError({ code: 'run.not-found', message: `Run ${runId} is not in this history.` });
  }

  #takeOver(tx: TxDb, row: ClaimedRow): OwnedRun {
    const log = { rowId: row.id, runId: asRunId(row.run_id), sessionId: row.session_id };
    return this.sign(tx, log, nextSeqOf(tx, row.id));
  }

  /** @throws EngineError `store.not-owner` for a run of another engine, or one that has ended or is suspended */
  ownedRun(runId: RunId): OwnedRun {
    let run = this.#owned.get(runId);
    if (run !== undefined && this.#clock.now() > run.leasedUntil) {
      // The machine slept or this process was stopped, so another process may have claimed the run in the meantime.
      this.#renew();
      run = this.#owned.get(runId);
    }
    if (run === undefined) {
      throw new EngineError({
        code: 'store.not-owner',
        message: `Run ${runId} has ended, is suspended, or belongs to another engine. No events can be added to it here.`,
      });
    }
    return run;
  }

  /** Removes a run that has ended or is suspended. */
  remove(runId: RunId): void {
    this.#owned.delete(runId);
    if (this.#owned.size === 0) {
      this.#stopRenewal();
    }
  }

  /** Gives up a run that no longer runs but has no recorded end. Has no effect on other runs. */
  giveUp(runId: RunId): void {
    const run = this.#owned.get(runId);
    if (run === undefined) {
      return;
    }
    // If this cannot be written either, other processes detect the interruption when this one ends.
    tolerateStoreFailure(() => this.#updateOwn(run, 'owner_host = NULL, owner_pid = NULL'));
    this.#givenUp.add(runId);
    this.remove(runId);
  }

  /** Gives up all runs that have not ended. */
  release(): void {
    for (const runId of [...this.#owned.keys()]) {
      this.giveUp(runId);
    }
  }

  /**
   * Creates a function that returns whether no live process owns a row's run. Use it for several rows at one point in
   * time.
   */
  createAbandonedCheck(): (row: OwnedRow) => boolean {
    const now = this.#clock.now();
    const known = new Map<string, boolean>();
    return (row) => {
      const runId = asRunId(row.run_id);
      if (this.#owned.has(runId)) {
        return false;
      }
      const owner = ownerOf(row);
      if (owner === undefined || row.lease_until === null || (this.#givenUp.has(runId) && this.#isOwn(owner))) {
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
      if (this.#owned.size > 0) {
        this.#renewLater();
      }
    }, renewalMs);
  }

  /** Renews the leases, and drops runs that other processes have claimed after a lease expired. */
  #renew(): void {
    const until = this.#clock.now() + leaseMs;
    tolerateStoreFailure(() => {
      for (const [runId, run] of this.#owned) {
        if (this.#updateOwn(run, 'lease_until = ?', until)) {
          run.leasedUntil = until;
        } else {
          this.remove(runId);
        }
      }
    });
  }

  /** Updates the row if it still names this owner, and returns whether it does. */
  #updateOwn({ rowId }: OwnedRun, assignments: string, ...values: readonly SqlValue[]): boolean {
    const { host, pid, start } = this.#owner;
    const { changes } = this.#db.run(
      `UPDATE run SET ${assignments} WHERE id = ? AND owner_host = ? AND owner_pid = ? AND owner_start = ?`,
      ...values,
      rowId,
      host,
      pid,
      start,
    );
    return changes > 0;
  }

  #isOwn({ host, pid, start }: Owner): boolean {
    return host === this.#owner.host && pid === this.#owner.pid && start === this.#owner.start;
  }

  #stopRenewal(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
  }
}

function notClaimable(row: ClaimedRow, { isEnded, isOwn }: { isEnded: boolean; isOwn: boolean }): EngineError {
  const state = isEnded
    ? `has ended (${row.status}). Only an interrupted or suspended run can be resumed. To run its flow again, redo it.`
    : isOwn
      ? `is already ${row.status} in this program. Wait until it ends, or cancel it.`
      : `is ${row.status} in another program (process ${row.owner_pid} on ${row.owner_host}). Wait until it ends, or cancel it there.`;
  return new EngineError({ code: 'run.invalid-state', message: `Run ${row.run_id} ${state}` });
}

/**
 * Ignores store errors when leases are renewed: a full disk must not stop the timer or prevent closing, and the next
 * important write reports it.
 */
function tolerateStoreFailure(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!EngineError.is(error)) {
      throw error;
    }
  }
}
