import { describe, expect, test } from 'vitest';
import { sleep } from '../../base/clock.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { testNode } from '../../testing/test-node.ts';
import { startTestRun, testRun, traceOf } from '../../testing/test-run.ts';

/** Creates a type that waits for the time in its input, outputs it, and records overlaps. */
function waits(clock: ManualClock) {
  const running = new Set<string>();
  const seen: string[] = [];
  const node = testNode('test.wait', async ({ nodeId, input, signal }) => {
    running.add(nodeId);
    seen.push([...running].sort().join('+'));
    try {
      await sleep(clock, Number(input['ms']), signal);
    } finally {
      running.delete(nodeId);
    }
    return input;
  });
  return { node, seen };
}

function flowOf(policy: string, nodes: readonly string[], edges = '[]'): string {
  return `flow: { name: x, policy: ${policy} }\nnodes:\n${nodes.map((node) => `  - ${node}\n`).join('')}edges: ${edges}\n`;
}

const wait = (id: string, ms: number, more = ''): string =>
  `{ id: ${id}, type: test.wait, input: { ms: ${ms} }${more} }`;

async function run(text: string): Promise<{ seen: readonly string[]; trace: readonly string[]; status: string }> {
  const clock = createManualClock();
  const { node, seen } = waits(clock);
  const { done, events } = startTestRun(text, { clock, nodeTypes: [node] });
  await clock.advance(1000);
  const { end } = await done;
  return { seen, trace: traceOf(events, ['task:', 'edge:', 'node:skipped', 'run:end']), status: end.status };
}

describe('maxParallel', () => {
  test('FE-25 independent nodes overlap, and dependent ones do not', async () => {
    const nodes = [wait('a', 10), wait('b', 20), wait('c', 5)];
    const { seen } = await run(flowOf('{ maxParallel: 4 }', nodes, '[{ from: a, to: c }]'));
    expect(seen).toEqual(['a', 'a+b', 'b+c']);
  });

  test('FE-25 without it, nodes run one after the other', async () => {
    const { seen } = await run(flowOf('{}', [wait('a', 10), wait('b', 20), wait('c', 5)]));
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  test('never runs more than allowed in parallel, and starts the first in the file first', async () => {
    const ids = ['e', 'd', 'c', 'b', 'a'];
    const { seen } = await run(
      flowOf(
        '{ maxParallel: 2 }',
        ids.map((id) => wait(id, 10)),
      ),
    );
    expect(seen).toEqual(['e', 'd+e', 'c+d', 'b+c', 'a+b']);
  });

  test('a node starts only after all its upstream nodes have ended', async () => {
    const edges = '[{ from: a, to: d }, { from: b, to: d }, { from: c, to: d }]';
    const nodes = [wait('d', 1), wait('a', 30), wait('b', 10), wait('c', 20)];
    const { trace } = await run(flowOf('{ maxParallel: 3 }', nodes, edges));
    expect(trace.indexOf('task:start d')).toBeGreaterThan(trace.indexOf('task:complete a'));
  });

  test('a failure that ends the run cancels parallel nodes, which is emitted before the run ends', async () => {
    const fails = '{ id: bad, type: control.fail, input: { message: no } }';
    const { trace, status } = await run(flowOf('{ maxParallel: 3 }', [wait('a', 50), fails, wait('b', 50)]));
    expect(status).toBe('failed');
    expect(trace).toEqual([
      'task:start a',
      'task:start bad',
      'task:start b',
      'task:failed bad',
      'task:cancelled a',
      'task:cancelled b',
      'run:end failed',
    ]);
  });

  test('a tolerated failure cancels no other node', async () => {
    const fails = '{ id: bad, type: control.fail, input: { message: no }, policy: { continueOnError: true } }';
    const { trace } = await run(flowOf('{ maxParallel: 2 }', [wait('a', 50), fails]));
    expect(trace.slice(-2)).toEqual(['task:complete a', 'run:end completed']);
  });

  test('abandons a parallel node that ignores its signal after a second, and drops its later output', async () => {
    const clock = createManualClock();
    const deaf = testNode('test.deaf', async ({ hub }) => {
      await new Promise<void>((resolve) => void clock.setTimer(resolve, 5000));
      hub.emit({ type: 'agent:text', content: 'too late' });
      return {};
    });
    const fails = '{ id: bad, type: control.fail, input: { message: no } }';
    const text = flowOf('{ maxParallel: 2 }', ['{ id: deaf, type: test.deaf, input: {} }', fails]);
    const { done, events } = startTestRun(text, { clock, nodeTypes: [deaf] });
    await clock.advance(999);
    expect(traceOf(events, ['task:cancelled'])).toEqual([]);
    await clock.advance(1);
    const { end } = await done;
    await clock.advance(9000);
    expect([end.status, ...traceOf(events, ['task:cancelled', 'agent:'])]).toEqual(['failed', 'task:cancelled deaf']);
  });
});

describe('edges with a condition', () => {
  const routed = (value: string): string => `
flow: { name: x, input: { v: ${value} } }
nodes:
  - { id: a, type: constant, input: { value: "{{flow.input.v}}" } }
  - { id: yes, type: echo, input: { text: "yes" } }
  - { id: no, type: echo, input: { text: "no" } }
  - { id: join, type: echo, input: { text: "{{?yes.text}}{{?no.text}}" } }
edges:
  - { from: a, to: yes, when: { equals: { var: a.value, value: 1 } } }
  - { from: a, to: no, when: { not: { equals: { var: a.value, value: 1 } } } }
  - { from: yes, to: join }
  - { from: no, to: join }`;

  test('a node with only skipped incoming edges is skipped, and reports the values in their conditions', async () => {
    const { events, end } = await testRun(routed('2'));
    expect(traceOf(events, ['edge:', 'node:skipped'])).toEqual([
      'edge:skipped a->yes',
      'edge:fired a->no',
      'node:skipped yes',
      'edge:fired yes->join',
      'edge:fired no->join',
    ]);
    const skipped = events.find(({ event }) => event.type === 'node:skipped')?.event;
    expect(skipped).toMatchObject({
      reason: 'edge',
      detail: { op: 'or', result: false, of: [{ op: 'equals', var: 'a.value', value: 1, actual: 2, result: false }] },
    });
    expect(end.output).toEqual({ join: { text: 'no' } });
  });

  test('the edges of a skipped node are decided as well: an edge without a condition fires', async () => {
    const { state } = await testRun(routed('1'));
    expect(state.nodes.get('join')?.status).toBe('completed');
    expect(state.nodes.get('no')?.skip?.reason).toBe('edge');
  });

  test('one edge that fires is enough', async () => {
    const { state } = await testRun(`
flow: { name: x }
nodes: [{ id: a, type: echo, input: { text: "1" } }, { id: b, type: echo, input: { text: "2" } }]
edges: [{ from: a, to: b, when: { exists: a.no } }, { from: a, to: b, when: { exists: a.text } }]`);
    expect(state.nodes.get('b')?.status).toBe('completed');
    expect([[...state.skippedEdges], [...state.firedEdges]]).toEqual([['a->b'], ['a->b#2']]);
  });

  test('a condition sees the marker of a failed source, and can select another branch', async () => {
    const { end } = await testRun(`
flow: { name: x }
nodes:
  - { id: a, type: control.fail, input: { message: broken }, policy: { continueOnError: true } }
  - { id: good, type: echo, input: { text: good } }
  - { id: bad, type: echo, input: { text: "{{a.error.message}}" } }
edges:
  - { from: a, to: good, when: { not: { exists: a.failed } } }
  - { from: a, to: bad, when: { equals: { var: a.failed, value: true } } }`);
    expect(end.output).toMatchObject({ good: { skipped: true, reason: 'edge' }, bad: { text: 'broken' } });
  });
});

describe('parallel waits', () => {
  const many = Array.from({ length: 40 }, (_, index) => index);
  const listening = testNode('listens', async ({ signal }) => {
    const stop = (): void => undefined;
    signal.addEventListener('abort', stop);
    await new Promise((resolve) => setImmediate(resolve));
    signal.removeEventListener('abort', stop);
    return {};
  });

  test.each([
    [
      'waits',
      flowOf(
        '{ maxParallel: 40 }',
        many.map((i) => `{ id: n${i}, type: control.wait, input: { ms: 5 } }`),
      ),
    ],
    [
      'pauses before a retry',
      flowOf(
        '{ maxParallel: 40, failFast: false }',
        many.map((i) => {
          const policy = '{ retry: { maxAttempts: 2, backoffMs: 5 } }';
          return `{ id: n${i}, type: control.fail, input: { message: no }, policy: ${policy} }`;
        }),
      ),
    ],
    [
      'nodes that listen',
      flowOf(
        '{ maxParallel: 40 }',
        many.map((i) => `{ id: n${i}, type: listens, input: {} }`),
      ),
    ],
    [
      'items of a loop',
      flowOf('{}', [
        `{ id: each, type: control.foreach, input: { items: ${JSON.stringify(many)}, body: [w], maxParallel: 40 } }`,
        '{ id: w, type: control.wait, input: { ms: 5 } }',
      ]),
    ],
  ])('many %s do not cause a leak warning of Node', async (_, flow) => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    try {
      await testRun(flow, { nodeTypes: [listening] });
      // Warnings are emitted one turn later.
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', note);
    }
  });
});
