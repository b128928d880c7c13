/**
 * The window's state of one conversation: its current view from the engine, and the events that led to it.
 */
import {
  type MessageView,
  type SessionEnvelope,
  type SessionEvent,
  type SessionId,
  type SessionView,
  toErrorRecord,
} from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';

export type ConversationSummary = EngineResult<'listConversations'>[number];

/** The conversations of one catalog. */
export interface ConversationList {
  /** Most recently changed first. Null if they have not been loaded yet. */
  readonly items: readonly ConversationSummary[] | null;
  /** Conversations of any catalog with a file that no longer exists. */
  readonly gone: readonly ConversationSummary[];
  /** Why they could not be loaded, or why none could be started. */
  readonly error: string | null;
  /** Null if none is shown. */
  readonly shown: SessionId | null;
}

export const noConversations: ConversationList = { items: null, gone: [], error: null, shown: null };

export interface ConversationState {
  readonly view: SessionView;
  /** The view after an earlier event while that is shown. Null for the current state. */
  readonly at: SessionView | null;
  /** Without gaps. Only the latest events of a long conversation. */
  readonly events: readonly SessionEnvelope[];
  /** Oldest first, starting with the first loaded message. */
  readonly messages: readonly MessageView[];
  /** Whether the first loaded message is the oldest. */
  readonly hasAllMessages: boolean;
  /** The reply being streamed, or null. */
  readonly draft: { readonly turnId: string; readonly text: string } | null;
  /** Why no message can be sent, or null if sending is possible. */
  readonly lockedReason: string | null;
}

export function newConversation(view: SessionView): ConversationState {
  return { view, at: null, events: [], messages: [], hasAllMessages: false, draft: null, lockedReason: null };
}

/** Number of events loaded when a conversation is opened. Earlier history is available as messages. */
const latestEvents = 1000;

/** Opens a conversation. It is read-only if another program has it open. @throws EngineError if it cannot be read */
export async function openConversation(engine: EngineClient, sessionId: SessionId): Promise<ConversationState> {
  const { view, lockedReason } = await openView(engine, sessionId);
  const fromSeq = Math.max(0, view.lastSeq + 1 - latestEvents);
  const events = await engine.call('readConversationEvents', { sessionId, fromSeq });
  return { ...withEvents(withView(newConversation(view), view), events), lockedReason };
}

async function openView(
  engine: EngineClient,
  sessionId: SessionId,
): Promise<{ readonly view: SessionView; readonly lockedReason: string | null }> {
  try {
    return { view: await engine.call('openConversation', sessionId), lockedReason: null };
  } catch (error) {
    const { code, message } = toErrorRecord(error);
    if (code !== 'session.elsewhere') throw error;
    return { view: await engine.call('readConversation', { sessionId }), lockedReason: message };
  }
}

/**
 * Returns a function that reloads conversations. Requests made while one is being read are merged. @param read never
 * rejects
 */
export function createRefresh(read: (sessionId: SessionId) => Promise<void>): (sessionId: SessionId) => void {
  const underWay = new Set<SessionId>();
  const wanted = new Set<SessionId>();
  const readWanted = async (sessionId: SessionId): Promise<void> => {
    underWay.add(sessionId);
    while (wanted.delete(sessionId)) await read(sessionId);
    underWay.delete(sessionId);
  };
  return (sessionId) => {
    wanted.add(sessionId);
    if (!underWay.has(sessionId)) void readWanted(sessionId);
  };
}

/** Returns the conversation with a newer current view. */
export function withView(conversation: ConversationState, view: SessionView): ConversationState {
  if (view.seq < conversation.view.seq) return conversation;
  const [first] = view.messages;
  const kept = first === undefined ? [] : conversation.messages.filter(({ seq }) => seq < first.seq);
  const draft = view.turnId === conversation.draft?.turnId ? conversation.draft : null;
  return { ...conversation, view, messages: [...kept, ...view.messages], draft };
}

/** Returns the conversation with events added at the end. Known events are ignored. */
export function withEvents(conversation: ConversationState, events: readonly SessionEnvelope[]): ConversationState {
  const last = conversation.events.at(-1)?.seq ?? -1;
  const fresh = events.filter(({ seq }) => seq > last);
  if (fresh.length === 0) return conversation;
  // The streamed reply is now a message.
  const isSaid = fresh.some(({ event }) => event.type === 'message' && event.from === 'assistant');
  // Messages of rolled back turns are no longer part of the conversation.
  const gone = new Set(fresh.flatMap(({ event }) => (event.type === 'turn:rolledback' ? event.turnIds : [])));
  const messages = conversation.messages.filter(({ turnId }) => turnId === undefined || !gone.has(turnId));
  const draft = isSaid ? null : conversation.draft;
  return { ...conversation, events: [...conversation.events, ...fresh], messages, draft };
}

/** Returns the conversation with messages added before the first one. */
export function withOlder(conversation: ConversationState, older: readonly MessageView[]): ConversationState {
  if (older.length === 0) return { ...conversation, hasAllMessages: true };
  return { ...conversation, messages: [...older, ...conversation.messages] };
}

/** A run of a flow in a turn. */
export interface TurnRun {
  readonly flowId: string;
  readonly flowName: string;
  readonly runId: string;
  /** `approval` and `user_input` are what it waits for; `pause`: it is paused. */
  readonly outcome: 'completed' | 'invalid' | 'replaced' | 'cancelled' | 'open' | 'approval' | 'user_input' | 'pause';
}

/** Returns the latest run of each flow, by the turn in which it started. A plan starts several. */
export function runsByTurn(events: readonly SessionEnvelope[]): ReadonlyMap<string, readonly TurnRun[]> {
  const names = new Map<string, string>();
  const runs: { turnId: string; flowId: string; runId: string }[] = [];
  for (const { event, turnId } of events) {
    if (event.type === 'stack:push') names.set(event.flowId, event.flowName);
    if (event.type === 'flow:run' && turnId !== undefined) runs.push({ turnId, ...event });
  }
  const outcomes = outcomesByRun(events);
  const byTurn = new Map<string, TurnRun[]>();
  for (const { turnId, flowId, runId } of runs) {
    const flowName = names.get(flowId);
    // Housekeeping is not part of the transcript.
    if (flowName === undefined) continue;
    const run: TurnRun = { flowId, flowName, runId, outcome: outcomes.get(runId) ?? 'open' };
    const others = (byTurn.get(turnId) ?? []).filter((other) => other.flowId !== flowId);
    byTurn.set(turnId, [...others, run]);
  }
  return byTurn;
}

/** A corrected flow keeps its ID and gets a new run, so an event of a flow is about its latest run. */
function outcomesByRun(events: readonly SessionEnvelope[]): ReadonlyMap<string, TurnRun['outcome']> {
  const latest = new Map<string, string>();
  const outcomes = new Map<string, TurnRun['outcome']>();
  for (const { event } of events) {
    if (event.type === 'flow:run') latest.set(event.flowId, event.runId);
    const outcome = outcomeBy(event);
    const runId = 'flowId' in event ? latest.get(event.flowId ?? '') : undefined;
    if (outcome === undefined || runId === undefined) continue;
    // A flow that could not run is also abandoned, which must not look like a user's decision.
    if (outcome !== 'cancelled' || outcomes.get(runId) !== 'invalid') outcomes.set(runId, outcome);
  }
  return outcomes;
}

const invalidOutcomes = {
  failure: 'invalid',
  fallback: 'invalid',
  abandon: 'cancelled',
  prune: 'cancelled',
  corrected: 'replaced',
} as const;

/** Returns the outcome that an event sets for the latest run of its flow. Undefined if the event does not change it. */
function outcomeBy(event: SessionEvent): TurnRun['outcome'] | undefined {
  switch (event.type) {
    case 'stack:complete':
      return 'completed';
    case 'stack:invalidate':
      return invalidOutcomes[event.reason];
    case 'flow:stopped':
      return 'replaced';
    case 'flow:progress':
      return event.metadata?.['refused'] === undefined ? undefined : 'invalid';
    case 'flow:waits':
      return event.for ?? 'open';
    case 'flow:run':
      return 'open';
    default:
      return undefined;
  }
}

type Rejection = Extract<SessionEvent, { readonly type: 'slot:rejected' }>;

/** Returns the problems of the last values for each slot of a flow, by the slot's name. */
export function rejectedSlots(events: readonly SessionEnvelope[], flowId: string): Readonly<Record<string, string>> {
  const found = new Map<string, Rejection>();
  for (const { event } of events) {
    if (event.type === 'slot:rejected' && event.flowId === flowId) found.set(event.slot, event);
    if (event.type === 'slot:filled' && event.flowId === flowId) found.delete(event.slot);
  }
  return Object.fromEntries([...found.values()].map(({ slot, problem }) => [slot, problem]));
}

/** Returns the last rollback, until the next message. */
export function lastRollback(
  events: readonly SessionEnvelope[],
): Extract<SessionEvent, { readonly type: 'turn:rolledback' }> | undefined {
  const last = events.findLast(({ event }) => event.type === 'turn:rolledback' || event.type === 'turn:start')?.event;
  return last?.type === 'turn:rolledback' ? last : undefined;
}
