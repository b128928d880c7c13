import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../../language/flow/check-flow.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { testNode } from '../../../testing/test-node.ts';
import { startTestRun, testRun, traceOf } from '../../../testing/test-run.ts';
import type { EventEnvelope } from '../../kernel/events/run-event.ts';
import { builtinNodes } from '../builtin-nodes.ts';
import { createNodeRegistry } from '../node-registry.ts';

/** Adds one to the result of the previous iteration. Has an external effect and records it. */
function counting() {
  const acted: number[] = [];
  const count = testNode(
    'test.count',
    async ({ input }) => {
      const n = Number(input['n']) + 1;
      acted.push(n);
      return { n };
    },
    'external',
  );
  return { acted, nodeTypes: [count] };
}

const body = `
  - { id: count, type: test.count, input: { n: "{{previous.count.n | default:0}}" } }
  - { id: say, type: echo, input: { text: "{{loop.index}}: {{count.n}} after {{?previous.say.text}}" } }`;

function flow(settings: string, more = ''): string {
  return `
flow: { name: x, input: { most: 3, from: 5 } }
nodes:
  - { id: start, type: constant, input: { value: 2 } }
  - { id: again, type: control.loop, input: { body: [count, say], ${settings} } }${body}${more}
edges: [{ from: start, to: again }, { from: count, to: say }]`;
}

async function ran(text: string) {
  const { acted, nodeTypes } = counting();
  const { end, events, state } = await testRun(text, { nodeTypes });
  return { acted, end, events, state, output: (end.output as JsonMap | undefined)?.['again'] as JsonMap | undefined };
}

function problems(text: string): readonly [number, string, string][] {
  const catalog = createNodeRegistry([...builtinNodes, ...counting().nodeTypes]);
  return checkFlow(text, catalog).diagnostics.map(({ code, message, range }) => [range.line, code, message]);
}

describe('BB-53 control.loop', () => {
  test("runs its body until a condition is true, which can use the body, the index and the node's bindings", async () => {
    const { output, acted } = await ran(flow('until: { equals: { var: count.n, value: 3 } }'));
    expect(acted).toEqual([1, 2, 3]);
    expect(output).toEqual({
      iterations: [
        { index: 0, outputs: { count: { n: 1 }, say: { text: '0: 1 after ' } } },
        { index: 1, outputs: { count: { n: 2 }, say: { text: '1: 2 after 0: 1 after ' } } },
        { index: 2, outputs: { count: { n: 3 }, say: { text: '2: 3 after 1: 2 after 0: 1 after ' } } },
      ],
      last: { count: { n: 3 }, say: { text: '2: 3 after 1: 2 after 0: 1 after ' } },
      reason: 'condition',
    });
  });

  test.each([
    ['until: { gte: { var: loop.index, value: 1 } }', [1, 2]],
    ['while: { lt: { var: count.n, value: 4 } }', [1, 2, 3, 4]],
    // Nodes before the loop, and the inputs of the flow.
    ['until: { and: [{ equals: { var: start.value, value: 2 } }, { exists: flow.input.most }] }', [1]],
    // The first iteration always runs.
    ['while: { exists: nothing.here }', [1]],
    // If there are two conditions, either ends the loop.
    ['until: { equals: { var: count.n, value: 5 } }, while: { lt: { var: count.n, value: 2 } }', [1, 2]],
    ['until: { equals: { var: previous.count.n, value: 1 } }', [1, 2]],
    ['until: { gte: { var: count.n, value: 2 } }, maxIterations: "{{flow.input.most}}"', [1, 2]],
  ])('ends because of %s', async (settings, passes) => {
    const { acted, output } = await ran(flow(settings));
    expect(acted).toEqual(passes);
    expect(output?.['reason']).toBe('condition');
  });

  test('completes at its limit if configured to', async () => {
    const { acted, output } = await ran(flow('until: { exists: nope }, maxIterations: 2, onLimit: finish'));
    expect(acted).toEqual([1, 2]);
    expect(output).toMatchObject({ reason: 'limit', last: { count: { n: 2 } } });
    expect(output?.['iterations']).toHaveLength(2);
  });

  test('runs ten iterations by default and at most a thousand', async () => {
    const { acted } = await ran(flow('until: { exists: nope }, onLimit: finish'));
    expect(acted).toHaveLength(10);
    expect(problems(flow('until: { exists: nope }, maxIterations: 1001')).map(([, code]) => code)).toContain(
      'node.bad-input',
    );
    expect(problems(flow('until: { exists: nope }, maxIterations: 0')).map(([, code]) => code)).toContain(
      'node.bad-input',
    );
  });

  test('an inner loop starts without the iterations of the outer one', async () => {
    const { nodeTypes } = counting();
    const { end } = await testRun(
      `
flow: { name: x }
nodes:
  - { id: outer, type: control.loop, input: { body: [inner], until: { equals: { var: loop.index, value: 1 } } } }
  - { id: inner, type: control.loop, input: { body: [count], until: { equals: { var: count.n, value: 2 } } } }
  - { id: count, type: test.count, input: { n: "{{previous.count.n | default:0}}" } }
edges: []`,
      { nodeTypes },
    );
    const { last } = (end.output as { outer: { last: { inner: { iterations: unknown[] } } } }).outer;
    expect(last.inner.iterations).toHaveLength(2);
  });

  test('rejects invalid settings at their position', () => {
    expect(problems(flow('maxIterations: 3'))).toEqual([
      [5, 'node.bad-input', expect.stringContaining('add one of them, so that the loop can end')],
    ]);
    expect(problems(flow('until: { equals: { var: count.n, value: "{{start.value}}" } }'))).toEqual([
      [5, 'when.bad-shape', expect.stringContaining('cannot contain bindings')],
    ]);
    expect(problems(flow('until: "{{start.value}}"')).map(([, code]) => code)).toContain('when.bad-shape');
    expect(problems(flow('until: { equals: { var: "{{count.n}}", value: 1 } }')).map(([, code]) => code)).toContain(
      'when.bad-shape',
    );
    expect(problems(flow('until: { equals: { var: coumt.n, value: 1 } }'))).toEqual([
      [5, 'binding.unknown-root', expect.stringContaining('Did you mean "count"?')],
    ]);
    // Outside of the loop, its output contains the iterations.
    const outside = flow('until: { exists: count }', '\n  - { id: after, type: echo, input: { text: "{{count.n}}" } }');
    expect(problems(outside).map(([, code]) => code)).toEqual(['loop.hidden-output']);
    expect(problems(flow('until: { exists: count }').replace('[count, say]', '[]')).map(([, code]) => code)).toContain(
      'loop.empty-body',
    );
  });

  test('previous is reserved inside loops', () => {
    const named = (id: string): string => `
flow: { name: x }
nodes:
  - { id: again, type: control.loop, input: { body: [one], until: { exists: one } } }
  - { id: one, type: echo, input: { text: "{{previous.one.text | default:\\"\\"}}" } }
  - { id: ${id}, type: echo, input: { text: "a" } }
edges: []`;
    expect(problems(named('other'))).toEqual([]);
    expect(problems(named('previous'))).toEqual([[6, 'node.reserved-id', expect.stringContaining('iteration')]]);
    const items = (as: string): string =>
      `flow: { name: x }\nnodes:\n  - { id: each, type: control.foreach, input: { items: [1], as: ${as}, body: [one] } }\n  - { id: one, type: echo, input: { text: a } }\nedges: []`;
    expect(problems(items('previous')).map(([, code]) => code)).toEqual(['loop.bad-name']);
    // Outside of loops it is an ordinary name.
    expect(problems('flow: { name: x }\nnodes: [{ id: previous, type: echo, input: { text: a } }]\nedges: []')).toEqual(
      [],
    );
  });
});

describe('BB-54 a control.loop that does not reach its condition', () => {
  test('a loop fails at the limit, and its iterations stay visible', async () => {
    const { end, state, events } = await ran(flow('until: { exists: nope }, maxIterations: 2'));
    expect(end).toMatchObject({ status: 'failed', error: { code: 'loop.limit', nodeId: 'again' } });
    expect(end.error?.message).toContain('in 2 iterations');
    expect(state.nodes.get('again[1].count')?.output).toEqual({ n: 2 });
    expect(traceOf(events, ['task:complete'])).toEqual([
      'task:complete start',
      'task:complete again[0].count',
      'task:complete again[0].say',
      'task:complete again[1].count',
      'task:complete again[1].say',
    ]);
  });

  test('a failed loop names the node that failed, and the nodes after it do not run', async () => {
    const { nodeTypes, acted } = counting();
    const text = flow('until: { exists: nope }').replace(
      'type: echo, input: { text: "{{loop',
      'type: control.fail, when: { equals: { var: loop.index, value: 1 } }, input: { message: "{{loop',
    );
    const { end } = await testRun(text, { nodeTypes });
    expect(acted).toEqual([1, 2]);
    expect(end.error).toMatchObject({
      code: 'loop.item-failed',
      message: 'Pass 1 failed at "again[1].say": 1: 2 after ',
    });
  });

  test('a loop resumes after a crash at any point of the log and reruns nothing that had ended', async () => {
    const text = flow('until: { equals: { var: count.n, value: 3 } }');
    const { nodeTypes } = counting();
    const whole = await testRun(text, { nodeTypes });
    for (const cut of whole.events.slice(0, -1).map((_, index) => whole.events.slice(0, index + 1))) {
      const { acted, nodeTypes: types } = counting();
      const ended = traceOf(cut, ['task:complete']).filter((name) => name.endsWith('.count')).length;
      let log: readonly EventEnvelope[] = cut;
      let last = (await testRun(text, { nodeTypes: types, resume: { events: log } })) as Awaited<
        ReturnType<typeof testRun>
      >;
      if (last.last.type !== 'run:end') {
        log = [...log, ...last.events];
        last = await testRun(text, { nodeTypes: types, resume: { events: log, answer: { decision: 'approve' } } });
      }
      expect(last.end.output).toEqual(whole.end.output);
      expect(acted).toEqual([1, 2, 3].slice(ended));
    }
  });

  test('a loop can be canceled between iterations', async () => {
    const { nodeTypes } = counting();
    let run: ReturnType<typeof startTestRun> | undefined;
    run = startTestRun(flow('until: { exists: nope }, maxIterations: 1000'), {
      nodeTypes,
      onRecord(events) {
        if (events.some(({ event }) => event.type === 'task:start' && event.taskId === 'node:again[2].say'))
          run?.cancel();
      },
    });
    const { end } = await run.done;
    expect(end.status).toBe('cancelled');
  });

  test('placeholders in its body are masked in its output, including last', async () => {
    const text = `
flow: { name: x }
nodes:
  - { id: again, type: control.loop, input: { body: [skipped, kept], until: { exists: kept } } }
  - { id: skipped, type: echo, when: { exists: nope }, input: { text: a } }
  - { id: kept, type: echo, input: { text: b } }
  - { id: all, type: echo, input: { text: "{{?again.last.skipped}}|{{again.last.skipped.reason}}|{{again.last.kept.text}}" } }
edges: [{ from: again, to: all }]`;
    const { end, events } = await testRun(text);
    expect(end.output).toEqual({ all: { text: '|when|b' } });
    // Also if the loop's output comes from a log.
    const cut = events.slice(
      0,
      events.findIndex(({ event }) => event.type === 'task:start' && event.nodeId === 'all'),
    );
    expect((await testRun(text, { resume: { events: cut } })).end.output).toEqual({ all: { text: '|when|b' } });
  });
});
