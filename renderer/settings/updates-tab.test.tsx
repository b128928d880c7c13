import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { UpdateStep, Updates } from '../stores/window/updates.ts';
import { UpdatesTab } from './updates-tab.tsx';

let window: TestWindow;
afterEach(() => window.close());

const release = {
  version: '1.2.0',
  date: '2026-11-23T10:00:00.000Z',
  size: 85_000_000,
  notes: 'https://millrace.example/1.2.0',
  hasFailed: false,
};

const known: Updates = {
  version: '1.1.0',
  never: null,
  isAutomatic: true,
  channel: 'stable',
  lockedBy: null,
  checkedAt: null,
  step: { name: 'idle' },
};

async function openTab(more: Partial<Updates> = {}) {
  const asked: unknown[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): void =>
      void asked.push([name, ...args]);
  window = openTestWindow(
    {},
    {
      'updates.read': () => ({ ...known, ...more }),
      'updates.set': note('set'),
      'updates.check': note('check'),
      'updates.download': note('download'),
      'updates.cancel': note('cancel'),
      'updates.install': note('install'),
    },
  );
  const tab = window.draw(<UpdatesTab />);
  await window.settle();
  const press = async (name: string): Promise<void> => {
    const all = [...tab.querySelectorAll('button')];
    const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);
    if (found === undefined) throw new Error(`There is no button ${name} in ${tab.textContent}`);
    act(() => found.click());
    await window.settle();
  };
  const tell = async (step: UpdateStep): Promise<void> => {
    window.tellFromMain('updates.changed', { ...known, ...more, step });
    await window.settle();
  };
  return { tab, asked, press, tell, words: () => tab.textContent ?? '' };
}

test('goes from checking to restarting, each step started by the user', async () => {
  const { words, press, tell, asked, tab } = await openTab();
  expect(words()).toContain('This is Millrace 1.1.0.');
  await press('Check now');
  await tell({ name: 'checking' });
  expect(words()).toContain('Checking for updates');
  await tell({ name: 'found', release, manual: null });
  expect(words()).toContain('Millrace 1.2.0');
  expect(words()).toContain('85.0 MB');
  expect(words()).toContain('https://millrace.example/1.2.0');
  await press('Download');
  await tell({ name: 'downloading', release, received: 17_000_000 });
  expect(words()).toContain('17.0 MB of 85.0 MB');
  expect(tab.querySelector('progress')).toMatchObject({ value: 17_000_000, max: 85_000_000 });
  await press('Cancel');
  await tell({ name: 'ready', release, wayBack: '1.1.0' });
  expect(words()).toContain('The package of 1.1.0 is saved');
  await press('Install and restart');
  await tell({ name: 'installing', release });
  expect(words()).toContain('may ask for your password');
  await tell({ name: 'installed', release });
  await press('Restart');
  expect(asked).toEqual([['check'], ['download'], ['cancel'], ['install'], ['install']]);
});

test('shows what went wrong and that nothing changed, and lets the user check again', async () => {
  const { words, press, tell, asked, tab } = await openTab();
  await tell({ name: 'failed', message: 'The list of releases does not bear the signature.' });
  expect(tab.querySelector('[role="alert"]')?.textContent).toBe(
    'The list of releases does not bear the signature. Nothing was changed.',
  );
  await press('Check now');
  await tell({ name: 'newest', note: 'The channel stable has 1.0.0, which is older.' });
  expect(words()).toContain('There is no newer version. The channel stable has 1.0.0, which is older.');
  expect(asked).toEqual([['check']]);
});

test('shows the command if the program cannot install the update, and why', async () => {
  const { words, tell, tab } = await openTab();
  const command = 'sudo apt install /home/me/.config/millrace/updates/millrace-1.2.0.deb';
  await tell({ name: 'by-hand', release, why: 'This system has no pkexec.', command });
  expect(words()).toContain('This system has no pkexec.');
  expect(tab.querySelector('code')?.textContent).toBe(command);
  await tell({ name: 'found', release, manual: 'This program came as tar.gz.' });
  expect(words()).toContain('This program came as tar.gz.');
  expect([...tab.querySelectorAll('button')].map(({ textContent }) => textContent)).not.toContain('Download');
});

test('sets whether and where to check for updates, except for settings locked by a team', async () => {
  const first = await openTab();
  await first.press('Check for updates');
  await first.press('Beta');
  expect(first.asked).toEqual([
    ['set', { isAutomatic: false }],
    ['set', { channel: 'beta' }],
  ]);
  window.close();
  const second = await openTab({ channel: 'beta', lockedBy: 'Acme (/etc/millrace/team.yaml)' });
  expect(second.words()).toContain('Set by Acme (/etc/millrace/team.yaml)');
  expect([...second.tab.querySelectorAll('button')].map(({ textContent }) => textContent)).not.toContain('Stable');
});

test('shows only the reason in a build that never checks for updates', async () => {
  const { words, tab } = await openTab({ never: 'This program runs from a clone.' });
  expect(words()).toBe('This is Millrace 1.1.0. This program runs from a clone.');
  expect(tab.querySelectorAll('button')).toHaveLength(0);
});
