/** Tests edges that are taken after a node has failed. */
import { describe, expect, test } from 'vitest';
import { explainWhen } from '../../language/bindings/when.ts';
import { testNode } from '../../testing/test-node.ts';
import { type TestRunOptions, testRun, traceOf } from '../../testing/test-run.ts';

const lookalike = { failed: true, error: { code: 'x.y', message: 'no' }, attempts: 1 };
const giver = testNode('giver', async ({ input }) => input['value'] ?? null);
const breaker = testNode('breaker', async () => {
  throw new Error('broken');
});
const options: TestRunOptions = { nodeTypes: [giver, breaker] };

const ways = (first: string, { failed = '{ equals: { var: a.failed, value: true } }', flow = '' } = {}) => `
flow: { name: f${flow} }
nodes:
  - { id: a, ${first} }
  - { id: good, type: echo, input: { text: good } }
  - { id: bad, type: echo, input: { text: bad } }
  - { id: both, type: echo, input: { text: both } }
edges:
  - { from: a, to: bad, when: ${failed} }
  - { from: a, to: good, when: { not: ${failed} } }
  - { from: a, to: both }`;

const fails = 'type: breaker, policy: { continueOnError: true, retry: { maxAttempts: 2 } }, input: {}';
const gives = (value: unknown) =>
  `type: giver, policy: { continueOnError: true }, input: { value: ${JSON.stringify(value)} }`;

async function ran(text: string): Promise<readonly string[]> {
  const { events } = await testRun(text, options);
  return traceOf(events, ['task:complete']).map((line) => line.replace('task:complete ', ''));
}

const spellings = [
  '{ equals: { var: a.failed, value: true } }',
  '{ equals: { var: \'a["failed"]\', value: true } }',
  '{ equals: { value: true, var: "a[\'failed\']" } }',
  '{ in: { var: a.failed, value: [true] } }',
  '{ exists: a.failed }',
  '{ not: { not: { equals: { var: a.failed, value: true } } } }',
  '{ and: [{ equals: { var: a.failed, value: true } }] }',
  '{ or: [{ exists: a.failed }, { equals: { var: a.failed, value: true } }] }',
];

describe('BB-50 branches of a node', () => {
  test.each(spellings)('%s is the failure branch', async (failed) => {
    expect(await ran(ways(fails, { failed }))).toEqual(['bad', 'both']);
    expect(await ran(ways(gives({ fine: true }), { failed }))).toEqual(['a', 'good', 'both']);
    expect(await ran(ways(gives(lookalike), { failed }))).toEqual(['a', 'good', 'both']);
  });

  test.each([[lookalike], [{ failed: true }], [{ failed: 'yes' }], [{ failed: false }], [[true]], [null], ['failed']])(
    'does not take the failure branch for the output %j',
    async (value) => {
      expect(await ran(ways(gives(value)))).toEqual(['a', 'good', 'both']);
    },
  );

  test('a skipped or disabled node takes the other branch', async () => {
    expect(await ran(ways('type: breaker, disabled: true, input: {}'))).toEqual(['good', 'both']);
    expect(await ran(ways('type: breaker, when: { exists: flow.input.x }, input: {}'))).toEqual(['good', 'both']);
  });

  test('a node that failed before it started, for example in a binding, fails the run', async () => {
    const unbound = 'type: giver, policy: { continueOnError: true }, input: { value: "{{flow.input.none}}" }';
    expect(await ran(ways(unbound))).toEqual(['bad', 'both']);
  });

  test('the failure branch also works without failFast, unless the node overrides it', async () => {
    const flow = ', policy: { failFast: false }';
    expect(await ran(ways('type: breaker, input: {}', { flow }))).toEqual(['bad', 'both']);
    expect(await ran(ways(`type: giver, input: { value: { failed: true } }`, { flow }))).toEqual(['a', 'good', 'both']);
  });

  test('conditions can read data of a node that ends the run on failure as usual', async () => {
    expect(await ran(ways('type: giver, input: { value: { failed: true } }'))).toEqual(['a', 'bad', 'both']);
  });

  test('other comparisons with a field of that name refer to data', async () => {
    const failed = '{ gt: { var: a.failed, value: 2 } }';
    expect(await ran(ways(gives({ failed: 3 }), { failed }))).toEqual(['a', 'bad', 'both']);
  });

  test('the error can be bound after the node', async () => {
    const { events } = await testRun(
      ways(fails).replace('{ text: bad }', '{ text: "{{a.error.code}} {{a.error.message}} {{a.attempts}}" }'),
      options,
    );
    const done = events.find(({ event }) => event.type === 'task:complete' && event.nodeId === 'bad')?.event;
    expect(done).toMatchObject({ result: { text: 'internal broken 2' } });
  });
});

describe('BB-50 the condition of a node', () => {
  const flow = (value: unknown) => `
flow: { name: f }
nodes:
  - { id: a, ${gives(value)} }
  - { id: b, type: echo, when: { equals: { var: a.failed, value: true } }, input: { text: x } }
edges: [{ from: a, to: b }]`;

  test('can match a failure, and explains it', async () => {
    const { events } = await testRun(flow(lookalike), options);
    const skipped = events.flatMap(({ event }) => (event.type === 'node:skipped' ? [event] : []));
    expect(skipped).toEqual([
      expect.objectContaining({ nodeId: 'b', detail: expect.objectContaining({ isOnlyData: true, result: false }) }),
    ]);
    expect(skipped.map(({ detail }) => detail && explainWhen(detail))).toEqual([
      'a.failed is an ordinary output field: "a" did not fail',
    ]);
  });
});

/** In the body, and in a body that refers to a node before the loop. */
const looped = (first: string, body: string) => `
flow: { name: f }
nodes:
  - { id: before, ${first} }
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [a, good, bad] } }
  - { id: a, ${body} }
  - { id: good, type: echo, input: { text: good } }
  - { id: bad, type: echo, when: { not: { equals: { var: before.failed, value: true } } }, input: { text: bad } }
edges:
  - { from: before, to: each }
  - { from: a, to: bad, when: { equals: { var: a.failed, value: true } } }
  - { from: a, to: good, when: { not: { equals: { var: a.failed, value: true } } } }`;

describe('BB-50 in the body of a loop', () => {
  const names = (...ids: readonly string[]) => [0, 1].flatMap((item) => ids.map((id) => `each[${item}].${id}`));

  test('each item takes its own branch of a node', async () => {
    expect(await ran(looped(gives(1), fails))).toEqual(['before', ...names('bad'), 'each']);
    expect(await ran(looped(gives(lookalike), gives(lookalike)))).toEqual(['before', ...names('a', 'good'), 'each']);
    expect(await ran(looped(gives(lookalike), fails))).toEqual(['before', ...names('bad'), 'each']);
    expect(await ran(looped(fails, fails))).toEqual(['each']);
  });

  test('an item with the name of a node is data', async () => {
    const text = looped(fails, gives(1))
      .replace('[1, 2]', '[{ failed: true }]')
      .replace('input: { items', 'input: { as: thing, items')
      .replace('{ not: { equals: { var: before.failed, value: true } } }', '{ exists: thing.failed }')
      .replace('{ from: a, to: bad, when: { equals: { var: a.failed, value: true } } }', '{ from: a, to: bad }');
    expect(await ran(text)).toEqual(['each[0].a', 'each[0].good', 'each[0].bad', 'each']);
  });
});

describe('BB-50 a run interrupted at any point', () => {
  test.each([
    ['failed', fails],
    ['gave what looks like it', gives(lookalike)],
  ])('continues on the same branch after a node that %s', async (_, first) => {
    const { events, end } = await testRun(ways(first), options);
    for (let length = 1; length < events.length - 1; length++) {
      const stored = JSON.parse(JSON.stringify(events.slice(0, length)));
      const again = await testRun(ways(first), { ...options, resume: { events: stored } });
      expect([length, again.end.output, again.end.failedNodes]).toEqual([length, end.output, end.failedNodes]);
    }
  });
});
