import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asRunId } from '../../../engine/isomorphic.ts';
import { createRunTeller, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { switchPauseMs } from '../../stores/runs/recent-switches.ts';
import { useShownRun } from '../../stores/use-flow.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { RunButtons } from './shown-run.tsx';

const path = 'a.flow.yaml';
const text = 'flow: { name: One }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n';
let window: TestWindow;
let page: HTMLElement;
let started: string[];
let cancelled: string[];

function Buttons() {
  const run = useShownRun(path);
  return run === undefined ? null : <RunButtons run={run} />;
}

beforeEach(async () => {
  started = [];
  cancelled = [];
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    listRuns: () => [],
    readFlow: () => ({ text }),
    startRun: () => ({ runId: `again-${started.push('start')}` }),
    redo: () => ({ runId: `again-${started.push('redo')}` }),
    cancelRun: (runId) => void cancelled.push(runId),
    readDefinition: () => text,
    readEvents: () => [],
  });
  window.engine.connect();
  await window.settle();
  page = window.draw(<Buttons />);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  window.close();
});

/** Returns the name of each button with text, and whether it is enabled. */
function buttons(): string[] {
  const named = [...page.querySelectorAll('button')].filter(({ textContent }) => textContent !== '');
  return named.map(({ textContent, disabled }) => `${textContent.replace(/R$/, '')}${disabled ? ' (off)' : ''}`);
}

function tell(runId: string, end?: 'completed' | 'cancelled'): void {
  const run = createRunTeller(runId);
  run.tell(runStart(path));
  act(() => window.stores.liveRuns.getState().applyEvents(end === undefined ? run.events : [run.tell(runEnd(end))]));
}

function pass(ms: number): void {
  act(() => vi.advanceTimersByTime(ms));
}

/** Runs the same command as the shortcut. */
function toggle(): void {
  const command = findCommand('run.toggle');
  if (command !== undefined) act(() => void runCommand(command, window.context));
}

test.each(['completed', 'cancelled'] as const)(
  'Cancel stays for a second in place of Run again after the run is %s, and their shortcuts start nothing',
  async (end) => {
    tell('r1');
    expect(buttons()).toEqual(['Cancel']);
    tell('r1', end);
    toggle();
    pass(switchPauseMs - 1);
    expect([buttons(), started]).toEqual([['Cancel (off)'], []]);
    pass(1);
    expect(buttons()).toEqual(['Run again']);
    toggle();
    await act(() => vi.waitFor(() => expect(started).toEqual(['start']), 20_000));
  },
);

test('Cancel has no effect for a second where Run again was', () => {
  tell('r1');
  tell('r1', 'completed');
  pass(switchPauseMs);
  tell('r2');
  expect(buttons()).toEqual(['Cancel (off)']);
  pass(switchPauseMs);
  expect(buttons()).toEqual(['Cancel']);
});

test('a run started without a shown run can be canceled at once, and a run from the history shows Run again at once', () => {
  tell('r1');
  expect(buttons()).toEqual(['Cancel']);
  act(() => window.stores.liveRuns.getState().hide(path));
  act(() => window.stores.liveRuns.getState().choose(path, asRunId('old')));
  const run = createRunTeller('old');
  run.tell(runStart(path));
  run.tell(runEnd('failed'));
  act(() => window.stores.liveRuns.getState().applyEvents(run.events));
  expect(buttons()).toEqual(['Run again']);
});

test('a suspended run can be canceled by its button and in the command palette', async () => {
  const run = createRunTeller('r1');
  run.tell(runStart(path));
  run.tell({ type: 'run:suspended', reason: 'operator' });
  act(() => window.stores.liveRuns.getState().applyEvents(run.events));
  expect(buttons()).toEqual(['Cancel']);
  expect(findCommand('run.cancel')?.isAvailable?.(window.context)).toBe(true);
  await act(async () => page.querySelector('button')?.click());
  await act(() => vi.waitFor(() => expect(cancelled).toHaveLength(1), 20_000));
  expect([cancelled, buttons()]).toEqual([['r1'], ['Canceling (off)']]);
  act(() => window.stores.liveRuns.getState().applyEvents([run.tell(runEnd('cancelled'))]));
  pass(switchPauseMs);
  expect(buttons()).toEqual(['Run again']);
});

test('Cancel does not take the focus of Resume, so that a second Enter cannot cancel the run', () => {
  tell('r1');
  act(() => window.stores.liveRuns.getState().markInterrupted(asRunId('r1')));
  pass(switchPauseMs);
  const resume = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Resume');
  act(() => resume?.focus());
  expect(document.activeElement).toBe(resume);
  const run = createRunTeller('r1');
  run.tell(runStart(path));
  act(() => window.stores.liveRuns.getState().applyEvents([run.tell({ type: 'run:resumed' })]));
  expect(buttons()).toEqual(['Cancel']);
  expect(document.activeElement).toBe(document.body);
});
