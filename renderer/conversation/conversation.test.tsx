import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { asSessionId, EngineError, type MessageView, type SessionEnvelope } from '../../engine/isomorphic.ts';
import {
  asked,
  birth,
  button,
  click,
  composer,
  element,
  envelope,
  flow,
  press,
  said,
  sessionId,
  show,
  slot,
  type,
  view,
  window,
} from './testing/test-conversation.tsx';

afterEach(() => window.close());

test('before the first conversation, explains how one starts or why none can', async () => {
  await show(null, {
    startConversation: () => {
      throw new EngineError({ code: 'dialogue.invalid', message: 'desk.dialogue.yaml:3:1 flows is missing.' });
    },
  });
  expect(element.textContent).toContain('Talk to desk.dialogue.yaml');
  await type(composer(), 'find it');
  await press(composer(), 'Enter');
  expect(element.querySelector('[role="alert"]')?.textContent).toContain('flows is missing.');
  expect(composer()?.value).toBe('find it');
});

test('the first message starts a conversation', async () => {
  await show(null);
  await type(composer(), 'find it');
  await press(composer(), 'Enter');
  expect(asked).toEqual([
    ['start', { path: 'desk.dialogue.yaml' }],
    ['say', { sessionId, text: 'find it' }],
  ]);
  expect(composer()?.value).toBe('');
});

test('a conversation without a file is listed separately, and continues with this file on request', async () => {
  const lost = {
    ...{ sessionId, startedAt: 1, changedAt: 2, turnCount: 1, title: 'hello' },
    catalogue: { path: 'old.dialogue.yaml', hash: 'h', name: 'Desk' },
  };
  const moves: unknown[] = [];
  await show(view(), {
    listConversations: (request) => ((request?.isGone === true) === (moves.length === 0) ? [lost] : []),
    moveConversation: (request) => {
      moves.push(request);
      return { from: 'old.dialogue.yaml' };
    },
  });
  await press(element.querySelector<HTMLElement>('[aria-label="Conversation"]'), 'Enter');
  expect(document.querySelector('.menu-label')?.textContent).toBe('Conversations of missing files');
  await press(document.querySelector<HTMLElement>('[role="option"]'), 'Enter');
  expect(element.textContent).toContain('The file of this conversation, old.dialogue.yaml, is missing.');
  expect(moves).toEqual([]);
  await click(button('Continue with desk.dialogue.yaml'));
  await window.until(() => expect(element.textContent).not.toContain('is missing.'));
  expect(moves).toEqual([{ sessionId, path: 'desk.dialogue.yaml' }]);
  expect(window.stores.conversations.getState().lists.get('desk.dialogue.yaml')?.shown).toBe(sessionId);
});

test('a renamed catalog keeps its conversations and the unsent text', async () => {
  await show(view());
  await type(composer(), 'half a sen');
  const before = window.stores.conversations.getState().lists.get('desk.dialogue.yaml');
  await act(async () => window.stores.conversations.getState().rename('desk.dialogue.yaml', 'help/desk.dialogue.yaml'));
  const { lists } = window.stores.conversations.getState();
  expect([lists.get('help/desk.dialogue.yaml'), lists.has('desk.dialogue.yaml')]).toEqual([before, false]);
});

test('unsent text is restored with the conversation', async () => {
  await show(view());
  await type(composer(), 'half a sen');
  await act(() => window.stores.conversations.getState().show('desk.dialogue.yaml', asSessionId('s2')));
  expect(composer()?.value).toBe('');
  await act(() => window.stores.conversations.getState().show('desk.dialogue.yaml', sessionId));
  expect(composer()?.value).toBe('half a sen');
});

test('Enter sends a message, Shift+Enter does not, and a rejected message is not lost', async () => {
  let isFull = false;
  await show(view(), {
    sayInConversation: (request) => {
      if (isFull) throw new EngineError({ code: 'message.too-long', message: 'Too long.' });
      asked.push(['say', request]);
      return { messageId: 'm' };
    },
  });
  await type(composer(), 'hello');
  act(
    () => void composer()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', shiftKey: true, bubbles: true })),
  );
  expect(asked).toEqual([]);
  await press(composer(), 'Enter');
  expect(asked).toEqual([['say', { sessionId, text: 'hello' }]]);
  expect(composer()?.value).toBe('');
  isFull = true;
  await type(composer(), 'again');
  await press(composer(), 'Enter');
  expect(composer()?.value).toBe('again');
});

test('missing slots are shown as a form that sends an action, and rejected values are reported at their field', async () => {
  const slots = [
    slot('number', { description: 'Two letters.' }),
    slot('amount', { schema: { type: 'number' } }),
    slot('note', { priority: 'optional', isMissing: false }),
  ];
  const refused = envelope(4, {
    type: 'slot:rejected',
    flowId: 'refund',
    slot: 'amount',
    problem: 'amount must be a number, not "many".',
  });
  await show(view({ stack: [flow('refund', { slots })], messages: [said(1, 'user', 'refund')] }), {}, [refused]);
  const form = element.querySelector<HTMLFormElement>('.slot-form');
  expect(form?.textContent).toContain('refund needs 2 values');
  expect(form?.querySelector('[aria-invalid="true"]')).not.toBeNull();
  expect(form?.textContent).toContain('amount must be a number, not "many".');
  expect(form?.textContent).not.toContain('note');
  await click(button('Fill in'));
  expect(form?.textContent).toContain('Fill in at least one field.');
  await type(form?.querySelector<HTMLInputElement>('textarea, input') ?? null, 'AB-12');
  await press(form?.querySelector<HTMLElement>('textarea, input') ?? null, 'Enter');
  expect(asked).toEqual([['say', { sessionId, action: { flowId: 'refund', slots: { number: 'AB-12' } } }]]);
});

test('a stalled conversation can be continued, but not one that waits for an answer', async () => {
  await show(view({ stack: [flow('report', { status: 'Pending' })] }));
  await click(button('Continue'));
  expect(asked).toEqual([['say', { sessionId, action: { goesOn: true } }]]);
  for (const waiting of [{ waitsFor: 'approval' } as const, { slots: [slot('number')] }]) {
    window.close();
    await show(view({ stack: [flow('report', waiting)] }));
    expect(() => button('Continue')).toThrow();
  }
});

test('the stack shows dependencies, the progress of plans, and background flows', async () => {
  const long = 'a_name_that_is_as_long_as_any_name_of_a_flow_can_ever_be_64_sign';
  const stack = [
    flow('collect', { planId: 'close', slots: [slot('quarter', { value: 'Q3', isFilled: true, isMissing: false })] }),
    flow('report', { planId: 'close', status: 'Pending' }),
    flow('close', { status: 'Pending' }),
    flow(long, { status: 'Pending' }),
  ];
  const subFlows = [
    { flowId: 'a', flowName: 'open', status: 'completed' },
    { flowId: 'collect', flowName: 'collect', status: 'in_progress' },
  ] as const;
  const candidates = [{ order: ['collect', 'report'], score: 0.9, reason: 'Numbers first.' }];
  const plans = [
    { planId: 'close', flowName: 'close', progress: { done: 2, total: 4, skipped: 0 }, subFlows, candidates },
  ];
  await show(view({ stack, plans, background: [flow('summary', { status: 'Pending' })] }));
  const entries = [...element.querySelectorAll('.stack-flow')].map((entry) => entry.textContent);
  expect(entries[0]).toContain('Q3');
  expect(entries[1]).toContain('runs after collect');
  expect(entries[2]).toContain('waits for its parts');
  expect(entries[2]).toContain('2/4');
  expect(entries[2]).toContain('collect → report Numbers first.');
  expect(element.querySelector(`[title="${long}"]`)).not.toBeNull();
  expect(element.querySelector('[aria-label="Flows in the background"]')?.textContent).toContain('summary');
  await click(button('Cancel collect'));
  expect(asked).toEqual([['say', { sessionId, action: { flowId: 'collect', drop: true } }]]);
});

test('the reason for a chosen flow is shown with the alternatives, their scores and the text', async () => {
  const prediction = {
    ...({ mode: 'think' } as const),
    ...{ text: 'I want my money back', intent: 'Change', flow: 'refund', confidence: 0.83, slots: {} },
    candidates: [
      { flow: 'refund', score: 0.83 },
      { flow: 'find', score: 0.2 },
    ],
  } as const;
  await show(view({ prediction }));
  act(() =>
    document
      .querySelectorAll<HTMLElement>('[role="tab"]')[1]
      ?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })),
  );
  await window.settle();
  const why = element.querySelector('.stack-why');
  expect(why?.querySelector('blockquote')?.textContent).toBe('I want my money back');
  expect([...(why?.querySelectorAll('li') ?? [])].map((one) => one.textContent)).toEqual(['refund0.83', 'find0.20']);
});

test('a step back shows the earlier state and a button to return to the present', async () => {
  const events = [
    envelope(1, { type: 'turn:start', turnId: 't1', messageId: 'm' }),
    envelope(2, { type: 'stack:push', position: 0, depth: 1, ...birth('find') }),
    envelope(3, { type: 'stack:activate', flowId: 'find' }),
  ];
  await show(
    view({ seq: 3, lastSeq: 3, stack: [flow('find')] }),
    {
      readConversation: ({ seq }) =>
        seq === undefined
          ? view({ stack: [flow('find')] })
          : view({ seq, stack: [flow('find', { status: 'Pending' })] }),
    },
    events,
  );
  await click(button('Previous step'));
  expect(element.querySelector('.step-bar-text')?.textContent).toBe('2 of 3: find goes on top of the stack');
  expect(element.querySelector('.stack-flow')?.textContent).toContain('pending');
  await click(button('Back to now'));
  expect(element.querySelector('.stack-flow')?.textContent).toContain('active');
});

test('rolls a turn back after a confirmation, restores its text to the field, and lists what cannot be undone', async () => {
  const messages = [said(1, 'user', 'pay 12'), said(5, 'assistant', 'Paid.')];
  const effects = [{ runId: 'r1', tool: 'bank.pay', target: '12 to Ada' }];
  let left: readonly MessageView[] = messages;
  await show(view({ messages }), {
    readConversation: () => view({ messages: left }),
    rollBackConversation: (request) => {
      asked.push(['rollBack', request]);
      left = [];
      return { effects };
    },
  });
  await click(button('Take back and rephrase'));
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('1 turn will be removed.');
  await click(button('Take back'));
  expect(asked).toEqual([['rollBack', { sessionId, turnId: 't1' }]]);
  expect(composer()?.value).toBe('pay 12');
  const rolledBack = { type: 'turn:rolledback', turnIds: ['t1'], state: {} as never, effects } as const;
  window.engine.push('watchConversations', {
    sessionId,
    notice: { type: 'events', events: [envelope(10, rolledBack)] },
  });
  await window.settle();
  expect(element.querySelector('[aria-label="Remaining effects"]')?.textContent).toContain('bank.pay12 to Ada');
  expect(element.querySelector('.message')).toBeNull();
});

test('the run of a flow shows that it waits for a person, until it no longer does', async () => {
  const waits = (seq: number, what: 'approval' | 'user_input' | null) =>
    envelope(seq, { type: 'flow:waits', flowId: 'refund', for: what });
  const events = [
    envelope(1, { type: 'turn:start', turnId: 't1', messageId: 'm' }),
    envelope(2, { type: 'stack:push', position: 0, depth: 1, ...birth('refund') }),
    envelope(3, { type: 'flow:run', flowId: 'refund', runId: 'r1' }),
  ];
  await show(view({ seq: 3, messages: [said(1, 'user', 'refund')], stack: [flow('refund')] }), {}, events);
  const chip = () => element.querySelector('.turn-run')?.textContent;
  const tell = async (more: SessionEnvelope): Promise<void> => {
    window.engine.push('watchConversations', { sessionId, notice: { type: 'events', events: [more] } });
    await window.settle();
  };
  expect(chip()).toBe('refundin progress');
  await tell(waits(10, 'approval'));
  expect(chip()).toBe('refundwaits for an approval');
  await tell(waits(11, 'user_input'));
  expect(chip()).toBe('refundwaits for your input');
  await tell(waits(12, null));
  expect(chip()).toBe('refundin progress');
  await tell(waits(13, 'approval'));
  await tell(envelope(14, { type: 'flow:run', flowId: 'refund', runId: 'r2' }));
  expect(chip()).toBe('refundin progress');
  await tell(envelope(15, { type: 'stack:invalidate', flowId: 'refund', reason: 'abandon' }));
  expect(chip()).toBe('refundcanceled');
});

test('a reply is shown while it is streamed, and a queued message is marked as waiting', async () => {
  await show(view({ turnId: 't2', queue: [{ messageId: 'q', text: 'and then?' }] }));
  window.engine.push('watchConversations', { sessionId, notice: { type: 'draft', turnId: 't2', text: 'I am loo' } });
  await window.settle();
  expect(element.querySelector('[data-draft]')?.textContent).toBe('I am loo');
  expect(element.querySelector('[data-queued]')?.textContent).toContain('waits for its turn');
  await click(button('Cancel the turn'));
  expect(asked).toEqual([['cancel', sessionId]]);
});

test('shows if the catalog has changed, and if another program has the conversation open', async () => {
  await show(view({ isCatalogueChanged: true }), {
    openConversation: () => {
      throw new EngineError({ code: 'session.elsewhere', message: 'Another program has this conversation.' });
    },
    readConversation: () => view({ isCatalogueChanged: true }),
  });
  expect(element.textContent).toContain(
    'The catalog has changed. This conversation keeps the version that it started with.',
  );
  expect(element.textContent).toContain('Another program has this conversation.');
  expect(composer()?.disabled).toBe(true);
});
