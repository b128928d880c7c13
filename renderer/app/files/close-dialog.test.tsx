import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { closeFile } from '../commands/file-commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { CloseDialog } from './file-dialogs.tsx';

const path = 'notes.md';

let window: TestWindow;
let disk: string;
/** Writes to the disk wait for this promise. */
let mayWrite: Promise<void> = Promise.resolve();
afterEach(() => window.close());

async function openDirty(): Promise<void> {
  disk = 'old\n';
  window = openTestWindow({
    readFile: () => ({ text: disk, isWritable: true }),
    writeFile: async ({ text }) => {
      await mayWrite;
      disk = text;
      return undefined;
    },
  });
  window.engine.connect();
  window.draw(<CloseDialog />);
  await act(() => window.stores.openFiles.getState().open(path, 'file'));
  act(() => window.stores.edits.type(path, [{ start: 0, end: 0, text: 'new ' }]));
  await act(() => closeFile(window.context, path));
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

test('asks before closing the tab of a file with unsaved changes', async () => {
  await openDirty();
  expect(tabs()).toEqual([path]);
  await choose('Cancel');
  expect([tabs(), disk]).toEqual([[path], 'old\n']);
});

test('saves and closes on request', async () => {
  await openDirty();
  await choose('Save');
  expect([tabs(), disk]).toEqual([[], 'new old\n']);
});

test('undo restores discarded changes after the file is opened again', async () => {
  await openDirty();
  await choose('Don’t save');
  expect([tabs(), disk]).toEqual([[], 'old\n']);
  await act(() => window.stores.openFiles.getState().open(path, 'file'));
  expect(window.stores.openFiles.getState().files.get(path)).toMatchObject({ text: 'old\n', isDirty: false });
  act(() => window.stores.edits.undo(path));
  expect(window.stores.openFiles.getState().files.get(path)?.text).toBe('new old\n');
});

test('closes a file without changes at once', async () => {
  await openDirty();
  await choose('Cancel');
  act(() => window.stores.edits.revert(path));
  await act(() => closeFile(window.context, path));
  expect(tabs()).toEqual([]);
});

test('waits for a save in progress without asking', async () => {
  await openDirty();
  await choose('Cancel');
  let write: (() => void) | undefined;
  mayWrite = new Promise((resolve) => {
    write = resolve;
  });
  const saved = window.stores.edits.save(path);
  const closed = closeFile(window.context, path);
  await window.settle();
  expect(document.querySelector('[role="dialog"]')).toBeNull();
  expect(tabs()).toEqual([path]);
  write?.();
  await act(() => Promise.all([saved, closed]));
  expect([tabs(), disk]).toEqual([[], 'new old\n']);
});

test('counts a pending change of a flow as unsaved', async () => {
  const flow = 'mine.flow.yaml';
  disk = 'flow: { name: mine }\nnodes:\n  - { id: one, type: constant, input: { value: 1 } }\n';
  window = openTestWindow({ listFlows: () => [{ path: flow, change: null }], readFlow: () => ({ text: disk }) });
  window.engine.connect();
  window.draw(<CloseDialog />);
  await act(() => window.stores.openFiles.getState().open(flow, 'flow'));
  expect(window.stores.openFiles.getState().files.get(flow)?.isDirty).toBe(false);
  const changed = window.stores.edits.change(flow, { do: 'rename', id: 'one', to: 'two' });
  await act(() => closeFile(window.context, flow));
  expect(await changed).toBe(true);
  expect(tabs()).toEqual([flow]);
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Save changes to mine.flow.yaml?');
});
