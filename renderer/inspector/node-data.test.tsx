import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { nodeStart } from '../bridge/testing/run-events.ts';
import { useOpenFile } from '../stores/use-flow.ts';
import { Inspector } from './inspector.tsx';

const path = 'a.flow.yaml';
const text = 'flow: { name: Notes }\nnodes: [{ id: ask, type: prompt, input: { prompt: Hi } }]\nedges: []\n';

let window: TestWindow;
afterEach(() => window.close());

function Shown() {
  const flow = useOpenFile(path);
  return flow === undefined ? null : <Inspector flow={flow} />;
}

test('the wide inspector shows input, form and output side by side, and the other tabs as before', async () => {
  window = openTestWindow({ readFlow: () => ({ text }) });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  const element = window.draw(<Shown />);
  act(() => window.stores.selection.getState().selectNode(path, 'ask'));
  await window.settle();
  const input = { type: 'node:input', nodeId: 'ask', input: { prompt: 'About bees' } } as const;
  await window.tellRun(path, nodeStart('ask'), input);
  act(() => window.stores.panes.getState().toggleInspectorWidth());
  await window.settle();
  const columns = [...element.querySelectorAll('.node-columns > section')];
  expect(columns.map((column) => column.getAttribute('aria-label'))).toEqual(['Input', 'Configure', 'Output']);
  expect(columns[0]?.textContent).toContain('About bees');
  expect(columns[2]?.textContent).toContain('Running. The output will appear here.');
  const tabs = () => [...element.querySelectorAll('[role="tab"]')].map(({ textContent }) => textContent);
  expect(tabs()).toEqual(['Input, form, output', 'Attempts', 'YAML']);
  act(() => element.querySelector<HTMLElement>('[aria-label="Show one tab at a time"]')?.click());
  await window.settle();
  expect(tabs()).toEqual(['Configure', 'Input', 'Output', 'Attempts', 'YAML']);

  // The only attempt of a model is in the tab of its calls.
  const call = [{ type: 'model:request', provider: 'p', model: 'm', messagesHash: 'h' }, 'ask'] as const;
  await window.tellRun(path, nodeStart('ask'), input, call);
  expect(tabs()).toEqual(['Configure', 'Input', 'Output', 'Messages1', 'YAML']);
  const error = { code: 'model.unavailable', message: 'No.' };
  await window.tellRun(path, nodeStart('ask'), input, call, {
    type: 'node:retry',
    nodeId: 'ask',
    attempt: 1,
    delayMs: 5,
    error,
  });
  expect(tabs().slice(3)).toEqual(['Messages1', expect.stringMatching(/^Attempts/), 'YAML']);
});
