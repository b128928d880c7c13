import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { changes, element, field, leave, path, show, type, window } from './testing/test-inspector.tsx';

afterEach(() => {
  localStorage.removeItem('inspector-unfolded advanced');
  window.close();
});

/** Returns the section of the fields that most flows do not need. */
function advanced(): HTMLElement | null {
  const folds = [...element.querySelectorAll('.inspector-fold')];
  return folds.find(({ textContent }) => textContent === 'Advanced')?.closest('section') ?? null;
}

function isFolded(): boolean | undefined {
  return advanced()?.querySelector('[aria-expanded]')?.getAttribute('aria-expanded') === 'false';
}

test('fields that most flows do not need are folded, with the number of those that are set', async () => {
  await show('ask');
  expect(isFolded()).toBe(true);
  expect(advanced()?.textContent).toContain('1 of 4 changed');
  expect(advanced()?.contains(field('Temperature'))).toBe(true);
  expect(advanced()?.contains(field('Prompt'))).toBe(false);
  type('Top p', '0.5');
  await leave('Top p');
  expect(changes().come).toEqual(['config: { temperature: 0.3, top_p: 0.5 }']);
  expect(advanced()?.textContent).toContain('2 of 4 changed');
});

test('they are unfolded while one of them has a problem', async () => {
  await show('ask');
  await act(async () => {
    await window.stores.edits.change(path, { do: 'set-node', id: 'ask', path: ['config', 'temperature'], value: 3 });
  });
  await window.settle();
  expect(isFolded()).toBe(false);
});

test('a type without such fields has no section for them', async () => {
  await show('after');
  expect(advanced()).toBeNull();
});

test('the budget of a run is set and removed, part by part', async () => {
  await show(null);
  const set = async (label: string, value: string): Promise<void> => {
    type(label, value);
    await leave(label);
  };
  await set('Tokens', '500');
  expect(changes().come).toEqual(['policy:', 'budget:', 'tokens: 500']);
  await set('US dollars', '0.1');
  expect(changes().come).toEqual(['policy:', 'budget:', 'tokens: 500', 'usd: 0.1']);
  await set('Tokens', '');
  await set('US dollars', '');
  expect(changes().come).toEqual([]);
});
