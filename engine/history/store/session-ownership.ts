/**
 * Tracks conversation ownership. As with runs, only one process writes each conversation. It is identified by its
 * start, or by a lease if the start is unknown.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { SessionId } from '../../base/ids.ts';
import type { Db, TxDb } from './db.ts';
import { isOwnerAlive, type Owner } from './owner.ts';

/** Columns of a row that identify the owner. */
export interface OwnerColumns {
  readonly owner_host: string | null;
  readonly owner_pid: number | null;
  readonly owner_start: string | null;
  readonly lease_until: number | null;
}

const leaseMs = 60_000;
const renewalMs = 15_000;

/** A store's conversations. The renewal timer runs only while there are any. */
export class SessionOwnership {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #owner: Owner;
  /** Row numbers of the owned conversations. */
  readonly #owned = new Map<SessionId, number>();
  #endTimer: (() => void) | undefined;

  constructor(db: Db, { clock, owner }: { readonly clock: Clock; readonly owner: Owner }) {
    this.#db = db;
    this.#clock = clock;
    this.#owner = owner;
  }

  /** Returns the row number of an owned conversation. */
  rowId(sessionId: SessionId): number | undefined {
    return this.#owned.get(sessionId);
  }

  /** Returns whether the conversation has a live owner; another engine of this process counts. */
  isHeld({ owner_host, owner_pid, owner_start, lease_until }: OwnerColumns): boolean {
    if (owner_host === null || owner_pid === null || lease_until === null) return false;
    const { host, pid, start } = this.#owner;
    const isOwn = owner_host === host && owner_pid === pid && owner_start === start;
    const owner = { host: owner_host, pid: owner_pid, start: owner_start ?? '' };
    return isOwn || isOwnerAlive(owner, { until: lease_until, now: this.#clock.now() });
  }

  /** Writes the owner into a row, in a transaction; call `add` after the commit. */
  sign(tx: TxDb, rowId: number): void {
    const { host, pid, start } = this.#owner;
    tx.run(
      'UPDATE session SET owner_host = ?, owner_pid = ?, owner_start = ?, lease_until = ? WHERE id = ?',
      ...[host, pid, start, this.#clock.now() + leaseMs, rowId],
    );
  }

  add(sessionId: SessionId, rowId: number): void {
    this.#owned.set(sessionId, rowId);
    this.#renewLater();
  }

  /** Updates a row if it still names this owner. @returns whether it does */
  update(db: TxDb, rowId: number, assignments: string, values: readonly (number | string | null)[]): boolean {
    const { host, pid, start } = this.#owner;
    const { changes } = db.run(
      `UPDATE session SET ${assignments} WHERE id = ? AND owner_host = ? AND owner_pid = ? AND owner_start = ?`,
      ...[...values, rowId, host, pid, start],
    );
    return changes > 0;
  }

  release(sessionId: SessionId): void {
    const rowId = this.#owned.get(sessionId);
    if (rowId === undefined) return;
    this.#owned.delete(sessionId);
    if (this.#owned.size === 0) this.#stopRenewal();
    tolerate(() => this.update(this.#db, rowId, 'owner_host = NULL, owner_pid = NULL', []));
  }

  releaseAll(): void {
    for (const sessionId of [...this.#owned.keys()]) this.release(sessionId);
  }

  #renewLater(): void {
    this.#endTimer ??= this.#clock.setTimer(() => {
      this.#endTimer = undefined;
      const until = this.#clock.now() + leaseMs;
      for (const rowId of this.#owned.values())
        tolerate(() => this.update(this.#db, rowId, 'lease_until = ?', [until]));
      if (this.#owned.size > 0) this.#renewLater();
    }, renewalMs);
  }

  #stopRenewal(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
  }
}

/** Ignores store errors when leases are renewed: a full disk must not stop the timer or prevent closing. */
function tolerate(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (!EngineError.is(error)) throw error;
  }
}

/** Returns the error for a conversation that another process owns. */
export function elsewhere(sessionId: SessionId, row: OwnerColumns | undefined): EngineError {
  const holder = row?.owner_pid ? ` (process ${row.owner_pid} on ${row.owner_host})` : '';
  return new EngineError({
    code: 'session.elsewhere',
    message: `Conversation ${sessionId} is open in another program${holder}. Close it there first.`,
  });
}
