import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunEvent } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { nodeComplete, nodeStart, runEnd } from '../bridge/testing/run-events.ts';
import { useOpenFile, useShownRun } from '../stores/use-flow.ts';
import { SuggestionsPanel } from './suggestions-panel.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: A }
nodes:
  - { id: pay, type: echo, name: Pay it, input: { text: hi } }
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [mail] } }
  - { id: mail, type: echo, name: Write, input: { text: hi } }
edges: []
`;

function Shown() {
  const flow = useOpenFile(path);
  const run = useShownRun(path);
  return flow === undefined || run === undefined ? null : <SuggestionsPanel flow={flow} run={run} />;
}

let window: TestWindow;
let page: HTMLElement;
beforeEach(async () => {
  window = openTestWindow({
    readFlow: () => ({ text }),
    readDefinition: () => text,
    listRuns: () => [],
    readEvents: () => [],
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  page = window.draw(<Shown />);
  await window.settle();
});
afterEach(() => window.close());

const suggested = (nodeId: string, params: object, tool?: string): RunEvent =>
  ({
    type: 'node:skipped',
    nodeId,
    reason: 'autonomy',
    suggestion: { params, ...(tool === undefined ? {} : { tool }) },
  }) as RunEvent;
const rows = (): string[] => [...page.querySelectorAll('li')].map((row) => row.textContent ?? '');

test('13.16 a run that is over lists its suggestions, with the tool, the parameters and the name of the node', async () => {
  await window.tellRun(
    path,
    suggested('pay', { sum: 7 }, 'shop.pay'),
    suggested('each[1].mail', { to: 'ann' }),
    runEnd('completed'),
  );
  expect(page.textContent).toContain('2 actions suggested, not done:');
  expect(rows()).toEqual(['Pay itshop.pay sum: 7', 'Writeto: ann']);
});

test('13.16 an entry links to its node, and in a loop to its item', async () => {
  await window.tellRun(path, suggested('pay', {}), suggested('each[1].mail', {}), runEnd('completed'));
  const selected = () => window.stores.selection.getState().views.get(path)?.nodeId;
  await act(async () => page.querySelectorAll('button')[1]?.click());
  expect(selected()).toBe('mail');
  await act(async () => page.querySelectorAll('button')[0]?.click());
  expect(selected()).toBe('pay');
});

test('13.16 nothing is listed while the run is active', async () => {
  await window.tellRun(path, suggested('pay', {}));
  expect(page.textContent).toBe('');
});

test('13.16 nothing is listed for a run without suggestions', async () => {
  await window.tellRun(path, [nodeStart('pay'), 'pay'], [nodeComplete('pay'), 'pay'], runEnd('completed'));
  expect(page.textContent).toBe('');
});

test('13.16 more than 20 suggestions are counted', async () => {
  const many = Array.from({ length: 25 }, (_, index) => suggested(`each[${index}].mail`, { index }));
  await window.tellRun(path, ...many, runEnd('completed'));
  expect(rows()).toHaveLength(20);
  expect(page.textContent).toContain('25 actions suggested, not done:');
  expect(page.textContent).toContain('and 5 more');
});
