/**
 * Monaco's theme follows the one of the page.
 */
import { monaco } from './monaco.ts';
import { type ThemeName, textTheme } from './text-theme.ts';

/** Themes belong to all editors of a page. Returns the end of following. */
export function followTheme(): () => void {
  const root = document.documentElement;
  const apply = (): void => {
    const name: ThemeName = root.dataset['theme'] === 'dark' ? 'dark' : 'light';
    const style = getComputedStyle(root);
    monaco.editor.defineTheme(
      `millrace-${name}`,
      textTheme(name, (token) => style.getPropertyValue(token).trim()),
    );
    monaco.editor.setTheme(`millrace-${name}`);
  };
  apply();
  const observer = new MutationObserver(apply);
  observer.observe(root, { attributes: true, attributeFilter: ['data-theme', 'data-contrast'] });
  return () => observer.disconnect();
}
