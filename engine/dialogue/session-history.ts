/**
 * The past of a session: what a turn has changed, when a snapshot is due, and turns that are taken back.
 */
import { applyEvent, foldSession } from './fold-session.ts';
import { type Outcome, refuse } from './operation.ts';
import type { OutsideEffect, SessionEnvelope } from './session-event.ts';
import { emptySession, type SessionState } from './session-state.ts';

/** Turns between two snapshots where nothing else asks for one. */
const snapshotEvery = 50;

/** The session that a log tells of. */
export function sessionOf(log: readonly SessionEnvelope[], base: SessionState = emptySession): SessionState {
  return log.reduce(foldSession, base);
}

/** What a turn has changed: its events. */
export function turnDiff(log: readonly SessionEnvelope[], turnId: string): readonly SessionEnvelope[] {
  return log.filter((envelope) => envelope.turnId === turnId);
}

/**
 * Whether the state is to be kept as a snapshot at the end of the turn, so that opening the session takes time for the events since
 * then only: more than one flow has been completed in it, or it is a fiftieth.
 * @param state before the turn's `turn:end`
 */
export function isSnapshotDue({ turn, turnCount }: SessionState): boolean {
  return turn !== null && (turn.completed > 1 || turnCount % snapshotEvery === 0);
}

export interface RollbackRequest {
  readonly turnId: string;
  /** A snapshot from before the turn, or the empty session. */
  readonly base: SessionState;
  /** All events behind `base`. */
  readonly log: readonly SessionEnvelope[];
  /** What the runs of those turns have done outside. */
  readonly effects: readonly OutsideEffect[];
}

/**
 * Takes back a turn and all that came after it. Messages that no turn had taken stay in the queue; nothing that a person has answered
 * is used again.
 */
export function rollBack(state: SessionState, { turnId, base, log, effects }: RollbackRequest): Outcome {
  if (state.turn !== null) return refuse('turn.open', 'A turn is under way. Cancel it first, then take it back.');
  const gone = new Set(log.flatMap(({ event }) => (event.type === 'turn:rolledback' ? event.turnIds : [])));
  const begun = log.findIndex(({ event }) => event.type === 'turn:start' && event.turnId === turnId);
  if (begun === -1 || gone.has(turnId))
    return refuse('turn.unknown', 'This turn is not there any more, or has been taken back already.');
  const out = log
    .slice(begun)
    .flatMap(({ event }) => (event.type === 'turn:start' && !gone.has(event.turnId) ? [event.turnId] : []));
  // A rollback holds all of the state, so nothing before it counts.
  const anchor = log.findLastIndex(({ event }, index) => index < begun && event.type === 'turn:rolledback');
  const from = sessionOf(log.slice(0, anchor + 1), base);
  const rebuilt = foldWithout(anchor === -1 ? base : from, log.slice(anchor + 1), new Set([...gone, ...out]));
  return { events: [{ type: 'turn:rolledback', turnIds: out, state: rebuilt, effects }] };
}

/** The session as if some turns, and the messages that they took, had never been. */
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
