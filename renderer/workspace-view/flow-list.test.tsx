import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/test-window.tsx';
import { FlowList } from './flow-list.tsx';

let window: TestWindow;
let element: HTMLElement;
afterEach(() => window.close());

async function showList(): Promise<HTMLButtonElement[]> {
  window = openTestWindow({
    'engine.info': () => ({ workspace: '/w', notices: [] }),
    'flow.list': () => ({
      flows: [
        { path: 'a.flow.yaml', change: 'modified' },
        { path: 'b.flow.yaml', change: 'untracked' },
        { path: 'flows/c.flow.yaml', change: null },
      ],
    }),
    'flow.read': () => ({ text: 'nothing' }),
  });
  element = window.draw(<FlowList />);
  window.engine.connect();
  await window.settle();
  return [...element.querySelectorAll('button')];
}

test('rows say their git state and their errors in words', async () => {
  const rows = await showList();
  expect(rows.map((row) => row.textContent)).toEqual(['aMChanged since the last commit', 'bUNot in git yet', 'c']);
  expect(rows[0]?.querySelector('[aria-label="Has errors"]')).not.toBeNull();
  expect(rows[1]?.querySelector('[aria-label="Has errors"]')).toBeNull();
});

test('the list is one tab stop, and arrow keys move in it', async () => {
  const rows = await showList();
  expect(rows.map((row) => row.tabIndex)).toEqual([0, -1, -1]);
  rows[0]?.focus();
  const visited = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Home', 'End', 'ArrowUp'].map((key) => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return rows.indexOf(document.activeElement as HTMLButtonElement);
  });
  expect(visited).toEqual([1, 2, 2, 0, 2, 1]);
});

test('choosing a row opens its flow', async () => {
  const rows = await showList();
  act(() => rows[2]?.click());
  await window.settle();
  expect(window.stores.openFlows.getState().activePath).toBe('flows/c.flow.yaml');
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual(['false', 'false', 'true']);
});
