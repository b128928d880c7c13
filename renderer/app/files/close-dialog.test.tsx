import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { closeFile } from '../commands/file-commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { CloseDialog } from './file-dialogs.tsx';

const path = 'notes.md';

let window: TestWindow;
let disk: string;
afterEach(() => window.close());

async function openDirty(): Promise<void> {
  disk = 'old\n';
  window = openTestWindow({
    readFile: () => ({ text: disk, isWritable: true }),
    writeFile: ({ text }) => {
      disk = text;
      return undefined;
    },
  });
  window.engine.connect();
  window.draw(<CloseDialog />);
  await act(() => window.stores.openFiles.getState().open(path, 'file'));
  act(() => window.stores.edits.type(path, [{ start: 0, end: 0, text: 'new ' }]));
  act(() => closeFile(window.context, path));
}

async function choose(text: string): Promise<void> {
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent === text);
  if (button === undefined) throw new Error(`There is no button ${text}`);
  act(() => button.click());
  await window.settle();
}

function tabs(): readonly string[] {
  return window.stores.openFiles.getState().tabs;
}

test('a file with unsaved changes asks before its tab closes', async () => {
  await openDirty();
  expect(tabs()).toEqual([path]);
  await choose('Cancel');
  expect([tabs(), disk]).toEqual([[path], 'old\n']);
});

test('it can be saved and closed', async () => {
  await openDirty();
  await choose('Save');
  expect([tabs(), disk]).toEqual([[], 'new old\n']);
});

test('what was not saved can be brought back by undo when it is opened again', async () => {
  await openDirty();
  await choose('Don’t save');
  expect([tabs(), disk]).toEqual([[], 'old\n']);
  await act(() => window.stores.openFiles.getState().open(path, 'file'));
  expect(window.stores.openFiles.getState().files.get(path)).toMatchObject({ text: 'old\n', isDirty: false });
  act(() => window.stores.edits.undo(path));
  expect(window.stores.openFiles.getState().files.get(path)?.text).toBe('new old\n');
});

test('a file without them closes at once', async () => {
  await openDirty();
  await choose('Cancel');
  act(() => window.stores.edits.revert(path));
  act(() => closeFile(window.context, path));
  expect(tabs()).toEqual([]);
});
