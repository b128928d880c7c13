import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRunTeller, nodeComplete, nodeStart, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { findCommand, runCommand } from './commands.ts';
import { doublePressMs } from './start-once.ts';

const path = 'a.flow.yaml';
const text = 'flow: { name: One }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n';
let window: TestWindow;
let started: string[];
/** Pending engine calls. Calling an entry lets the engine respond to that call. */
let answers: (() => void)[];

beforeEach(async () => {
  [started, answers] = [[], []];
  const slowly = <Answer>(give: () => Answer): Promise<Answer> =>
    new Promise((resolve) => answers.push(() => resolve(give())));
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    listRuns: () => [],
    readFlow: () => ({ text }),
    readDefinition: () => text,
    readEvents: () => [],
    planRerun: () => slowly(() => [{ nodeId: 'a', fate: 'runs' as const, why: 'x', whyParts: ['x'] }]),
    startRun: () => slowly(() => ({ runId: `start-${started.push('start')}` })),
    redo: () => slowly(() => ({ runId: `redo-${started.push('redo')}` })),
    rerunFrom: () => slowly(() => ({ runId: `rerun-${started.push('rerun')}` })),
  });
  window.engine.connect();
  await window.until(() => expect(window.stores.openFiles.getState().files.get(path)?.status).toBe('ready'));
});
afterEach(() => {
  vi.useRealTimers();
  window.close();
});

function press(id: string): void {
  const command = findCommand(id);
  if (command === undefined) throw new Error(`There is no command ${id}`);
  runCommand(command, window.context);
}

/** Resolves pending calls one after the other until none are left. */
async function answerAll(): Promise<void> {
  await window.settle();
  while (answers.length > 0) {
    act(() => answers.shift()?.());
    await window.settle();
  }
}

/** Shows a run that has ended. */
function showEnded(): void {
  const run = createRunTeller('r0');
  for (const event of [runStart(path), nodeStart('a'), nodeComplete('a'), runEnd('completed')]) run.tell(event);
  act(() => window.stores.liveRuns.getState().applyEvents(run.events));
  act(() => window.stores.selection.getState().selectNode(path, 'a'));
}

test.each(['run.toggle', 'run.start'])('%s pressed twice while the start is slow starts one run', async (id) => {
  press(id);
  await window.settle();
  press(id);
  await answerAll();
  expect(started).toEqual(['start']);
});

test.each([
  ['run.redo', 'redo'],
  ['run.fromHere', 'rerun'],
])('%s pressed twice starts one run, even if the first has already begun', async (id, kind) => {
  showEnded();
  press(id);
  await window.settle();
  press(id);
  await answerAll();
  press(id);
  await answerAll();
  expect(started).toEqual([kind]);
});

test('no other command starts a second run while one is starting', async () => {
  showEnded();
  press('run.fromHere');
  await window.settle();
  for (const id of ['run.redo', 'run.toggle', 'run.start']) press(id);
  await answerAll();
  expect(started).toEqual(['rerun']);
});

test('the command starts again after a moment, and at once if nothing was started', async () => {
  showEnded();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  press('run.redo');
  await answerAll();
  const run = createRunTeller('redo-1');
  for (const event of [runStart(path), runEnd('completed')]) run.tell(event);
  act(() => window.stores.liveRuns.getState().applyEvents(run.events));
  await vi.advanceTimersByTimeAsync(doublePressMs);
  press('run.redo');
  await answerAll();
  expect(started).toEqual(['redo', 'redo']);
});
