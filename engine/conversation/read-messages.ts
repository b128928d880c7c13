/**
 * What was said in a conversation, out of its log: without what was taken back.
 */
import type { SessionId } from '../base/ids.ts';
import type { SessionEnvelope } from '../dialogue/session-event.ts';
import type { MessageView } from '../dialogue/session-view.ts';
import type { SessionStore } from '../store/session-store.ts';

/** Messages before an event, the latest ones, oldest first. */
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

/** The turns that took messages, by message. */
function turnsOfMessages(starts: readonly SessionEnvelope[]): ReadonlyMap<string, string> {
  return new Map(
    starts.flatMap(({ turnId, event }) =>
      event.type === 'turn:start' && turnId !== undefined ? [[event.messageId, turnId] as const] : [],
    ),
  );
}

/** Undefined for what nobody has said. */
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
