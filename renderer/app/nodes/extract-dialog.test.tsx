import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { ExtractDialog, proposedName } from './extract-dialog.tsx';

const path = 'flows/a.flow.yaml';
const text = `flow: { name: One, outputs: { all: "{{save.text}}" } }
nodes:
  - { id: read, type: echo, input: { text: hi } }
  # as it is written
  - { id: sort_it, type: echo, input: { text: '{{read.text}}' } }
  - { id: mend, name: Mend it, type: echo, input: { text: "{{sort_it.text}}" } }
  - { id: save, type: echo, input: { text: "{{mend.text}}" } }
edges:
  - { from: read, to: sort_it }
  - { from: sort_it, to: mend }
  - { from: mend, to: save }
`;

let window: TestWindow;
let disk: Map<string, string>;
let trashed: string[];

beforeEach(async () => {
  disk = new Map();
  trashed = [];
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    listRuns: () => [],
    readFlow: () => ({ text }),
    createFile: (request) => {
      if (disk.has(request.path)) {
        throw new EngineError({ code: 'files.exists', message: `${request.path} already exists.` });
      }
      disk.set(request.path, request.text ?? '');
      return undefined;
    },
    trashFile: (file) => {
      trashed.push(file);
      disk.delete(file);
      return undefined;
    },
  });
  window.engine.connect();
  window.draw(<ExtractDialog />);
  await window.stores.openFiles.getState().open(path);
  await window.until(() => expect(file()?.doc?.nodes).toHaveLength(4));
});
afterEach(() => window.close());

const file = () => window.stores.openFiles.getState().files.get(path);
const dialog = () => document.querySelector('[role="dialog"]');
const words = () => dialog()?.textContent ?? '';

function select(...nodes: readonly string[]): void {
  window.stores.selection.getState().choose(path, { nodes }, nodes[0] ?? null);
}

async function open(...nodes: readonly string[]): Promise<void> {
  select(...nodes);
  const command = findCommand('edit.extract');
  if (command === undefined) throw new Error('No command');
  act(() => void runCommand(command, window.context));
  await window.until(() => expect(dialog()).not.toBeNull());
}

function type(value: string): void {
  const field = dialog()?.querySelector('input');
  if (field == null) throw new Error('No field');
  act(() => {
    typeInto(field, value);
  });
}

async function press(label: string): Promise<void> {
  const button = [...(dialog()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === label);
  if (button === undefined) throw new Error(`No button ${label}`);
  act(() => button.click());
  await window.settle();
}

test('BB-34 moves two nodes to a file; one undo restores the text and keeps the file', async () => {
  await open('sort_it', 'mend');
  await window.until(() => expect(words()).toContain('Inputsread_text'));
  expect(words()).toContain('Extract 2 nodes to a flow');
  expect(words()).toContain('Outputsmend_text');
  expect(dialog()?.querySelector('input')?.value).toBe('sort it and Mend it');
  type('Sort & mend');
  expect(words()).toContain('Creates flows/sort-mend.flow.yaml');
  await press('Extract');
  await window.until(() => expect(dialog()).toBeNull());
  expect([...disk.keys()]).toEqual(['flows/sort-mend.flow.yaml']);
  const made = disk.get('flows/sort-mend.flow.yaml') ?? '';
  expect(made).toContain('name: Sort & mend');
  expect(made).toContain(`  # as it is written
  - { id: sort_it, type: echo, input: { text: '{{flow.input.read_text}}' } }
  - { id: mend, name: Mend it, type: echo, input: { text: "{{sort_it.text}}" } }
`);
  expect(file()?.text).toContain('flow: sort-mend.flow.yaml');
  expect(file()?.doc?.nodes.map(({ id, name }) => name ?? id)).toEqual(['read', 'Sort & mend', 'save']);
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('sort_mend');
  expect(file()?.undoLabel).toBe('Extract 2 nodes to sort-mend.flow.yaml');
  act(() => window.stores.edits.undo(path));
  expect(file()?.text).toBe(text);
  expect([disk.size, trashed]).toEqual([1, []]);
});

test('BB-34 rejects a name that is taken and lets the user enter another', async () => {
  disk.set('flows/taken.flow.yaml', 'kept');
  await open('mend');
  await window.until(() => expect(words()).toContain('Inputs'));
  type('***');
  expect(words()).toContain('The name needs a letter or a digit.');
  type('a');
  expect(words()).toContain('flows/a.flow.yaml already exists.');
  type('Taken');
  await press('Extract');
  await window.until(() => expect(words()).toContain('flows/taken.flow.yaml already exists.'));
  expect([disk.get('flows/taken.flow.yaml'), file()?.text]).toEqual(['kept', text]);
  type('Free');
  await press('Extract');
  await window.until(() => expect(dialog()).toBeNull());
  expect([...disk.keys()]).toEqual(['flows/taken.flow.yaml', 'flows/free.flow.yaml']);
});

test('BB-34 explains why nodes cannot be extracted instead of asking for a name', async () => {
  await open('read', 'mend');
  await window.until(() => expect(words()).toContain('"sort_it" runs between "read" and "mend"'));
  expect(dialog()?.querySelector('input')).toBeNull();
  await press('Close');
  expect([dialog(), disk.size]).toEqual([null, 0]);
});

test('BB-34 deletes the new file if the flow can no longer be changed', async () => {
  select('mend');
  const { edits } = window.stores;
  const extraction = { nodes: ['mend'], file: 'x.flow.yaml', name: 'X' };
  const made = edits.extract(path, extraction);
  await act(() => edits.change(path, { do: 'set-node', id: 'mend', path: ['input', 'text'], value: 'new' }));
  expect(await act(() => made)).toBeNull();
  expect([disk.size, trashed]).toEqual([0, ['flows/x.flow.yaml']]);
  expect(window.stores.notices.getState().list.at(-1)?.detail).toContain('Extract the nodes again.');
});

test('suggests the name of the group, of the node, or of the first and last node', () => {
  const node = (id: string, name?: string) => ({
    id,
    type: 'echo',
    input: {},
    ...(name === undefined ? {} : { name }),
  });
  const loop = { id: 'each', type: 'control.foreach', input: { items: [], body: ['c'] } };
  const doc = {
    flow: { name: 'x' },
    nodes: [node('a'), node('b', 'Beta'), node('c'), loop],
    edges: [],
    layout: { groups: { g: { title: ' My part ', nodes: ['a', 'c'] } } },
  };
  const named = (...ids: readonly string[]) => proposedName(doc, new Set(ids));
  expect([named('a', 'c'), named('b'), named('a', 'b'), named('a', 'b', 'each'), named('c', 'each')]).toEqual([
    'My part',
    'Beta',
    'a and Beta',
    'a to each',
    'each',
  ]);
});
