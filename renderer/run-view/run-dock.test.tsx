import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { useSettledFlow } from '../stores/use-flow.ts';
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
