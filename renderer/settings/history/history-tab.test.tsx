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
const usualLimits: EngineResult<'readUndoLimits'> = { megabytes: 256, days: 30, bytes: 12_900_000 };
const oldestAt = Date.parse('2026-01-03T12:00:00');

/** The names of the forms. */
const rules = 'Automatic deletion';
const copies = 'Copies of changed files';

async function openTab(first: Known) {
  const world = { known: first, limits: usualLimits, isAgreed: true, failure: '' };
  const asked: unknown[] = [];
  window = openTestWindow(
    {
      readRetention: () => world.known,
      readUndoLimits: () => world.limits,
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
      'runs.setUndoLimits': (limits) => {
        asked.push(limits);
        if (world.failure !== '') throw new Error(world.failure);
        if (world.isAgreed) world.limits = { ...world.limits, ...limits };
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
    button: (form = rules) => element<HTMLElement>(form).querySelector<HTMLButtonElement>('[type="submit"]')!,
    field: (label: string) => element<HTMLInputElement>(label),
    async press(label: string) {
      act(() => element(label).click());
      await window.settle();
    },
    async type(label: string, value: string) {
      act(() => typeInto(element<HTMLInputElement>(label), value));
      await window.settle();
    },
    async save(form = rules) {
      act(() => element<HTMLFormElement>(form).requestSubmit());
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

test('limits of copies are shown with the size of the copies, and set through main', async () => {
  const { words, type, save, asked, button, field, world } = await openTab(small);
  expect(words()).toContain('Millrace copies it to .millrace/undo/ in this workspace');
  expect(words()).toContain('12.3 MiB');
  const size = field('Maximum size in MiB');
  expect([size.value, field('Maximum age in days').value, button(copies).disabled]).toEqual(['256', '30', true]);
  world.isAgreed = false;
  await type('Maximum size in MiB', '100');
  await save(copies);
  expect(words()).toContain('Nothing was changed.');
  expect([size.value, button(copies).disabled]).toEqual(['100', false]);
  world.isAgreed = true;
  await type('Maximum age in days', '7');
  expect(words()).not.toContain('Nothing was changed.');
  await save(copies);
  expect(asked).toEqual([
    { megabytes: 100, days: 30 },
    { megabytes: 100, days: 7 },
  ]);
  // The same fields stay, so that the focus stays, too.
  expect([field('Maximum size in MiB') === size, size.value, button(copies).disabled]).toEqual([true, '100', true]);
  world.limits = { megabytes: 500, days: 7, bytes: 1_000 };
  window.engine.push('watchHistory', undefined);
  await window.settle();
  expect([size.value, words().includes('Less than 0.1 MiB')]).toEqual(['500', true]);
});

test('limits of copies that are not valid are not saved', async () => {
  const { words, type, save, asked, field } = await openTab(small);
  for (const bad of ['-1', '1.5', '', '1000001', 'x']) {
    await type('Maximum size in MiB', bad);
    await save(copies);
    expect([field('Maximum size in MiB').getAttribute('aria-invalid'), words()]).toEqual([
      'true',
      expect.stringContaining('Enter a whole number from 0 to 1,000,000.'),
    ]);
  }
  await type('Maximum size in MiB', '0');
  for (const bad of ['0', '10001']) {
    await type('Maximum age in days', bad);
    await save(copies);
    expect(words()).toContain('Enter a whole number from 1 to 10,000.');
  }
  expect(asked).toEqual([]);
  await type('Maximum age in days', '1');
  await save(copies);
  expect(asked).toEqual([{ megabytes: 0, days: 1 }]);
});

test('a problem with the limits of copies is shown in their section', async () => {
  const { tab, type, save, world, field } = await openTab(small);
  world.failure = 'The list of limits is damaged.';
  await type('Maximum age in days', '90');
  await save(copies);
  const problem = () => tab.querySelector('section [role="alert"]')?.textContent;
  expect([problem(), field('Maximum age in days').value]).toEqual(['The list of limits is damaged.', '90']);
  world.failure = '';
  await save(copies);
  expect([problem(), tab.querySelector('[role="alert"]')]).toEqual([undefined, null]);
});
