import { act, type ReactElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root;
let host: HTMLElement;
beforeEach(() => {
  vi.useFakeTimers();
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
});
afterEach(() => {
  act(() => root.unmount());
  host.remove();
  vi.useRealTimers();
});

function draw(...children: readonly ReactElement[]): readonly HTMLButtonElement[] {
  act(() => root.render(<TooltipProvider>{children}</TooltipProvider>));
  return [...host.querySelectorAll('button')];
}

function twoButtons(): readonly HTMLButtonElement[] {
  return draw(
    <Tooltip key="a" text="First" hint="Ctrl A">
      <button type="button">a</button>
    </Tooltip>,
    <Tooltip key="b" text="Second">
      <button type="button">b</button>
    </Tooltip>,
  );
}

function shown(): readonly (string | null)[] {
  return [...document.querySelectorAll('[role="tooltip"]')].map(({ textContent }) => textContent);
}

/** React creates its enter and leave events from these. */
function point(type: 'over' | 'out' | 'down', element: Element, pointerType = 'mouse'): void {
  act(() => void element.dispatchEvent(new PointerEvent(`pointer${type}`, { bubbles: true, pointerType })));
}

function wait(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms));
}

describe('a tooltip', () => {
  test('opens when the pointer rests on its element, describes it, and closes when the pointer leaves', () => {
    const [first] = twoButtons();
    point('over', first!);
    wait(499);
    expect(shown()).toEqual([]);
    wait(1);
    expect(shown()).toEqual(['FirstCtrl A']);
    expect(first!.getAttribute('aria-describedby')).toBe(document.querySelector('[role="tooltip"]')?.id);
    point('out', first!);
    wait(150);
    expect(shown()).toEqual([]);
    expect(first!.hasAttribute('aria-describedby')).toBe(false);
  });

  test('opens at once directly after another one', () => {
    const [first, second] = twoButtons();
    point('over', first!);
    wait(500);
    point('out', first!);
    wait(150);
    point('over', second!);
    wait(0);
    expect(shown()).toEqual(['Second']);
    point('out', second!);
    wait(150);
    wait(300);
    point('over', first!);
    wait(0);
    expect(shown()).toEqual([]);
  });

  test('stays while the pointer is on it', () => {
    const [first] = twoButtons();
    point('over', first!);
    wait(500);
    point('out', first!);
    wait(100);
    point('over', document.querySelector('[role="tooltip"]')!);
    wait(1_000);
    expect(shown()).toEqual(['FirstCtrl A']);
    point('out', document.querySelector('[role="tooltip"]')!);
    wait(150);
    expect(shown()).toEqual([]);
  });

  test('does not open if the pointer only passes over', () => {
    const [first] = twoButtons();
    point('over', first!);
    wait(200);
    point('out', first!);
    wait(1_000);
    expect(shown()).toEqual([]);
  });

  test('does not open for touch', () => {
    const [first] = twoButtons();
    point('over', first!, 'touch');
    wait(1_000);
    expect(shown()).toEqual([]);
  });
});

describe('an open tooltip', () => {
  const ends: readonly (readonly [string, (button: HTMLElement) => void])[] = [
    ['a press', (button) => point('down', button)],
    ['a click', (button) => act(() => button.click())],
    ['Escape', () => act(() => void dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })))],
    [
      'the end of the focus',
      (button) => act(() => void button.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))),
    ],
    ['scrolling of what is around it', () => act(() => void host.dispatchEvent(new Event('scroll')))],
  ];
  test.each(ends)('is closed by %s', (_, end) => {
    const [first] = twoButtons();
    point('over', first!);
    wait(500);
    end(first!);
    wait(0);
    expect(shown()).toEqual([]);
    wait(1_000);
    expect(shown()).toEqual([]);
  });

  test('opens on keyboard focus, but not on focus by a press', () => {
    const [first, second] = twoButtons();
    const focus = (button: HTMLElement, isByKey: boolean): void => {
      vi.spyOn(button, 'matches').mockReturnValue(isByKey);
      act(() => void button.dispatchEvent(new FocusEvent('focusin', { bubbles: true })));
    };
    focus(first!, false);
    expect(shown()).toEqual([]);
    focus(second!, true);
    expect(shown()).toEqual(['Second']);
  });

  test("keeps the element's own handlers and description", () => {
    const called: string[] = [];
    const [button] = draw(
      <Tooltip key="a" text="First">
        <button
          type="button"
          aria-describedby="other"
          onClick={() => called.push('click')}
          onPointerEnter={() => called.push('enter')}
          onFocus={() => called.push('focus')}
        >
          a
        </button>
      </Tooltip>,
    );
    point('over', button!);
    wait(500);
    expect(button!.getAttribute('aria-describedby')).toMatch(/^other .+/);
    act(() => button!.click());
    expect(called).toEqual(['enter', 'click']);
    expect(button!.getAttribute('aria-describedby')).toBe('other');
  });

  test('leaves nothing behind when its element is removed', () => {
    const [first] = twoButtons();
    point('over', first!);
    draw();
    wait(1_000);
    expect(shown()).toEqual([]);
  });
});
