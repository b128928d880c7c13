import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { EngineResult } from '../../bridge/engine-client.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { HistoryTab } from './history-tab.tsx';

let window: TestWindow;
afterEach(() => window.close());

type Known = EngineResult<'readRetention'>;

const small: Known = { runs: 1_240, bytes: 35_200_000, isLarge: false };
const oldestAt = Date.parse('2026-01-03T12:00:00');

async function openTab(first: Known) {
  const world = { known: first, isAgreed: true, failure: '' };
  const asked: unknown[] = [];
  window = openTestWindow(
    {
      readRetention: () => world.known,
      countOldRuns: ({ olderThanDays = 0, keepPerFlow = 0 }) =>
        olderThanDays + keepPerFlow > 500 ? { runs: 0 } : { runs: world.known.runs - 900, oldestAt },
    },
    {
      'runs.setRetention': (rule) => {
        asked.push(rule);
        if (world.failure !== '') throw new Error(world.failure);
        if (world.isAgreed) world.known = { ...world.known, rule };
        return { isDone: world.isAgreed };
      },
    },
  );
  window.engine.connect();
  const tab = window.draw(<HistoryTab />);
  await window.settle();
  const element = <Kind extends HTMLElement>(label: string) => tab.querySelector<Kind>(`[aria-label="${label}"]`)!;
  return {
    ...{ world, asked, tab },
    words: () => tab.textContent ?? '',
    button: () => tab.querySelector<HTMLButtonElement>('[type="submit"]')!,
    field: (label: string) => element<HTMLInputElement>(label),
    async press(label: string) {
      act(() => element(label).click());
      await window.settle();
    },
    async type(label: string, value: string) {
      act(() => typeInto(element<HTMLInputElement>(label), value));
      await window.settle();
    },
    async save() {
      act(() => tab.querySelector('form')?.requestSubmit());
      await window.settle();
    },
  };
}

test('shows the size of the history, what a rule selects, and sets it through main', async () => {
  const { words, press, type, save, asked, button, field, world, tab } = await openTab(small);
  expect(words()).toContain('1,240 runs, 35.2 MB');
  expect(words()).toContain('All runs are kept.');
  expect([button().disabled, field('Days').disabled]).toEqual([true, true]);
  await press('Delete runs by age');
  expect(words()).toContain('Deletes 340 runs now, the oldest from Jan 3, 2026.');
  await type('Days', '600');
  expect(words()).toContain('Deletes no runs now.');
  await press('Delete runs by number');
  world.isAgreed = false;
  await save();
  expect(words()).toContain('Nothing was changed.');
  expect([field('Days').value, button().disabled]).toEqual(['600', false]);
  world.isAgreed = true;
  await save();
  expect(asked).toEqual(Array(2).fill({ olderThanDays: 600, keepPerFlow: 200 }));
  expect([button().disabled, tab.querySelector('[role="alert"]')]).toEqual([true, null]);
});

test('counts again when runs were deleted', async () => {
  const { words, world } = await openTab({ ...small, rule: { olderThanDays: 90 } });
  expect(words()).toContain('Deletes 340 runs now');
  world.known = { ...world.known, runs: 901 };
  window.engine.push('watchHistory', undefined);
  await window.settle();
  expect(words()).toContain('901 runs');
  expect(words()).toContain('Deletes 1 run now, from Jan 3, 2026.');
});

test('a number that is not valid is not saved', async () => {
  const { words, type, save, asked, field } = await openTab({ ...small, rule: { olderThanDays: 90 } });
  for (const bad of ['0', '1.5', '', '1000001', 'x']) {
    await type('Days', bad);
    await save();
    expect([field('Days').getAttribute('aria-invalid'), words()]).toEqual([
      'true',
      expect.stringContaining('Enter a whole number from 1 to 1,000,000.'),
    ]);
  }
  expect(asked).toEqual([]);
});

test('keeping everything answers the question about a large history, and a problem is shown', async () => {
  const { tab, save, asked, button, world } = await openTab({ ...small, isLarge: true });
  world.failure = 'The list of rules is damaged.';
  await save();
  expect(tab.querySelector('[role="alert"]')?.textContent).toContain('The list of rules is damaged.');
  world.failure = '';
  await save();
  expect(asked).toEqual([{}, {}]);
  expect([button().disabled, tab.querySelector('[role="alert"]')]).toEqual([true, null]);
});
