import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { MainResult } from '../bridge/main-client.ts';
import type { BackgroundStore } from '../stores/window/background.ts';
import { BackgroundTab } from './background-tab.tsx';

type Known = NonNullable<BackgroundStore['known']>;

let window: TestWindow;
afterEach(() => window.close());

const off: Known = { isOn: false, service: 'off', address: null, published: 0, workspaces: [], problem: null };

const workspace = '/home/kim/flows';

async function openTab(known: Known, session: MainResult<'background.readSession'> = { state: 'off', workspace }) {
  const asked: unknown[] = [];
  window = openTestWindow(
    {},
    {
      'background.read': () => known,
      'background.set': ({ isOn }) => void asked.push(isOn),
      'background.readSession': () => session,
      'background.setSession'({ isOn }) {
        asked.push(`session ${isOn}`);
        return { state: isOn ? 'on' : 'off', workspace };
      },
    },
  );
  const tab = window.draw(<BackgroundTab />);
  await window.settle();
  return { tab, asked, words: () => tab.textContent ?? '' };
}

test('switches the service on, and shows what it does', async () => {
  const { tab, asked, words } = await openTab(off);
  expect(words()).not.toContain('Service');
  act(() => tab.querySelector<HTMLButtonElement>('[role="switch"]')?.click());
  await window.settle();
  expect(asked).toEqual([true]);
  window.tellFromMain('background.changed', { ...off, isOn: true, service: 'idle' });
  expect(words()).toContain('Nothing is switched on yet.');
  const next = { flow: 'a.flow.yaml', trigger: 'weekdays', at: Date.parse('2026-12-01T07:30:00') };
  const workspaces = [{ folder: '/home/kim/support', on: 2, changed: 1, published: 1, running: 1, next }];
  const address = 'http://127.0.0.1:7420';
  window.tellFromMain('background.changed', { ...off, isOn: true, service: 'running', address, workspaces });
  expect(words()).toContain('Running');
  expect(words()).toContain(address);
  expect(words()).toContain(
    '/home/kim/support2 triggers on · 1 to confirm · 1 published flow · 1 active run · next: weekdays, ',
  );
});

test('shows what a service that failed has reported', async () => {
  const { words } = await openTab({ ...off, isOn: true, service: 'waiting', problem: 'The history cannot be read.' });
  expect(words()).toContain('Last message: The history cannot be read.');
  expect(words()).toContain('Not running. It starts again by itself in a while.');
});

test('systemd starts the triggers with the session, where it exists', async () => {
  const { tab, asked, words } = await openTab(off);
  const session = tab.querySelector<HTMLButtonElement>('[aria-label="Start with my session (systemd)"]');
  expect(words()).toContain('The triggers of /home/kim/flows also work while Millrace is closed.');
  act(() => session?.click());
  await window.settle();
  expect(asked).toEqual(['session true']);
  expect(session?.getAttribute('aria-checked')).toBe('true');
});

test('says why the session cannot start the triggers', async () => {
  const { tab, words } = await openTab(off, { state: 'unavailable', reason: 'There is no systemd.' });
  expect(words()).toContain('There is no systemd.');
  expect(tab.querySelectorAll('[role="switch"]')).toHaveLength(1);
});
