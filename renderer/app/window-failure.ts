/**
 * The page shown if a window cannot be rendered. It is built without React, because React may be what failed.
 */

import { failureText } from './text.ts';
import { followTheme } from './theme.ts';
import './window-failure.css';
import '../ui/button.css';

/** Covers the window with an explanation of the failure and how to recover. */
export function showWindowFailure(page: Window, error: unknown): void {
  const { document } = page;
  const text = failureText();
  // Nothing is painted until the theme is known.
  if (document.documentElement.dataset['theme'] === undefined) followTheme(page);
  // For the log.
  page.reportError(error);
  const shown = document.createElement('div');
  shown.className = 'window-failure';
  shown.setAttribute('role', 'alert');
  const line = (tag: 'h1' | 'p' | 'button', words: string): HTMLElement => {
    const element = document.createElement(tag);
    element.textContent = words;
    shown.append(element);
    return element;
  };
  line('h1', text.title);
  line('p', error instanceof Error ? error.message : String(error)).dataset['selectable'] = '';
  line('p', text.about);
  const reload = line('button', text.reload);
  reload.className = 'button';
  reload.dataset['variant'] = 'primary';
  reload.addEventListener('click', () => page.location.reload());
  document.querySelector('.window-failure')?.remove();
  document.body.append(shown);
  reload.focus();
}
