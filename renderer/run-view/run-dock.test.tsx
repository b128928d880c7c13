import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { RunEvent } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { nodeComplete, nodeStart, runEnd } from '../bridge/testing/run-events.ts';
import { useSettledFlow } from '../stores/use-flow.ts';
import { typeInto } from '../ui/testing/type-into.ts';
import { RunDock } from './run-dock.tsx';

let window: TestWindow;
afterEach(() => window.close());

function Shown({ path }: { path: string }) {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : (
    <RunDock
      flow={flow}
      runAction={<b>run</b>}
      changes={null}
      checks={null}
      imported={null}
      files={null}
      compared={[]}
      timeButtons={null}
      closeHint=""
    />
  );
}

test.each([
  ['a.flow.yaml', 'flow', ['Timeline', 'Log', 'Outputs', 'Breakpoints', 'Problems'], 'Timeline'],
  ['a.aip', 'agent', ['Log', 'Outputs', 'Problems'], 'Log'],
  ['millrace.policy.yaml', 'file', ['Problems'], 'Problems'],
] as const)('shows for %s the tabs that apply to a %s', async (path, kind, tabs, shown) => {
  const text = 'flow: { name: A }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n';
  window = openTestWindow({
    readFlow: () => ({ text }),
    readAgent: () => ({ text, file: path, path, isWritable: true }),
    readFile: () => ({ text, isWritable: true }),
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path, kind);
  const dock = window.draw(<Shown path={path} />);
  await window.settle();
  const all = [...dock.querySelectorAll('[role="tab"]')];
  expect(all.map((tab) => tab.textContent?.replace(/\d+$/, ''))).toEqual(tabs);
  expect(dock.querySelector('[role="tab"][aria-selected="true"]')?.textContent).toMatch(shown);
  expect(dock.querySelector('[role="tabpanel"]:not([hidden]) b') === null).toBe(kind === 'file');
});

test('the log is filtered by node and text, and Mod+F leads to the filter', async () => {
  const text = 'flow: { name: A }\nnodes: [{ id: a, name: Greet, type: echo }, { id: b, type: echo }]\nedges: []\n';
  window = openTestWindow({ readFlow: () => ({ text }) });
  window.engine.connect();
  void window.stores.openFiles.getState().open('a.flow.yaml', 'flow');
  const dock = window.draw(<Shown path="a.flow.yaml" />);
  await window.settle();
  const ended = (nodeId: string) => ({ ...nodeComplete(nodeId), result: { text: `from ${nodeId}` } }) as RunEvent;
  await window.tellRun('a.flow.yaml', nodeStart('a'), ended('a'), nodeStart('b'), ended('b'), runEnd('completed'));
  act(() => window.stores.panes.getState().showDock('log'));
  await window.settle();
  const lines = () => [...dock.querySelectorAll('.run-log-line')].map((line) => line.textContent);
  const all = lines();
  const tab = dock.querySelector('[role="tab"][aria-selected="true"]');
  act(() => void tab?.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true })));
  const filter = dock.querySelector<HTMLInputElement>('input[type="search"]');
  expect(document.activeElement).toBe(filter);

  for (const [query, expected] of [
    ['greet', [/Greet.*started/, /Greet.*from a/]],
    ['FROM b', [/from b/]],
    ['nowhere', []],
  ] as const) {
    act(() => typeInto(filter, query));
    await window.settle();
    const shown = lines();
    expect([query, shown.length]).toEqual([query, expected.length]);
    for (const [index, pattern] of expected.entries()) expect(shown[index]).toMatch(pattern);
    expect(dock.querySelector('[role="status"]')?.textContent).toBe(`${expected.length} of ${all.length} lines`);
  }
  act(() => typeInto(filter, ''));
  await window.settle();
  expect(lines()).toEqual(all);
});
