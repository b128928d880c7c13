/** Tests the effect of the flow's `failFast` in loop bodies: sequential, parallel and nested. */
import { describe, expect, test } from 'vitest';
import { testRun } from '../../testing/test-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';

interface Case {
  readonly failFast: boolean;
  readonly items: number;
  readonly nodes: number;
  /** Policy of the failing node. */
  readonly policy?: string;
}

/** `bad` fails for item 1; `beside` does not depend on it, and `after` follows it. */
const body = ({ policy = '' }: Case) => `
  - { id: bad, type: control.fail, when: { equals: { var: item, value: 1 } }, input: { message: broken }${policy} }
  - { id: after, type: echo, input: { text: "{{?bad.error.message}}" } }
  - { id: beside, type: echo, input: { text: "{{item}}" } }`;

const header = ({ failFast, nodes }: Case) =>
  `flow: { name: f, policy: { failFast: ${failFast}, maxParallel: ${nodes} } }`;

const flat = (one: Case) => `
${header(one)}
nodes:
  - { id: each, type: control.foreach, input: { items: [0, 1, 2], body: [bad, after, beside], maxParallel: ${one.items} } }${body(one)}
edges: [{ from: bad, to: after }]`;

const nested = (one: Case) => `
${header(one)}
nodes:
  - { id: outer, type: control.foreach, input: { items: [a, b], as: o, body: [each, last], maxParallel: ${one.items} } }
  - { id: each, type: control.foreach, input: { items: [0, 1, 2], body: [bad, after, beside], maxParallel: ${one.items} } }${body(one)}
  - { id: last, type: echo, input: { text: "{{o}}{{each.iterations[1].outputs.bad.error.message}}" } }
edges: [{ from: bad, to: after }, { from: each, to: last }]`;

function completed(events: readonly EventEnvelope[]): readonly string[] {
  return events.flatMap(({ event }) => (event.type === 'task:complete' ? [event.nodeId ?? ''] : []));
}

const ways = [
  { items: 1, nodes: 1 },
  { items: 3, nodes: 1 },
  { items: 1, nodes: 4 },
  { items: 3, nodes: 4 },
];

describe.each(ways)('with $items parallel items and $nodes parallel nodes', (way) => {
  test('failFast: false lets the other nodes of an item and all other items continue', async () => {
    const { events, end } = await testRun(flat({ ...way, failFast: false }));
    expect(end).toMatchObject({ status: 'completed', failedNodes: ['each[1].bad'] });
    const outputs = [0, 1, 2].flatMap((index) => [`each[${index}].after`, `each[${index}].beside`]);
    expect(completed(events).toSorted()).toEqual(['each', ...outputs].toSorted());
    const { iterations } = (end.output as { each: { iterations: readonly { outputs: object; error?: unknown }[] } })
      .each;
    expect(iterations[1]?.error).toBeUndefined();
    expect(iterations.map(({ outputs: given }) => given)).toMatchObject([
      { bad: { skipped: true }, after: { text: '' }, beside: { text: '0' } },
      { bad: { failed: true, attempts: 1 }, after: { text: 'broken' }, beside: { text: '1' } },
      { bad: { skipped: true }, after: { text: '' }, beside: { text: '2' } },
    ]);
  });

  test('failFast: false also applies in nested loops, with markers that can be read outside', async () => {
    const { events, end } = await testRun(nested({ ...way, failFast: false }));
    expect(end.status).toBe('completed');
    expect([...end.failedNodes].sort()).toEqual(['outer[0].each[1].bad', 'outer[1].each[1].bad']);
    expect(completed(events)).toEqual(expect.arrayContaining(['outer[0].last', 'outer[1].last', 'outer']));
    const { iterations } = (end.output as { outer: { iterations: readonly { outputs: unknown }[] } }).outer;
    expect(iterations.map(({ outputs }) => outputs)).toMatchObject([
      { last: { text: 'abroken' } },
      { last: { text: 'bbroken' } },
    ]);
  });

  test.each([flat, nested])('failFast: true ends the item, its loop and the run', async (flow) => {
    const { events, end } = await testRun(flow({ ...way, failFast: true }));
    expect(end).toMatchObject({ status: 'failed', error: { code: 'loop.item-failed' } });
    expect(completed(events)).not.toContain('outer');
    expect(completed(events)).not.toContain('each');
    expect(completed(events).filter((name) => name.endsWith('[1].after'))).toEqual([]);
  });

  test.each([flat, nested])('continueOnError: false on a node still ends the item', async (flow) => {
    const policy = ', policy: { continueOnError: false }';
    const { events, end } = await testRun(flow({ ...way, failFast: false, policy }));
    expect(completed(events).filter((name) => name.endsWith('[1].after'))).toEqual([]);
    // The loop's own task has failed, and the flow's failFast lets the other nodes continue.
    expect(end.status).toBe('completed');
    expect(end.failedNodes).toEqual(expect.arrayContaining([flow === flat ? 'each' : 'outer[0].each']));
  });

  test.each([flat, nested])('continueOnError: true on a node still continues', async (flow) => {
    const policy = ', policy: { continueOnError: true }';
    const { events, end } = await testRun(flow({ ...way, failFast: true, policy }));
    expect(end.status).toBe('completed');
    expect(completed(events).filter((name) => name.endsWith('[1].after'))).not.toEqual([]);
  });
});
