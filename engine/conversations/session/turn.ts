/**
 * Implements turns: they run one at a time, each for one message, while later messages wait.
 */
import type { Catalogue } from '../catalog/catalogue.ts';
import { type OperationOutcome, refuse } from './operation.ts';
import type { SessionEvent } from './session-event.ts';
import { activeFlow, type CatalogueVersion, isOver, type SessionState, type UserMessage } from './session-state.ts';

/** Maximum number of waiting messages, and of characters in a message. */
const mostQueued = 100;
const longestMessage = 100_000;

/** Creates a session's first event. */
export function startSession(state: SessionState, catalogue: CatalogueVersion): OperationOutcome {
  if (state.catalogue !== null) return refuse('session.started', 'The conversation has already started.');
  return { events: [{ type: 'session:start', catalogue }] };
}

/**
 * Queues a message or a form action until its turn.
 * @returns refused as `session.not-started` | `message.empty` | `message.too-long` | `message.duplicate` |
 * `message.too-many`
 */
export function receiveMessage(state: SessionState, message: UserMessage): OperationOutcome {
  const { messageId, text, action } = message;
  if (state.catalogue === null) return refuse('session.not-started', 'The conversation has not started.');
  if (text.trim() === '' && action === undefined) return refuse('message.empty', 'The message is empty.');
  if (text.length > longestMessage)
    return refuse('message.too-long', `The message has more than ${longestMessage} characters. Use a file instead.`);
  const isKnown = state.queue.some((queued) => queued.messageId === messageId);
  if (isKnown || state.turn?.message.messageId === messageId)
    return refuse('message.duplicate', 'This message already exists.');
  if (state.queue.length >= mostQueued)
    return refuse('message.too-many', `${mostQueued} messages are already waiting. Wait for a reply.`);
  return { events: [{ type: 'message', from: 'user', ...message }] };
}

/**
 * Takes the oldest waiting message.
 * @returns refused as `turn.open` | `turn.nothing-said`
 */
export function beginTurn(state: SessionState, turnId: string): OperationOutcome {
  if (state.turn !== null) return refuse('turn.open', 'A turn is in progress.');
  const [message] = state.queue;
  if (message === undefined) return refuse('turn.nothing-said', 'No message is waiting.');
  return { events: [{ type: 'turn:start', turnId, messageId: message.messageId }] };
}

/**
 * Ends the turn, with the reply if there is one.
 * @returns refused as `turn.none`
 */
export function endTurn(
  state: SessionState,
  ended: {
    readonly reply: string;
    readonly keepGoingRounds: number;
    readonly outcome: Extract<SessionEvent, { readonly type: 'turn:end' }>['outcome'];
  },
): OperationOutcome {
  if (state.turn === null) return refuse('turn.none', 'No turn is in progress.');
  const { turnId } = state.turn;
  const { reply, keepGoingRounds, outcome } = ended;
  const said: readonly SessionEvent[] = reply === '' ? [] : [{ type: 'message', from: 'assistant', text: reply }];
  return { events: [...said, { type: 'turn:end', turnId, keepGoingRounds, outcome }] };
}

/**
 * Returns whether the turn's loop runs another round, which requires that a round was requested and a flow waits.
 * Returns `guard` if only the limit on rounds prevents it.
 */
export function goesOn(state: SessionState, { thresholds }: Catalogue, rounds: number): 'yes' | 'no' | 'guard' {
  if (!state.keepGoing || !state.stack.some((flow) => !isOver(flow))) return 'no';
  return rounds < thresholds.keepGoing ? 'yes' : 'guard';
}

/** Returns what prevents the Active flow from running its policy; undefined if nothing does. */
export function policyObstacle(
  state: SessionState,
  { flows }: Catalogue,
): { readonly code: 'no-flow' | 'unknown-type' | 'slots-missing' } | undefined {
  const flow = activeFlow(state);
  if (flow === undefined) return { code: 'no-flow' };
  const type = flows.get(flow.flowName);
  if (type === undefined) return { code: 'unknown-type' };
  return new type.Flow(flow).isFilled() ? undefined : { code: 'slots-missing' };
}
