import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { nodeStart } from '../bridge/testing/run-events.ts';
import { CardAnswer } from './card-answer.tsx';

const path = 'a.flow.yaml';
let window: TestWindow;
afterEach(() => window.close());

/** Renders the answer buttons of a card while its node waits for an answer in an item of a loop. */
async function open(more: { readonly message?: string } = {}): Promise<{ card: HTMLElement; answers: unknown[] }> {
  const answers: unknown[] = [];
  window = openTestWindow({
    resumeRun: (answer) => {
      answers.push(answer);
      return { runId: 'r1' };
    },
  });
  window.engine.connect();
  const nodeId = 'each[1].send';
  const card = window.draw(<CardAnswer path={path} title="Send it" item="mail 2 of 3" place={nodeId} />);
  await window.tellRun(
    path,
    nodeStart(nodeId),
    {
      ...{ type: 'approval:requested', nodeId, key: 'k', requestHash: 'h' },
      request: { kind: 'approval', title: 'Send mail 2?', ...more },
    },
    { type: 'node:suspended', nodeId, request: { reason: 'operator', message: 'Send mail 2?' } },
    { type: 'run:suspended', reason: 'operator' },
  );
  return { card, answers };
}

const buttons = (card: HTMLElement): (string | null)[] =>
  [...card.querySelectorAll('button')].map((button) => button.getAttribute('aria-label'));

test('the buttons of a card show the name of the item that they answer for', async () => {
  const { card, answers } = await open();
  expect(card.querySelector('.card-answer-item')?.textContent).toBe('mail 2 of 3');
  expect(buttons(card)).toEqual(['Reject: Send it, mail 2 of 3', 'Approve: Send it, mail 2 of 3']);
  act(() => card.querySelectorAll('button')[1]?.click());
  await window.settle();
  expect(answers).toEqual([expect.objectContaining({ decision: 'approve', nodeId: 'each[1].send', key: 'k' })]);
});

test('a card links to the form if its question has more than a title', async () => {
  const { card, answers } = await open({ message: 'To all 3,000 customers.' });
  expect(buttons(card)).toEqual(['Review: Send it, mail 2 of 3']);
  act(() => card.querySelector('button')?.click());
  await window.settle();
  const view = window.stores.selection.getState().views.get(path);
  expect([view?.nodeId, view?.items.get('each')]).toEqual(['send', 1]);
  expect(answers).toEqual([]);
});
