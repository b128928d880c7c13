import { describe, expect, test } from 'vitest';
import { taskIdOf } from '../../base/ids.ts';
import { testNode } from '../../testing/test-node.ts';
import { startTestRun, type TestRunOptions, testRun, traceOf } from '../../testing/test-run.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';

/** Creates a type that records each time it runs; its outside effects are irreversible. */
function acting() {
  const acted: string[] = [];
  const act = testNode(
    'test.act',
    async ({ input: { what } }) => {
      acted.push(String(what));
      return { done: String(what) };
    },
    'external',
  );
  return { acted, nodeTypes: [act] };
}

const chain = `
flow: { name: x }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: act, type: test.act, input: { what: "{{a.text}}" } }
  - { id: c, type: echo, input: { text: "{{act.done}}!" } }
edges: [{ from: a, to: act }, { from: act, to: c }]`;

/** Returns all prefixes of a log: what a crash after any event would leave. */
function prefixesOf(events: readonly EventEnvelope[]): readonly (readonly EventEnvelope[])[] {
  return events.slice(0, -1).map((_, index) => events.slice(0, index + 1));
}

/** Resumes until the run ends, approving all requests. */
async function toItsEnd(flow: string, cut: readonly EventEnvelope[], options: TestRunOptions) {
  let log = [...cut];
  let answer: NonNullable<TestRunOptions['resume']>['answer'];
  for (let round = 0; round < 5; round++) {
    const resume = answer === undefined ? { events: log } : { events: log, answer };
    const { last, events, state } = await testRun(flow, { ...options, resume });
    log = [...log, ...events];
    if (last.type === 'run:end') return { end: last, log, state };
    answer = { decision: 'approve' };
  }
  throw new Error('The run never ends');
}

function startsOf(events: readonly EventEnvelope[], nodeId: string): number {
  return events.filter(({ event }) => event.type === 'task:start' && event.taskId === taskIdOf(nodeId)).length;
}

describe('a run resumed after a crash', () => {
  test('wherever the log ends, it has the output of the uninterrupted run, and no ended node runs again', async () => {
    const { acted, nodeTypes } = acting();
    const whole = await testRun(chain, { nodeTypes });
    for (const cut of prefixesOf(whole.events)) {
      const ended = new Set(traceOf(cut, ['task:complete']));
      const { end, log } = await toItsEnd(chain, cut, { nodeTypes });
      expect(end.output).toEqual(whole.end.output);
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
      for (const id of ['a', 'act', 'c']) {
        if (ended.has(`task:complete ${id}`)) expect(startsOf(log, id)).toBe(1);
        expect(traceOf(log, ['task:complete']).filter((line) => line.endsWith(` ${id}`))).toHaveLength(1);
      }
      expect(traceOf(log, ['phase:', 'run:end'])).toEqual([
        'phase:start Run Flow',
        'phase:complete Run Flow',
        'run:end completed',
      ]);
    }
    expect(acted.length).toBeGreaterThan(3);
  });

  test('a pure node that was interrupted starts again, and the interrupted attempt does not count', async () => {
    const text = 'flow: { name: x }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []';
    const { events } = await testRun(text);
    const cut = events.filter(({ seq }) => seq <= 2);
    expect(traceOf(cut)).toEqual(['run:start x', 'phase:start Run Flow', 'task:start a']);
    const { log } = await toItsEnd(text, cut, {});
    expect(log.slice(3, 5).map(({ event }) => event)).toMatchObject([
      { type: 'run:resumed' },
      { type: 'task:start', taskId: 'node:a', resumed: true },
    ]);
    expect(log.find(({ event }) => event.type === 'task:complete')?.event).toMatchObject({ attempts: 1 });
  });

  test('an attempt that failed before the crash still counts', async () => {
    let calls = 0;
    const flaky = testNode('test.flaky', async () => {
      calls++;
      throw new Error(`call ${calls}`);
    });
    const text = `flow: { name: x }
nodes: [{ id: a, type: test.flaky, input: {}, policy: { retry: { maxAttempts: 3 } } }]
edges: []`;
    const { events } = await testRun(text, { nodeTypes: [flaky] });
    const firstRetry = events.findIndex(({ event }) => event.type === 'node:retry');
    calls = 0;
    const { end, log } = await toItsEnd(text, events.slice(0, firstRetry + 1), { nodeTypes: [flaky] });
    expect([calls, end.status]).toEqual([2, 'failed']);
    expect(log.findLast(({ event }) => event.type === 'task:failed')?.event).toMatchObject({ attempts: 3 });
  });

  test('a failure that was about to end the run ends it', async () => {
    const text = `flow: { name: x }
nodes: [{ id: a, type: control.fail, input: { message: no } }, { id: b, type: echo, input: { text: x } }]
edges: []`;
    const { events, end } = await testRun(text);
    const cut = events.slice(0, events.findIndex(({ event }) => event.type === 'task:failed') + 1);
    const resumed = await toItsEnd(text, cut, {});
    expect({ ...resumed.end, durationMs: 0 }).toEqual({ ...end, durationMs: 0 });
    expect(startsOf(resumed.log, 'b')).toBe(0);
  });

  test('a run that was being canceled ends as canceled', async () => {
    const text = `flow: { name: x, policy: { maxParallel: 2 } }
nodes: [{ id: a, type: control.wait, input: { ms: 60000 } }, { id: b, type: control.wait, input: { ms: 60000 } }]
edges: []`;
    const { done, cancel } = startTestRun(text);
    await new Promise((resolve) => setImmediate(resolve));
    cancel();
    const { events } = await done;
    const cut = events.slice(0, events.findIndex(({ event }) => event.type === 'task:cancelled') + 1);
    const { end, log } = await toItsEnd(text, cut, {});
    expect(end.status).toBe('cancelled');
    expect(traceOf(log, ['task:cancelled'])).toEqual(['task:cancelled a', 'task:cancelled b']);
  });
});

describe('an interrupted node with outside effects', () => {
  async function cutRun() {
    const { acted, nodeTypes } = acting();
    const { events } = await testRun(chain, { nodeTypes });
    const isStart = ({ event }: EventEnvelope): boolean => event.type === 'task:start' && event.nodeId === 'act';
    const cut = events.slice(0, events.findIndex(isStart) + 2);
    acted.length = 0;
    const asked = await testRun(chain, { nodeTypes, resume: { events: cut } });
    return { acted, nodeTypes, asked, log: [...cut, ...asked.events] };
  }

  test('is not run again: the run is suspended and requests a decision', async () => {
    const { acted, asked } = await cutRun();
    expect(acted).toEqual([]);
    expect(traceOf(asked.events)).toEqual(['run:resumed', 'task:start act', 'node:suspended act', 'run:suspended act']);
    expect(asked.last).toEqual({ type: 'run:suspended', reason: 'operator', nodeId: 'act' });
    expect([asked.state.status, asked.state.nodes.get('act')?.status]).toEqual(['suspended', 'suspended']);
  });

  test('makes no second request while the first is open', async () => {
    const { nodeTypes, log } = await cutRun();
    const { events } = await testRun(chain, { nodeTypes, resume: { events: log } });
    expect(traceOf(events)).toEqual(['run:resumed', 'run:suspended act']);
  });

  test('runs in its open task when it is approved', async () => {
    const { acted, nodeTypes, log } = await cutRun();
    const { events, end } = await testRun(chain, {
      nodeTypes,
      resume: { events: log, answer: { decision: 'approve' } },
    });
    expect([acted, end.output]).toEqual([['one'], { c: { text: 'one!' } }]);
    expect(traceOf(events, ['run:', 'task:'])).toEqual([
      'run:resumed',
      'task:complete act',
      'task:start c',
      'task:complete c',
      'run:end completed',
    ]);
  });

  test('requests a decision again when it was approved and then interrupted again', async () => {
    const { acted, nodeTypes, log } = await cutRun();
    const answer = { decision: 'approve' } as const;
    const approved = await testRun(chain, { nodeTypes, resume: { events: log, answer } });
    const inTheMiddle = approved.events.findIndex(({ event }) => event.type === 'node:input') + 1;
    const cutAgain = [...log, ...approved.events.slice(0, inTheMiddle)];
    expect(foldRun(emptyRunState, cutAgain).nodes.get('act')).toMatchObject({ status: 'running', request: undefined });
    acted.length = 0;
    const { events, state } = await testRun(chain, { nodeTypes, resume: { events: cutAgain } });
    expect(acted).toEqual([]);
    expect(traceOf(events)).toEqual(['run:resumed', 'task:start act', 'node:suspended act', 'run:suspended act']);
    expect(state.nodes.get('act')?.status).toBe('suspended');
  });

  test('fails without another attempt when it is rejected', async () => {
    const { acted, nodeTypes, log } = await cutRun();
    const { events, end } = await testRun(chain, {
      nodeTypes,
      resume: { events: log, answer: { decision: 'reject' } },
    });
    expect([acted, end.status, end.error?.code, end.failedNodes]).toEqual([[], 'failed', 'node.cut', ['act']]);
    expect(traceOf(events, ['task:'])).toEqual(['task:failed act']);
  });

  test('an answer for one of two nodes leaves the other waiting', async () => {
    const { nodeTypes } = acting();
    const text = `flow: { name: x, policy: { maxParallel: 2 } }
nodes:
  - { id: a, type: test.act, input: { what: a } }
  - { id: b, type: test.act, input: { what: b } }
  - { id: c, type: echo, input: { text: last } }
edges: []`;
    const { events } = await testRun(text, { nodeTypes });
    const starts = events.filter(({ event }) => event.type === 'task:start' && event.nodeId !== 'c');
    const cut = events
      .slice(0, 2)
      .concat(starts)
      .map((event, seq) => ({ ...event, seq }));
    const asked = await testRun(text, { nodeTypes, resume: { events: cut } });
    // Nodes that do not wait continue.
    expect(traceOf(asked.events, ['node:'])).toEqual(['node:suspended a', 'node:input c', 'node:suspended b']);
    const log = [...cut, ...asked.events];
    const answer = { decision: 'approve', nodeId: 'b' } as const;
    const one = await testRun(text, { nodeTypes, resume: { events: log, answer } });
    expect(traceOf(one.events, ['task:', 'run:'])).toEqual(['run:resumed', 'task:complete b', 'run:suspended a']);
    const rest = { events: [...log, ...one.events], answer: { decision: 'approve' } as const };
    const { end } = await testRun(text, { nodeTypes, resume: rest });
    expect(end.status).toBe('completed');
  });

  test('ends with the run when the run is canceled', async () => {
    const { nodeTypes, log } = await cutRun();
    const { done, cancel } = startTestRun(chain, { nodeTypes, resume: { events: log } });
    cancel();
    const { events, end } = await done;
    expect(end.status).toBe('cancelled');
    expect(traceOf(events, ['task:', 'phase:'])).toEqual(['task:cancelled act', 'phase:cancelled Run Flow']);
  });
});

describe('an interrupted loop', () => {
  const loop = `
flow: { name: x }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2, 3], body: [act, after] } }
  - { id: act, type: test.act, input: { what: "item {{item}}" } }
  - { id: after, type: echo, input: { text: "{{act.done}} {{loop.index}}" } }
edges: [{ from: act, to: after }]`;

  test('keeps the completed items, wherever the log ends', async () => {
    const { acted, nodeTypes } = acting();
    const whole = await testRun(loop, { nodeTypes });
    expect(acted).toEqual(['item 1', 'item 2', 'item 3']);
    for (const cut of prefixesOf(whole.events)) {
      acted.length = 0;
      const done = traceOf(cut, ['task:complete']).filter((line) => line.endsWith('act')).length;
      const { end, log } = await toItsEnd(loop, cut, { nodeTypes });
      expect(end.output).toEqual(whole.end.output);
      expect(acted.length).toBe(3 - done);
      const starts = log.filter(({ event }) => event.type === 'task:start' && event.resumed !== true);
      expect(new Set(starts.map(({ event }) => JSON.stringify(event))).size).toBe(starts.length);
    }
  });

  test('does not resume an item that was stopped because another one failed', async () => {
    const begun: string[] = [];
    const slow = testNode(
      'slow',
      ({ signal, input }) => {
        begun.push(String(input['what']));
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      'external',
    );
    const text = `
flow: { name: x }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [no, act], maxParallel: 2 } }
  - { id: no, type: control.fail, input: { message: no }, when: { equals: { var: item, value: 2 } } }
  - { id: act, type: slow, input: { what: "{{item}}" } }
edges: [{ from: no, to: act }]`;
    const whole = await testRun(text, { nodeTypes: [slow] });
    expect(traceOf(whole.events, ['task:'])).toContain('task:cancelled each[0].act');
    const isStopped = ({ event }: EventEnvelope): boolean => event.type === 'task:cancelled';
    const cut = whole.events.slice(0, whole.events.findIndex(isStopped) + 1);
    const { end, log } = await toItsEnd(text, cut, { nodeTypes: [slow] });
    expect({ ...end, durationMs: 0 }).toEqual({ ...whole.end, durationMs: 0 });
    expect([end.error?.code, begun]).toEqual(['loop.item-failed', ['1']]);
    expect(startsOf(log, 'each[0].act')).toBe(1);
  });

  test('ends a loop that timed out, even if all of its items had been stopped', async () => {
    const text = `
flow: { name: x }
nodes:
  - { id: each, type: control.foreach, input: { items: [1], body: [wait] }, policy: { timeoutMs: 20 } }
  - { id: wait, type: control.wait, input: { ms: 60000 } }
edges: []`;
    const whole = await testRun(text);
    const isStopped = ({ event }: EventEnvelope): boolean => event.type === 'task:cancelled';
    const cut = whole.events.slice(0, whole.events.findIndex(isStopped) + 1);
    const { end } = await toItsEnd(text, cut, {});
    expect(end.error?.code).toBe(whole.end.error?.code);
  });
});
