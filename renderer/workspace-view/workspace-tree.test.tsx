import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { FileEntry } from '../stores/workspace/file-tree.ts';
import { WorkspaceTree } from './workspace-tree.tsx';

let window: TestWindow;
let element: HTMLElement;
let opened: string[];
let calls: unknown[];
afterEach(() => window.close());

function entry(path: string, more: Partial<FileEntry> = {}): FileEntry {
  return { name: path.slice(path.lastIndexOf('/') + 1), path, kind: 'file', change: null, ...more };
}

const folders: Readonly<Record<string, FileEntry[]>> = {
  '': [
    entry('notes', { kind: 'folder', count: 2 }),
    entry('a.flow.yaml', { change: 'modified' }),
    entry('b.aip', { change: 'untracked' }),
  ],
  notes: [entry('notes/one.md'), entry('notes/two.md')],
};

async function showTree(lists = folders): Promise<HTMLElement> {
  opened = [];
  calls = [];
  const note = (name: string) => (params: unknown) => {
    calls.push([name, params]);
  };
  window = openTestWindow({
    listFolder: (folder) => ({ entries: lists[folder] ?? [], isCut: false }),
    renameFile: note('rename'),
    trashFile: note('trash'),
    createFile: note('create'),
  });
  element = window.draw(<WorkspaceTree onOpen={(path) => opened.push(path)} onNew={() => undefined} />);
  act(() => window.engine.connect());
  await window.settle();
  const tree = element.querySelector<HTMLElement>('[role="tree"]');
  if (tree === null) throw new Error('There is no tree');
  tree.focus();
  return tree;
}

function rows(): (string | null)[] {
  return [...element.querySelectorAll('[role="treeitem"]')].map((row) => row.getAttribute('aria-label'));
}

function activeRow(tree: HTMLElement): string | null | undefined {
  return document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label');
}

async function press(target: Element | null, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    act(() => void target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
    await window.settle();
  }
}

test('rows show their kind and their git status', async () => {
  await showTree();
  expect(rows()).toEqual([
    'notes, folder, 2 entries',
    'a.flow.yaml, changed since the last commit',
    'b.aip, not in git yet',
  ]);
});

test('arrow keys expand and move, letters search for names, Enter opens', async () => {
  const tree = await showTree();
  await press(tree, 'ArrowRight', 'ArrowRight');
  expect(activeRow(tree)).toBe('one.md');
  await press(tree, 'b');
  expect(activeRow(tree)).toBe('b.aip, not in git yet');
  await press(tree, 'Enter', 'Home', 'ArrowLeft');
  expect(opened).toEqual(['b.aip']);
  expect(rows()).toHaveLength(3);
});

test('F2 renames in place, a name that is taken is rejected, and Escape keeps the old one', async () => {
  const tree = await showTree();
  await press(tree, 'ArrowDown', 'F2');
  const field = element.querySelector<HTMLInputElement>('input');
  expect([field?.value, field?.selectionEnd]).toEqual(['a.flow.yaml', 1]);
  if (field === null) return;
  field.value = 'b.aip';
  await press(field, 'Enter');
  expect(field.validationMessage).toBe('b.aip already exists here.');
  field.value = 'c.flow.yaml';
  await press(field, 'Enter');
  expect(calls).toEqual([['rename', { from: 'a.flow.yaml', to: 'c.flow.yaml' }]]);
  await press(tree, 'F2');
  await press(element.querySelector('input'), 'Escape');
  expect([element.querySelector('input'), calls.length]).toEqual([null, 1]);
});

test('Delete asks before anything is moved to the trash', async () => {
  const tree = await showTree();
  await press(tree, 'ArrowDown', 'Delete');
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Move a.flow.yaml to the trash?');
  expect(calls).toEqual([]);
  const button = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Move to the trash',
  );
  expect(document.activeElement).toBe(button);
  act(() => button?.click());
  await window.settle();
  expect(calls).toEqual([['trash', 'a.flow.yaml']]);
});

test('renders only the visible rows and the active one', async () => {
  const many = Array.from({ length: 500 }, (_, index) => entry(`file-${index}.md`));
  const tree = await showTree({ '': many });
  await press(tree, 'End');
  expect(activeRow(tree)).toBe('file-499.md');
  expect(rows().length).toBeLessThan(100);
});
