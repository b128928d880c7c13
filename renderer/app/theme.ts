/**
 * Theme, contrast and density of the page, as attributes on its root, which the token table reads.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EditorSettings } from '../stores/window/settings.ts';

/** The system's own preference. */
const strongContrast = '(prefers-contrast: more), (forced-colors: active)';

/**
 * Keeps `data-theme` of the page's root in step; main makes the system's preference follow the person's setting, so the
 * page asks for one thing only. Returns the end of that.
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
 * Keeps `data-density` and `data-contrast` in step with the settings; contrast is high also where the system asks for it.
 * Returns the end of that.
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
