import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import type { AskRequest, NodeState, RunEvent } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { agentStart, createRunTeller, inputStart, nodeStart, runStart } from '../bridge/testing/run-events.ts';
import { useOpenFile, useShownRun } from '../stores/use-flow.ts';
import { failedPlace, WaitingPanel } from './run-banners.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: Two }
nodes:
  - { id: each, type: control.foreach, input: { items: [1], body: [post] } }
  - { id: post, type: echo, name: Post it, input: { text: x } }
  - { id: send, type: echo, input: { text: x } }
edges: []
`;

function Shown() {
  const flow = useOpenFile(path);
  const run = useShownRun(path);
  return flow === undefined || run === undefined ? null : <WaitingPanel flow={flow} run={run} />;
}

let window: TestWindow;
afterEach(() => window.close());

function asks(nodeId: string) {
  return { type: 'node:suspended', nodeId, request: { reason: 'operator', message: `Again ${nodeId}?` } } as const;
}

interface Opened {
  readonly panel: HTMLElement;
  readonly answers: unknown[];
}

function openWaiting(...nodeIds: readonly string[]): Promise<Opened> {
  const waits = nodeIds.flatMap((nodeId) => [nodeStart(nodeId), asks(nodeId)]);
  return openRun(...waits, { type: 'run:suspended', reason: 'operator' });
}

async function openRun(...events: readonly RunEvent[]): Promise<Opened> {
  const answers: unknown[] = [];
  window = openTestWindow({
    readFlow: () => ({ text }),
    listRuns: () => [],
    readEvents: () => [],
    resumeRun: (answer) => {
      answers.push(answer);
      return { runId: 'r1' };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  const panel = window.draw(<Shown />);
  await window.settle();
  await window.tellRun(path, ...events);
  return { panel, answers };
}

async function press(panel: HTMLElement, name: string): Promise<void> {
  const button = panel.querySelector<HTMLButtonElement>(`[aria-label="${name}"]`);
  act(() => button?.click());
  await window.settle();
}

test('each waiting node is shown with its question, its item and separate answer buttons', async () => {
  const { panel, answers } = await openWaiting('send', 'each[0].post');
  expect([...panel.querySelectorAll('li')].map((row) => row.textContent)).toEqual([
    'sendAgain send?RejectApprove',
    'Post it, item 1Again each[0].post?RejectApprove',
  ]);
  await press(panel, 'Approve: Post it, item 1');
  await press(panel, 'Reject all: all 2 nodes');
  expect(answers).toEqual([
    { runId: 'r1', decision: 'approve', nodeId: 'each[0].post' },
    { runId: 'r1', decision: 'reject' },
  ]);
});

test('an answer changes nothing until its event arrives', async () => {
  const { panel } = await openWaiting('send');
  await press(panel, 'Approve: send');
  expect(panel.textContent).toContain('Again send?');
});

test('a name links to the node, and in a loop to its item', async () => {
  const { panel } = await openWaiting('each[0].post');
  act(() => panel.querySelector<HTMLButtonElement>('.waiting-name')?.click());
  const view = window.stores.selection.getState().views.get(path);
  expect([view?.nodeId, view?.items.get('each')]).toEqual(['post', 0]);
});

test('a request in a child run is shown with both names, is answered by both, and is linked', async () => {
  const { panel, answers } = await openWaiting('send');
  const run = createRunTeller('r2');
  run.tell(runStart(path));
  run.tell(nodeStart('each[1].post'));
  const child = { runId: 'c1', parentRunId: 'r2' };
  run.tellChild(child, agentStart('a.aip', 'node:each[1].post'));
  run.tellChild(child, inputStart(1));
  run.tellChild(child, asks('input:1'));
  run.tellChild(child, { type: 'run:suspended', reason: 'operator', nodeId: 'input:1' });
  run.tell({ type: 'run:suspended', reason: 'operator', nodeId: 'each[1].post/input:1' });
  window.engine.push('subscribe', run.events);
  await window.settle();
  expect([...panel.querySelectorAll('li')].map((row) => row.textContent)).toEqual([
    'Post it, item 2: Input 2Again input:1?RejectApprove',
  ]);
  await press(panel, 'Approve: Post it, item 2: Input 2');
  expect(answers).toEqual([{ runId: 'r2', decision: 'approve', nodeId: 'each[1].post/input:1' }]);
  act(() => panel.querySelector<HTMLButtonElement>('.waiting-name')?.click());
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('post');
  const { called, inputs } = window.stores.agentViews.getState();
  expect([called.get(path), inputs.get('c1')]).toEqual(['c1', 'input:1']);
});

const node = (nodeId: string, endedAt: number, status = 'failed') =>
  [nodeId, { nodeId, status, endedAt, attempts: 1, text: '' }] as [string, NodeState];

test.each([
  ['a node', [node('send', 1)], 'send', 'send'],
  [
    'a loop',
    [node('each', 9), node('each[0].post', 1, 'completed'), node('each[3].post', 2), node('each[5].post', 4)],
    'each',
    'each[3].post',
  ],
  [
    'a loop in a loop',
    [node('each', 9), node('each[1].in', 8), node('each[1].in[2].post', 7), node('each[4].in', 9)],
    'each',
    'each[1].in[2].post',
  ],
  ['a loop with another name that begins alike', [node('each', 9), node('eachother[0].post', 1)], 'each', 'each'],
  ['a loop that failed itself', [node('each', 9), node('each[0].post', 1, 'completed')], 'each', 'each'],
])('"Show the node" opens the node and the first item that failed, in %s', (_what, nodes, from, place) => {
  expect(failedPlace({ nodes: new Map(nodes) }, from)).toBe(place);
});

test('an item has the name given by its loop, with the total count, in the row and in the labels of its buttons', async () => {
  const { panel } = await openRun(
    { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' },
    { type: 'node:input', nodeId: 'each', input: { items: [1, 2, 3], as: 'mail', body: ['post'] } },
    nodeStart('each[1].post'),
    asks('each[1].post'),
    { type: 'run:suspended', reason: 'operator' },
  );
  expect(panel.querySelector('.waiting-name')?.textContent).toBe('Post it, mail 2 of 3');
  expect(panel.querySelector('[aria-label="Approve: Post it, mail 2 of 3"]')).not.toBeNull();
});

describe('a question can be answered in its row only if all of it is shown there', () => {
  const plain = { kind: 'approval', title: 'Send it?' } as const;

  test.each<[what: string, request: AskRequest, button: string]>([
    ['only a title', plain, 'Approve'],
    ['a message that says the same', { ...plain, message: 'Send it? ' }, 'Approve'],
    ['nothing to edit', { ...plain, params: {}, notes: [] }, 'Approve'],
    ['a message', { ...plain, message: 'To all 3,000 customers.' }, 'Review'],
    ['an action', { ...plain, action: { tool: 'core.file_write', params: { path: 'a' } } }, 'Review'],
    ['a diff', { ...plain, diff: '-a\n+b' }, 'Review'],
    ['notes', { ...plain, notes: ['Checked twice'] }, 'Review'],
    ['values to edit', { ...plain, params: { to: 'Ada' } }, 'Review'],
    ['values to enter', { kind: 'input', title: 'Who?', schema: { type: 'object' } }, 'Answer'],
  ])('with %s', async (_, request, button) => {
    const type = request.kind === 'input' ? 'input:requested' : 'approval:requested';
    const asked = { type, nodeId: 'send', key: 'k', requestHash: 'h', request } as const;
    const { panel } = await openRun(nodeStart('send'), asked, asks('send'));
    expect([...panel.querySelectorAll('.waiting-row .button')].map(({ textContent }) => textContent).at(-1)).toBe(
      button,
    );
  });
});
