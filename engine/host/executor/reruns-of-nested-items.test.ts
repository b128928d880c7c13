/** Tests reruns of nested loops item by item. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { PaidRuns } from '../../testing/paid-runs.ts';

let runs: PaidRuns;
beforeEach(async () => {
  runs = await new PaidRuns().open();
});
afterEach(() => runs.world.close());

describe('13.15 nested loops', () => {
  const nested = (inner = '[x, y]', type = 'control.foreach', input = '') => `
flow: { name: nested }
nodes:
  - { id: outer, type: ${type}, input: { ${type === 'control.loop' ? 'maxIterations: 2, until: { exists: nothing.here }' : 'items: [1, 2], as: o'}, body: [inner]${input} } }
  - { id: inner, type: control.foreach, input: { items: ${inner}, body: [ask, no], tolerate: true } }
  - { id: ask, type: paid, input: { text: "{{item}}" } }
  - { id: no, type: echo, when: { exists: nothing.here }, input: { text: never } }
  - { id: end, type: constant, input: { value: '{{outer.iterations[1].outputs.inner.iterations[0].outputs.no | default:"gone"}}' } }
edges: [{ from: outer, to: end }]`;

  test('13.15 only the failed inner item runs, and markers remain markers', async () => {
    runs.bad.add('y');
    const first = await runs.start(nested());
    const again = await runs.rerun(first, nested());
    expect([again.paid, again.output]).toEqual([['y', 'y'], { end: { value: 'gone' } }]);
    const last = await runs.rerun(again.runId, nested('[x, y, z]'));
    expect([last.paid, last.output]).toEqual([['z', 'z'], { end: { value: 'gone' } }]);
  });

  test('13.15 reruns one item of an inner loop by its path', async () => {
    const first = await runs.start(nested());
    const again = await runs.rerun(first, nested(), 'outer[1].inner[0].ask');
    expect([again.paid, again.output]).toEqual([['x'], { end: { value: 'gone' } }]);
    expect(again.reused).toEqual(['outer[0].inner', 'outer[1].inner[1].ask', 'end']);
    const third = await runs.rerun(again.runId, nested(), 'outer[0].inner[1]');
    expect([third.paid, third.output]).toEqual([['y'], { end: { value: 'gone' } }]);
  });

  test('13.15 reuses the iterations of a control.loop all together or not at all', async () => {
    runs.bad.add('y');
    const text = nested('[x, y]', 'control.loop');
    const first = await runs.start(text);
    expect((await runs.rerun(first, text, 'outer')).paid).toEqual(['x', 'y', 'x', 'y']);
    const refusal = await runs.world.executor.plans
      .planRerun({ runId: first, text, nodeId: 'outer[0]' })
      .catch(toErrorRecord);
    expect(refusal).toMatchObject({ code: 'node.in-loop', message: expect.stringContaining('Run again from "outer"') });
  });
});
