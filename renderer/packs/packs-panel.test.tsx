import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { Pack, PackChange } from '../stores/workspace/packs.ts';
import { InstallDialog } from './install-dialog.tsx';
import { PackDialog } from './pack-dialog.tsx';
import { PacksPanel } from './packs-panel.tsx';

function pack(ref: string, more: Partial<Pack> = {}): Pack {
  const place = { folder: `/base/${more.origin ?? 'installed'}/${ref}`, origin: 'installed' } as const;
  const contents = { agents: [{ agent: ref, file: '/x/main.aip' }], flows: [], hasReadme: true };
  return { ref, version: '1.0.0', isBuiltIn: false, isShadowed: false, ...place, ...contents, ...more };
}

function Shown() {
  return (
    <>
      <PacksPanel />
      <PackDialog />
      <InstallDialog />
    </>
  );
}

let window: TestWindow;
afterEach(() => window.close());

interface World {
  packs: Pack[];
  /** Returns null if the user does not allow the installation. */
  install?: (uri: string) => PackChange | null;
  update?: (ref: string | undefined) => PackChange[];
}

async function openPacks(world: World): Promise<HTMLElement> {
  window = openTestWindow(
    {
      listPacks: () => world.packs,
      readPackReadme: (ref) => ({ text: `# About ${ref}\n\n[away](https://example.org) <b>raw</b>` }),
      updatePacks: (ref) => world.update?.(ref) ?? [],
      removePack: (ref) => {
        world.packs = world.packs.filter((one) => one.ref !== ref);
        return undefined;
      },
    },
    {
      'packs.install': ({ uri }) => ({
        change: world.install === undefined ? { ref: uri, version: '1.0.0', status: 'installed' } : world.install(uri),
      }),
    },
  );
  window.engine.connect();
  const panel = window.draw(<Shown />);
  await window.settle();
  return panel;
}

function button(text: string): HTMLButtonElement {
  const all = [...document.querySelectorAll('button')];
  const found = all.findLast((one) => `${one.textContent} ${one.getAttribute('aria-label')}`.includes(text));
  if (found === undefined) throw new Error(`There is no button ${text}`);
  return found;
}

async function press(text: string): Promise<void> {
  act(() => button(text).click());
  await window.settle();
}

function dialog(): HTMLElement | null {
  return document.querySelector('[role="dialog"]');
}

test('lists packs with their version, origin and problems', async () => {
  const panel = await openPacks({
    packs: [
      pack('me@one', { origin: 'custom' }),
      pack('demo@two', { isBuiltIn: true }),
      pack('bad@three', { version: '', problem: 'pack.toml has no name.', agents: [] }),
    ],
  });
  expect([...panel.querySelectorAll('li')].map((row) => row.textContent)).toEqual([
    'me@one1.0.0 · yours',
    'demo@two1.0.0 · built-in',
    'bad@threeinstalled',
  ]);
  expect(panel.querySelector('[aria-label="Cannot be used"]')).not.toBeNull();
  await press('bad@three');
  expect(dialog()?.querySelector('[role="alert"]')?.textContent).toBe('pack.toml has no name.');
});

test('explains what packs are if there are none', async () => {
  const panel = await openPacks({ packs: [] });
  expect(panel.textContent).toContain('No packs yet');
  await press('Install a pack…');
  expect(dialog()?.textContent).toContain("somebody else's code");
});

test('shows a readme without links and raw HTML', async () => {
  await openPacks({ packs: [pack('a@b')] });
  // Imported in advance, so that it is available once all pending work is done.
  await import('../ui/markdown-text.tsx');
  await press('a@b');
  expect(dialog()?.querySelector('.markdown-text')?.textContent).toContain('away raw');
  expect(dialog()?.querySelectorAll('a, b')).toHaveLength(0);
});

test('removes a pack only after a confirmation, and closes its dialog', async () => {
  const panel = await openPacks({ packs: [pack('a@b')] });
  await press('a@b');
  await press('Remove…');
  expect(window.engine.calls).not.toContain('pack.remove');
  await press('Remove');
  expect([dialog(), panel.querySelectorAll('li').length]).toEqual([null, 0]);
  expect(panel.querySelector('[role="status"]')?.textContent).toBe('a@b is in the trash.');
});

test.each([
  ['of the workspace', pack('a@b', { origin: 'workspace' })],
  ['of the person', pack('a@b', { origin: 'custom' })],
])('offers neither update nor removal for a pack %s', async (_, own) => {
  await openPacks({ packs: [own] });
  await press('a@b');
  expect(dialog()?.querySelector('footer')).toBeNull();
});

test('a pack hidden by another one is marked as hidden, and does not show the readme of the other', async () => {
  await openPacks({ packs: [pack('a@b', { origin: 'custom' }), pack('a@b', { isShadowed: true })] });
  await press('hidden');
  expect(dialog()?.textContent).toContain('takes precedence');
  expect(window.engine.calls).not.toContain('pack.readme');
});

test('updating all packs lists those that changed or failed, and counts the others', async () => {
  const panel = await openPacks({
    packs: [pack('a@b')],
    update: () => [
      { ref: 'a@b', version: '1.1.0', status: 'updated' },
      { ref: 'c@d', version: '1.0.0', status: 'failed', message: 'The server is away.' },
      { ref: 'e@f', version: '1.0.0', status: 'up-to-date' },
    ],
  });
  await press('Update all packs');
  const lines = [...panel.querySelectorAll('[role="status"] p')].map((line) => line.textContent);
  expect(lines).toEqual([
    'a@b is now at version 1.1.0.',
    "Couldn't update c@d: The server is away.",
    '1 other pack is up to date.',
  ]);
});

test('an installation that the user did not allow changes nothing, and reports this', async () => {
  await openPacks({ packs: [], install: () => null });
  act(() => window.stores.packs.getState().askInstall('a@b'));
  await window.settle();
  act(() => dialog()?.querySelector('form')?.requestSubmit());
  await window.settle();
  expect(dialog()?.textContent).toContain('Nothing was installed: you did not allow it.');
});

test('an installation error is shown at its field, and the dialog stays open', async () => {
  await openPacks({
    packs: [],
    install: () => {
      throw Object.assign(new Error('Pack x@y does not exist.'), { code: 'pack.not-found' });
    },
  });
  act(() => window.stores.packs.getState().askInstall('x@y'));
  await window.settle();
  act(() => document.querySelector('form')?.requestSubmit());
  await window.settle();
  expect(dialog()?.querySelector('.field-problem')?.textContent).toContain('Pack x@y does not exist.');
});
