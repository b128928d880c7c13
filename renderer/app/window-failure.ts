/**
 * The page shown if a window cannot be rendered. It is built without React, because React may be what failed.
 */
import { followTheme } from './theme.ts';
import './window-failure.css';
import '../ui/button.css';

/** Covers the window with an explanation of the failure and how to recover. */
export function showWindowFailure(page: Window, error: unknown): void {
  const { document } = page;
  // Nothing is painted until the theme is known.
  if (document.documentElement.dataset['theme'] === undefined) followTheme(page);
  // For the log.
  page.reportError(error);
  const shown = document.createElement('div');
  shown.className = 'window-failure';
  shown.setAttribute('role', 'alert');
  const line = (tag: 'h1' | 'p' | 'button', text: string): HTMLElement => {
    const element = document.createElement(tag);
    element.textContent = text;
    shown.append(element);
    return element;
  };
  line('h1', 'This window could not be drawn');
  line('p', error instanceof Error ? error.message : String(error)).dataset['selectable'] = '';
  line(
    'p',
    'Nothing is lost: files, unsaved edits and runs are kept outside of the window. Help > Copy Diagnostics has more.',
  );
  const reload = line('button', 'Reload the window');
  reload.className = 'button';
  reload.dataset['variant'] = 'primary';
  reload.addEventListener('click', () => page.location.reload());
  document.querySelector('.window-failure')?.remove();
  document.body.append(shown);
  reload.focus();
}
