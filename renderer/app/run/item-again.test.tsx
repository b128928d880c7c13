/** Reruns one item of a loop from the window. */
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { type RunEvent, taskIdOf } from '../../../engine/isomorphic.ts';
import { nodeComplete, nodeStart, runEnd } from '../../bridge/testing/run-events.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { NodeWhy } from './node-why.tsx';
import { RerunDialog } from './rerun-dialog.tsx';

const path = 'a.flow.yaml';
const text = (type: string) => `flow: { name: Loop }
nodes:
  - { id: each, type: ${type}, input: { ${type === 'control.loop' ? 'maxIterations: 2' : 'items: [p, q]'}, body: [ask] } }
  - { id: ask, type: echo, input: { text: x } }
  - { id: after, type: echo, input: { text: y } }
edges: [{ from: each, to: after }]
`;

const error = { code: 'node.failed', message: 'No bees today' };
const failed: RunEvent = {
  ...{ type: 'task:failed', taskId: taskIdOf('each[1].ask'), nodeId: 'each[1].ask' },
  ...{ error, durationMs: 1, attempts: 1 },
};
const events = [
  ...[nodeStart('each', 'control.foreach'), nodeStart('each[0].ask'), nodeComplete('each[0].ask')],
  ...[nodeStart('each[1].ask'), failed],
  ...[nodeComplete('each'), runEnd('completed')],
];

let window: TestWindow;
let page: HTMLElement;
let asked: (string | undefined)[];
let repeats: boolean;
afterEach(() => window.close());

async function show(nodeId: string, type = 'control.foreach'): Promise<void> {
  asked = [];
  repeats = false;
  const why = 'each[1].ask runs again (1 of 2 items reused)';
  window = openTestWindow({
    readFlow: () => ({ text: text(type) }),
    listRuns: () => [],
    planRerun: () => [
      ...[{ nodeId: 'each', fate: 'runs', why, whyParts: [why], items: { reused: 1, total: 2 } } as const],
      {
        nodeId: 'after',
        fate: 'maybe',
        why: 'x',
        whyParts: ['x'],
        ...(repeats ? { repeatsOutside: true as const } : {}),
      },
    ],
    rerunFrom: (request) => {
      asked.push(request.nodeId);
      return { runId: 'r2' };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  page = window.draw(
    <>
      <NodeWhy path={path} nodeId={nodeId} />
      <RerunDialog />
    </>,
  );
  await window.settle();
  act(() => window.stores.selection.getState().selectNode(path, nodeId));
  await window.tellRun(path, ...events);
}

const command = () => findCommand('run.item');
const canRun = () => command()?.isAvailable?.(window.context);

async function runItem(): Promise<void> {
  const found = command();
  act(() => {
    if (found !== undefined) runCommand(found, window.context);
  });
  await window.settle();
}

test('13.15 reruns the shown item by its position: the one that failed or the one that was selected', async () => {
  await show('ask');
  expect(command()).toMatchObject({ title: 'Run this item again' });
  await runItem();
  expect(asked).toEqual(['each[1].ask']);
});

test('13.15 another item can be selected', async () => {
  await show('ask');
  act(() => window.stores.selection.getState().selectItem(path, 'each', 0));
  await runItem();
  expect(asked).toEqual(['each[0].ask']);
});

test('13.15 a node that failed in an item offers to run that item again', async () => {
  await show('ask');
  const button = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Run this item again');
  act(() => button?.click());
  await window.settle();
  expect(asked).toEqual(['each[1].ask']);
});

test('13.15 asks before an external effect is repeated, and shows how much is reused', async () => {
  await show('ask');
  repeats = true;
  await runItem();
  const dialog = document.querySelector('[role="dialog"]');
  expect(asked).toEqual([]);
  expect(dialog?.textContent).toContain('Run item 2 again?');
  expect(dialog?.textContent).toContain('1 of 2 items reused');
});

test('13.15 a node outside of loops, and an iteration that builds on others, cannot run alone as an item', async () => {
  await show('after');
  expect(canRun()).toBe(false);
  window.close();
  await show('ask', 'control.loop');
  expect(canRun()).toBe(false);
});
