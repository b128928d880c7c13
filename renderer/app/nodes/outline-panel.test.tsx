/** Commands in the outline, without a canvas. */
import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { AddNodeDialog } from './add-node-dialog.tsx';
import { ConnectDialog, DisconnectDialog } from './connect-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { OutlinePanel } from './outline-panel.tsx';

const text = `flow: { name: F }
nodes:
  - { id: a, type: echo, input: { text: hi } }
  - { id: each, type: control.foreach, input: { items: [1], as: item, body: [inner] } }
  - { id: inner, type: nope, input: {} }
  - { id: z, type: echo, input: { text: "{{a.text}}" } }
edges:
  - { from: a, to: each }
`;
const path = 'f.flow.yaml';
let window: TestWindow;
let element: HTMLElement;

beforeEach(async () => {
  window = openTestWindow({ readFlow: () => ({ text }) });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  element = window.draw(
    <>
      <OutlinePanel path={path} />
      <AddNodeDialog />
      <ConnectDialog />
      <DisconnectDialog />
      <MoveDialog />
    </>,
  );
  await window.settle();
  act(() => tree().focus());
});
afterEach(() => window.close());

function tree(): HTMLElement {
  const found = element.querySelector<HTMLElement>('[role="tree"]');
  if (found === null) throw new Error('There is no outline');
  return found;
}

function rows(): (string | null)[] {
  return [...tree().querySelectorAll('[role="treeitem"]')].map(({ textContent }) => textContent);
}

function ids(): string[] | undefined {
  return window.stores.openFiles
    .getState()
    .files.get(path)
    ?.doc?.nodes.map(({ id }) => id);
}

async function press(key: string, modifiers: KeyboardEventInit = {}): Promise<void> {
  act(() => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifiers });
    (document.activeElement ?? tree()).dispatchEvent(event);
  });
  await window.settle();
}

async function select(id: string): Promise<void> {
  act(() => window.stores.selection.getState().selectNode(path, id));
  await window.settle();
}

function selected(): string | null | undefined {
  return window.stores.selection.getState().views.get(path)?.nodeId;
}

test('rows show name, type, problems and the position in a body', () => {
  expect(rows()).toEqual(['a, echo', 'each, control.foreach', 'inner, nope, 1 error, 1 of 1 in each', 'z, echo']);
});

test('arrow keys select, D disables, Delete removes the node and selects the next, and undo restores it', async () => {
  await select('a');
  await press('ArrowDown');
  expect(selected()).toBe('each');
  await press('ArrowUp');
  await press('d');
  expect(rows()[0]).toBe('a, echo, disabled');
  await press('Delete');
  expect([ids(), selected()]).toEqual([['each', 'inner', 'z'], 'each']);
  act(() => window.stores.edits.undo(path));
  await window.settle();
  expect(ids()).toEqual(['a', 'each', 'inner', 'z']);
});

test('F2 renames a node and updates its bindings', async () => {
  await select('a');
  await press('F2');
  const field = tree().querySelector('input');
  if (field === null) throw new Error('There is no field');
  field.value = 'first';
  await press('Enter');
  expect([ids()?.[0], selected()]).toEqual(['first', 'first']);
  expect(window.stores.openFiles.getState().files.get(path)?.text).toContain('{{first.text}}');
});

test('N asks for a type and adds the node after the selected one', async () => {
  await select('z');
  await press('n');
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('z is selected');
  await press('Enter');
  expect([ids()?.at(-1), selected()]).toEqual(['prompt', 'prompt']);
});

test('C lists the possible targets of an edge, and explains why others are not possible', async () => {
  await select('each');
  await press('c');
  const options = [...document.querySelectorAll('[role="option"]')];
  expect(options.map((option) => [option.getAttribute('aria-disabled'), option.textContent])).toEqual([
    ['false', 'zecho'],
    ['true', expect.stringContaining('cycle')],
    ['true', expect.stringContaining('inner')],
  ]);
  await press('Enter');
  const edges = () =>
    window.stores.openFiles
      .getState()
      .files.get(path)
      ?.doc?.edges.map(({ to }) => to);
  expect(edges()).toEqual(['each', 'z']);
  await press('C', { shiftKey: true });
  await press('Enter');
  expect(edges()).toEqual(['z']);
});

test('Alt and the arrows move nodes in the file, into a loop and out of it', async () => {
  await select('z');
  await press('ArrowUp', { altKey: true });
  expect([ids(), selected()]).toEqual([['a', 'z', 'each', 'inner'], 'z']);
  await press('ArrowDown', { altKey: true });
  expect(ids()).toEqual(['a', 'each', 'inner', 'z']);
  await press('ArrowRight', { altKey: true });
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Move z into the body of');
  await press('Enter');
  expect([rows().at(-1), selected()]).toEqual(['z, echo, 2 of 2 in each', 'z']);
  act(() => tree().focus());
  await press('ArrowLeft', { altKey: true });
  expect(rows().at(-1)).toBe('z, echo');
});

test('a dragged row moves beside another, and a move that is not possible is explained', async () => {
  const rowOf = (id: string): Element => tree().querySelector(`[data-tree-row="${id}"]`) as Element;
  const drag = async (id: string, to: string): Promise<void> => {
    const dataTransfer = { setData: () => undefined, effectAllowed: '', dropEffect: '' };
    for (const [type, target] of [
      ['dragstart', id],
      ['dragover', to],
      ['drop', to],
    ] as const) {
      const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientY: -1 });
      act(() => void rowOf(target).dispatchEvent(Object.assign(event, { dataTransfer })));
    }
    await window.settle();
  };
  await drag('z', 'a');
  expect([ids(), selected()]).toEqual([['z', 'a', 'each', 'inner'], 'z']);
  await drag('a', 'inner');
  expect(ids()).toEqual(['z', 'a', 'each', 'inner']);
  const notices = window.stores.notices.getState().list.filter(({ title }) => title === 'Nothing was moved');
  expect(notices).toMatchObject([{ detail: expect.stringContaining('a → each: ') }]);
});
