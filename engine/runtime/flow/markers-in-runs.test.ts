/**
 * Tests that markers of nodes that did not complete are distinguished from similar data, in new, resumed and repeated
 * runs.
 */
import { describe, expect, test } from 'vitest';
import { testNode } from '../../testing/test-node.ts';
import { type TestRunOptions, testRun } from '../../testing/test-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';

const alike = [
  { skipped: true, reason: 'when' },
  { failed: true, error: { code: 'a.b', message: 'x' }, attempts: 1 },
];

describe('an output that only looks like a marker', () => {
  test.each(alike)('FE-34 %j can be bound as a whole', async (value) => {
    const giver = testNode('giver', async () => value);
    const { end } = await testRun(
      `
flow: { name: f }
nodes:
  - { id: a, type: giver, input: {} }
  - { id: b, type: constant, input: { value: "{{a}}" } }
  - { id: c, type: constant, when: { exists: a }, input: { value: ran } }
edges: [{ from: a, to: b }, { from: a, to: c }]`,
      { nodeTypes: [giver] },
    );
    expect(end.output).toEqual({ b: { value }, c: { value: 'ran' } });
  });
});

/** A nested loop; the inner loop skips `no` for every item and tolerates the failure of `bad`. */
const nested = (end: string) => `
flow: { name: f }
nodes:
  - { id: outer, type: control.foreach, input: { items: [1, 2], as: o, body: [inner] } }
  - { id: inner, type: control.foreach, input: { items: [x], body: [yes, no, bad] } }
  - { id: yes, type: constant, input: { value: { skipped: true, reason: when } } }
  - { id: no, type: echo, when: { exists: nothing.here }, input: { text: never } }
  - { id: bad, type: control.fail, policy: { continueOnError: true }, input: { message: broken } }
  - { id: again, type: control.foreach, input: { items: "{{outer.iterations}}", body: [each] } }
  - { id: each, type: constant, input: { value: '{{item.outputs.inner.iterations[0].outputs.no | default:"none"}}' } }
  - { id: passed, type: constant, input: { value: "{{outer}}" } }
  - id: end
    type: constant
    input: { value: '${end}' }
edges: [{ from: outer, to: again }, { from: outer, to: passed }, { from: again, to: end }, { from: passed, to: end }]`;

const inner = 'outer.iterations[1].outputs.inner.iterations[0].outputs';
const cases: readonly (readonly [path: string, expected: unknown])[] = [
  [`${inner}.no`, 'missing'],
  [`${inner}.bad`, 'missing'],
  [`${inner}.no.reason`, 'when'],
  [`${inner}.bad.error.message`, 'broken'],
  [`${inner}.yes.value`, { skipped: true, reason: 'when' }],
  ['again.iterations.0.outputs.each.value', 'none'],
  // A copy that another node outputs is data.
  ['passed.value.iterations.0.outputs.inner.iterations.0.outputs.no', { skipped: true, reason: 'when' }],
  ['again.iterations.0.item.outputs.inner.iterations.0.outputs.no', { skipped: true, reason: 'when' }],
];

async function valueAt(
  path: string,
  options: TestRunOptions = {},
): Promise<{ value: unknown; events: readonly EventEnvelope[] }> {
  const { end, events } = await testRun(nested(`{{${path} | default:"missing"}}`), options);
  const output = end.output as { end: { value: unknown } };
  return { value: output.end.value, events };
}

describe('FE-34 a path into the output of a loop', () => {
  test.each(cases)('%s is the same in a new run and in one that is resumed after the loop', async (path, expected) => {
    const fresh = await valueAt(path);
    expect(fresh.value).toEqual(expected);
    const firstEnd = fresh.events.findIndex(({ event }) => event.type === 'task:complete' && event.nodeId === 'outer');
    const stored = JSON.parse(JSON.stringify(fresh.events.slice(0, firstEnd + 1)));
    expect((await valueAt(path, { resume: { events: stored } })).value).toEqual(expected);
  });

  test('a strict path that ends at a marker fails its node', async () => {
    const { end } = await testRun(nested(`{{${inner}.no}}`));
    expect(end).toMatchObject({ status: 'failed', error: { code: 'binding.missing', nodeId: 'end' } });
  });
});
