import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { commands, findCommand, isUsable, obstacleOf } from './commands.ts';

let window: TestWindow;
afterEach(() => window.close());

const info = { version: '1', workspace: '/w/orders', theme: 'system', recentWorkspaces: [] } as const;

test('a window on a remote history offers no command that starts, creates or installs, and shows the reason', () => {
  window = openTestWindow({});
  const { context, stores } = window;
  const usable = (id: string): boolean => {
    const command = findCommand(id);
    if (command === undefined) throw new Error(`There is no command ${id}.`);
    return isUsable(command, context);
  };
  const local = ['file.newFlow', 'packs.install', 'settings.trust', 'examples.gallery', 'view.packs'];
  stores.workspace.getState().setInfo(info);
  expect(local.filter((id) => !usable(id))).toEqual([]);
  stores.workspace.getState().setInfo({
    ...info,
    remote: { workspace: 'orders', connection: 'Production', host: 'db.example' },
  });
  expect(local.filter(usable)).toEqual([]);
  const stopped = commands.filter((command) => obstacleOf(command, context)?.includes('remote history'));
  expect(stopped.map(({ id }) => id)).toEqual(
    expect.arrayContaining([...local, 'run.start', 'run.toggle', 'file.save']),
  );
  const kept = ['view.runs', 'view.waiting', 'settings.remote', 'settings.editor', 'go.anything', 'workspace.open'];
  expect(kept.filter((id) => !usable(id))).toEqual([]);
});
