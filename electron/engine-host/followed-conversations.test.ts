import { expect, test } from 'vitest';
import type { ConversationListener, ConversationNotice } from '../../engine/index.ts';
import type { SessionId } from '../ipc/engine-base.ts';
import { createFollowedConversations } from './followed-conversations.ts';

const one = 's1' as SessionId;
const other = 's2' as SessionId;
const draft = (text: string): ConversationNotice => ({ type: 'draft', turnId: 't', text });
const events = (seq: number): ConversationNotice => ({
  type: 'events',
  events: [{ seq, at: 0, sessionId: one, event: { type: 'state:flags' } }],
});

/** Creates an engine that emits the notices of the test. */
function teller() {
  const listeners = new Map<SessionId, ConversationListener>();
  return {
    listeners,
    tell: (sessionId: SessionId, notice: ConversationNotice) => listeners.get(sessionId)?.(notice),
    engine: {
      watchConversation(sessionId: SessionId, listener: ConversationListener) {
        listeners.set(sessionId, listener);
        return () => void listeners.delete(sessionId);
      },
    },
  };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

test('a slow window receives all events in order, but only the latest draft of a reply', async () => {
  const { engine, tell } = teller();
  const followed = createFollowedConversations();
  const told: string[] = [];
  let take: () => void = () => undefined;
  followed.watch(({ sessionId, notice }) => {
    told.push(`${sessionId} ${notice.type === 'draft' ? notice.text : notice.events.map(({ seq }) => seq).join()}`);
    return new Promise((resolve) => {
      take = resolve;
    });
  });
  followed.follow(engine, one);
  followed.follow(engine, other);
  tell(one, draft('H'));
  tell(one, draft('He'));
  tell(other, draft('X'));
  tell(one, events(4));
  tell(one, draft('Hello'));
  for (let taken = 0; taken < 4; taken += 1) {
    take();
    await turns();
  }
  expect(told).toEqual(['s1 H', 's2 X', 's1 4', 's1 Hello']);
});

test('stops watching a conversation that is left, and all of them when the window closes', () => {
  const { engine, listeners } = teller();
  const followed = createFollowedConversations();
  const end = followed.watch(() => Promise.resolve());
  followed.follow(engine, one);
  followed.follow(engine, one);
  followed.follow(engine, other);
  followed.leave(one);
  expect([...listeners.keys()]).toEqual([other]);
  end();
  expect(listeners.size).toBe(0);
});
