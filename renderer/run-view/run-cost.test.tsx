/** The cost of model calls in the header of a run and in the inspector of a node. */
import { afterEach, expect, test } from 'vitest';
import { emptyRunState, foldRun, type RunEvent } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { nodeComplete, nodeStart, runEnd } from '../bridge/testing/run-events.ts';
import { useSettledFlow, useShownRun } from '../stores/use-flow.ts';
import { RunHeader } from './run-header.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: Cost }
nodes: [{ id: ask, type: prompt, input: { prompt: hi } }]
edges: []
`;

let window: TestWindow;
afterEach(() => window.close());

function Shown() {
  const flow = useSettledFlow(path);
  const run = useShownRun(path);
  return flow === undefined || run === undefined ? null : (
    <RunHeader flow={flow} run={run} lead={null}>
      {null}
    </RunHeader>
  );
}

const answer = (costUsd?: number): RunEvent => ({
  ...{ type: 'model:response', durationMs: 9, finishReason: 'stop' },
  ...(costUsd === undefined ? {} : { costUsd }),
});

test.each<[string, readonly (number | undefined)[], string | null]>([
  ['no call', [], null],
  ['a known price', [0.02], '$0.020'],
  ['a known price and an unknown one', [0.02, undefined], 'at least $0.020, 1 call unpriced'],
  ['unknown prices', [undefined, undefined], 'price unknown'],
  ['free calls', [0], '$0'],
])('the header of a run says what it cost: %s', async (_, costs, words) => {
  window = openTestWindow({ readFlow: () => ({ text }), listRuns: () => [] });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  const page = window.draw(<Shown />);
  await window.settle();
  await window.tellRun(path, nodeStart('ask'), ...costs.map(answer), nodeComplete('ask'), runEnd('completed'));
  const stats = [...page.querySelectorAll('.run-stat b')].map(({ textContent }) => textContent);
  const cost = stats.filter((said) => said?.includes('$') === true || said?.includes('price') === true);
  expect(cost).toEqual(words === null ? [] : [words]);
});

test('a node shows the cost of its calls, and how many have no known price', () => {
  const envelope = (seq: number, event: RunEvent) => ({
    ...{ seq, at: seq, runId: 'r', event },
    context: { sessionId: 's', task: { id: 'node:ask' } },
  });
  const events = [nodeStart('ask'), answer(0.5), answer(), answer(0.25)].map((event, seq) => envelope(seq, event));
  const state = foldRun(emptyRunState, events as never);
  expect(state.nodes.get('ask')).toMatchObject({ costUsd: 0.75, unpricedCalls: 1 });
});
