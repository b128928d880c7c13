import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { type JsonValue, type RunEvent, taskIdOf, type WhenTrace } from '../../engine/isomorphic.ts';
import { findCommand, runCommand } from '../app/commands/commands.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { runEnd } from '../bridge/testing/run-events.ts';
import { AssistantPanel } from './assistant-panel.tsx';

const path = 'a.flow.yaml';
const flow = `flow: { name: Orders }
nodes:
  - id: each
    type: control.foreach
    input: { items: [1, 2], body: [route, send, other] }
  - id: route
    type: control.switch
    input: { value: "{{item}}", cases: [{ when: { equals: { var: value, value: DE } }, route: DE }] }
  - { id: send, type: echo, input: { text: x } }
  - { id: other, type: echo, input: { text: x } }
edges:
  - { from: route, to: send, when: { equals: { var: route.route, value: DE } } }
  - { from: route, to: other, when: { equals: { var: route.route, value: default } } }
`;

let window: TestWindow;
let panel: HTMLElement;
afterEach(() => {
  window.close();
  localStorage.clear();
});

async function explain(...events: readonly RunEvent[]): Promise<readonly string[]> {
  localStorage.clear();
  window = openTestWindow({ listFlows: () => [], readNotices: () => [], readFlow: () => ({ text: flow }) });
  window.engine.connect();
  await act(() => window.stores.openFiles.getState().open(path));
  panel = window.draw(<AssistantPanel path={path} setUp={null} />);
  await window.tellRun(path, ...events);
  const command = findCommand('assistant.explain');
  await act(async () => void (command !== undefined && runCommand(command, window.context)));
  await window.until(() => expect(panel.querySelector('.assistant-facts')).not.toBeNull());
  return [...panel.querySelectorAll('.assistant-facts li')].map(({ textContent }) => textContent ?? '');
}

function start(nodeId: string, nodeType: string, input: JsonValue): readonly RunEvent[] {
  return [
    { type: 'task:start', taskId: taskIdOf(nodeId), nodeId, nodeType },
    { type: 'node:input', nodeId, input },
  ];
}

function complete(nodeId: string, durationMs = 1): RunEvent {
  return { type: 'task:complete', taskId: taskIdOf(nodeId), nodeId, result: {}, durationMs, attempts: 1 };
}

function loopOf(count: number, item: (index: number) => readonly RunEvent[]): readonly RunEvent[] {
  const items = Array.from({ length: count }, (_, index) => index);
  return [...start('each', 'control.foreach', { items, body: [] }), ...items.flatMap(item), complete('each', 9000)];
}

const cases = [{ when: { equals: { var: 'value', value: 'DE' } }, route: 'DE' }];

function routed(index: number, value: JsonValue): readonly RunEvent[] {
  const route = value === 'DE' ? 'DE' : 'default';
  const skipped = route === 'DE' ? 'other' : 'send';
  const part = {
    op: 'equals',
    var: 'route.route',
    value: route === 'DE' ? 'default' : 'DE',
    actual: route,
    result: false,
  } as const;
  const detail: WhenTrace = { op: 'or', of: [part], result: false };
  const at = `each[${index}].`;
  return [
    ...start(`${at}route`, 'control.switch', { value, cases }),
    complete(`${at}route`),
    { type: 'node:skipped', nodeId: at + skipped, reason: 'edge', detail },
  ];
}

test('items that were skipped for the same reason are one sentence, and values that look alike are shown', async () => {
  const values = ['FR', 'DE', 'DE ', 'US', 'de', 'DE ', 'JP', 'GB', 'BR'];
  const lines = await explain(...loopOf(9, (index) => routed(index, values[index] ?? '')), runEnd('completed'));
  expect(lines.slice(1)).toEqual([
    'route compared "DE " with "DE": they differ only by white space (items 3, 6).',
    'route compared "de" with "DE": they differ only by letter case (item 5).',
    'send: 8 of 9 items skipped, because route was default (items 1, 3, 4, 5, 6 and 3 more).',
    'other: 1 of 9 items skipped, because route was DE (item 2).',
  ]);
  const item = [...panel.querySelectorAll<HTMLButtonElement>('.assistant-node')].find((one) => one.textContent === '6');
  await act(async () => item?.click());
  const view = window.stores.selection.getState().views.get(path);
  expect([view?.nodeId, view?.items.get('each')]).toEqual(['route', 5]);
});

test('failures of items are one sentence for each code and message', async () => {
  const failed = (index: number): readonly RunEvent[] => {
    const nodeId = `each[${index}].send`;
    const error = { code: 'http.status', message: index < 6 ? 'Status 500.' : `Status 40${index}.` };
    const failure = { taskId: taskIdOf(nodeId), nodeId, error, durationMs: 1, attempts: 1 };
    return [...start(nodeId, 'echo', {}), { type: 'task:failed', ...failure }];
  };
  const lines = await explain(...loopOf(10, failed), runEnd('completed'));
  expect(lines.slice(1)).toEqual([
    'send failed in 6 of 10 items (items 1, 2, 3, 4, 5 and 1 more): Status 500.',
    'send failed in 1 of 10 items (item 7): Status 406.',
    'send failed in 1 of 10 items (item 8): Status 407.',
    'send failed in 2 more items with other messages (items 9, 10).',
  ]);
});

test('the slowest node in a loop is shown with its slowest items', async () => {
  const slow = (index: number): readonly RunEvent[] => {
    const [first, second] = [`each[${index}].route`, `each[${index}].send`];
    const ms = index === 3 ? 4900 : index === 8 ? 4500 : 2;
    return [...start(first, 'echo', {}), complete(first), ...start(second, 'echo', {}), complete(second, ms)];
  };
  const lines = await explain(...loopOf(20, slow), runEnd('completed'));
  expect(lines.slice(1)).toEqual([
    'send took 9.4 s in all, 100% of the time of all nodes, most in items 4 (4.9 s), 9 (4.5 s).',
  ]);
});

test('a node that takes equally long for all items is shown with the time of one', async () => {
  const even = (index: number): readonly RunEvent[] => {
    const [first, second] = [`each[${index}].route`, `each[${index}].send`];
    return [...start(first, 'echo', {}), complete(first, 100), ...start(second, 'echo', {}), complete(second, 300)];
  };
  const lines = await explain(...loopOf(20, even), runEnd('completed'));
  expect(lines.slice(1)).toEqual(['send took 6.0 s in all, 75% of the time of all nodes: 0.3 s for each of 20 items.']);
});

test('an explanation has at most 12 sentences', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  const skipped = names.map((nodeId): RunEvent => ({ type: 'node:skipped', nodeId, reason: 'disabled' }));
  const lines = await explain(...skipped, runEnd('completed'));
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe('And 20 more facts, which are in the log.');
});

test('a conversation that an earlier version has kept is shown', async () => {
  const lines = await explain(...loopOf(1, () => []), runEnd('completed'));
  expect(lines).toHaveLength(1);
  const [key = ''] = Object.keys(localStorage).filter((name) => name.startsWith('["assistant"'));
  const facts = [{ before: 'See ', node: 'send', after: '.' }];
  localStorage.setItem(key, JSON.stringify([{ by: 'assistant', text: 'Explain this run', facts }]));
  const { readEntries } = await import('../stores/assistant/talk.ts');
  const [, folder = ''] = JSON.parse(key) as readonly string[];
  expect(readEntries(folder, path)[0]?.facts).toEqual([['See ', { node: 'send' }, '.']]);
});
