import { afterEach, expect, test } from 'vitest';
import type { RunEvent } from '../../../engine/isomorphic.ts';
import { nodeComplete, nodeStart, runEnd } from '../../bridge/testing/run-events.ts';
import { FlowOverview } from '../../inspector/flow-overview.tsx';
import { RunHeader } from '../../run-view/run-header.tsx';
import { useSettledFlow, useShownRun } from '../../stores/use-flow.ts';
import { StatusBar } from '../shell/status-bar.tsx';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: One }
nodes:
  - { id: first, type: echo, input: { text: x } }
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [say, end] } }
  - { id: say, type: echo, input: { text: x } }
  - { id: end, type: echo, input: { text: x } }
edges: []
`;

let window: TestWindow;
afterEach(() => window.close());

function Places() {
  const flow = useSettledFlow(path);
  const run = useShownRun(path);
  if (flow === undefined || run === undefined) return null;
  return (
    <>
      <RunHeader flow={flow} run={run}>
        {null}
      </RunHeader>
      <FlowOverview flow={flow} />
      <StatusBar />
    </>
  );
}

test('the run header, the inspector and the status bar count the same nodes, including those in loops', async () => {
  window = openTestWindow({
    readFlow: () => ({ text }),
    readDefinition: () => text,
    readEvents: () => [],
    listRuns: () => [],
    planRerun: () => [],
    readGit: () => null,
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  const page = window.draw(<Places />);
  await window.settle();
  const ran = (nodeId: string): RunEvent[] => [nodeStart(nodeId), nodeComplete(nodeId)];
  await window.tellRun(
    path,
    ...ran('first'),
    { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' },
    { type: 'node:input', nodeId: 'each', input: { items: [1, 2] } },
    ...[0, 1].flatMap((item) => [...ran(`each[${item}].say`), ...ran(`each[${item}].end`)]),
    nodeComplete('each'),
    runEnd('completed'),
  );
  const counts = [...page.querySelectorAll('.run-stat, .status-item, .inspector-crumb')].flatMap(
    ({ textContent }) => textContent?.match(/(?:\d+ of )?\d+ nodes/) ?? [],
  );
  expect(counts).toEqual(['4 of 4 nodes', '4 nodes', '4 nodes']);
});
