import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { type RunEvent, taskIdOf } from '../../engine/isomorphic.ts';
import { findCommand, runCommand } from '../app/commands/commands.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { nodeComplete, nodeStart, runEnd } from '../bridge/testing/run-events.ts';
import { AssistantPanel } from './assistant-panel.tsx';

const path = 'a.flow.yaml';
const flow = `flow: { name: Mail, description: Sorts mail., input: { topic: x } }
nodes:
  - { id: read, type: file.read, input: { path: in.txt } }
  - { id: minor, type: echo, input: { text: "{{read.text}}" }, when: { equals: { var: read.text, value: minor } } }
  - id: send
    name: Send {node} it
    type: http.request
    input: { url: "https://example.com" }
    policy: { retry: { maxAttempts: 3 } }
  - { id: note, type: echo, input: { text: hi } }
edges:
  - { from: read, to: minor }
  - { from: read, to: send }
  - { from: send, to: note }
`;
const detail = { op: 'equals', var: 'read.text', value: 'minor', actual: 'major', result: false } as const;
const error = { code: 'http.status', message: 'The server returned {node} 429.' };
const events: readonly RunEvent[] = [
  nodeStart('read'),
  nodeComplete('read'),
  { type: 'node:skipped', nodeId: 'minor', reason: 'when', detail },
  nodeStart('send'),
  { type: 'task:failed', taskId: taskIdOf('send'), nodeId: 'send', error, durationMs: 1, attempts: 3 },
  runEnd('failed'),
];

let window: TestWindow;
let panel: HTMLElement;
afterEach(() => {
  window.close();
  localStorage.clear();
});

async function open(): Promise<void> {
  localStorage.clear();
  window = openTestWindow({ listFlows: () => [], readNotices: () => [], readFlow: () => ({ text: flow }) });
  window.engine.connect();
  await act(() => window.stores.openFiles.getState().open(path));
  panel = window.draw(<AssistantPanel path={path} setUp={null} />);
}

async function explain(id: 'assistant.explain' | 'assistant.explainFlow'): Promise<readonly string[]> {
  const command = findCommand(id);
  await act(async () => void (command !== undefined && runCommand(command, window.context)));
  await window.until(() => expect(panel.querySelector('.assistant-facts')).not.toBeNull());
  return [...panel.querySelectorAll('.assistant-facts li')].map(({ textContent }) => textContent ?? '');
}

test('a flow is explained node by node, without a model', async () => {
  await open();
  expect(await explain('assistant.explainFlow')).toEqual([
    'Mail has 4 nodes.',
    'Sorts mail.',
    'Its inputs: topic.',
    'read: Reads in.txt',
    'minor: Says read.text · After read. Only if read.text is "minor".',
    'Send {node} it: GET https://example.com · After read. Up to 3 attempts.',
    'note: Says “hi” · After Send {node} it.',
  ]);
});

test('a run is explained from its log, and each sentence leads to its node', async () => {
  await open();
  await window.tellRun(path, ...events);
  const told = await explain('assistant.explain');
  expect(told.slice(1)).toEqual([
    'Send {node} it failed after 3 attempts: The server returned {node} 429.',
    'minor was skipped: its condition was not met. (read.text is "minor": it was "major")',
  ]);
  expect(told[0]).toMatch(/^The run failed after .+, when 3 of 4 nodes were done\.$/);
  await act(async () => panel.querySelector<HTMLButtonElement>('.assistant-node[title="send"]')?.click());
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('send');
});

test('a failure is explained with what was before it, and what did not start because of it', async () => {
  await open();
  await window.tellRun(path, ...events);
  act(() => window.stores.selection.getState().selectNode(path, 'send'));
  expect(await explain('assistant.explain')).toEqual([
    'Send {node} it failed after 3 attempts: The server returned {node} 429.',
    'read completed before it.',
    'Not started because of this: note.',
  ]);
  expect(window.engine.calls.filter((name) => name.includes('ssist'))).toEqual([]);
});

test('13.5 a paused run is explained with the node that runs next', async () => {
  await open();
  await window.tellRun(path, ...events.slice(0, 2), { type: 'run:suspended', reason: 'paused', nodeId: 'send' });
  expect(await explain('assistant.explain')).toEqual([
    'The run is suspended: 1 of 4 nodes are done.',
    'A person has paused it. Send {node} it runs next.',
  ]);
});
