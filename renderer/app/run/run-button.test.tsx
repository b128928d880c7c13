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
  const drawn = window.draw(<RunButton path="a.flow.yaml" />);
  const button = drawn.querySelector<HTMLButtonElement>('.button');
  expect([button?.disabled, button?.title]).toEqual([true, 'This flow has no nodes yet. Add a node to run it.']);
});

test.each([
  ['without nodes', '[]', 'true'],
  ['with a node', '[{ id: a, type: echo, input: { text: hi } }]', 'false'],
])('both halves of the button of a flow %s have the same appearance', async (_, nodes, isDisabled) => {
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path: 'a.flow.yaml', change: null }],
    readFlow: () => ({ text: `flow: { name: A }\nnodes: ${nodes}\nedges: []\n` }),
  });
  window.engine.connect();
  const drawn = window.draw(<RunButton path="a.flow.yaml" />);
  await window.until(() => {
    const whole = drawn.querySelector<HTMLElement>('.run-button');
    const button = drawn.querySelector<HTMLButtonElement>('.button');
    expect([whole?.dataset['disabled'], String(button?.disabled)]).toEqual([isDisabled, isDisabled]);
  });
});
