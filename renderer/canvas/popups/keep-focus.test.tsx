import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCanvas, press, type TestCanvas } from '../testing/test-canvas.tsx';

let canvas: TestCanvas;

beforeEach(async () => {
  canvas = await openCanvas();
});
afterEach(() => canvas.close());

function stage(): HTMLElement {
  return canvas.find('.flow-canvas > .react-flow');
}

test('the focus stays on the canvas when the focused card is deleted and restored', async () => {
  act(() => canvas.find('[data-card="save"]').focus());
  await canvas.choose({ nodes: ['save'] });
  await canvas.run('edit.delete');
  expect(document.activeElement).toBe(stage());
  await canvas.run('edit.undo');
  expect(canvas.find('[data-card="save"]').isConnected).toBe(true);
  expect(document.activeElement).toBe(stage());
});

test('the focus returns from the popup that adds a node, and from the search', async () => {
  await canvas.run('edit.addNode');
  await canvas.pick('echo');
  expect(canvas.text()).toContain('id: echo');
  expect(document.activeElement).toBe(stage());
  await canvas.run('canvas.find');
  await press(canvas, canvas.find('.find-bar input'), 'Escape');
  expect(document.activeElement).toBe(stage());
});

test('does not move the focus from elsewhere', async () => {
  const field = document.createElement('input');
  document.body.append(field);
  act(() => canvas.find('[data-card="save"]').focus());
  act(() => field.focus());
  await canvas.choose({ nodes: ['save'] });
  await canvas.run('edit.delete');
  expect(document.activeElement).toBe(field);
  field.remove();
});
