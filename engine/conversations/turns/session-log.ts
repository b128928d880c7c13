/**
 * The log of one conversation: events are numbered, stored, folded, and only then delivered.
 */
import type { Clock } from '../../base/clock.ts';
import type { SessionId } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import type { SessionStore } from '../../history/store/session-store.ts';
import type { SessionEnvelope, SessionEvent } from '../session/session-event.ts';
import { isSnapshotDue, sessionOf } from '../session/session-history.ts';
import { emptySession, readSession, type SessionState, sessionText } from '../session/session-state.ts';
import type { MessageView } from '../session/session-view.ts';
import type { ConversationNotice } from './conversation-engine.ts';

export interface SessionLogWorld {
  readonly store: SessionStore;
  readonly clock: Clock;
  /** Receives errors of listeners. */
  readonly onListenerError: (thrown: unknown) => void;
}

/** Returns the state after an event, starting from the latest snapshot. */
export function readState(store: SessionStore, sessionId: SessionId, seq: number): SessionState {
  const { base, log } = readSince(store, sessionId, seq);
  return sessionOf(log, base);
}

/** Returns the latest readable snapshot up to `seq`, and the events between it and `seq`. */
export function readSince(
  store: SessionStore,
  sessionId: SessionId,
  seq: number,
): { readonly base: SessionState; readonly log: readonly SessionEnvelope[] } {
  const base = snapshotBefore(store, sessionId, seq) ?? emptySession;
  return { base, log: store.readEvents(sessionId, { fromSeq: base.seq + 1, toSeq: seq }) };
}

function snapshotBefore(store: SessionStore, sessionId: SessionId, seq: number): SessionState | undefined {
  for (let at = seq; ; ) {
    const found = store.snapshotAt(sessionId, at);
    if (found === undefined) return undefined;
    const state = readSession(found.text);
    if (state !== undefined) return state;
    at = found.seq - 1;
  }
}

/** Returns the last messages before an event, except rolled-back ones, oldest first. */
export function readMessages(
  store: SessionStore,
  sessionId: SessionId,
  { before, limit }: { readonly before: number; readonly limit: number },
): readonly MessageView[] {
  const said = store.readMarks(sessionId, { type: 'message', before, limit });
  const fromSeq = said[0]?.seq ?? 0;
  const turns = turnsOfMessages(store.readMarks(sessionId, { type: 'turn:start', before, limit: limit * 2 }));
  const gone = new Set(store.readTakenBack(sessionId, { fromSeq, toSeq: before - 1 }));
  return said.flatMap((envelope) => viewOf(envelope, turns) ?? []).filter(({ turnId }) => !gone.has(turnId ?? ''));
}

/** Returns the turns that took messages, by message. */
function turnsOfMessages(starts: readonly SessionEnvelope[]): ReadonlyMap<string, string> {
  return new Map(
    starts.flatMap(({ turnId, event }) =>
      event.type === 'turn:start' && turnId !== undefined ? [[event.messageId, turnId] as const] : [],
    ),
  );
}

/** Returns undefined for events that are not visible messages. */
function viewOf(
  { seq, at, turnId, event }: SessionEnvelope,
  turns: ReadonlyMap<string, string>,
): MessageView | undefined {
  if (event.type !== 'message') return undefined;
  const { from, text } = event;
  if (event.from === 'assistant') return { seq, at, from, text, ...(turnId === undefined ? {} : { turnId }) };
  const { action, messageId } = event;
  if (text === '' && action?.goesOn === true) return undefined;
  const taken = turns.get(messageId);
  const done = action === undefined ? {} : { action };
  return { seq, at, from, text, ...done, ...(taken === undefined ? {} : { turnId: taken }) };
}

export class SessionLog {
  readonly sessionId: SessionId;
  readonly #world: SessionLogWorld;
  readonly #listeners = new Listeners<[ConversationNotice]>();
  #state: SessionState;

  constructor(sessionId: SessionId, world: SessionLogWorld) {
    this.sessionId = sessionId;
    this.#world = world;
    this.#state = readState(world.store, sessionId, Number.MAX_SAFE_INTEGER);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Stores events: all of them, or none if it throws. @param turnId the turn that the events belong to */
  append(events: readonly SessionEvent[], turnId?: string): void {
    if (events.length === 0) return;
    const { store, clock } = this.#world;
    const at = clock.now();
    const turn = turnId === undefined ? {} : { turnId };
    const first = this.#state.seq + 1;
    const envelopes = events.map(
      (event, index): SessionEnvelope => ({ seq: first + index, at, sessionId: this.sessionId, ...turn, event }),
    );
    const isDue = events.some(({ type }) => type === 'turn:end') && isSnapshotDue(this.#state);
    store.append(this.sessionId, envelopes);
    this.#state = sessionOf(envelopes, this.#state);
    if (isDue || events.some(({ type }) => type === 'turn:rolledback')) this.#keepSnapshot();
    this.#tell({ type: 'events', events: envelopes });
  }

  /** Sends the part of the reply that has been written so far. */
  tellDraft(turnId: string, text: string): void {
    this.#tell({ type: 'draft', turnId, text });
  }

  /** Returns the events since the start of the open turn, including unrelated ones, and the state at its start. */
  openTurn(): { readonly start: SessionState; readonly log: readonly SessionEnvelope[] } | undefined {
    const { turn, seq } = this.#state;
    if (turn === null) return undefined;
    const { store } = this.#world;
    const begun = store.turnStart(this.sessionId, turn.turnId) ?? seq;
    return {
      start: readState(store, this.sessionId, begun),
      log: store.readEvents(this.sessionId, { fromSeq: begun + 1 }),
    };
  }

  subscribe(listener: (notice: ConversationNotice) => void): () => void {
    return this.#listeners.add(listener);
  }

  #keepSnapshot(): void {
    const { seq } = this.#state;
    this.#world.store.keepSnapshot(this.sessionId, { seq, text: sessionText(this.#state) });
  }

  #tell(notice: ConversationNotice): void {
    this.#listeners.tell(this.#world.onListenerError, notice);
  }
}
