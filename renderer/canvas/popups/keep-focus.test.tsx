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

test('the keyboard stays on the canvas when the card that has it is deleted, and when it comes back', async () => {
  act(() => canvas.find('[data-card="save"]').focus());
  await canvas.choose({ nodes: ['save'] });
  await canvas.run('edit.delete');
  expect(document.activeElement).toBe(stage());
  await canvas.run('edit.undo');
  expect(canvas.find('[data-card="save"]').isConnected).toBe(true);
  expect(document.activeElement).toBe(stage());
});

test('it comes back from the popup that adds a node, and from the search', async () => {
  await canvas.run('edit.addNode');
  await canvas.pick('echo');
  expect(canvas.text()).toContain('id: echo');
  expect(document.activeElement).toBe(stage());
  await canvas.run('canvas.find');
  await press(canvas, canvas.find('.find-bar input'), 'Escape');
  expect(document.activeElement).toBe(stage());
});

test('whoever is elsewhere stays there', async () => {
  const field = document.createElement('input');
  document.body.append(field);
  act(() => canvas.find('[data-card="save"]').focus());
  act(() => field.focus());
  await canvas.choose({ nodes: ['save'] });
  await canvas.run('edit.delete');
  expect(document.activeElement).toBe(field);
  field.remove();
});
