import { expect, test } from 'vitest';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { runSingleNode, startSingleNode } from '../../../testing/run-single-node.ts';
import { controlWaitNode } from './control-wait-node.ts';

test('waits as long as configured', async () => {
  const clock = createManualClock();
  const { done } = startSingleNode({ type: 'control.wait', input: { ms: 2500 } }, { clock });
  await clock.advance(2500);
  expect((await done).output).toEqual({ waitedMs: 2500 });
});

test('ends at once when canceled and leaves no timer', async () => {
  const clock = createManualClock();
  const { done, cancel } = startSingleNode({ type: 'control.wait', input: { ms: 2500 } }, { clock });
  await clock.advance(100);
  cancel();
  await done;
  expect(clock.openTimers).toBe(0);
});

test.each([[-1], [3e9], ['soon']])('rejects a wait of %j', async (ms) => {
  expect((await runSingleNode({ type: 'control.wait', input: { ms } })).error?.code).toBe('node.bad-input');
});

test('its card shows the duration', () => {
  const summary = (ms: string | number) => controlWaitNode.summary?.({}, { ms });
  expect([summary(50), summary(10_000), summary('{{plan.ms}}')]).toEqual([
    ['Waits ', { chip: '50 ms' }],
    ['Waits ', { chip: '10 s' }],
    ['Waits ', { chip: 'plan.ms' }, ' ms'],
  ]);
  expect(controlWaitNode.summary?.({}, {})).toEqual(['Does not wait']);
});
