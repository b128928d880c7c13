/**
 * Light or dark: main makes the system's preference follow the person's setting, so the page asks for one thing only.
 */

/** Keeps `data-theme` of the page's root in step. Returns the end of that. */
export function followTheme(page: Window): () => void {
  const prefersDark = page.matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    page.document.documentElement.dataset['theme'] = prefersDark.matches ? 'dark' : 'light';
  };
  apply();
  prefersDark.addEventListener('change', apply);
  return () => prefersDark.removeEventListener('change', apply);
}
