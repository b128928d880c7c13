import { afterEach, describe, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import type { Command } from './command.ts';
import { type CommandId, commands, findCommand, isUsable, runCommand } from './commands.ts';

const path = 'a.flow.yaml';
const open = new Set<TestWindow>();
afterEach(() => {
  for (const window of open) window.close();
  open.clear();
});

async function openFlow(header: string, nodes = '  - { id: a, type: echo, input: { text: hi } }') {
  const window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({
      text: `flow: ${header}\nnodes:\n${nodes}\nedges: []\n`,
    }),
    startRun: () => ({ runId: 'r1' }),
    cancelRun: () => undefined,
  });
  open.add(window);
  window.engine.connect();
  await window.settle();
  return {
    ...window,
    async run(id: CommandId) {
      const command = findCommand(id);
      const isDone = command !== undefined && runCommand(command, window.context);
      await window.settle();
      return isDone;
    },
    started: () => window.engine.calls.filter((method) => method === 'startRun').length,
  };
}

describe('the list of commands', () => {
  const list: readonly Command[] = commands;

  test('every command has a unique id and unique shortcuts', () => {
    const ids = list.map(({ id }) => id);
    const shortcuts = list.flatMap(({ shortcut }) => shortcut ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(shortcuts).size).toBe(shortcuts.length);
  });

  test('the list contains all commands of the application menu', () => {
    const fromMenu = ['workspace.open', 'packs.install', 'settings.models', 'run.start', 'run.cancel', 'run.redo'];
    expect(fromMenu.filter((id) => findCommand(id) === undefined)).toEqual([]);
    expect(findCommand('no.such')).toBeUndefined();
  });
});

describe('running a flow', () => {
  test('a flow that is still being opened runs once its required inputs are known', async () => {
    const window = await openFlow('{ name: One, input: { page: null } }');
    window.stores.openFiles.getState().close(path);
    void window.stores.openFiles.getState().open(path);
    expect([await window.run('run.toggle'), window.started()]).toEqual([true, 0]);
    expect(window.context.dialogs.getState().open).toBe('run-inputs');
  });

  test('starts immediately if the flow has no inputs', async () => {
    const window = await openFlow('{ name: One }');
    expect([await window.run('run.toggle'), window.started()]).toEqual([true, 1]);
  });

  test('starts immediately with the defaults of the file, and asks for inputs on request', async () => {
    const window = await openFlow('{ name: One, input: { who: me, depth: 0, deep: false, list: [] } }');
    expect([await window.run('run.toggle'), window.started()]).toEqual([true, 1]);
    await window.run('run.startWithInputs');
    expect([window.context.dialogs.getState().open, window.started()]).toEqual(['run-inputs', 1]);
  });

  test.each(['""', 'null'])('asks for inputs first if one of them is %s', async (value) => {
    const window = await openFlow(`{ name: One, input: { who: me, what: ${value} } }`);
    await window.run('run.toggle');
    expect([window.context.dialogs.getState().open, window.started()]).toEqual(['run-inputs', 0]);
  });

  test.each(['run.toggle', 'run.start', 'run.startWithInputs', 'run.redo'] as const)(
    'a flow without nodes cannot run, and %s by keys or menu reports the reason',
    async (id) => {
      const window = await openFlow('{ name: One }', '  []');
      const command = findCommand(id);
      expect(command !== undefined && isUsable(command, window.context)).toBe(false);
      await window.run(id);
      expect([window.started(), window.context.dialogs.getState().open]).toEqual([0, null]);
      expect(window.stores.notices.getState().list.map(({ detail }) => detail)).toContain(
        'This flow has no nodes yet. Add a node to run it.',
      );
    },
  );

  test('a flow can run as soon as it has a node', async () => {
    const window = await openFlow('{ name: One }', '  []');
    const command = findCommand('run.toggle');
    await window.stores.edits.change(path, { do: 'add', nodes: [{ id: 'a', type: 'echo', input: {} }] });
    await window.until(() => expect(command !== undefined && isUsable(command, window.context)).toBe(true));
  });

  test('shows the problems of a flow that cannot run, and removes the message when it can run again', async () => {
    const window = await openFlow('{ title: One }');
    await window.run('run.toggle');
    expect(window.context.stores.panes.getState()).toMatchObject({ dockTab: 'problems', isOpen: { dock: true } });
    await window.run('run.toggle');
    const messages = () =>
      window.stores.notices.getState().list.filter(({ title }) => title === "This flow has errors and can't run")
        .length;
    expect(messages()).toBe(1);
    await window.stores.edits.replace(path, 'flow: { name: One }\nnodes: []\nedges: []\n', 'Fix it');
    await window.until(() => expect(messages()).toBe(0));
    expect(window.started()).toBe(0);
  });

  test('the same command cancels an active run, and a second cancellation is not sent', async () => {
    const window = await openFlow('{ name: One }');
    await window.tellRun(path);
    await window.run('run.toggle');
    expect(await window.run('run.cancel')).toBe(false);
    expect(window.engine.calls.filter((method) => method === 'cancelRun')).toHaveLength(1);
    expect(window.started()).toBe(0);
  });

  test('flows cannot run after the engine has failed', async () => {
    const window = await openFlow('{ name: One }');
    window.tellFromMain('engine.state', { state: 'failed', message: 'It is gone.' });
    expect([await window.run('run.toggle'), await window.run('run.redo')]).toEqual([false, false]);
  });

  test('redo waits for the end of the run', async () => {
    const window = await openFlow('{ name: One }');
    await window.tellRun(path);
    expect(await window.run('run.redo')).toBe(false);
  });
});

test('tabs wrap around in both directions', async () => {
  const window = await openFlow('{ name: One }');
  const { openFiles } = window.context.stores;
  await openFiles.getState().open('b.flow.yaml');
  await openFiles.getState().open('c.flow.yaml');
  const fronts: (string | null)[] = [];
  for (const id of ['tab.next', 'tab.previous', 'tab.previous', 'tab.close'] as const) {
    await window.run(id);
    fronts.push(openFiles.getState().activePath);
  }
  expect(fronts).toEqual([path, 'c.flow.yaml', 'b.flow.yaml', 'c.flow.yaml']);
});
