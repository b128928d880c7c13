import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastList } from './toast-list.tsx';
import { TooltipProvider } from './tooltip.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let host: HTMLElement;
let root: Root;
const dismissed = vi.fn();

beforeEach(() => {
  dismissed.mockReset();
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  const toasts = [{ id: 1, tone: 'error' as const, title: 'Not saved', detail: 'The disk is full.' }];
  act(() =>
    root.render(
      <TooltipProvider>
        <input />
        <ToastList toasts={toasts} onDismiss={dismissed} />
      </TooltipProvider>,
    ),
  );
  host.querySelector('input')?.focus();
});

afterEach(() => {
  act(() => root.unmount());
  host.remove();
});

const button = () => document.querySelector<HTMLElement>('[aria-label="Dismiss"]');

test('closing a toast by mouse does not move the focus', () => {
  const press = new PointerEvent('pointerdown', { bubbles: true, cancelable: true });
  act(() => void button()?.dispatchEvent(press));
  expect(press.defaultPrevented).toBe(true);
  act(() => button()?.click());
  expect([dismissed.mock.calls, document.activeElement?.tagName]).toEqual([[[1]], 'INPUT']);
});

test('closing a toast by keyboard restores the previous focus', () => {
  act(() => button()?.focus());
  expect(document.activeElement).toBe(button());
  act(() => button()?.click());
  expect([dismissed.mock.calls, document.activeElement?.tagName]).toEqual([[[1]], 'INPUT']);
});
