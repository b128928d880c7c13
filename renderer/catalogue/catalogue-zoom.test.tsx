import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CommandId, findCommand, runCommand } from '../app/commands/commands.ts';
import { CatalogueView } from '../app/editor/catalogue-panes.tsx';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { useSettledFlow } from '../stores/use-flow.ts';
import { zoomAfter } from './use-zoom.ts';

const path = 'desk.dialogue.yaml';
const text = 'name: Desk\nintents: { Read: {} }\nflows:\n  - { name: find, intent: Read, policy: { builtin: chat } }\n';

let window: TestWindow;
let element: HTMLElement;

function Shown() {
  const file = useSettledFlow(path);
  return file === undefined ? null : <CatalogueView file={file} openFile={() => {}} />;
}

beforeEach(async () => {
  window = openTestWindow({ readFile: () => ({ text, isWritable: true }), listFlows: () => [] });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path, 'dialogue');
  element = window.draw(<Shown />);
  await window.until(() => expect(element.querySelector('[data-flow="find"]')).not.toBeNull());
});
afterEach(() => window.close());

const percent = () => element.querySelector('.canvas-bar-percent')?.textContent;
const command = (id: CommandId) => {
  const found = findCommand(id);
  if (found === undefined) throw new Error(id);
  return found;
};

test('the canvas of a catalog supports the zoom commands of every canvas', () => {
  const seen = (['canvas.zoomIn', 'canvas.zoomIn', 'canvas.zoomOut', 'canvas.zoom100', 'canvas.fit'] as const).map(
    (id) => {
      act(() => void runCommand(command(id), window.context));
      return percent();
    },
  );
  expect(seen).toEqual(['120%', '144%', '120%', '100%', '100%']);
});

test('the toolbar has the zoom buttons, and commands that need a flow are not available', () => {
  const labels = [...element.querySelectorAll('.canvas-bar button')].map((one) => one.getAttribute('aria-label'));
  expect(labels).toEqual(['Undo', 'Redo', 'Fit the flow in view', 'Zoom out', 'Zoom is 100%. Zoom to 100%', 'Zoom in']);
  expect([command('canvas.fit'), command('canvas.find')].map((one) => one.isAvailable?.(window.context))).toEqual([
    true,
    false,
  ]);
});

test('the shortcuts of a canvas work while a card has the focus', () => {
  expect(element.querySelector('[data-flow="find"]')?.closest('[data-keys="canvas"]')).not.toBeNull();
});

test('the wheel zooms with Ctrl, and scrolls without', () => {
  const turn = (ctrlKey: boolean): boolean => {
    const event = new WheelEvent('wheel', { deltaY: 40, bubbles: true, cancelable: true });
    // Wheel events in the test environment have no modifier keys.
    Object.defineProperty(event, 'ctrlKey', { value: ctrlKey });
    act(() => void element.querySelector('.catalogue-frame')?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  expect([turn(false), percent(), turn(true), percent()]).toEqual([false, '100%', true, '83%']);
});

test.each([
  ['zoom-in', 1.9, 1, 2],
  ['zoom-in', 2, 1, 2],
  ['zoom-out', 0.26, 1, 0.25],
  ['zoom-100', 0.4, 1, 1],
  ['fit', 1, 0.5, 0.5],
  ['fit', 0.5, 1.7, 1],
  ['fit', 1, 0.01, 0.25],
  ['lay-out', 1, 1, undefined],
] as const)('%s at a zoom of %d returns the zoom within its limits', (what, zoom, fitting, expected) => {
  expect(zoomAfter(what, zoom, fitting)).toBe(expected);
});
