import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { RemoteConnection } from '../../stores/window/remotes.ts';
import { RemoteTab } from './remote-tab.tsx';

let window: TestWindow;
afterEach(() => window.close());

const production: RemoteConnection = {
  id: '0123456789abcdef',
  name: 'Production',
  place: { host: '::1', port: 5432, database: 'runs', user: 'kim', schema: 'millrace', tls: 'require' },
  hasPassword: true,
};

async function openTab(connections: readonly RemoteConnection[], fails = false) {
  const asked: unknown[] = [];
  window = openTestWindow(
    {},
    {
      'remotes.list': () => ({ connections, vaultProblem: null }),
      'remotes.save': (change) => {
        asked.push(change);
        return fails ? { isDone: false, id: null } : { isDone: true, id: production.id };
      },
      'remotes.listWorkspaces': () => {
        if (fails) throw new EngineError({ code: 'store.denied', message: 'Access was denied.' });
        return { workspaces: ['orders', 'a/b'] };
      },
      'remotes.open': (opened) => {
        asked.push(opened);
        return { opened: true };
      },
    },
  );
  const tab = window.draw(<RemoteTab />);
  await window.settle();
  const press = async (name: string): Promise<void> => {
    const found = [...tab.querySelectorAll('button')].find(
      (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
    );
    if (found === undefined) throw new Error(`There is no button ${name} in ${tab.textContent}`);
    act(() => found.click());
    await window.settle();
  };
  const type = (label: string, value: string): void => {
    const field = [...tab.querySelectorAll('label')].find(({ textContent }) => textContent?.startsWith(label));
    const input = field === undefined ? null : tab.querySelector<HTMLInputElement>(`[id="${field.htmlFor}"]`);
    if (input === null) throw new Error(`There is no field ${label}.`);
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
    act(() => {
      set?.call(input, value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
  };
  return { tab, asked, press, type };
}

test('a new connection is checked, saved, connected, and lists its workspaces', async () => {
  const { tab, asked, press, type } = await openTab([]);
  expect(tab.textContent).toContain('No connections yet.');
  await press('Add connection');
  expect(document.activeElement?.id).toBe(tab.querySelector('label')?.htmlFor);
  type('Host', 'db example');
  type('Port', '70000');
  await press('Save');
  expect(asked).toEqual([]);
  for (const problem of ['Enter a name', 'Enter a host name', 'from 1 to 65535', 'name of the database user'])
    expect(tab.textContent).toContain(problem);
  for (const [label, value] of [
    ['Name', 'Live'],
    ['Host', ' db.example '],
    ['Port', '5433'],
    ['Database', 'runs'],
    ['User', 'kim'],
    ['Password', 's3cret '],
  ] as const)
    type(label, value);
  await press('Save');
  const place = {
    host: 'db.example',
    port: 5433,
    database: 'runs',
    user: 'kim',
    schema: 'millrace',
    tls: 'verify-full',
  };
  expect(asked).toEqual([{ name: 'Live', place, password: 's3cret ' }]);
  expect(document.activeElement?.textContent).toBe('Add connection');
});

test('workspaces are listed and opened, and a changed server needs its password again', async () => {
  const { tab, asked, press, type } = await openTab([production]);
  expect(tab.textContent).toContain('kim@[::1]:5432/runs');
  await press('Connect to Production');
  expect(tab.textContent).toContain('contains 2 workspaces');
  await press('Open a/b');
  expect(asked).toEqual([{ id: production.id, workspace: 'a/b' }]);
  await press('Edit Production');
  expect(tab.textContent).toContain('Leave empty to keep the stored one');
  type('Host', 'other.example');
  expect(tab.textContent).toContain('Enter it again for the changed server');
});

test('a failed connection and a declined dialog are shown', async () => {
  const { tab, press } = await openTab([production], true);
  await press('Connect to Production');
  expect(tab.querySelector('[role="alert"]')?.textContent).toBe('Access was denied.');
  await press('Edit Production');
  await press('Save');
  expect(tab.querySelector('[role="alert"]')?.textContent).toContain('you did not allow it');
});
