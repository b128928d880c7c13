import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { RunEstimate } from './run-estimate.tsx';

let window: TestWindow;
afterEach(() => window.close());

const none = { low: 0, high: 0 };
const draft = {
  nodeId: 'draft',
  basis: 'same',
  ms: { low: 50_000, high: 58_000 },
  tokens: none,
  usd: { low: 0.02, high: 0.03 },
};
const fresh = { nodeId: 'send', basis: 'none', ms: none, tokens: none, usd: none };
const estimate = {
  ...{ runCount: 4, ms: draft.ms, tokens: { low: 900, high: 1200 }, usd: draft.usd, nodes: [draft] },
  ...{ mostUncertain: 'draft', noHistory: [], unpriced: [], waits: { nodeIds: [], ms: none } },
};

async function drawWith(found: object | undefined) {
  const asked: unknown[] = [];
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path: 'a.flow.yaml', change: null }],
    readFlow: () => ({
      text: 'flow: { name: A }\nnodes: [{ id: draft, type: echo, input: { text: hi } }]\nedges: []\n',
    }),
    estimate: (request: unknown) => {
      asked.push(request);
      return found;
    },
  } as Parameters<typeof openTestWindow>[0]);
  window.engine.connect();
  const drawn = window.draw(<RunEstimate path="a.flow.yaml" />);
  await window.until(() => expect(asked).toHaveLength(1));
  await window.settle();
  return { drawn, asked };
}

const buttonIn = (drawn: HTMLElement) => drawn.querySelector<HTMLButtonElement>('.run-estimate');

test('shows time and cost, and the parts in a dialog', async () => {
  const { drawn, asked } = await drawWith(estimate);
  expect(asked).toMatchObject([{ path: 'a.flow.yaml', inputs: {} }]);
  expect(buttonIn(drawn)?.textContent).toBe('about 50–58 s, $0.020–$0.030');
  act(() => buttonIn(drawn)?.click());
  const dialog = document.querySelector('[role=dialog]');
  expect(dialog?.textContent).toContain('from 4 earlier runs');
  expect(dialog?.querySelector('tbody tr')?.textContent).toBe('draft50–58 s–$0.020–$0.030');
  expect(dialog?.textContent).toContain('Most uncertain: draft.');
});

test('says what has no history, and that the real values are higher', async () => {
  const { drawn } = await drawWith({ ...estimate, usd: none, nodes: [draft, fresh], noHistory: ['send'] });
  expect(buttonIn(drawn)?.textContent).toBe('at least 50–58 s, 900–1.2k tokens');
  act(() => buttonIn(drawn)?.click());
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('there is no history: send.');
});

test('shows the time of a flow whose nodes are all quick', async () => {
  const quick = { low: 4, high: 9 };
  const { drawn } = await drawWith({ ...estimate, ms: quick, tokens: none, usd: none, nodes: [] });
  expect(buttonIn(drawn)?.textContent).toBe('about 4–9 ms');
});

test('shows no numbers if no node has a history, and nothing for an agent', async () => {
  const { drawn } = await drawWith({ ...estimate, runCount: 0, nodes: [fresh], noHistory: ['send'] });
  expect(buttonIn(drawn)?.textContent).toBe('No history');
  window.close();
  expect(buttonIn((await drawWith(undefined)).drawn)).toBeNull();
});
