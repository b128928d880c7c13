import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { JsonMap, RunEvent } from '../../../engine/isomorphic.ts';
import { nodeComplete, nodeStart, runEnd } from '../../bridge/testing/run-events.ts';
import { element, path, show, window } from '../testing/test-inspector.tsx';

afterEach(() => window.close());

const loopStart: RunEvent = { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' };

test.each<[JsonMap, string]>([
  [{ items: [1, 2, 3], as: 'mail' }, 'Mail 2 of 3'],
  [{ items: [1, 2, 3] }, 'Item 2 of 3'],
  [{}, 'Item 2 of 2'],
])('an item of a loop with the input %j is called what its loop calls it: %s', async (input, name) => {
  await show('inner');
  await window.tellRun(path, loopStart, { type: 'node:input', nodeId: 'each', input }, nodeStart('each[1].inner'));
  expect(element.querySelector('.item-picker b')?.textContent).toBe(name);
});

function itemEnd(item: number, durationMs: number): RunEvent[] {
  const place = `each[${item}].inner`;
  return [nodeStart(place), { ...nodeComplete(place), durationMs } as RunEvent];
}

function line(): string | undefined {
  return [...element.querySelectorAll('.item-line:first-child > *')].map((part) => part.textContent).join(': ');
}

test('all items of a loop are shown with state and time, and chosen by key, click and pointer', async () => {
  await show('inner');
  const input = { items: Array.from({ length: 120 }, (_, index) => index) };
  const items = Array.from({ length: 119 }, (_, index) => itemEnd(index, index === 70 ? 400 : 4)).flat();
  await window.tellRun(path, loopStart, { type: 'node:input', nodeId: 'each', input }, ...items, runEnd('completed'));
  const strip = element.querySelector<HTMLElement>('[role="radiogroup"]');
  const marks = [...element.querySelectorAll<HTMLElement>('.item-picker [role="radio"]')];
  expect(marks).toHaveLength(120);
  expect(marks[70]?.getAttribute('aria-label')).toBe('Item 71: completed, 0.4 s');
  expect(marks[119]?.getAttribute('aria-label')).toBe('Item 120: not started');
  const heights = marks.map((mark) => Number(mark.style.getPropertyValue('--item-share')));
  expect([heights[69], heights[70], heights[119]]).toEqual([0.1, 1, 0]);

  act(() => marks[70]?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true })));
  expect(line()).toBe('Item 71 of 120: completed, 0.4 s');
  act(() => marks[20]?.click());
  const chosen = () => element.querySelector('.item-picker [aria-checked="true"]')?.getAttribute('data-item');
  expect(chosen()).toBe('20');
  for (const [key, item] of [
    ['ArrowDown', '70'],
    ['ArrowRight', '71'],
    ['End', '119'],
    ['ArrowDown', '119'],
    ['ArrowUp', '69'],
    ['ArrowLeft', '68'],
    ['Home', '0'],
  ]) {
    act(() => strip?.dispatchEvent(new KeyboardEvent('keydown', { key: `${key}`, bubbles: true })));
    expect([key, chosen()]).toEqual([key, item]);
  }
  expect(strip?.getAttribute('aria-activedescendant')).toBe(marks[0]?.id);
});
