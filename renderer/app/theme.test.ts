import { afterEach, expect, test, vi } from 'vitest';
import { openTestWindow } from './testing/test-window.tsx';
import { followEditorLook } from './theme.ts';

afterEach(() => vi.unstubAllGlobals());

const { dataset } = document.documentElement;

test('density and contrast of the page follow the settings', async () => {
  const { stores, close } = openTestWindow({});
  const end = followEditorLook(window as unknown as Window, stores.editorSettings);
  expect([dataset['density'], dataset['contrast']]).toEqual(['comfortable', 'normal']);
  await stores.editorSettings.getState().change({ density: 'compact', contrast: 'high' });
  expect([dataset['density'], dataset['contrast']]).toEqual(['compact', 'high']);
  end();
  await stores.editorSettings.getState().change({ density: 'comfortable' });
  expect(dataset['density']).toBe('compact');
  close();
});

test('contrast is high if the system requests it', () => {
  const { stores, close } = openTestWindow({});
  vi.stubGlobal('matchMedia', (query: string) =>
    Object.assign(new EventTarget(), { matches: query.includes('prefers-contrast') }),
  );
  const end = followEditorLook(window as unknown as Window, stores.editorSettings);
  expect(dataset['contrast']).toBe('high');
  end();
  close();
});
