/** How runs of a part of a flow, or with pins, are distinguished. */
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { createRunTeller, runStart } from '../bridge/testing/run-events.ts';
import { FlowOverview } from '../inspector/flow-overview.tsx';
import { useSettledFlow, useShownRun } from '../stores/use-flow.ts';
import { RunHeader } from './run-header.tsx';
import { RunHistoryList } from './run-history-list.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: F }
nodes:
  - { id: get, name: Get it, type: echo, input: { text: x } }
  - { id: say, type: echo, input: { text: x } }
edges: []
`;
const listed = {
  kind: 'flow',
  name: 'F',
  sourcePath: path,
  definitionHash: 'h',
  status: 'completed',
  startedAt: 0,
  durationMs: 1500,
  failedNodes: [],
} as const;

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
    </>
  );
}

test('BB-45 BB-46 BB-47 header and history show what ran and how much was pinned, and the overview shows unused pins', async () => {
  window = openTestWindow({
    readFlow: () => ({ text }),
    readDefinition: () => text,
    listRuns: () => [
      { ...listed, runId: 'r3', number: 3, scope: { only: 'say' }, pinned: ['get'] },
      { ...listed, runId: 'r2', number: 2, scope: { to: 'say' } },
      { ...listed, runId: 'r1', number: 1 },
    ],
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  const page = window.draw(
    <>
      <Places />
      <RunHistoryList path={path} picks={null} />
    </>,
  );
  await window.settle();
  const teller = createRunTeller('r3');
  teller.tell({ ...runStart(path), scope: { only: 'say' }, pinned: ['get'] } as never);
  window.engine.push('subscribe', teller.events);
  await window.settle();
  const header = page.querySelector('.run-header');
  expect(header?.textContent).toContain('only say');
  expect(header?.textContent).toContain('1 pinned');
  expect(header?.querySelector('.run-header-pinned')?.getAttribute('title')).toBe('Pinned, not run: Get it');
  const rows = [...page.querySelectorAll('.run-row-detail')].map(({ textContent }) => textContent);
  expect(rows).toEqual(['only say · 1 pinned · 1.5 s', 'up to say · 1.5 s', '1.5 s']);

  act(() => void window.stores.pins.getState().pin(path, 'say', { text: 'x' }));
  act(() => void window.stores.pins.getState().pin(path, 'old', { text: 'x' }));
  const pins = [...page.querySelectorAll('.inspector-pins li')];
  expect(pins.map(({ textContent }) => textContent)).toEqual(['sayUnpin', 'old (no longer in the flow)Unpin']);
  act(() => pins[1]?.querySelector('button')?.click());
  expect(Object.keys(window.stores.pins.getState().files.get(path) ?? {})).toEqual(['say']);
});
