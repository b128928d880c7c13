/** Runs a node alone, or runs up to it, from the window. */
import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { asRunId, EngineError, type JsonMap, type JsonValue, type RunPart } from '../../../engine/isomorphic.ts';
import type { NodePlan } from '../../stores/runs/plan-actions.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { type CommandId, findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { NodeRunDialog } from './node-run-dialog.tsx';
import { RerunDialog } from './rerun-dialog.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: Mend, inputs: { page: { type: integer, required: true, description: Which page } } }
nodes:
  - { id: ask, type: json.parse, input: { text: "{}" } }
  - { id: get, type: http.request, name: Get it, input: { url: "http://localhost/{{ask.value}}" } }
  - { id: say, type: echo, input: { text: "{{get.status}} {{flow.input.page}} {{ask.value.name}}" } }
  - { id: each, type: control.foreach, name: Each one, input: { items: [1], body: [one] } }
  - { id: one, type: echo, input: { text: x } }
edges: [{ from: ask, to: get }, { from: get, to: say }]
`;

interface Started {
  readonly inputs: JsonMap;
  readonly part?: RunPart | undefined;
  readonly pins?: Readonly<Record<string, JsonValue>> | undefined;
}

let window: TestWindow;
/** The plans up to a node that were requested from the engine. */
let asked: unknown[];
let started: Started[];
let rerun: object[];
afterEach(() => window.close());

const nothingMissing: NodePlan = {
  inputs: { page: 3 },
  sources: [],
  missing: [],
  known: {},
  input: {},
  actsOutside: false,
};

const listed = {
  kind: 'flow',
  name: 'Mend',
  sourcePath: path,
  definitionHash: 'h',
  startedAt: 0,
  failedNodes: [],
} as const;

interface Answers {
  readonly plan?: Partial<NodePlan> | EngineError;
  readonly runs?: readonly {
    readonly runId: string;
    readonly status: 'running' | 'completed';
    readonly scope?: RunPart;
  }[];
  readonly steps?: (request: { readonly runId: string }) => readonly object[];
  /** The run that a partial run reuses outputs from. */
  readonly upTo?: string;
}

async function openWindow({ plan = {}, runs = [], steps = () => [], upTo }: Answers = {}) {
  asked = [];
  started = [];
  rerun = [];
  window = openTestWindow({
    readFlow: () => ({ text }),
    listRuns: () => runs.map((run, index) => ({ ...listed, number: 9 - index, ...run })),
    planNode: () => {
      if (plan instanceof EngineError) throw plan;
      return { ...nothingMissing, ...plan };
    },
    planRerun: (request) => steps(request) as never,
    planUpTo(request) {
      asked.push(request);
      return upTo === undefined ? undefined : ({ runId: upTo, steps: steps({ runId: upTo }) } as never);
    },
    rerunFrom: (request) => {
      rerun.push(request);
      return { runId: 'r2' };
    },
    startRun: ({ inputs, part, pins }) => {
      started.push({ inputs, ...(part === undefined ? {} : { part }), ...(pins === undefined ? {} : { pins }) });
      return { runId: `r${started.length + 1}` };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  window.draw(
    <>
      <NodeRunDialog />
      <RerunDialog />
    </>,
  );
  await window.settle();
}

async function ask(id: CommandId, nodeId: string): Promise<boolean> {
  act(() => window.stores.selection.getState().selectNode(path, nodeId));
  const command = findCommand(id);
  let isDone = false;
  act(() => {
    isDone = command !== undefined && runCommand(command, window.context);
  });
  await window.settle();
  return isDone;
}

const dialog = () => document.querySelector('[role="dialog"]');

async function press(name: string): Promise<void> {
  const button = [...(dialog()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === name);
  act(() => button?.click());
  await window.settle();
}

async function type(label: string, typed: string): Promise<void> {
  const field = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].find((one) =>
    one.labels?.[0]?.textContent?.startsWith(label),
  );
  if (field === undefined) throw new Error(`There is no field ${label}`);
  await act(async () => {
    typeInto(field, typed);
  });
}

describe('BB-45 a node alone, by shortcut, menu and palette', () => {
  test('runs at once with the inputs of the latest run and the pinned outputs, without asking', async () => {
    await openWindow();
    expect(findCommand('run.node')).toMatchObject({ shortcut: 'Mod+Alt+Enter', title: 'Run this node' });
    act(() => void window.stores.pins.getState().pin(path, 'ask', { value: 1 }));
    act(() => void window.stores.pins.getState().pin(path, 'say', { text: 'mine' }));
    expect(await ask('run.node', 'say')).toBe(true);
    // A pin on the node itself does not prevent it from running.
    expect(started).toEqual([{ inputs: { page: 3 }, part: { only: 'say' }, pins: { ask: { value: 1 } } }]);
    expect(dialog()).toBeNull();
    expect(window.stores.liveRuns.getState().shown.get(path)?.runId).toBe('r2');
  });

  test("asks for missing values in the fields of the node's inputs, and shows errors at their field", async () => {
    await openWindow({
      plan: {
        inputs: {},
        missing: [
          ['get', 'status'],
          ['flow', 'input', 'page'],
          ['ask', 'value'],
        ],
        known: { ask: { other: true } },
      },
    });
    await ask('run.node', 'say');
    expect(dialog()?.textContent).toContain('Run say alone');
    expect(dialog()?.textContent).toContain('Which page');
    await press('Run this node');
    expect(started).toEqual([]);
    expect(dialog()?.textContent).toContain('This value is required.');
    await type('get.status', 'many');
    await type('flow.input.page', '7');
    await type('ask.value', '{ "name": "bee" }');
    await press('Run this node');
    expect(dialog()?.textContent).toContain('must be a number');
    await type('get.status', '200');
    await press('Run this node');
    expect(started).toEqual([
      {
        inputs: { page: 7 },
        part: { only: 'say' },
        pins: { get: { status: 200 }, ask: { other: true, value: { name: 'bee' } } },
      },
    ]);
    // The previous entry is filled in again and does not become a pin.
    await ask('run.node', 'say');
    expect(document.querySelector<HTMLTextAreaElement>('textarea')?.value).toBe('{ "name": "bee" }');
    expect(window.stores.pins.getState().files.size).toBe(0);
  });

  test('asks for an input that the flow requires, even if the node does not use it', async () => {
    await openWindow({ plan: { inputs: { page: 'no number', more: 1 } } });
    await ask('run.node', 'ask');
    await type('flow.input.page', '2');
    await press('Run this node');
    expect(started).toEqual([{ inputs: { page: 2, more: 1 }, part: { only: 'ask' } }]);
  });

  test('explains that a node in a loop cannot run alone, and runs the loop instead', async () => {
    await openWindow();
    await ask('run.node', 'one');
    expect(dialog()?.textContent).toContain('one runs for each item of Each one');
    await press('Run Each one');
    expect(started).toMatchObject([{ part: { only: 'each' } }]);
  });

  test('shows a notice if the engine rejects it, and is unavailable without a selected node', async () => {
    await openWindow({ plan: new EngineError({ code: 'node.not-found', message: 'There is none.' }) });
    await ask('run.node', 'say');
    expect(window.stores.notices.getState().list).toMatchObject([{ detail: 'There is none.' }]);
    act(() => window.stores.selection.getState().selectNode(path, null));
    expect(findCommand('run.node')?.isAvailable?.(window.context)).toBe(false);
  });
});

describe('BB-48 a node with external effects', () => {
  test('asks before it runs alone for the first time in a session, and shows its inputs', async () => {
    await openWindow({ plan: { actsOutside: true, input: { url: 'http://localhost/7' } } });
    await ask('run.node', 'get');
    expect(started).toEqual([]);
    expect(dialog()?.textContent).toContain('Get it has effects outside the flow. It will do this now');
    expect(dialog()?.textContent).toContain('http://localhost/7');
    await press('Not now');
    await ask('run.node', 'get');
    expect(started).toEqual([]);
    await press('Run this node');
    expect(started).toHaveLength(1);
    act(() => window.stores.liveRuns.getState().choose(path, asRunId('other')));
    await ask('run.node', 'get');
    expect([started.length, dialog()]).toEqual([2, null]);
    await ask('run.node', 'say');
    expect(dialog()?.textContent).toContain('say has effects outside');
  });
});

describe('BB-46 up to a node', () => {
  const step = (nodeId: string, fate: string, more = {}) => ({ nodeId, fate, why: '', whyParts: [], ...more });

  test('reuses the run that the engine finds, with pinned outputs', async () => {
    await openWindow({ upTo: 'whole', steps: () => [step('ask', 'reused')] });
    act(() => void window.stores.pins.getState().pin(path, 'ask', { value: 1 }));
    await ask('run.toHere', 'get');
    expect(asked).toEqual([{ path, nodeId: 'get', text, pins: { ask: { value: 1 } } }]);
    expect(rerun).toEqual([{ runId: 'whole', text, part: { to: 'get' }, pins: { ask: { value: 1 } } }]);
  });

  test('shows the plan first if an external effect would be repeated, or on request', async () => {
    await openWindow({
      upTo: 'whole',
      steps: () => [step('ask', 'pinned'), step('get', 'runs', { repeatsOutside: true })],
    });
    await ask('run.toHere', 'get');
    expect(rerun).toEqual([]);
    expect(dialog()?.textContent).toContain('Run up to Get it?');
    expect(dialog()?.textContent).toContain('1 node runs again. 1 is pinned.');
    await press('Run again');
    expect(rerun).toMatchObject([{ part: { to: 'get' } }]);
    await ask('run.planToHere', 'ask');
    expect(dialog()?.textContent).toContain('Run up to ask?');
  });

  test('asks for the inputs of the flow if there was no run, and runs up to the loop for a node in a loop', async () => {
    await openWindow();
    await ask('run.toHere', 'one');
    expect(window.context.dialogs.getState()).toMatchObject({ open: 'run-inputs', part: { to: 'each' } });
  });
});
