import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { Preferences } from '../../bridge/main-client.ts';
import { usualSettings } from '../../stores/window/settings.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

let window: TestWindow;
let kept: Preferences[];
afterEach(() => window.close());

function openDialog(): void {
  kept = [];
  window = openTestWindow(
    {},
    {
      'preferences.write': ({ preferences }) => {
        kept.push(preferences);
      },
    },
  );
  window.draw(<ShortcutsDialog />);
  act(() => window.context.dialogs.getState().show('shortcuts'));
}

function keysButton(title: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[aria-label^="Keys of ${title}:"]`);
  if (found === null) throw new Error(`${title} is not listed`);
  return found;
}

async function record(title: string, init: KeyboardEventInit): Promise<void> {
  act(() => keysButton(title).click());
  const recorder = document.querySelector('.shortcuts-recorder');
  await act(async () =>
    recorder?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })),
  );
  await window.settle();
}

test('saves new keys for a command and shows conflicts with other commands', async () => {
  openDialog();
  await record('Save', { key: 'b', code: 'KeyB', ctrlKey: true });
  expect(kept).toEqual([{ ...usualSettings, keys: { 'file.save': 'Mod+B' } }]);
  expect(document.body.textContent).toContain('Same keys as Show or hide the side panel');
});

test('Escape keeps the previous keys, Backspace removes them, Reset restores them', async () => {
  openDialog();
  await record('Save', { key: 'Escape', code: 'Escape' });
  expect(kept).toEqual([]);
  await record('Save', { key: 'Backspace', code: 'Backspace' });
  expect(keysButton('Save').textContent).toBe('None');
  const reset = document.querySelector<HTMLElement>('[aria-label="Restore default keys for Save"]');
  act(() => reset?.click());
  await window.settle();
  expect(kept.at(-1)?.keys).toEqual({});
});
