/**
 * The user's settings in this window: the theme, and the behavior of the editor. Main owns and stores them, shared by
 * all windows.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MainClient, Preferences, Theme } from '../../bridge/main-client.ts';
import type { WindowNotices } from './notices.ts';
import { text } from './text.ts';

export interface ThemeSettings {
  readonly theme: Theme;
  setTheme(theme: Theme): void;
}

export function createSettings(): StoreApi<ThemeSettings> {
  return createStore<ThemeSettings>()((set) => ({
    theme: 'system',
    setTheme: (theme) => set({ theme }),
  }));
}

export interface EditorSettings extends Preferences {
  /** Permanently changes some settings. A change that main cannot store is reverted, with a notice. */
  change(some: Partial<Preferences>): Promise<void>;
  /** Loads the settings at the start. Settings that cannot be read keep their defaults. */
  load(): Promise<void>;
  /** Applies the changes of another window. */
  take(preferences: Preferences): void;
}

/** Default values. */
export const usualSettings: Preferences = {
  wheel: 'pan',
  snap: true,
  guides: true,
  density: 'comfortable',
  contrast: 'normal',
  language: 'en',
  runNotices: true,
  keys: {},
};

function preferencesOf(settings: EditorSettings): Preferences {
  const { wheel, snap, guides, density, contrast, language, runNotices, keys } = settings;
  return { wheel, snap, guides, density, contrast, language, runNotices, keys };
}

export function createEditorSettings(main: MainClient, notices: StoreApi<WindowNotices>): StoreApi<EditorSettings> {
  return createStore<EditorSettings>()((set, get) => ({
    ...usualSettings,
    async change(some) {
      const before = preferencesOf(get());
      set(some);
      try {
        await main.call('preferences.write', { preferences: preferencesOf(get()) });
      } catch (error) {
        set(before);
        notices.getState().addError(text.saveSettingFailed, error);
      }
    },
    async load() {
      try {
        const { preferences } = await main.call('preferences.read');
        set(preferences);
      } catch (error) {
        notices.getState().addError(text.readSettingsFailed, error);
      }
    },
    take: (preferences) => set(preferences),
  }));
}
