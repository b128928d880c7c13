import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { type CommandId, findCommand, runCommand } from './commands.ts';

const path = 'a.flow.yaml';
let window: TestWindow;
afterEach(() => window.close());

/** Opens a flow in which the node `ask` runs the agent with this name. */
async function openFlow(agent: string): Promise<void> {
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({
      text: `flow: { name: One }\nnodes:\n  - { id: ask, type: agent, input: { agent: "${agent}" } }\nedges: []\n`,
    }),
    readAgent: (name) => ({
      text: name === 'bad.aip' ? '# Options\n```toml\nx =\n```\n' : '',
      file: `/w/${name}`,
      path: name,
      isWritable: true,
    }),
  });
  window.engine.connect();
  await window.settle();
  window.stores.workspace.setState({ folder: '/w' });
  window.stores.selection.getState().selectNode(path, 'ask');
}

async function run(id: CommandId): Promise<boolean> {
  const command = findCommand(id);
  const isDone = command !== undefined && runCommand(command, window.context);
  await window.settle();
  return isDone;
}

test('opens the agent of the selected node in a tab', async () => {
  await openFlow('agents/x.aip');
  expect(await run('agent.open')).toBe(true);
  expect(window.stores.openFiles.getState()).toMatchObject({
    activePath: 'agents/x.aip',
    tabs: [path, 'agents/x.aip'],
  });
});

test.each(['{{flow.input.which}}', ''])('does not open an agent that the file does not name (%j)', async (agent) => {
  await openFlow(agent);
  expect(await run('agent.open')).toBe(false);
});

test('asks for the inputs of an agent before it runs', async () => {
  await openFlow('x.aip');
  await run('agent.open');
  await run('run.toggle');
  expect(window.context.dialogs.getState().open).toBe('agent-run');
});

test('shows the errors of an agent instead of running it', async () => {
  await openFlow('bad.aip');
  await run('agent.open');
  await run('run.toggle');
  expect(window.context.dialogs.getState().open).toBeNull();
  expect(window.stores.panes.getState()).toMatchObject({ dockTab: 'problems', isOpen: { dock: true } });
  expect(window.stores.notices.getState().list.at(-1)?.title).toBe("This agent has errors and can't run");
});
