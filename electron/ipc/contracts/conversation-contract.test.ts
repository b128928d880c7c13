import { expect, test } from 'vitest';
import { conversationContract } from './conversation-contract.ts';

type Call = Exclude<keyof typeof conversationContract, 'watchConversations'>;

function isTaken(call: Call, ...args: readonly unknown[]): boolean {
  return conversationContract[call].args.safeParse(args).success;
}

test('accepts the conversation calls of a window', () => {
  expect(isTaken('startConversation', { path: 'desk/support.dialogue.yaml' })).toBe(true);
  expect(isTaken('listConversations', {})).toBe(true);
  expect(isTaken('listConversations', { isGone: true })).toBe(true);
  expect(isTaken('moveConversation', { sessionId: 's', path: 'desk/new.dialogue.yaml' })).toBe(true);
  expect(isTaken('moveConversation', { sessionId: 's', path: '../new.dialogue.yaml' })).toBe(false);
  expect(isTaken('sayInConversation', { sessionId: 's', text: 'hello' })).toBe(true);
  const action = { flowId: 'f1', slots: { number: 'AB-12', items: [{ name: 'a' }] } };
  expect(isTaken('sayInConversation', { sessionId: 's', action })).toBe(true);
  expect(isTaken('sayInConversation', { sessionId: 's', action: { flowId: 'f1', drop: true } })).toBe(true);
  expect(isTaken('readConversation', { sessionId: 's', seq: -1 })).toBe(true);
  expect(isTaken('rollBackConversation', { sessionId: 's', turnId: 't1' })).toBe(true);
  expect(isTaken('followConversation', 's')).toBe(true);
});

test.each<[string, Call, unknown]>([
  ['a path outside the workspace', 'startConversation', { path: '../support.dialogue.yaml' }],
  ['a session chosen by the caller', 'startConversation', { path: 'a.dialogue.yaml', sessionId: 's' }],
  ['no session', 'sayInConversation', { text: 'hello' }],
  ['an empty session', 'openConversation', ''],
  ['a session that is not text', 'openConversation', { sessionId: 's' }],
  ['a message that is too long', 'sayInConversation', { sessionId: 's', text: 'x'.repeat(100_001) }],
  ['slots that are a list', 'sayInConversation', { sessionId: 's', action: { flowId: 'f', slots: [] } }],
  [
    'a slot that is not JSON',
    'sayInConversation',
    { sessionId: 's', action: { flowId: 'f', slots: { a: new Date(0) } } },
  ],
  ['an action that does not continue', 'sayInConversation', { sessionId: 's', action: { goesOn: false } }],
  ['an empty plan', 'sayInConversation', { sessionId: 's', action: { flow: 'f', plan: [] } }],
  ['an event that is not a whole number', 'readConversation', { sessionId: 's', seq: 0.5 }],
  ['too many messages', 'readConversationMessages', { sessionId: 's', limit: 501 }],
  ['a negative event', 'readConversationEvents', { sessionId: 's', fromSeq: -1 }],
  ['a turn without a name', 'rollBackConversation', { sessionId: 's', turnId: '' }],
])('%s is refused', (_, call, request) => {
  expect(isTaken(call, request)).toBe(false);
});
