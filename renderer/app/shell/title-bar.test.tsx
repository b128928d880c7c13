import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { TitleBar } from './title-bar.tsx';

let window: TestWindow;
afterEach(() => window.close());

/** Returns the name of each menu entry, whether it is selected, and whether it shows a check mark. */
async function themes(page: HTMLElement): Promise<unknown[]> {
  const button = page.querySelector<HTMLElement>('[aria-label="Theme"]');
  act(() => button?.focus());
  act(() => void button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  await window.settle();
  return [...document.querySelectorAll('[role="menuitemcheckbox"]')].map((entry) => [
    entry.textContent,
    entry.getAttribute('aria-checked') === 'true',
    entry.querySelector('.menu-tick svg') !== null,
  ]);
}

test.each(['system', 'light', 'dark'] as const)('the theme menu has its check mark at %s', async (theme) => {
  window = openTestWindow({});
  window.stores.settings.getState().setTheme(theme);
  const page = window.draw(<TitleBar />);
  await window.settle();
  const isTicked = (choice: string): [boolean, boolean] => [choice === theme, choice === theme];
  expect(await themes(page)).toEqual([
    ['System', ...isTicked('system')],
    ['Light', ...isTicked('light')],
    ['Dark', ...isTicked('dark')],
  ]);
});
