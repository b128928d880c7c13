import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import {
  button,
  composer,
  element,
  envelope,
  flow,
  said,
  sessionId,
  show,
  view,
  window,
} from './testing/test-conversation.tsx';

afterEach(() => window.close());

test('focuses the chat when the focused button disappears, and keeps a text selection', async () => {
  const messages = [said(1, 'user', 'report')];
  let now = view({ messages, stack: [flow('report', { status: 'Pending' })] });
  await show(now, { readConversation: () => now });
  const goOnBy = async (seq: number): Promise<void> => {
    now = view({ seq, lastSeq: seq, messages });
    const events = [envelope(seq, { type: 'stack:activate', flowId: 'report' })];
    window.engine.push('watchConversations', { sessionId, notice: { type: 'events', events } });
    await window.settle();
  };
  button('Continue').focus();
  expect(document.activeElement).toBe(button('Continue'));
  await goOnBy(10);
  expect(() => button('Continue')).toThrow();
  expect(document.activeElement).toBe(composer());
  const words = element.querySelector('.message-text');
  act(() => composer()?.blur());
  getSelection()?.selectAllChildren(words ?? element);
  await goOnBy(11);
  expect([document.activeElement, String(getSelection())]).toEqual([document.body, 'report']);
});
