import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { Dialogs } from '../dialogs.tsx';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';

const path = 'a.flow.yaml';
const flow = 'flow: { name: One }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n';
const changed = flow.replace('hi', 'hello');

let window: TestWindow;
let commits: unknown[];
let written: string[];
afterEach(() => window.close());

interface Given {
  readonly files?: readonly { readonly path: string; readonly change: 'modified' | 'untracked' }[];
  readonly runsPrograms?: boolean;
  readonly failure?: EngineError;
  readonly saveFailure?: EngineError;
}

const usual = [
  { path, change: 'modified' },
  { path: 'new.aip', change: 'untracked' },
] as const;

async function open({ files = usual, runsPrograms = true, failure, saveFailure }: Given = {}): Promise<void> {
  [commits, written] = [[], []];
  window = openTestWindow({
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({ text: flow }),
    readGit: () => null,
    listCommittable: () => ({ branch: 'main', files, runsPrograms }),
    commitFiles(request) {
      if (failure !== undefined) throw failure;
      commits.push(request);
      return { commit: 'f'.repeat(40) };
    },
    writeFile({ text }) {
      if (saveFailure !== undefined) throw saveFailure;
      written.push(text);
    },
  });
  window.engine.connect();
  window.stores.workspace.setState({ folder: '/work' });
  await window.stores.openFiles.getState().open(path);
  window.stores.edits.replace(path, changed, 'Edit');
  window.draw(<Dialogs hasFolder={false} />);
  const command = findCommand('git.commit');
  act(() => void (command !== undefined && runCommand(command, window.context)));
  await window.until(() => expect(dialog()).not.toBeNull());
}

const dialog = (): HTMLElement | null => document.querySelector('.commit');
const submit = (): HTMLButtonElement | null | undefined => dialog()?.querySelector('button[type="submit"]');
const rows = () =>
  [...document.querySelectorAll('.commit-file')].map((row) => [
    row.querySelector('input')?.checked,
    row.querySelector('.commit-path')?.textContent,
    row.querySelector('.commit-file-note')?.textContent,
  ]);

async function enter(message: string): Promise<void> {
  const field = dialog()?.querySelector('textarea');
  const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
  act(() => {
    set?.call(field, message);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await window.settle();
}

test('commits the open file by keyboard, and saves its edits first', async () => {
  await open();
  expect(rows()).toEqual([
    [true, path, 'unsaved, is saved first'],
    [false, 'new.aip', 'new'],
  ]);
  expect(document.activeElement?.tagName).toBe('TEXTAREA');
  expect(submit()?.disabled).toBe(true);
  await enter('Say hello\n\nMore.');
  expect(submit()?.textContent).toBe('Commit 1 file');
  const press = new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true });
  act(() => void document.activeElement?.dispatchEvent(press));
  await window.until(() => expect(dialog()).toBeNull());
  expect([written, commits]).toEqual([[changed], [{ paths: [path], message: 'Say hello\n\nMore.' }]]);
  expect(window.stores.notices.getState().list.at(-1)).toMatchObject({
    title: 'Committed 1 file',
    detail: 'ffffffff Say hello',
  });
});

test('offers a file that only has unsaved edits', async () => {
  await open({ files: [] });
  expect(rows()).toEqual([[true, path, 'unsaved, is saved first']]);
});

test('shows what a hook says, and stays open', async () => {
  const message = 'Nothing was committed. Git or a hook reports:\nAdd a test.';
  await open({ failure: new EngineError({ code: 'git.failed', message }) });
  await enter('Say hello');
  act(() => submit()?.click());
  await window.until(() => expect(dialog()?.querySelector('[role="alert"]')?.textContent).toBe(message));
  expect(submit()?.disabled).toBe(false);
});

test('commits nothing if a file cannot be saved', async () => {
  await open({ saveFailure: new EngineError({ code: 'files.not-writable', message: 'Read-only.' }) });
  await enter('Say hello');
  act(() => submit()?.click());
  await window.until(() => expect(dialog()?.textContent).toContain(`${path} could not be saved`));
  expect(commits).toEqual([]);
});

test.each([[true], [false]])('says whether hooks run: %s', async (runsPrograms) => {
  await open({ runsPrograms });
  expect(dialog()?.textContent?.includes('Git runs no hooks')).toBe(!runsPrograms);
});
