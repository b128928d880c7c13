import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId } from '../../../engine/isomorphic.ts';
import { createRunTeller, nodeComplete, nodeStart, runEnd, runStart } from '../../bridge/testing/run-events.ts';
import { useSettledFlow } from '../../stores/use-flow.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { ShownRun } from './shown-run.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: A }
nodes:
  - { id: pay, type: echo, input: { text: hi }, name: Pay it }
  - { id: each, type: echo, input: { text: hi } }
edges: [{ from: pay, to: each }]
`;
const run = asRunId('r1');
const acts = [
  { seq: 3, kind: 'pause', nodeId: 'pay', tool: 'shop.pay', params: { sum: 7 } },
  { seq: 9, kind: 'pause', nodeId: 'each/inner', params: {} },
] as const;

let window: TestWindow;
let page: HTMLElement;
let asked: unknown[];

function Shown() {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : <ShownRun flow={flow} />;
}

beforeEach(async () => {
  asked = [];
  window = openTestWindow({
    readFlow: () => ({ text }),
    readDefinition: () => text,
    listRuns: () => [],
    simulateAutonomy(request) {
      asked.push(request);
      return { level: request.level, ranAt: null, pauses: 2, suggestions: 0, acts };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  page = window.draw(<Shown />);
  await window.settle();
  const teller = createRunTeller(run);
  teller.tell(runStart(path));
  teller.tell(nodeStart('pay'), 'pay');
  teller.tell(nodeComplete('pay'), 'pay');
  teller.tell(runEnd('completed'));
  act(() => window.stores.liveRuns.getState().applyEvents(teller.events));
  await window.settle();
});
afterEach(() => window.close());

const bar = (): HTMLElement | null => page.querySelector('[aria-label="What if"]');
const button = (name: string): HTMLButtonElement | null => bar()?.querySelector(`[aria-label="${name}"]`) ?? null;
const selected = (): string | null | undefined => window.stores.selection.getState().views.get(path)?.nodeId;

async function show(level: 'semi_auto' | null): Promise<void> {
  await act(() => window.stores.runs.showWhatIf(run, level));
  await window.settle();
}

test('shows an autonomy level over a run, steps through its pauses, and closes', async () => {
  expect(page.textContent).toContain('What if');
  await show('semi_auto');
  expect(asked).toEqual([{ runId: run, level: 'semi_auto' }]);
  expect(bar()?.textContent).toContain('it would have paused 2 times');
  expect(button('Previous')?.disabled).toBe(true);
  act(() => button('Next')?.click());
  expect([selected(), bar()?.textContent]).toEqual([
    'pay',
    expect.stringContaining('Pay it pauses before it calls shop.pay'),
  ]);
  act(() => button('Next')?.click());
  expect([selected(), button('Next')?.disabled]).toEqual(['each', true]);
  act(() => button('Close')?.click());
  await window.settle();
  expect(bar()).toBeNull();
});

test('marks each node, including those that would have paused in child runs', async () => {
  await show('semi_auto');
  const marks = window.stores.liveRuns.getState().runs.get(run)?.whatIf?.marks;
  expect([...(marks ?? [])]).toEqual([
    ['pay', { kind: 'pause', count: 1 }],
    ['each', { kind: 'pause', count: 1 }],
  ]);
});
