import { expect, test } from 'vitest';
import type { NodeState } from '../../engine/isomorphic.ts';
import { type CardRun, cardLabel, cardState, withPin } from './card-state.ts';
import { contentOf } from './testing/test-content.ts';

function inRun(node: Partial<NodeState> & Pick<NodeState, 'status'>, progress: CardRun['progress'] = null): CardRun {
  const { status } = node;
  const shown = status;
  return { shown, node: { nodeId: 'n', attempts: 1, text: '', ...node }, progress, taken: null, stale: null, item: '' };
}

const loop = contentOf('each', { bodySize: 2, type: 'control.foreach' });

test.each<[CardRun, string]>([
  [inRun({ status: 'running' }, { done: 9, total: 24, passes: null }), '9 of 24'],
  [inRun({ status: 'running' }, { done: 9, total: null, passes: null }), '9 done'],
  [inRun({ status: 'completed', durationMs: 3200 }, { done: 24, total: 24, passes: null }), '24 items, 3.2 s'],
  [inRun({ status: 'failed' }, { done: 3, total: 24, passes: null }), '3 of 24'],
  [inRun({ status: 'running' }, { done: 1, total: null, passes: { begun: 2, most: 10 } }), '2 of at most 10'],
  [
    inRun({ status: 'completed', durationMs: 3200 }, { done: 1, total: null, passes: { begun: 1, most: 10 } }),
    '1 pass, 3.2 s',
  ],
  [
    inRun({ status: 'completed', durationMs: 3200 }, { done: 3, total: null, passes: { begun: 3, most: 10 } }),
    '3 passes, 3.2 s',
  ],
  [inRun({ status: 'skipped' }, { done: 0, total: null, passes: null }), 'skipped'],
])('a loop says how far it is, then what it took: %#', (run, words) => {
  expect(cardState(loop, run).words).toBe(words);
});

test('a card in a loop shows which item it represents', () => {
  const run = inRun({ nodeId: 'each[9].ask', status: 'completed', durationMs: 200 });
  const shown = cardState(contentOf('ask'), { ...run, item: 'mail 10 of 12' });
  expect(shown).toMatchObject({ item: 'mail 10 of 12', words: '0.2 s' });
  expect(cardLabel(contentOf('ask'), shown)).toBe('ask, echo, completed, 0.2 s, mail 10 of 12');
});

test('a card that waits for an answer shows its question as the cause', () => {
  const request = { reason: 'operator', message: 'Send it twice?' } as const;
  expect(cardState(contentOf('post'), inRun({ status: 'suspended', request }))).toMatchObject({
    state: 'suspended',
    words: 'waiting for you',
    cause: 'Send it twice?',
  });
});

test('a card that an autonomy level paused shows the level and the call it would have made', () => {
  const skip = { reason: 'autonomy' } as const;
  const pay = inRun({ status: 'skipped', skip, suggestions: [{ tool: 'shop.pay', params: {} }] });
  expect(cardState(contentOf('pay'), pay)).toMatchObject({
    state: 'skipped',
    words: 'held back',
    cause: 'Held back: it would have called shop.pay',
  });
  const post = inRun({ status: 'skipped', skip, suggestions: [{ params: {} }] });
  expect(cardState(contentOf('post'), post).cause).toBe('Held back: it only suggests what it would do');
});

test('a card with several branches shows which one was taken', () => {
  const done = { ...inRun({ status: 'completed', durationMs: 1 }), taken: 'major' };
  expect(cardState(contentOf('route'), done).words).toBe('major');
  const failed = { ...inRun({ status: 'failed' }), taken: null, stale: null };
  expect(cardState(contentOf('route'), failed).words).toBe('failed');
});

test('a screen reader announces the progress of a loop in words', () => {
  const shown = cardState(loop, inRun({ status: 'running' }, { done: 9, total: 24, passes: null }));
  expect(cardLabel(loop, shown)).toBe('each, control.foreach, running, 9 of 24');
});

test('BB-47 a pinned node is marked as pinned: as its state at rest, beside the state of a run that ran it, and once in a run that used the pin', () => {
  const card = contentOf('say');
  const atRest = withPin(cardState(card, undefined), true);
  expect(atRest).toMatchObject({ state: 'pinned', words: 'pinned', pin: '' });
  expect(cardLabel(card, atRest)).toBe('say, echo, pinned');
  const ran = withPin(cardState(card, inRun({ status: 'completed', durationMs: 200 })), true);
  expect(ran).toMatchObject({ state: 'completed', words: '0.2 s', pin: 'pinned' });
  expect(cardLabel(card, ran)).toBe('say, echo, completed, 0.2 s, pinned');
  const taken: CardRun = { ...inRun({ status: 'reused', isPinned: true }), shown: 'pinned' };
  expect(withPin(cardState(card, taken), true)).toMatchObject({ state: 'pinned', words: 'pinned', pin: '' });
  expect(withPin(cardState(card, undefined), false)).toMatchObject({ state: 'idle', pin: '' });
});

test('a card says who gave its node an output or changed it, and who edited its input', () => {
  const pinned = { ...inRun({ status: 'reused', isPinned: true, given: { by: 'kim' } }), shown: 'pinned' as const };
  expect(cardState(contentOf('post'), pinned).words).toBe('output given by kim');
  const changed = inRun({ status: 'reused', isPinned: true, given: { by: 'kim', before: 1 } });
  expect(cardState(contentOf('post'), { ...changed, shown: 'pinned' }).words).toBe('output changed by kim');
  const edited = inRun({ status: 'completed', durationMs: 5, edited: { by: 'kim', before: {} } });
  expect(cardState(contentOf('post'), edited)).toMatchObject({ words: '5 ms', cause: 'Input edited by kim' });
});
