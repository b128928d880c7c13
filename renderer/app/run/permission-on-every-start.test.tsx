/** Each way of starting a run first shows the page of missing permissions, and then starts what was requested. */
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { asRunId, type RunEvent, taskIdOf } from '../../../engine/isomorphic.ts';
import { nodeComplete, nodeStart, runEnd } from '../../bridge/testing/run-events.ts';
import type { PermissionPlan } from '../../stores/runs/requests/permission-ask.ts';
import { type CommandId, findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { PermissionsDialog } from './permissions-dialog.tsx';
import { RerunDialog } from './rerun-dialog.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: Loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [p, q], body: [ask] } }
  - { id: ask, type: echo, input: { text: x } }
  - { id: after, type: http.request, input: { url: "http://192.168.1.20/" } }
edges: [{ from: each, to: after }]
`;
const failed: RunEvent = {
  ...{ type: 'task:failed', taskId: taskIdOf('each[1].ask'), nodeId: 'each[1].ask' },
  ...{ error: { code: 'node.failed', message: 'No bees today' }, durationMs: 1, attempts: 1 },
};
const events = [
  ...[nodeStart('each', 'control.foreach'), nodeStart('each[0].ask'), nodeComplete('each[0].ask')],
  ...[nodeStart('each[1].ask'), failed],
  ...[nodeComplete('each'), runEnd('completed')],
];
const need = { kind: 'private-address', host: '192.168.1.20' } as const;
const plan: PermissionPlan = { kind: 'flow', missing: [{ need, nodes: ['after'] }], hosts: [] };

let window: TestWindow;
let planned: unknown[];
let granted: unknown[];
let started: unknown[];
afterEach(() => window.close());

async function open(missing = plan): Promise<void> {
  [planned, granted, started] = [[], [], []];
  const note = (by: string) => (request: object) => {
    started.push({ by, request });
    return { runId: `r${started.length + 1}` };
  };
  const why = { why: 'x', whyParts: ['x'] };
  window = openTestWindow(
    {
      readFlow: () => ({ text }),
      readAgent: () => ({ text: '# Output\n', file: '/w/a.aip', path: 'a.aip', isWritable: true }),
      listRuns: () => [],
      planRerun: () => [{ nodeId: 'each', fate: 'runs', ...why }],
      planUpTo: () => undefined,
      planNode: () => ({ inputs: {}, sources: [], missing: [], known: {}, input: {}, actsOutside: false }),
      findPermissions: (start) => {
        planned.push(start);
        return missing;
      },
      startRun: note('startRun'),
      redo: note('redo'),
      rerunFrom: note('rerunFrom'),
      startAgent: note('startAgent'),
      startConversation: (request) => ({ ...note('startConversation')(request), sessionId: 's1' }),
    },
    {
      'permissions.grant': async (wish) => {
        granted.push(wish);
        return { isDone: true };
      },
    },
  );
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  window.draw(
    <>
      <PermissionsDialog />
      <RerunDialog />
    </>,
  );
  await window.settle();
}

async function showRun(nodeId: string): Promise<void> {
  act(() => window.stores.selection.getState().selectNode(path, nodeId));
  await window.tellRun(path, ...events);
}

const page = (): HTMLElement | null => document.querySelector('[role="dialog"]');

async function press(label: string): Promise<void> {
  await window.until(() => expect(page()?.textContent).toContain(label));
  act(() => [...(page()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === label)?.click());
  await window.settle();
}

async function command(id: CommandId): Promise<void> {
  const found = findCommand(id);
  act(() => {
    if (found !== undefined) runCommand(found, window.context);
  });
  await window.until(() => expect(planned).toHaveLength(1));
  await window.settle();
}

const given = { after: { status: 200 } };
const runs = () => window.stores.runs;
const r1 = asRunId('r1');
const ways: [string, () => Promise<void>, { readonly by: string; readonly request: object }][] = [
  ['Run', () => command('run.start'), { by: 'startRun', request: { path, text, inputs: {} } }],
  [
    'Run this node',
    () => showRun('after').then(() => command('run.node')),
    { by: 'startRun', request: { path, text, inputs: {}, part: { only: 'after' } } },
  ],
  [
    'Run to here',
    () => showRun('after').then(() => command('run.toHere')),
    { by: 'startRun', request: { path, text, inputs: {}, part: { to: 'after' } } },
  ],
  ['Run again', () => showRun('after').then(() => command('run.redo')), { by: 'redo', request: { runId: 'r1' } }],
  [
    'Run from here',
    () => showRun('after').then(() => command('run.fromHere')),
    { by: 'rerunFrom', request: { runId: 'r1', text, nodeId: 'after' } },
  ],
  [
    'Run this item again',
    () => showRun('ask').then(() => command('run.item')),
    { by: 'rerunFrom', request: { runId: 'r1', text, nodeId: 'each[1].ask' } },
  ],
  [
    'a run with given outputs',
    async () => void runs().start(path, {}, { given }),
    { by: 'startRun', request: { path, text, inputs: {}, pins: given } },
  ],
  [
    'a rerun up to a node',
    async () => void runs().rerun({ path, runId: r1, part: { to: 'after' } }),
    { by: 'rerunFrom', request: { runId: 'r1', text, part: { to: 'after' } } },
  ],
  [
    'an agent',
    async () => void window.stores.agents.start('a.aip', { inputs: ['x'], isPreview: false }),
    { by: 'startAgent', request: { agent: 'a.aip', inputs: ['x'] } },
  ],
];

test.each(ways)(
  '13.6 %s asks on the page first, and then starts exactly what was requested',
  async (_, begin, start) => {
    await open();
    await begin();
    await window.until(() => expect(page()).not.toBeNull());
    expect([planned, started]).toEqual([[start], []]);
    await press('Allow 1 and run');
    await window.until(() => expect(started).toEqual([start]));
    expect([granted, page()]).toEqual([[{ start, keys: [JSON.stringify(['private-address', need.host])] }], null]);
  },
);

test.each(ways)('13.6 %s starts nothing after "Not now"', async (_, begin) => {
  await open();
  await begin();
  await press('Not now');
  await window.settle();
  expect([started, granted, window.stores.notices.getState().list]).toEqual([[], [], []]);
});

test('13.6 the page of an agent names the agent and warns that its scripts fail without trust', async () => {
  const trust = { kind: 'trust', command: 'scripts of a.aip that call aip.cmd' } as const;
  await open({ kind: 'agent', missing: [{ need: trust, nodes: ['a.aip'] }], hosts: [] });
  void window.stores.agents.start('a.aip', { isPreview: false });
  await window.until(() => expect(page()?.textContent).toContain('This agent needs your permission'));
  const row = 'Trust this workspace to run scripts of a.aip that call aip.cmd';
  expect(page()?.querySelector('li')?.textContent).toBe(
    `${row}Not selected: scripts of a.aip will fail without it. Trust covers the whole workspace: its flows and agents can then do anything that you can do.`,
  );
  await press('Run without');
  await window.until(() => expect(started).toEqual([{ by: 'startAgent', request: { agent: 'a.aip' } }]));
});

test('13.6 a conversation asks on the page first, and keeps the typed text after "Not now"', async () => {
  const catalogue = 'desk.dialogue.yaml';
  const start = { by: 'startConversation', request: { path: catalogue } };
  await open({ ...plan, kind: 'conversation' });
  void window.stores.conversations.getState().startWith(catalogue, 'find it');
  await window.until(() => expect(page()?.textContent).toContain('This conversation needs your permission'));
  await press('Not now');
  expect([planned, started]).toEqual([[start], []]);
  expect(window.stores.conversations.getState().unsent.get(catalogue)).toBe('find it');
  void window.stores.conversations.getState().start(catalogue);
  await press('Allow 1 and start');
  await window.until(() => expect(started).toEqual([start]));
});

test('13.6 a second press while the page is open does not start a second run', async () => {
  await open();
  await command('run.start');
  act(() => {
    const found = findCommand('run.start');
    if (found !== undefined) runCommand(found, window.context);
  });
  await press('Allow 1 and run');
  await window.until(() => expect(started).toHaveLength(1));
});
