import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { asRunId, EngineError, type RunEvent } from '../../../engine/isomorphic.ts';
import { createRunTeller, nodeComplete, nodeStart, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { findCommand, runCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { planText, RerunDialog } from './rerun-dialog.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: Two }
nodes:
  - { id: a, name: Each one, type: control.foreach, input: { items: [1], body: [b] } }
  - { id: b, type: echo, input: { text: x } }
edges: []
`;

let window: TestWindow;
let asked: unknown[];
let former = createRunTeller('r1');
afterEach(() => window.close());

interface Step {
  readonly nodeId: string;
  readonly fate: 'reused' | 'runs' | 'maybe';
  readonly why: string;
  readonly whyParts: (string | { nodeId: string })[];
  readonly repeatsOutside?: true;
}

async function openWindow(plan: (request: { nodeId?: string | undefined }) => Step[]) {
  asked = [];
  window = openTestWindow({
    readFlow: () => ({ text }),
    listRuns: () => [],
    planRerun: plan,
    readEvents: (_run, afterSeq) => former.events.filter(({ seq }) => seq > afterSeq),
    rerunFrom: (request) => {
      asked.push(request);
      return { runId: 'r2' };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  window.draw(<RerunDialog />);
  await window.settle();
}

function rerunFromHere(): boolean {
  const command = findCommand('run.planFromHere');
  let hasRun = false;
  act(() => {
    hasRun = command !== undefined && runCommand(command, window.context);
  });
  return hasRun;
}

/** Runs the same command as the shortcut of "Run again from here". */
async function runAtOnce(): Promise<void> {
  const command = findCommand('run.fromHere');
  if (command !== undefined) act(() => void runCommand(command, window.context));
  await window.settle();
}

function dialogText(): string {
  return document.querySelector('[role="dialog"]')?.textContent ?? '';
}

test("12.1 the plan lists the previous run's answers to questions that will be asked again", async () => {
  await openWindow(() => [{ nodeId: 'a', fate: 'runs', why: 'x', whyParts: ['x'] }]);
  const asked = { nodeId: 'a', key: 'k', requestHash: 'h' };
  former = createRunTeller('r1');
  for (const event of [
    runStart(path),
    nodeStart('a'),
    { type: 'approval:requested', ...asked, request: { kind: 'approval', title: 'Go?' } },
    { type: 'approval:resolved', ...asked, payload: { approved: true }, by: 'ada', at: 5 },
  ] satisfies RunEvent[])
    former.tell(event, 'a');
  await window.tellRun(path, nodeStart('a'), nodeComplete('a'), runEnd('completed'));
  act(() => window.stores.selection.getState().selectNode(path, 'a'));
  rerunFromHere();
  await window.settle();
  expect(dialogText()).toMatch(/These questions are asked again.*Each one: approved by ada, /);
});

test('a node in a loop runs again with its loop, according to the plan and with the text on screen', async () => {
  await openWindow(() => [
    { nodeId: 'a', fate: 'runs', why: 'it is the node to run from', whyParts: ['it is the node to run from'] },
  ]);
  await window.tellRun(path, nodeStart('a'), nodeComplete('a'), runEnd('completed'));
  act(() => window.stores.selection.getState().selectNode(path, 'b'));
  expect(rerunFromHere()).toBe(true);
  await window.settle();
  expect(dialogText()).toContain('Run again from Each one?');
  expect(dialogText()).toContain('it is the node to run from');
  expect(document.activeElement?.textContent).toContain('Run again');
  act(() => (document.activeElement as HTMLButtonElement).click());
  await window.settle();
  expect(asked).toEqual([{ runId: 'r1', nodeId: 'a', text }]);
  expect(dialogText()).toBe('');
});

const changed = {
  nodeId: 'a',
  fate: 'runs',
  why: 'its definition has changed',
  whyParts: ['its definition has changed'],
} satisfies Step;

test('the shortcut runs at once from the selected node with the edited text, without a dialog', async () => {
  await openWindow(() => [changed]);
  await window.tellRun(path, nodeStart('a'), nodeComplete('a'), runEnd('completed'));
  act(() => window.stores.selection.getState().selectNode(path, 'b'));
  const edited = text.replace('text: x', 'text: y');
  act(() => window.stores.edits.type(path, [{ start: 0, end: text.length, text: edited }]));
  await runAtOnce();
  expect([asked, dialogText()]).toEqual([[{ runId: 'r1', nodeId: 'a', text: edited }], '']);
});

test('the shortcut runs from the first stale node without a selection, and runs nothing if none is stale', async () => {
  let plan: Step[] = [
    { nodeId: 'a', fate: 'reused', why: '', whyParts: [] },
    {
      nodeId: 'b',
      fate: 'maybe',
      why: 'its input depends on c, and is known only then',
      whyParts: ['its input depends on c, and is known only then'],
    },
    { nodeId: 'c', fate: 'runs', why: 'it did not run before', whyParts: ['it did not run before'] },
  ];
  const nodes: (string | undefined)[] = [];
  await openWindow(({ nodeId }) => {
    nodes.push(nodeId);
    return plan;
  });
  await window.tellRun(path, nodeStart('a'), nodeComplete('a'), runEnd('completed'));
  await runAtOnce();
  expect([nodes, asked]).toEqual([[undefined, 'c'], [{ runId: 'r1', nodeId: 'c', text }]]);

  act(() => window.stores.liveRuns.getState().choose(path, asRunId('r1')));
  plan = plan.slice(0, 1);
  await window.tellRun(path, nodeStart('a'), nodeComplete('a'), runEnd('completed'));
  await runAtOnce();
  expect(asked).toHaveLength(1);
  expect(window.stores.notices.getState().list.at(-1)?.title).toBe('Nothing to run again');
});

test('the shortcut asks before an external effect is repeated, and lists those effects by the names of the nodes', async () => {
  const behind = {
    nodeId: 'b',
    fate: 'runs',
    why: 'it comes after a',
    whyParts: ['it comes after ', { nodeId: 'a' }],
  };
  await openWindow(() => [{ ...changed, repeatsOutside: true }, behind as Step]);
  await window.tellRun(path, nodeStart('a'), nodeComplete('a'), runEnd('completed'));
  act(() => window.stores.selection.getState().selectNode(path, 'a'));
  await runAtOnce();
  expect(asked).toEqual([]);
  expect(dialogText()).toMatch(/Each one has effects outside the flow.*would happen a second time/);
  expect(dialogText()).toContain('it comes after Each one');
});

test('a text with errors shows the errors instead', async () => {
  await openWindow(() => [changed]);
  await window.tellRun(path, nodeStart('a'), nodeComplete('a'), runEnd('completed'));
  act(() => window.stores.edits.type(path, [{ start: 0, end: text.length, text: text.replace('echo', 'ecko') }]));
  await runAtOnce();
  expect(asked).toEqual([]);
  expect(window.stores.panes.getState().dockTab).toBe('problems');
});

test('an error from the engine is shown in the dialog, and nothing can be run', async () => {
  await openWindow(() => {
    throw new EngineError({ code: 'node.not-found', message: 'There is no node a.' });
  });
  await window.tellRun(path, nodeStart('a'), nodeComplete('a'), runEnd('completed'));
  act(() => window.stores.selection.getState().selectNode(path, 'a'));
  rerunFromHere();
  await window.settle();
  expect(dialogText()).toContain('There is no node a.');
  expect(document.querySelector<HTMLButtonElement>('.rerun-actions [data-variant="primary"]')?.disabled).toBe(true);
});

test('is not available while the run is active or without a selected node', async () => {
  await openWindow(() => []);
  await window.tellRun(path, nodeStart('a'));
  act(() => window.stores.selection.getState().selectNode(path, 'a'));
  expect(rerunFromHere()).toBe(false);
});

test.each([
  [['runs', 'reused'], '1 node runs again. 1 is reused.'],
  [['runs', 'runs', 'reused', 'reused', 'maybe'], '2 nodes run again. 2 are reused. 1 may be reused.'],
  [['runs'], '1 node runs again.'],
] as const)('the plan as a sentence: %j', (fates, sentence) => {
  expect(planText(fates.map((fate) => ({ nodeId: 'n', fate, why: '', whyParts: [] })))).toBe(sentence);
});
