import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { element, key, path, show, type, window } from '../testing/test-inspector.tsx';

/** The real timer, also while the tests use fake timers. */
const nextTurn = setTimeout;

let asked: string[];

/** Number of files by pattern. A pattern that is not listed is rejected. */
const counts = new Map([
  ['a.md', 1],
  ['b.md', 0],
  ['c.md', 12],
  ['*.md', 3],
]);

beforeEach(async () => {
  asked = [];
  const countMatches = (glob: string): { count: number } => {
    asked.push(glob);
    const count = counts.get(glob);
    if (count === undefined) throw new EngineError({ code: 'files.outside', message: `"${glob}" leads out.` });
    return { count };
  };
  await show(null, {}, { countMatches });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  act(() => window.stores.selection.getState().selectNode(path, 'inner'));
});
afterEach(() => {
  window.close();
  vi.useRealTimers();
});

/** Advances the time and waits until the triggered calls have returned from the engine. */
async function pass(ms: number): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => nextTurn(resolve, 0));
  });
}

function said(): (string | null)[] {
  return Array.from(element.querySelectorAll('.form-last'), ({ textContent }) => textContent);
}

test('each pattern shows how many files match it, including none', async () => {
  await pass(300);
  expect(said()).toEqual(['1 file matches.', 'No files match.', '12 files match.']);
});

test('the typed text is counted after a pause in typing', async () => {
  await pass(300);
  asked = [];
  for (const text of ['*', '*.', '*.m', '*.md']) {
    type('Glob 1', text);
    await pass(20);
  }
  expect(asked).toEqual([]);
  await pass(300);
  expect(asked).toEqual(['*.md']);
  expect(said()[0]).toBe('3 files match.');
});

test('added or removed files are counted at once, and a changed text is not counted', async () => {
  await pass(300);
  asked = [];
  window.engine.push('watchFiles', { paths: ['a.md'], isTree: false });
  await pass(300);
  expect(asked).toEqual([]);
  counts.set('b.md', 2);
  window.engine.push('watchFiles', { paths: ['b.md'], isTree: true });
  await pass(20);
  await pass(300);
  counts.set('b.md', 0);
  expect(said()[1]).toBe('2 files match.');
});

test('a rejected pattern shows the reason, and one that is known only at run time shows nothing', async () => {
  await pass(300);
  type('Glob 1', '../*');
  await pass(300);
  expect(said()[0]).toBe('"../*" leads out.');
  type('Glob 1', '{{fetch.body}}');
  key('Glob 1', 'Escape');
  await pass(300);
  expect(said()).toEqual(['No files match.', '12 files match.']);
  expect(asked).not.toContain('{{fetch.body}}');
});
