/**
 * Theme, contrast and density of the page, as attributes on its root element, which the style tokens use.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EditorSettings } from '../stores/window/settings.ts';

/** The system's own preference. */
const strongContrast = '(prefers-contrast: more), (forced-colors: active)';

/**
 * Keeps `data-theme` on the root element up to date. Main applies the user's setting to the system preference, so the
 * page only has to read that. Returns a function that stops it.
 */
export function followTheme(page: Window): () => void {
  const prefersDark = page.matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    page.document.documentElement.dataset['theme'] = prefersDark.matches ? 'dark' : 'light';
  };
  apply();
  prefersDark.addEventListener('change', apply);
  return () => prefersDark.removeEventListener('change', apply);
}

/**
 * Keeps `data-density` and `data-contrast` in sync with the settings. Contrast is also high if the system requests it.
 * Returns a function that stops it.
 */
export function followEditorLook(page: Window, settings: StoreApi<EditorSettings>): () => void {
  const wantsContrast = page.matchMedia(strongContrast);
  const { dataset } = page.document.documentElement;
  const apply = (): void => {
    const { density, contrast } = settings.getState();
    dataset['density'] = density;
    dataset['contrast'] = wantsContrast.matches ? 'high' : contrast;
  };
  apply();
  wantsContrast.addEventListener('change', apply);
  const end = settings.subscribe(apply);
  return () => {
    wantsContrast.removeEventListener('change', apply);
    end();
  };
}
