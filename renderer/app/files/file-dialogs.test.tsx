import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { type CommandId, findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { FileDialogs } from './file-dialogs.tsx';

let window: TestWindow;
let calls: unknown[];
let refuses = false;

beforeEach(async () => {
  calls = [];
  refuses = false;
  const note = (name: string) => (params: unknown) => {
    calls.push([name, params]);
    if (refuses) throw new EngineError({ code: 'files.exists', message: 'It already exists.' });
  };
  window = openTestWindow({
    readFile: () => ({ text: 'one\n', isWritable: true }),
    listFolder: () => ({ entries: [], isCut: false }),
    renameFile: note('rename'),
    trashFile: note('trash'),
    duplicateFile: (path) => ({ path: `copy of ${path}` }),
  });
  window.draw(<FileDialogs />);
  act(() => window.engine.connect());
  await act(() => window.stores.openFiles.getState().open('notes/one.md', 'file'));
  await window.settle();
});

afterEach(() => window.close());

async function run(id: CommandId): Promise<boolean> {
  const command = findCommand(id);
  let isDone = false;
  act(() => {
    isDone = command !== undefined && runCommand(command, window.context);
  });
  await window.settle();
  return isDone;
}

const dialog = () => document.querySelector('[role="dialog"]');
const field = () => document.querySelector<HTMLInputElement>('[role="dialog"] input');

async function rename(to: string): Promise<void> {
  act(() => {
    typeInto(field(), to);
  });
  act(() => void field()?.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
  await window.settle();
}

test('renames or moves the active file, and lets the user correct a rejected name', async () => {
  await run('file.rename');
  expect([field()?.value, field()?.selectionStart, field()?.selectionEnd]).toEqual(['notes/one.md', 6, 9]);
  await rename('notes/a:b.md');
  expect(calls).toEqual([]);
  refuses = true;
  await rename('two.md');
  expect(dialog()?.textContent).toContain('Rename one.md');
  refuses = false;
  await rename('texts/two.md');
  expect(calls.at(-1)).toEqual(['rename', { from: 'notes/one.md', to: 'texts/two.md' }]);
  expect([dialog(), window.stores.openFiles.getState().tabs]).toEqual([null, ['texts/two.md']]);
});

test('copies the file, and deletes it after a confirmation', async () => {
  await run('file.duplicate');
  expect(window.stores.openFiles.getState().activePath).toBe('copy of notes/one.md');
  act(() => window.stores.openFiles.getState().activate('notes/one.md'));
  await run('file.trash');
  const button = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Move to the trash',
  );
  expect(calls).toEqual([]);
  act(() => button?.click());
  await window.settle();
  expect(calls).toEqual([['trash', 'notes/one.md']]);
  expect(window.stores.openFiles.getState().tabs).toEqual(['copy of notes/one.md']);
});

test('does not rename an agent of a pack outside the workspace', async () => {
  await act(() => window.stores.openFiles.getState().open('/packs/demo/main.aip', 'agent'));
  for (const id of ['file.rename', 'file.duplicate', 'file.trash'] as const) expect(await run(id)).toBe(false);
});
