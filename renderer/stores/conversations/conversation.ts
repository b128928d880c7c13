/**
 * One conversation as the window knows it: what the engine says of it now, and the facts that led there.
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

/** The conversations with one catalogue. */
export interface ConversationList {
  /** The one that changed last first; null = they have not been read yet. */
  readonly items: readonly ConversationSummary[] | null;
  /** Those of any catalogue whose file is not there any more. */
  readonly gone: readonly ConversationSummary[];
  /** Why they could not be read, or none begun. */
  readonly error: string | null;
  /** Null = none is shown. */
  readonly shown: SessionId | null;
}

export const noConversations: ConversationList = { items: null, gone: [], error: null, shown: null };

export interface Conversation {
  readonly view: SessionView;
  /** How it was behind an earlier event, while somebody looks at that; null = now. */
  readonly at: SessionView | null;
  /** Without gaps; the latest of a long conversation. */
  readonly events: readonly SessionEnvelope[];
  /** Oldest first, from the first that was read on. */
  readonly messages: readonly MessageView[];
  /** No message is older than the first of them. */
  readonly hasAllMessages: boolean;
  /** The reply as far as it is written; null = none is. */
  readonly draft: { readonly turnId: string; readonly text: string } | null;
  /** Why nothing can be said in it; null = it can. */
  readonly lockedReason: string | null;
}

export function newConversation(view: SessionView): Conversation {
  return { view, at: null, events: [], messages: [], hasAllMessages: false, draft: null, lockedReason: null };
}

/** Events that are read when a conversation is opened: what was long ago is in its messages. */
const latestEvents = 1000;

/** Takes it up; one that another program has can be read only. @throws EngineError why it cannot be read */
export async function openConversation(engine: EngineClient, sessionId: SessionId): Promise<Conversation> {
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

/** Has conversations read anew, each once for all that has happened meanwhile. @param read never rejects */
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

/** With a newer view of now. */
export function withView(conversation: Conversation, view: SessionView): Conversation {
  if (view.seq < conversation.view.seq) return conversation;
  const [first] = view.messages;
  const kept = first === undefined ? [] : conversation.messages.filter(({ seq }) => seq < first.seq);
  const draft = view.turnId === conversation.draft?.turnId ? conversation.draft : null;
  return { ...conversation, view, messages: [...kept, ...view.messages], draft };
}

/** With more events at the end; those that are known already change nothing. */
export function withEvents(conversation: Conversation, events: readonly SessionEnvelope[]): Conversation {
  const last = conversation.events.at(-1)?.seq ?? -1;
  const fresh = events.filter(({ seq }) => seq > last);
  if (fresh.length === 0) return conversation;
  // What was written of a reply is the message now.
  const isSaid = fresh.some(({ event }) => event.type === 'message' && event.from === 'assistant');
  // What was said in turns that were taken back is no part of the conversation any more.
  const gone = new Set(fresh.flatMap(({ event }) => (event.type === 'turn:rolledback' ? event.turnIds : [])));
  const messages = conversation.messages.filter(({ turnId }) => turnId === undefined || !gone.has(turnId));
  const draft = isSaid ? null : conversation.draft;
  return { ...conversation, events: [...conversation.events, ...fresh], messages, draft };
}

/** With messages from before the first one. */
export function withOlder(conversation: Conversation, older: readonly MessageView[]): Conversation {
  if (older.length === 0) return { ...conversation, hasAllMessages: true };
  return { ...conversation, messages: [...older, ...conversation.messages] };
}

/** A flow that has run in a turn. */
export interface TurnRun {
  readonly flowId: string;
  readonly flowName: string;
  readonly runId: string;
  /** `approval` and `user_input`: what it waits for. */
  readonly outcome: 'completed' | 'invalid' | 'replaced' | 'cancelled' | 'open' | 'approval' | 'user_input';
}

/** The latest run of each flow, by the turn in which it began; a plan asks in several of its own. */
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
    // Housekeeping is no part of what is said.
    if (flowName === undefined) continue;
    const run: TurnRun = { flowId, flowName, runId, outcome: outcomes.get(runId) ?? 'open' };
    const others = (byTurn.get(turnId) ?? []).filter((other) => other.flowId !== flowId);
    byTurn.set(turnId, [...others, run]);
  }
  return byTurn;
}

/** A corrected flow keeps its id and gets a new run, so an event of a flow is about its latest run. */
function outcomesByRun(events: readonly SessionEnvelope[]): ReadonlyMap<string, TurnRun['outcome']> {
  const latest = new Map<string, string>();
  const outcomes = new Map<string, TurnRun['outcome']>();
  for (const { event } of events) {
    if (event.type === 'flow:run') latest.set(event.flowId, event.runId);
    const outcome = outcomeBy(event);
    const runId = 'flowId' in event ? latest.get(event.flowId ?? '') : undefined;
    if (outcome === undefined || runId === undefined) continue;
    // A flow that could not run is abandoned as well, which must not look like a person's wish.
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

/** Returns the outcome that an event gives to the latest run of its flow; undefined if it changes nothing. */
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

/** What was wrong with the values that were given last for each slot of a flow, by the slot's name. */
export function rejectedSlots(events: readonly SessionEnvelope[], flowId: string): Readonly<Record<string, string>> {
  const found = new Map<string, Rejection>();
  for (const { event } of events) {
    if (event.type === 'slot:rejected' && event.flowId === flowId) found.set(event.slot, event);
    if (event.type === 'slot:filled' && event.flowId === flowId) found.delete(event.slot);
  }
  return Object.fromEntries([...found.values()].map(({ slot, problem }) => [slot, problem]));
}

/** The last rollback, until something is said again. */
export function lastRollback(
  events: readonly SessionEnvelope[],
): Extract<SessionEvent, { readonly type: 'turn:rolledback' }> | undefined {
  const last = events.findLast(({ event }) => event.type === 'turn:rolledback' || event.type === 'turn:start')?.event;
  return last?.type === 'turn:rolledback' ? last : undefined;
}
