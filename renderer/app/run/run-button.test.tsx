import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { RunButton } from './run-button.tsx';

let window: TestWindow;
afterEach(() => window.close());

test('the button of a flow without nodes is disabled and shows the reason', async () => {
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path: 'a.flow.yaml', change: null }],
    readFlow: () => ({ text: 'flow: { name: A }\nnodes: []\nedges: []\n' }),
  });
  window.engine.connect();
  await window.settle();
  const button = window.draw(<RunButton path="a.flow.yaml" />).querySelector<HTMLButtonElement>('.button');
  expect([button?.disabled, button?.title]).toEqual([true, 'This flow has no nodes yet. Add a node to run it.']);
});
