/**
 * What a window shows that cannot be drawn at all. Without React, which may be what failed.
 */
import { followTheme } from './theme.ts';
import './window-failure.css';
import '../ui/button.css';

/** Shows over everything else why there is nothing to see, and how to get it back. */
export function showWindowFailure(page: Window, error: unknown): void {
  const { document } = page;
  // Until the theme is known nothing is painted.
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
