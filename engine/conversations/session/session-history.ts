/**
 * Handles the history of a session: a turn's changes, when a snapshot is due, and rollbacks.
 */
import { applyEvent, foldSession } from './fold-session.ts';
import { type OperationOutcome, refuse } from './operation.ts';
import type { OutsideEffect, SessionEnvelope } from './session-event.ts';
import { emptySession, type SessionState } from './session-state.ts';

/** Maximum number of turns between two snapshots. */
const snapshotEvery = 50;

/** Returns the session state after a log. */
export function sessionOf(log: readonly SessionEnvelope[], base: SessionState = emptySession): SessionState {
  return log.reduce(foldSession, base);
}

/** Returns a turn's changes: its events. */
export function turnDiff(log: readonly SessionEnvelope[], turnId: string): readonly SessionEnvelope[] {
  return log.filter((envelope) => envelope.turnId === turnId);
}

/**
 * Returns whether to store a snapshot at the end of the turn, so that opening the session only has to fold later
 * events: after a turn that completed more than one flow, and every 50 turns.
 * @param state state before the turn's `turn:end`
 */
export function isSnapshotDue({ turn, turnCount }: SessionState): boolean {
  return turn !== null && (turn.completed > 1 || turnCount % snapshotEvery === 0);
}

export interface RollbackRequest {
  readonly turnId: string;
  /** A snapshot from before the turn, or the empty session. */
  readonly base: SessionState;
  /** All events after `base`. */
  readonly log: readonly SessionEnvelope[];
  /** Effects of the turns' runs. */
  readonly effects: readonly OutsideEffect[];
}

/**
 * Rolls back a turn and all later ones. Messages that no turn has taken stay in the queue. Answers that people have
 * given are not used again.
 */
export function rollBack(state: SessionState, { turnId, base, log, effects }: RollbackRequest): OperationOutcome {
  if (state.turn !== null) return refuse('turn.open', 'A turn is in progress. Cancel it, then undo it.');
  const gone = new Set(log.flatMap(({ event }) => (event.type === 'turn:rolledback' ? event.turnIds : [])));
  const begun = log.findIndex(({ event }) => event.type === 'turn:start' && event.turnId === turnId);
  if (begun === -1 || gone.has(turnId))
    return refuse('turn.unknown', 'This turn no longer exists or has already been undone.');
  const out = log
    .slice(begun)
    .flatMap(({ event }) => (event.type === 'turn:start' && !gone.has(event.turnId) ? [event.turnId] : []));
  // A rollback event contains the whole state, so earlier events do not matter.
  const anchor = log.findLastIndex(({ event }, index) => index < begun && event.type === 'turn:rolledback');
  const from = sessionOf(log.slice(0, anchor + 1), base);
  const rebuilt = foldWithout(anchor === -1 ? base : from, log.slice(anchor + 1), new Set([...gone, ...out]));
  return { events: [{ type: 'turn:rolledback', turnIds: out, state: rebuilt, effects }] };
}

/** Returns the session as if some turns, and their messages, had never existed. */
function foldWithout(base: SessionState, log: readonly SessionEnvelope[], turns: ReadonlySet<string>): SessionState {
  const taken = new Set(
    log.flatMap(({ event }) => (event.type === 'turn:start' && turns.has(event.turnId) ? [event.messageId] : [])),
  );
  const isLeftOut = ({ seq, turnId, event }: SessionEnvelope): boolean =>
    seq <= base.seq ||
    event.type === 'turn:rolledback' ||
    (turnId !== undefined && turns.has(turnId)) ||
    (event.type === 'message' && event.from === 'user' && taken.has(event.messageId));
  const kept = log.filter((envelope) => !isLeftOut(envelope)).map(({ event }) => event);
  return kept.reduce(applyEvent, base);
}
