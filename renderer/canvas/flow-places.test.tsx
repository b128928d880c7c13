import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isMac } from '../app/commands/keymap.ts';
import { FlowCanvas } from './flow-canvas.tsx';
import { cardPlace, openCanvas, type TestCanvas, write } from './testing/test-canvas.tsx';

let canvas: TestCanvas;

beforeEach(async () => {
  canvas = await openCanvas();
});
afterEach(() => canvas.close());

const cards = (host: ParentNode) =>
  [...host.querySelectorAll<HTMLElement>('.react-flow__node')].map(({ dataset, style }) => [
    dataset['id'],
    style.transform,
  ]);

async function pressAt(target: Element, key: string, held: KeyboardEventInit = {}): Promise<void> {
  const event = new KeyboardEvent('keydown', {
    key,
    code: `Key${key.toUpperCase()}`,
    bubbles: true,
    cancelable: true,
    ...held,
  });
  await act(async () => target.dispatchEvent(event));
  await canvas.window.settle();
}

const mod = isMac ? { metaKey: true } : { ctrlKey: true };

test('a canvas that is shown again, such as after a child flow, keeps the positions of its cards', async () => {
  const { edits } = canvas.window.stores;
  await act(() =>
    edits.change(canvas.path, {
      do: 'add',
      nodes: [
        { id: 'one', type: 'echo', input: {} },
        { id: 'two', type: 'echo', input: {} },
      ],
      edges: [
        { from: 'read', to: 'one' },
        { from: 'one', to: 'two' },
      ],
    }),
  );
  await act(() => edits.change(canvas.path, { do: 'remove', nodes: ['ask'], edges: [] }));
  await canvas.window.settle();
  const before = cards(canvas.host);
  expect(before.length).toBe(4);
  const again = canvas.window.draw(<FlowCanvas path={canvas.path} />);
  await canvas.window.settle();
  expect(cards(again)).toEqual(before);
});

test('a new note does not cover a card', async () => {
  await canvas.run('edit.note');
  const [, x = 0, y = 0] = /x: (-?\d+), y: (-?\d+)/.exec(canvas.text())?.map(Number) ?? [];
  for (const id of ['read', 'ask', 'save']) {
    const card = cardPlace(canvas, id);
    const isClear = x >= card.x + 248 || card.x >= x + 240 || y >= card.y + 40 || card.y >= y + 144;
    expect([id, isClear]).toEqual([id, true]);
  }
});

test.each([
  ['a card', () => canvas.find('[data-card="ask"]')],
  ['the canvas', () => canvas.find('.react-flow')],
  ['nothing', () => document.body],
])('Ctrl+A selects all again after Escape, with the focus on %s', async (_what, at) => {
  await canvas.choose({ nodes: ['read', 'ask'] });
  await pressAt(at(), 'Escape', { code: 'Escape' });
  expect([...(canvas.chosen()?.nodes ?? [])]).toEqual([]);
  await pressAt(at(), 'a', mod);
  expect([...(canvas.chosen()?.nodes ?? [])]).toEqual(['read', 'ask', 'save']);
});

test('a search highlights the matching cards while its bar is open', async () => {
  await canvas.run('canvas.find');
  await write(canvas.find<HTMLInputElement>('.find-bar input'), 'echo');
  await canvas.window.settle();
  const marked = () =>
    [...canvas.host.querySelectorAll<HTMLElement>('.found-card')].map(({ dataset }) => dataset['id']);
  expect(marked()).toEqual(['read', 'save']);
  await pressAt(canvas.find('.find-bar input'), 'Escape', { code: 'Escape' });
  expect(marked()).toEqual([]);
});

test('Ctrl+H in the search field opens the replace field with the same text', async () => {
  await canvas.run('canvas.find');
  await write(canvas.find<HTMLInputElement>('.find-bar input'), 'hello');
  await pressAt(canvas.find('.find-bar input'), 'h', mod);
  const fields = [...canvas.host.querySelectorAll<HTMLInputElement>('.find-bar input')];
  expect(fields.map(({ value }) => value)).toEqual(['hello', '']);
});
