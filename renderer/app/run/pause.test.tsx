import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError, type RunEvent } from '../../../engine/isomorphic.ts';
import { createRunTeller, type RunTeller, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { switchPauseMs } from '../../stores/runs/recent-switches.ts';
import { selectShownRun, shownStateOf, shownStateOfRun } from '../../stores/runs/shown-run.ts';
import { useSettledFlow } from '../../stores/use-flow.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { ShownRun } from './shown-run.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: Line }
nodes:
  - { id: a, type: echo, input: { text: hi } }
  - { id: b, name: Second, type: echo, input: { text: hi } }
edges: [{ from: a, to: b }]
`;
let window: TestWindow;
let page: HTMLElement;
let run: RunTeller;
/** Calls that were sent to the engine. */
let sent: unknown[];
let isRefused: boolean;

function Shown() {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : <ShownRun flow={flow} />;
}

beforeEach(async () => {
  sent = [];
  isRefused = false;
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    listRuns: () => [],
    readFlow: () => ({ text }),
    readDefinition: () => text,
    readEvents: () => [],
    setBreakpoints: () => undefined,
    pauseRun(runId) {
      sent.push(['pause', runId]);
      if (isRefused) throw new EngineError({ code: 'run.invalid-state', message: 'It has ended.' });
    },
    resumeRun({ runId, action, raised }) {
      sent.push([action, runId, ...(raised === undefined ? [] : [raised])]);
      if (isRefused)
        throw new EngineError({ code: 'budget.above-policy', message: 'A policy limits each run to $0.50.' });
      return { runId };
    },
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  await window.settle();
  page = window.draw(<Shown />);
  run = createRunTeller('r1');
  await tell(runStart(path), { type: 'task:start', taskId: 'node:a', nodeId: 'a', nodeType: 'echo' });
});
afterEach(() => {
  vi.useRealTimers();
  window.close();
});

async function tell(...events: readonly RunEvent[]): Promise<void> {
  act(() => window.stores.liveRuns.getState().applyEvents(events.map((event) => run.tell(event))));
  await window.settle();
}

async function press(id: string): Promise<void> {
  const command = findCommand(id);
  await act(async () => void (command !== undefined && runCommand(command, window.context)));
  await window.settle();
}

const available = () =>
  ['run.pause', 'run.continue', 'run.step', 'run.answer', 'run.cancel'].filter(
    (id) => findCommand(id)?.isAvailable?.(window.context) === true,
  );
const pill = () => page.querySelector('.run-pill')?.textContent;
const ended: RunEvent = { type: 'task:complete', taskId: 'node:a', nodeId: 'a', result: 1, durationMs: 1, attempts: 1 };
const paused = (nodeId: string): RunEvent => ({ type: 'run:suspended', reason: 'paused', nodeId });

test('a run is pausing from the request until it is suspended, and no request is open then', async () => {
  expect([pill(), available()]).toEqual(['running', ['run.pause', 'run.cancel']]);
  await press('run.pause');
  expect([pill(), available()]).toEqual(['pausing', ['run.continue', 'run.cancel']]);
  await tell(ended, paused('b'));
  expect([pill(), available()]).toEqual([
    'Paused before Second',
    ['run.pause', 'run.continue', 'run.step', 'run.cancel'],
  ]);
  expect(page.querySelector('.waiting-panel')).toBe(null);
  expect(sent).toEqual([['pause', 'r1']]);
});

test('a pause that is refused or withdrawn leaves the run running', async () => {
  isRefused = true;
  await press('run.pause');
  expect(pill()).toBe('running');
  expect(window.stores.notices.getState().list.map(({ title }) => title)).toEqual(["Couldn't pause the run"]);
  isRefused = false;
  await press('run.pause');
  await press('run.continue');
  expect([pill(), sent.slice(1)]).toEqual([
    'running',
    [
      ['pause', 'r1'],
      ['continue', 'r1'],
    ],
  ]);
  await press('run.pause');
  await tell(ended, runEnd('completed'));
  expect(pill()).toBe('completed');
});

test('a paused run takes a step and continues, and its buttons stay in place meanwhile', async () => {
  await tell(ended, paused('b'));
  await press('run.step');
  await tell({ type: 'run:resumed', action: 'step' });
  expect([pill(), available()]).toEqual(['running', ['run.pause', 'run.continue', 'run.cancel']]);
  const names = [...page.querySelectorAll('.run-header .button')].map(({ textContent }) => textContent);
  expect(names.slice(-3)).toEqual(['ContinueF5', 'StepF10', 'Cancel']);
  await tell(paused('c'));
  await press('run.pause');
  await tell({ type: 'run:resumed', action: 'continue', by: 'Kim' });
  expect([pill(), available()]).toEqual(['running', ['run.pause', 'run.cancel']]);
  expect(sent).toEqual([
    ['step', 'r1'],
    ['continue', 'r1'],
  ]);
});

test('the state of a paused run leads to the next node, which is marked as paused like open loops around it', async () => {
  await tell(paused('b'));
  const shown = selectShownRun(window.stores.liveRuns.getState(), path);
  if (shown === undefined) throw new Error('No run is shown.');
  const stateAt = (nodeId: string, place = nodeId) => shownStateOf(shown, { nodeId, place, isTolerated: false });
  expect([shownStateOfRun(shown), stateAt('a'), stateAt('b'), stateAt('c')]).toEqual([
    'paused',
    'paused',
    'paused',
    'queued',
  ]);
  await act(async () => page.querySelector<HTMLElement>('button.run-pill')?.click());
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('b');
});

test('a click on Pause does not press the buttons that replace it, and steps do not disable them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const apply = (...events: readonly RunEvent[]) =>
    act(() => window.stores.liveRuns.getState().applyEvents(events.map((event) => run.tell(event))));
  const areOff = () =>
    [...page.querySelectorAll<HTMLButtonElement>('.run-header .button')].slice(-3).map(({ disabled }) => disabled);
  apply(ended, paused('b'));
  expect(areOff()).toEqual([true, true, true]);
  act(() => vi.advanceTimersByTime(switchPauseMs));
  expect(areOff()).toEqual([false, false, false]);
  apply({ type: 'run:resumed', action: 'step' });
  expect(areOff()).toEqual([false, true, false]);
  apply(paused('c'));
  expect(areOff()).toEqual([false, false, false]);
  vi.useRealTimers();
  await window.settle();
});

test('F9 adds a breakpoint before the selected node and removes it', async () => {
  expect(findCommand('run.breakpoint')?.shortcut).toBe('F9');
  expect(findCommand('run.breakpoint')?.isAvailable?.(window.context)).toBe(false);
  act(() => window.stores.selection.getState().selectNode(path, 'b'));
  await press('run.breakpoint');
  const listed = () => window.stores.breakpoints.getState().flows.get(path) ?? [];
  expect(listed()).toEqual([{ node: 'b' }]);
  await press('run.breakpoint');
  expect(listed()).toEqual([]);
});

test('a run that is held before a node offers to skip it and to edit its input, which opens the form', async () => {
  const isOffered = () => /Edit( inputs)?…/.test(page.textContent ?? '');
  await tell(ended, { type: 'node:held', nodeId: 'b', reason: 'breakpoint', input: { text: 'hi' } });
  await tell({ type: 'run:suspended', reason: 'breakpoint', nodeId: 'b' });
  expect([pill(), isOffered()]).toEqual(['Paused before Second', true]);
  act(() => window.stores.selection.getState().selectNode(path, 'a'));
  await press('run.editInput');
  const { panes, selection } = window.stores;
  const shown = () => [
    selection.getState().views.get(path)?.nodeId,
    panes.getState().nodeTab,
    panes.getState().answering,
  ];
  expect(shown()).toEqual(['b', 'input', { place: 'b', kind: 'edit' }]);
  await press('run.skipNode');
  expect(shown()).toEqual(['b', 'output', { place: 'b', kind: 'skip' }]);
  await tell({ type: 'run:resumed', action: 'continue' });
  expect(isOffered()).toBe(false);
});

test('13.14 a run that has used its budget says so, and continues only when a person raises it', async () => {
  const usage = { promptTokens: 80, completionTokens: 20 };
  const response: RunEvent = {
    type: 'model:response',
    usage,
    costUsd: 0.104,
    durationMs: 1,
    finishReason: 'stop',
  };
  await tell({ ...runStart(path), budget: { usd: 0.1, tokens: 5000 } } as RunEvent, response, ended);
  expect(page.textContent).toContain('$0.104 of $0.10');
  expect(page.textContent).toContain('100 of 5,000 tokens');
  await tell({ type: 'run:suspended', reason: 'budget', nodeId: 'b' });
  expect(pill()).toBe('Budget of $0.10 reached');
  expect(available()).toEqual(['run.pause', 'run.continue', 'run.cancel']);
  // It would be paused again at once.
  await press('run.pause');
  expect(sent).toEqual([]);
  const form = document.querySelector<HTMLFormElement>('[role="dialog"] form');
  expect(form?.textContent).toContain('$0.104 of $0.10 used');
  const submit = async (value: string) => {
    const field = form?.querySelector('input');
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await act(async () => form?.requestSubmit());
    await window.settle();
  };
  await submit('0.05');
  expect(form?.querySelector('.field-problem')?.textContent).toBe('Enter a number above $0.10.');
  isRefused = true;
  await submit('0.6');
  expect(form?.querySelector('[role="alert"]')?.textContent).toBe('A policy limits each run to $0.50.');
  isRefused = false;
  await submit('0.2');
  expect(sent).toEqual([
    ['raise', 'r1', { usd: 0.6 }],
    ['raise', 'r1', { usd: 0.2 }],
  ]);
  expect(document.querySelector('[role="dialog"]')).toBe(null);
});
