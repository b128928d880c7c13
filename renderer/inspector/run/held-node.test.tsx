import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError, type JsonValue, type RunEvent } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { runEnd } from '../../bridge/testing/run-events.ts';
import type { RerunTarget } from '../../stores/runs/plan-actions.ts';
import { useSettledFlow } from '../../stores/use-flow.ts';
import { Inspector } from '../inspector.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: F }
nodes:
  - { id: order, type: echo, input: { text: a } }
  - { id: send, type: http.request, input: { url: "http://localhost", body: "{{order.text}}" } }
edges: [{ from: order, to: send }]
`;
let window: TestWindow;
let page: HTMLElement;
/** Calls that were sent to the engine. */
let sent: unknown[];
let reruns: RerunTarget[];
let refusal: string | null;

function Shown() {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : <Inspector flow={flow} onRerun={(target) => reruns.push(target)} />;
}

beforeEach(async () => {
  [sent, reruns, refusal] = [[], [], null];
  const take = (request: unknown): void => {
    sent.push(request);
    if (refusal !== null) throw new EngineError({ code: 'run.invalid-state', message: refusal });
  };
  window = openTestWindow({
    readFlow: () => ({ text, isWritable: true }),
    listRuns: () => [],
    readEvents: () => [],
    setBreakpoints: () => undefined,
    resumeRun(request) {
      take(request);
      return { runId: request.runId };
    },
    changeOutput: take,
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  await window.settle();
  page = window.draw(<Shown />);
});
afterEach(() => window.close());

const ran: RunEvent[] = [
  { type: 'task:start', taskId: 'node:order', nodeId: 'order', nodeType: 'echo' },
  {
    type: 'task:complete',
    taskId: 'node:order',
    nodeId: 'order',
    result: { text: 'a', total: 148 },
    durationMs: 1,
    attempts: 1,
  },
];
const input = { url: 'http://localhost', method: 'POST', body: 'Dear Amina' };
const hit: RunEvent[] = [
  ...ran,
  {
    type: 'node:held',
    nodeId: 'send',
    reason: 'breakpoint',
    input,
    because: { op: 'gt', var: 'order.total', value: 100, actual: 148, result: true },
  },
  { type: 'run:suspended', reason: 'breakpoint', nodeId: 'send' },
];

async function tell(...events: readonly RunEvent[]): Promise<void> {
  await window.tellRun(path, ...events);
  act(() => window.stores.liveRuns.getState().choose(path, 'r1' as never));
  await window.settle();
}
const button = (name: string) =>
  [...page.querySelectorAll<HTMLButtonElement>('button')].find(({ textContent }) => textContent === name);
async function click(name: string): Promise<void> {
  const found = button(name);
  if (found === undefined) throw new Error(`There is no button ${name}.`);
  await act(async () => found.click());
  await window.settle();
}
const tab = () => page.querySelector('[role="tab"][aria-selected="true"]')?.textContent;
function field(label: string): HTMLInputElement | HTMLTextAreaElement {
  const found = [...page.querySelectorAll('.value-editor .field')].find(
    (one) => one.querySelector('label')?.firstChild?.textContent === label,
  );
  const control = found?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
  if (control == null) throw new Error(`There is no field ${label}.`);
  return control;
}
async function type(label: string, value: string): Promise<void> {
  const control = field(label);
  await act(async () => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
    control.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

test('a hit selects its node, and shows why the run stopped and with which input', async () => {
  await tell(...hit);
  expect([window.stores.selection.getState().views.get(path)?.nodeId, tab()]).toEqual(['send', 'Input']);
  expect(page.querySelector('.held-note')?.textContent).toContain(
    'Nothing has been sent yet. The breakpoint holds because order.total is 148.',
  );
  expect(page.querySelector('.value-view')?.textContent).toContain('Dear Amina');
});

test('a condition that could not be decided is shown with what was missing', async () => {
  const [, , , suspended] = hit;
  if (suspended === undefined) throw new Error('There is no suspension.');
  const because = { op: 'gt', var: 'order.sum', value: 100, result: false } as const;
  await tell(...ran, { type: 'node:held', nodeId: 'send', reason: 'breakpoint', input, because }, suspended);
  const note = page.querySelector('.held-note')?.textContent ?? '';
  expect(note).toContain('could not be decided');
  expect(note).toContain('missing');
});

test('the input is edited as a form or as JSON, checked, and sent for this attempt', async () => {
  await tell(...hit);
  await click('Edit inputs…');
  await type('body', 'Dear Ben');
  await click('JSON');
  expect(JSON.parse(field('JSON').value)).toEqual({ ...input, body: 'Dear Ben' });
  await type('JSON', '{ "url": 5 }');
  await click('Run with these inputs');
  expect(page.querySelector('.field-problem')?.textContent).toContain('url must be');
  expect(sent).toEqual([]);
  await type('JSON', JSON.stringify({ ...input, body: 'Dear Carla' }));
  refusal = 'The run has ended.';
  await click('Run with these inputs');
  expect(page.querySelector('.field-problem')?.textContent).toBe('The run has ended.');
  refusal = null;
  await click('Run with these inputs');
  expect(sent.at(-1)).toMatchObject({ runId: 'r1', action: 'edit', input: { ...input, body: 'Dear Carla' } });
  expect(page.querySelector('.value-editor')).toBe(null);
});

test('a node is skipped with an output that fits its type', async () => {
  await tell(...hit);
  await click('Skip with output…');
  expect(tab()).toBe('Output');
  await click('JSON');
  await type('JSON', '{ "status": "ok" }');
  await click('Skip with this output');
  expect(page.querySelector('.field-problem')?.textContent).toContain('status must be');
  const output = { status: 202, ok: true, headers: {}, body: 'accepted' };
  await type('JSON', JSON.stringify(output));
  await click('Skip with this output');
  expect(sent).toMatchObject([{ action: 'skip', output }]);
});

async function changeTo(value: JsonValue, submit: string): Promise<void> {
  act(() => window.stores.selection.getState().selectNode(path, 'order'));
  act(() => window.stores.panes.getState().chooseNodeTab('output'));
  await window.settle();
  await click('Change output…');
  await click('JSON');
  await type('JSON', JSON.stringify(value));
  await click(submit);
}

test('the output of a node is changed while the run is paused, or else in a rerun', async () => {
  await tell(...hit);
  await changeTo({ text: 'b' }, 'Change output');
  expect(sent).toMatchObject([{ runId: 'r1', nodeId: 'order', output: { text: 'b' } }]);
  expect(page.textContent).toContain('Change output…');
  refusal = 'send has used the output of order.';
  await changeTo({ text: 'c' }, 'Change output');
  expect(page.querySelector('.field-problem')?.textContent).toBe(refusal);
  await click('Run again with this output');
  expect(reruns).toEqual([{ path, runId: 'r1', given: { order: { text: 'c' } } }]);
});

test('the output of a node of an ended run is changed in a rerun, which is shown before it starts', async () => {
  await tell(...ran, runEnd('completed'));
  await changeTo({ text: 'b' }, 'Run again with this output');
  expect([sent, reruns]).toEqual([[], [{ path, runId: 'r1', given: { order: { text: 'b' } } }]]);
});

test('an output that does not match the type of its node is not sent', async () => {
  await tell(...hit);
  await changeTo({ texts: 'b' }, 'Change output');
  expect([sent, page.querySelector('.field-problem')?.textContent]).toEqual([[], expect.stringMatching(/text/)]);
});

test('the inspector says who changed what, and shows the change', async () => {
  await tell(
    {
      type: 'node:reused',
      nodeId: 'order',
      output: { text: 'new' },
      pin: true,
      given: { by: 'kim', before: { text: 'old' } },
    },
    { type: 'task:start', taskId: 'node:send', nodeId: 'send', nodeType: 'http.request' },
    { type: 'node:input', nodeId: 'send', input, edited: { by: 'kim', before: { ...input, body: 'Dear Ben' } } },
  );
  act(() => window.stores.selection.getState().selectNode(path, 'order'));
  act(() => window.stores.panes.getState().chooseNodeTab('output'));
  await window.settle();
  expect(page.textContent).toContain('Output changed by kim');
  expect([...page.querySelectorAll('.changed-value del')].map(({ textContent }) => textContent)).toEqual(['old']);
  act(() => window.stores.selection.getState().selectNode(path, 'send'));
  act(() => window.stores.panes.getState().chooseNodeTab('input'));
  await window.settle();
  expect(page.textContent).toContain('Input edited by kim');
  expect([...page.querySelectorAll('.changed-value del')].map(({ textContent }) => textContent)).toEqual(['Ben']);
});
