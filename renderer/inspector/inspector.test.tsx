import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { asRunId, type EventEnvelope, type JsonValue, type RunEvent } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { createRunTeller, nodeStart, runEnd, runStart } from '../bridge/testing/run-events.ts';
import { useOpenFile } from '../stores/use-flow.ts';
import { Inspector } from './inspector.tsx';

const path = 'a.flow.yaml';
const text = `flow:
  name: Notes
  description: From notes to a page
  input: { topic: bees }
nodes:
  - id: ask
    type: prompt
    input: { prompt: "About {{flow.input.topic}}" }
    policy: { retry: { maxAttempts: 3 } }
  - id: after
    type: echo
    input: { text: hi }
    when: { equals: { var: ask.text, value: "yes" } }
edges:
  - { from: ask, to: after }
`;

function Shown() {
  const flow = useOpenFile(path);
  return flow === undefined ? null : <Inspector flow={flow} />;
}

type RunStartEvent = Extract<RunEvent, { type: 'run:start' }>;

let window: TestWindow;
let element: HTMLElement;
let areFilesThere = true;
afterEach(() => {
  areFilesThere = true;
  window.close();
});

/** Shows the inspector beside an open flow, with this node selected. */
async function show(nodeId: string | null, openDocs?: (page?: string) => void): Promise<void> {
  window = openTestWindow(
    {
      readFlow: () => ({ text }),
      listFolder: (folder) => {
        const path = folder === '' ? 'page.md' : `${folder}/page.md`;
        const entry = { name: 'page.md', path, kind: 'file', change: null } as const;
        const files = areFilesThere ? [entry] : [];
        return { entries: [...files, { ...entry, name: 'sub', path: 'sub', kind: 'folder' }], isCut: false };
      },
      readFile: () => ({ text: 'Bees', isWritable: true }),
      readValue: (hash) => `whole text of ${hash.slice(0, 2)}`,
    },
    openDocs === undefined ? {} : { 'docs.open': ({ page }) => openDocs(page) },
  );
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  element = window.draw(<Shown />);
  act(() => window.stores.selection.getState().selectNode(path, nodeId));
  await window.settle();
}

function visibleText(): string {
  const hidden = element.querySelectorAll('[data-state="inactive"][role="tabpanel"]');
  for (const panel of hidden) panel.remove();
  return element.textContent ?? '';
}

function fieldValue(label: string): string | undefined {
  return element.querySelector<HTMLInputElement>(`[aria-label="${label}"]`)?.value;
}

async function chooseTab(name: string): Promise<void> {
  const tab = [...element.querySelectorAll<HTMLElement>('[role="tab"]')].find((item) =>
    item.textContent?.includes(name),
  );
  act(() => tab?.focus());
  await window.settle();
}

test('shows the flow if no node is selected', async () => {
  await show(null);
  expect(visibleText()).toContain('From notes to a page');
  expect(visibleText()).toContain('2 nodes, 1 edge');
  expect(visibleText()).toContain('bees');
});

test('a node that never ran shows the content of the file, with its condition and policy', async () => {
  await show('after');
  expect(visibleText()).toContain('Runs when');
  expect(fieldValue('Path')).toBe('ask.text');
  expect(fieldValue('Value')).toBe('yes');
  expect(visibleText()).toContain('as set in the flow');
});

test('the question mark opens the page of the node type', async () => {
  const opened: (string | undefined)[] = [];
  await show('ask', (page) => opened.push(page));
  const button = element.querySelector<HTMLElement>('[aria-label="About this node type"]');
  act(() => button?.click());
  await window.settle();
  expect(opened).toEqual(['nodes/prompt.html']);
});

test('a streaming node shows its text as it arrives', async () => {
  await show('ask');
  const piece = (content: string) => [{ type: 'agent:text', content } as RunEvent, 'ask'] as const;
  await window.tellRun(path, nodeStart('ask'), piece('Bees '), piece('hum'));
  await chooseTab('Output');
  expect(visibleText()).toContain('Bees hum');
  expect(element.querySelector('.stream-caret')).not.toBeNull();
});

test('a skipped node shows why, with the values of its condition', async () => {
  await show('after');
  const detail = { op: 'equals', var: 'ask.text', value: 'yes', actual: 'no', result: false } as const;
  await window.tellRun(path, { type: 'node:skipped', nodeId: 'after', reason: 'when', detail });
  await chooseTab('Output');
  expect(visibleText()).toContain('Why did this not run?');
  expect(visibleText()).toContain('it was"no"');
});

test('each failed attempt keeps its error', async () => {
  await show('ask');
  const retry = (attempt: number, message: string): RunEvent => ({
    type: 'node:retry',
    nodeId: 'ask',
    attempt,
    delayMs: 250,
    error: { code: 'model.unavailable', message },
  });
  await window.tellRun(path, nodeStart('ask'), retry(1, 'first no'), retry(2, 'second no'));
  await chooseTab('Attempts');
  const shown = visibleText();
  expect(
    ['Attempt 1 of 3', 'first no', 'Attempt 2 of 3', 'second no', 'Attempt 3 of 3'].map((part) => shown.indexOf(part)),
  ).toSatisfy((places: number[]) => places.every((place, index) => place > (places[index - 1] ?? -1)));
});

test('a large value is fetched only on request', async () => {
  await show('ask');
  const handle = { $value: 'ab'.repeat(32), bytes: 2_300_000, type: 'string', preview: 'Once upon' } as const;
  await window.tellRun(path, nodeStart('ask'), {
    type: 'task:complete',
    taskId: 'node:ask',
    nodeId: 'ask',
    result: handle,
    durationMs: 3,
    attempts: 1,
  });
  await chooseTab('Output');
  expect(window.engine.calls).not.toContain('value.read');
  const load = [...element.querySelectorAll('button')].find((button) => button.textContent === 'Load 2.3 MB');
  act(() => load?.click());
  await window.settle();
  expect(visibleText()).toContain('whole text of ab');
});

test('the line of a node links to the text', async () => {
  await show('after');
  const link = [...element.querySelectorAll('button')].find((button) => button.textContent === 'Line 10');
  act(() => link?.click());
  expect(window.stores.selection.getState().views.get(path)).toMatchObject({
    mode: 'split',
    reveal: { line: 10, column: 1 },
  });
});

test('a node of a run that the flow does not contain is named', async () => {
  await show(null);
  act(() => window.stores.selection.getState().selectNode(path, 'gone'));
  expect(visibleText()).toContain('The flow has no node gone');
});

test('the output of a node is compared with that of the previous run, word by word, side by side', async () => {
  const answer = (runId: string, output: JsonValue, more: Partial<RunStartEvent> = {}) => {
    const run = createRunTeller(runId);
    run.tell({ ...(runStart(path) as RunStartEvent), ...more });
    run.tell(nodeStart('ask'));
    const result = { type: 'task:complete', taskId: 'node:ask', nodeId: 'ask', result: output } as const;
    run.tell({ ...result, durationMs: 1, attempts: 1 });
    run.tell(runEnd('completed'));
    return run.events;
  };
  const former = answer('r1', { text: 'in ten points', model: 'm' });
  window = openTestWindow({
    readFlow: () => ({ text }),
    readEvents: (runId, after) => (runId === 'r1' ? former.filter(({ seq }) => seq > after) : []),
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  element = window.draw(<Shown />);
  act(() => window.stores.selection.getState().selectNode(path, 'ask'));
  const compared = () => element.querySelector('[aria-label="Compared with the previous run"]');
  const told = async (events: readonly EventEnvelope[]) => {
    window.engine.push('subscribe', events);
    await window.settle();
    await window.settle();
  };
  await told(former);
  expect(compared()).toBeNull();

  await told(answer('r2', { text: 'in at most five points', model: 'm' }, { rerunOf: asRunId('r1') }));
  const changed = (tag: string) => [...(compared()?.querySelectorAll(tag) ?? [])].map(({ textContent }) => textContent);
  expect([changed('del'), changed('ins')]).toEqual([['ten'], ['at most five']]);
  expect(compared()?.textContent).toContain('Before' + 'in ten points' + 'Now' + 'in at most five points');
  expect(compared()?.textContent).not.toContain('model');

  await told(answer('r3', { text: 'in ten points', model: 'm' }, { redoOf: asRunId('r1') }));
  expect(compared()?.textContent).toContain('The same as in');
});

test('a node that a completed run did not reach has an explanation in terms of its loop', async () => {
  await show('after');
  await window.tellRun(path, runEnd('completed'));
  await chooseTab('Output');
  expect(visibleText()).toContain('The run did not reach it: the loop around it was skipped, had no items');
});

describe('a node with a path in its output', () => {
  const done = (nodeId: string, result: JsonValue): RunEvent => {
    return { type: 'task:complete', taskId: `node:${nodeId}`, nodeId, result, durationMs: 1, attempts: 1 };
  };
  const opener = (): HTMLElement | undefined =>
    [...element.querySelectorAll('button')].find(({ textContent }) => textContent === 'Open the file');
  const give = async (result: JsonValue): Promise<void> => {
    await show('ask');
    await window.tellRun(path, nodeStart('ask'), done('ask', result), runEnd('completed'));
    await chooseTab('Output');
    await window.settle();
  };

  test.each(['page.md', 'out/page.md'])('offers to open a file that exists (%s)', async (file) => {
    await give({ path: file, sizeBytes: 2 });
    act(() => opener()?.click());
    await window.settle();
    expect(window.stores.openFiles.getState().activePath).toBe(file);
  });

  test('updates when the file is deleted and restored', async () => {
    await give({ path: 'page.md' });
    expect(opener()).toBeDefined();
    const told = async (isThere: boolean): Promise<void> => {
      areFilesThere = isThere;
      window.engine.push('watchFiles', { paths: ['page.md'], isTree: true });
      await window.settle();
      await window.settle();
    };
    await told(false);
    expect(opener()).toBeUndefined();
    await told(true);
    expect(opener()).toBeDefined();
  });

  test.each([['gone.md'], ['/page.md'], ['sub'], [''], [7]])(
    'offers nothing for a path that is not in the workspace (%j)',
    async (file) => {
      await give({ path: file });
      expect(visibleText()).toContain('path');
      expect(opener()).toBeUndefined();
    },
  );

  test('offers nothing unless the node has completed', async () => {
    await show('ask');
    await window.tellRun(path, nodeStart('ask'));
    await chooseTab('Output');
    expect(opener()).toBeUndefined();
  });
});

test('the note that a node is stale is below its form, so that nothing moves while the user types', async () => {
  await show('ask');
  await window.tellRun(path, nodeStart('ask'), {
    type: 'run:end',
    status: 'completed',
    failedNodes: [],
    durationMs: 1,
  });
  const form = element.querySelector('[role="tabpanel"]');
  act(() => window.stores.liveRuns.getState().setStale(asRunId('r1'), new Map([['ask', 'its prompt has changed']])));
  await window.settle();
  const note = element.querySelector('.inspector-stale');
  expect(note?.textContent).toContain('Stale: its prompt has changed.');
  const isBelow = form !== null && (form.compareDocumentPosition(note!) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  expect([form?.isConnected, isBelow]).toEqual([true, true]);
});

test('several selected elements are counted as they exist in the flow, also after an undo', async () => {
  await show(null);
  const { selection, edits } = window.stores;
  act(() => selection.getState().choose(path, { nodes: ['ask', 'after'], edges: ['ask->after'] }));
  await window.settle();
  expect(visibleText()).toContain('2 nodes, 1 edge selected');
  await act(() => edits.change(path, { do: 'add', nodes: [{ id: 'third', type: 'echo', input: {} }] }));
  act(() => selection.getState().choose(path, { nodes: ['ask', 'after', 'third'] }));
  await window.settle();
  expect(visibleText()).toContain('3 nodes selected');
  act(() => edits.undo(path));
  await window.settle();
  expect(visibleText()).toContain('2 nodes selected');
});

test('the flow explains its nodes in order; selecting one shows its form', async () => {
  await show(null);
  const nodes = [...element.querySelectorAll<HTMLElement>('.flow-node')];
  expect(nodes.map(({ textContent }) => textContent)).toEqual(['ask About flow.input.topic', 'after Says “hi”']);
  act(() => nodes[1]?.click());
  expect(element.querySelector('.inspector-name')?.textContent).toBe('after');
});
