import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { type RunEvent, taskIdOf } from '../../../engine/isomorphic.ts';
import { nodeComplete, nodeStart, runEnd } from '../../bridge/testing/run-events.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { NodeWhy } from './node-why.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: Ways }
nodes:
  - { id: a, type: echo, input: { text: major } }
  # why not
  - { id: b, type: echo, input: { text: x }, when: { equals: { var: a.text, value: minor } } }
  - { id: c, type: echo, input: { text: y }, disabled: true }
  - { id: d, type: control.fail, input: { message: no }, policy: { continueOnError: true } }
edges:
  - { from: a, to: b, when: { exists: a.text } }
  - { from: a, to: c }
`;

const detail = { op: 'equals', var: 'a.text', value: 'minor', actual: 'major', result: false } as const;
const skipped: RunEvent = { type: 'node:skipped', nodeId: 'b', reason: 'when', detail };
const off: RunEvent = { type: 'node:skipped', nodeId: 'c', reason: 'disabled' };
const error = { code: 'node.failed', message: 'No bees today' };
const failed: RunEvent = { type: 'task:failed', taskId: taskIdOf('d'), nodeId: 'd', error, durationMs: 1, attempts: 1 };

const usual = [nodeStart('a'), nodeComplete('a'), skipped, off, nodeStart('d'), failed, runEnd('completed')];

let window: TestWindow;
let page: HTMLElement;
let asked: { nodeId?: string | undefined; text?: string | undefined }[];
let repeats: boolean;
afterEach(() => window.close());

async function show(nodeId: string, shownText = text, events = usual): Promise<void> {
  asked = [];
  repeats = false;
  window = openTestWindow({
    readFlow: () => ({ text: shownText }),
    listRuns: () => [],
    planRerun: () => [
      { nodeId, fate: 'runs', why: 'x', whyParts: ['x'], ...(repeats ? { repeatsOutside: true as const } : {}) },
    ],
    rerunFrom: (request) => {
      asked.push(request);
      return { runId: 'r2' };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  page = window.draw(<NodeWhy path={path} nodeId={nodeId} />);
  await window.settle();
  act(() => window.stores.selection.getState().selectNode(path, nodeId));
  await window.tellRun(path, ...events);
}

async function press(name: string): Promise<void> {
  const button = [...page.querySelectorAll('button')].find(
    (one) => one.textContent?.startsWith(name) || one.getAttribute('aria-label') === name,
  );
  if (button === undefined) throw new Error(`There is no button ${name}`);
  act(() => button.click());
  await window.settle();
}

test('a skipped node shows its condition with the actual value and its line', async () => {
  await show('b');
  for (const said of ['Why did this not run?', 'a.text is "minor"', 'false', 'it was"major"', 'Line 5'])
    expect(page.textContent).toContain(said);
  await press('Line 5');
  expect(window.stores.selection.getState().views.get(path)).toMatchObject({ nodeId: 'b' });
});

test('runs anyway without the conditions of the node and its edges, and keeps them in the file', async () => {
  await show('b');
  await press('Run it anyway');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ nodeId: 'b' });
  expect(asked[0]?.text).not.toMatch(/when/);
  expect(asked[0]?.text).toContain('# why not');
  expect(window.stores.openFiles.getState().files.get(path)?.text).toBe(text);
});

test('runs a disabled node anyway as if it were enabled, and asks before an external effect is repeated', async () => {
  await show('c');
  repeats = true;
  await press('Run it anyway');
  expect([asked, window.context.dialogs.getState().open]).toEqual([[], 'rerun']);
  await act(async () => {
    const target = window.context.dialogs.getState().rerun;
    if (target !== null) await window.stores.runs.rerun(target);
  });
  expect(asked[0]?.text).not.toContain('disabled');
});

test('a failed node shows its error and offers to run again until it is closed', async () => {
  await show('d');
  expect(page.textContent).toContain('Why did this fail?');
  expect(page.textContent).toContain('No bees today');
  await press('Run again from here');
  expect(asked).toMatchObject([{ nodeId: 'd', text }]);
});

describe('in a loop', () => {
  const loopText = `flow: { name: Loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2, 3], body: [say] } }
  - { id: say, type: echo, input: { text: x }, when: { equals: { var: item, value: 2 } } }
edges: []
`;
  const loop: RunEvent[] = [
    { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' },
    { type: 'node:input', nodeId: 'each', input: { items: [1, 2, 3] } },
  ];
  const skip = (item: number): RunEvent => ({ type: 'node:skipped', nodeId: `each[${item}].say`, reason: 'when' });
  const end = [nodeComplete('each'), runEnd('completed')];

  test('shows nothing if any item ran, except for a selected item that was skipped', async () => {
    await show('say', loopText, [
      ...loop,
      nodeStart('each[1].say'),
      nodeComplete('each[1].say'),
      skip(2),
      skip(0),
      ...end,
    ]);
    expect(page.textContent).toBe('');
    act(() => window.stores.selection.getState().selectItem(path, 'each', 0));
    expect(page.textContent).toContain('Why did this not run?');
    act(() => window.stores.selection.getState().selectItem(path, 'each', 1));
    expect(page.textContent).toBe('');
  });

  test('runs anyway for all items, from its loop, without its conditions', async () => {
    await show('say', loopText, [...loop, skip(0), skip(1), skip(2), ...end]);
    await press('Run it anyway, for all items');
    expect(asked).toMatchObject([{ nodeId: 'each' }]);
    expect(asked[0]?.text).not.toMatch(/when/);
    expect(asked[0]?.text).toContain('body: [say]');
  });
});

test('closing removes it, and a node that completed shows nothing', async () => {
  await show('d');
  await press('Close');
  expect(page.textContent).toBe('');
  window.close();
  await show('a');
  expect(page.textContent).toBe('');
});

test('BB-51 a binding to a node without an output explains why and links to that node', async () => {
  const missing = {
    code: 'binding.missing',
    message: 'The path "c.text" has no value because "c" was skipped: it is disabled.',
    details: { path: 'c.text', absent: { at: 'c', is: 'skipped', reason: 'disabled' } },
  };
  await show('d', text, [
    ...usual.filter((event) => event !== failed && event.type !== 'run:end'),
    { ...failed, error: missing },
    runEnd('completed'),
  ]);
  const why = page.querySelector('.node-why');
  expect(why?.textContent).toContain('"c" was skipped: it is disabled');
  const button = [...page.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Go to c, which was skipped',
  );
  await act(async () => button?.click());
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('c');
});
