import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { WrittenFile } from '../../stores/workspace/policies.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { WrittenDialog } from './written-dialog.tsx';

let window: TestWindow;
afterEach(() => window.close());

const manifest: WrittenFile = {
  path: 'tools/a.tool.yaml',
  decides: 'a tool manifest',
  before: 'name: a\n',
  text: 'name: b\n',
  changes: ['-name: a', '+name: b'],
};

async function show(file: WrittenFile, isDone = true): Promise<readonly string[]> {
  const asked: string[] = [];
  window = openTestWindow(
    { listPolicies: () => [], listWritten: () => [file] },
    {
      'written.accept': ({ path }) => {
        asked.push(path);
        return { isDone };
      },
    },
  );
  window.engine.connect();
  window.draw(<WrittenDialog />);
  act(() => window.stores.policies.getState().review(file));
  await window.settle();
  return asked;
}

const dialog = (): HTMLElement | null => document.querySelector<HTMLElement>('[role=dialog]');

async function press(text: string): Promise<void> {
  const button = [...(dialog()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === text);
  if (button === undefined) throw new Error(`There is no button ${text}`);
  act(() => button.click());
  await window.settle();
}

test.each([
  [
    'a file that decides',
    manifest,
    'which is a tool manifest. The text before the run is on the left. Until you allow it, no run loads it.',
  ],
  ['a new one', { ...manifest, before: null }, 'The file did not exist before.'],
  [
    'a script whose former text is not known',
    { path: 'a.mjs', text: 'x', changes: [] },
    'A run wrote this file. The text before the run is unknown. Until you allow it, it is treated as if this workspace were not trusted.',
  ],
])('13.1 explains what a run has written and when the text takes effect: %s', async (_what, file, words) => {
  await show(file);
  expect(dialog()?.textContent).toContain(file.path);
  expect(dialog()?.textContent).toContain(words);
});

test('13.1 a text takes effect only after approval in the system dialog', async () => {
  const asked = await show(manifest);
  await press('Allow this text…');
  expect([asked, dialog()]).toEqual([[manifest.path], null]);
});

test('13.1 declining the system dialog leaves the text on screen', async () => {
  const asked = await show(manifest, false);
  await press('Allow this text…');
  expect([asked, dialog() === null]).toEqual([[manifest.path], false]);
});

test('13.1 "Not now" does not ask for approval', async () => {
  const asked = await show(manifest);
  await press('Not now');
  expect([asked, dialog()]).toEqual([[], null]);
});
