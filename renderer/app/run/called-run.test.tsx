import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId, EngineError, type RunEvent } from '../../../engine/isomorphic.ts';
import { createRunTeller, nodeComplete, nodeStart, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { selectShownRun } from '../../stores/runs/shown-run.ts';
import { useSettledFlow } from '../../stores/use-flow.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { ShownRun } from './shown-run.tsx';

const top = 'top.flow.yaml';
const mid = 'mid.flow.yaml';
const low = 'low.flow.yaml';
const calling = (name: string, called: string) =>
  `flow: { name: ${name} }\nnodes:\n  - { id: call, type: flow, input: { flow: ${called} } }\nedges: []\n`;
const texts: Readonly<Record<string, string>> = {
  [top]: calling('Top', mid),
  [mid]: calling('Mid', low),
  [low]: 'flow: { name: Low }\nnodes:\n  - { id: now, type: echo, input: { text: hi } }\nedges: []\n',
};
const stored = 'flow: { name: Low }\nnodes:\n  - { id: then, type: echo, input: { text: hi } }\nedges: []\n';

let window: TestWindow;
let page: HTMLElement;
let asked: [string, unknown][];

function Shown({ path }: { path: string }) {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : <ShownRun flow={flow} />;
}

beforeEach(async () => {
  asked = [];
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path: top, change: null }],
    listRuns: () => [],
    readFlow(path) {
      const text = texts[path];
      if (text === undefined) throw new EngineError({ code: 'files.not-found', message: `There is no file ${path}.` });
      return { text };
    },
    readDefinition: () => texts[top] ?? '',
    readCalledDefinition: (_, called) => (called === 'low' ? stored : (texts[mid] ?? '')),
    cancelRun(runId) {
      asked.push(['cancel', runId]);
      return undefined;
    },
    resumeRun(request) {
      asked.push(['resume', request]);
      return { runId: request.runId };
    },
    redo(request) {
      asked.push(['redo', request]);
      return { runId: 'again' };
    },
    readEvents: () => [],
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(top);
  page = window.draw(
    <>
      <Shown path={top} />
      <Shown path={mid} />
      <Shown path={low} />
    </>,
  );
  await window.settle();
});
afterEach(() => window.close());

const active = () => window.stores.openFiles.getState().activePath;

/** Emits a run in which top calls mid, which calls low. */
async function tellRun(...ending: readonly ('low' | 'all')[]): Promise<void> {
  const run = createRunTeller('top');
  const begin = (path: string): RunEvent => ({ ...runStart(path), parentTaskId: 'node:call' }) as RunEvent;
  const [inMid, inLow] = [
    { runId: 'mid', parentRunId: 'top' },
    { runId: 'low', parentRunId: 'mid' },
  ];
  run.tell(runStart(top));
  run.tell(nodeStart('call'), 'call');
  run.tellChild(inMid, begin(mid));
  run.tellChild({ ...inMid, taskId: 'node:call' }, nodeStart('call'));
  run.tellChild(inLow, begin(low));
  run.tellChild({ ...inLow, taskId: 'node:then' }, nodeStart('then'));
  if (ending.length > 0) {
    run.tellChild({ ...inLow, taskId: 'node:then' }, nodeComplete('then'));
    run.tellChild(inLow, runEnd('completed'));
  }
  if (ending.includes('all')) {
    run.tellChild(inMid, runEnd('completed'));
    run.tell(nodeComplete('call'), 'call');
    run.tell(runEnd('completed'));
  }
  act(() => window.stores.liveRuns.getState().applyEvents(run.events));
  await window.settle();
}

async function openCall(path: string): Promise<void> {
  await act(() => window.stores.runs.openCall(path, 'call'));
  await window.settle();
}

function run(id: string): void {
  const command = findCommand(id);
  if (command === undefined) throw new Error(`No command ${id}`);
  expect(command.isAvailable?.(window.context) ?? true).toBe(true);
  act(() => void runCommand(command, window.context));
}

const crumbs = () => [...page.querySelectorAll('.run-crumbs')].map((nav) => nav.textContent);

test('BB-34 without a run, a card opens the flow that it calls, and reports one that is missing', async () => {
  await openCall(top);
  expect(active()).toBe(mid);
  const gone = 'gone.flow.yaml';
  const calls = (flow: string) =>
    window.stores.edits.change(top, { do: 'set-node', id: 'call', path: ['input', 'flow'], value: flow });
  await act(() => calls(gone));
  await openCall(top);
  expect(window.stores.openFiles.getState().files.get(gone)).toMatchObject({
    status: 'unreadable',
    readError: { message: 'There is no file gone.flow.yaml.' },
  });
  await act(() => calls('ns@pack/x.flow.yaml'));
  await openCall(top);
  await act(() => calls('{{flow.input.which}}'));
  await openCall(top);
  expect(window.stores.notices.getState().list.map(({ title }) => title)).toEqual([
    "Couldn't open the called flow",
    'The called flow is only known during a run',
  ]);
});

test('BB-34 in a run, a card opens the child run with its own text, and Back returns one level at a time', async () => {
  await tellRun();
  await openCall(top);
  await openCall(mid);
  expect(active()).toBe(low);
  const { liveRuns } = window.stores;
  expect(selectShownRun(liveRuns.getState(), low)).toMatchObject({ runId: 'low', definition: { text: stored } });
  expect(crumbs()).toEqual(['topmid', 'topmidlow']);
  expect(page.querySelector('.run-crumbs [aria-current]')?.textContent).toBe('mid');
  // The shortcut goes back one level, a click any number of levels.
  run('flow.back');
  expect(active()).toBe(mid);
  await act(() => window.stores.openFiles.getState().open(low));
  const [first] = [...page.querySelectorAll<HTMLElement>('.run-crumbs')].at(-1)?.querySelectorAll('button') ?? [];
  act(() => first?.click());
  expect(active()).toBe(top);
  expect(selectShownRun(liveRuns.getState(), top)?.runId).toBe('top');
  expect(findCommand('flow.back')?.isAvailable?.(window.context)).toBe(false);
});

test('BB-34 Back shows the run from which the child run was opened', async () => {
  await tellRun('all');
  await openCall(top);
  act(() => window.stores.liveRuns.getState().hide(top));
  run('flow.back');
  expect([active(), selectShownRun(window.stores.liveRuns.getState(), top)?.runId]).toEqual([top, 'top']);
});

test('BB-34 while a child run is shown, Cancel and Run again apply to the root run', async () => {
  await tellRun('low');
  await openCall(top);
  await openCall(mid);
  run('run.cancel');
  await window.settle();
  const { runs } = window.stores.liveRuns.getState();
  expect(asked).toEqual([['cancel', 'top']]);
  expect(['top', 'mid', 'low'].map((id) => runs.get(id)?.isCancelling)).toEqual([true, true, true]);
});

test('BB-34 a child run that is over explains that it runs again only with the root run', async () => {
  await tellRun('all');
  await openCall(top);
  run('run.fromHere');
  expect(window.stores.notices.getState().list.at(-1)?.title).toBe("A child run can't be rerun on its own");
  run('run.redo');
  await window.until(() => expect(asked).toEqual([['redo', { runId: 'top' }]]));
  await window.until(() => expect(active()).toBe(top));
});

test('BB-34 a request of a child run is answered in the root run by its full name', async () => {
  await tellRun();
  await openCall(top);
  await openCall(mid);
  await act(() => window.stores.runs.answer(asRunId('low'), { decision: 'approve', comment: ' ', nodeId: 'then' }));
  expect(asked).toEqual([['resume', { runId: 'top', decision: 'approve', nodeId: 'call/call/then' }]]);
});
