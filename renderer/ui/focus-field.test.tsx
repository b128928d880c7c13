import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { focusFirstField, leaveByEscape } from './focus-field.ts';

let root: Root;
let page: HTMLElement;

beforeEach(() => {
  page = document.createElement('div');
  document.body.append(page);
  root = createRoot(page);
  act(() =>
    root.render(
      <>
        <div className="outline" role="tree" tabIndex={0} data-keys="canvas" />
        <div className="stage">
          <div data-keys="canvas">
            <div role="application" tabIndex={-1} />
          </div>
        </div>
        <aside className="inspector" onKeyDown={leaveByEscape}>
          <div className="inspector-body">
            <input id="first" />
            <input id="own" onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()} />
          </div>
        </aside>
      </>,
    ),
  );
});
afterEach(() => {
  act(() => root.unmount());
  page.remove();
});

const find = (selector: string): HTMLElement => page.querySelector<HTMLElement>(selector)!;

function pressEscape(options: KeyboardEventInit = {}): void {
  const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...options });
  act(() => void document.activeElement?.dispatchEvent(event));
}

test('Escape returns from a form to the previously focused part', () => {
  for (const [from, back] of [
    ['.outline', '.outline'],
    ['[role="application"]', '[role="application"]'],
  ] as const) {
    find(from).focus();
    focusFirstField('.inspector');
    expect(document.activeElement).toBe(find('#first'));
    pressEscape();
    expect(document.activeElement).toBe(find(back));
  }
});

test('Escape in a clicked field focuses the canvas', () => {
  find('#first').focus();
  pressEscape();
  expect(document.activeElement).toBe(find('[role="application"]'));
});

test('an Escape that a field handles, or that ends text composition, does not move the focus', () => {
  find('#own').focus();
  pressEscape();
  expect(document.activeElement).toBe(find('#own'));
  find('#first').focus();
  pressEscape({ isComposing: true });
  expect(document.activeElement).toBe(find('#first'));
});
