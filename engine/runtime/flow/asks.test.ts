/** Tests nodes that make requests: they suspend, release their resources, and are called again with the answers. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { startTestRun, testRun, traceOf } from '../../testing/test-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import type { AskRequest } from '../kernel/requests/ask.ts';
import { waitingRequests } from '../kernel/requests/waiting-requests.ts';
import { anyJson } from '../nodes/shared-schemas.ts';
import { defineNodeType } from './node-type.ts';

/**
 * Creates a type that makes requests for the keys in its input and outputs the answers. Each call adds the node's ID to
 * `called`.
 */
function askingNode(called: string[], effects: 'pure' | 'external' = 'pure') {
  return defineNodeType(
    {
      ...{ type: 'asks', title: 'Asks', description: 'Asks.', category: 'flow', icon: 'box', effects },
      inputSchema: z.record(z.string(), anyJson),
      configSchema: z.object({}),
      outputSchema: anyJson,
    },
    {
      capabilities: ['ask'],
      async run({ nodeId, input, can }) {
        called.push(nodeId);
        const keys = (input['keys'] ?? ['ok']) as string[];
        const answers = await Promise.all(keys.map((key) => can.ask(key, approval(`${key} ${input['what'] ?? ''}`))));
        return { answers: answers.map(({ payload }) => payload) };
      },
    },
  );
}

function approval(title: string): AskRequest {
  return { kind: 'approval', title };
}

const kinds = ['task:', 'node:suspended', 'node:input', 'approval:', 'run:'];

const oneThenOther = `
  flow: { name: f }
  nodes:
    - { id: before, type: echo, input: { text: hi } }
    - { id: ask, type: asks, input: { what: "{{before.text}}" } }
    - { id: after, type: echo, input: { text: "{{ask.answers[0].approved}}" } }
    - { id: beside, type: echo, input: { text: on } }
  edges: [ { from: before, to: ask }, { from: ask, to: after } ]`;

describe('a node that makes a request', () => {
  test('12.1 d a request in the second attempt is still in that attempt when it is answered, in this process or another', async () => {
    let tries = 0;
    const type = askingNode([]);
    const failsAtFirst = {
      ...type,
      async run(context: never) {
        if (tries++ !== 1) throw new Error('no');
        return await type.run(context);
      },
    };
    const text = `flow: { name: f }
nodes: [{ id: ask, type: asks, input: {}, policy: { retry: { maxAttempts: 2 } } }]
edges: []`;
    const desk = createAnswerDesk();
    const asked: EventEnvelope[] = [];
    const onRecord = (group: readonly EventEnvelope[]): void => {
      if (desk.list().length > 0) return;
      asked.push(...group);
      if (group.some(({ event }) => event.type === 'node:suspended')) desk.give({ name: 'ask' }, asked);
    };
    const { end } = await testRun(text, { nodeTypes: [failsAtFirst], answers: desk, onRecord });
    expect(end.error?.message).toBe('no');
    expect(tries).toBe(3);
    tries = 2;
    const { events } = await testRun(text, { nodeTypes: [failsAtFirst], answers: desk, resume: { events: asked } });
    expect(tries).toBe(3);
    expect(events.find(({ event }) => event.type === 'task:failed')?.event).toMatchObject({ attempts: 2 });
  });

  test('X-06 the run completes everything else, is suspended, and resumes from its log at the next node', async () => {
    const called: string[] = [];
    const nodeTypes = [askingNode(called)];
    const desk = createAnswerDesk();
    const first = await testRun(oneThenOther, { nodeTypes, answers: desk });
    expect(traceOf(first.events, kinds)).toEqual([
      ...['run:start f', 'task:start before', 'node:input before', 'task:complete before'],
      ...['task:start ask', 'node:input ask', 'approval:requested ask', 'node:suspended ask'],
      ...['task:start beside', 'node:input beside', 'task:complete beside', 'run:suspended ask'],
    ]);
    expect(first.last).toEqual({ type: 'run:suspended', reason: 'approval', nodeId: 'ask' });
    expect(waitingRequests(first.state)).toMatchObject([
      {
        name: 'ask',
        request: { reason: 'approval', message: 'ok hi' },
        ask: { key: 'ok', request: { title: 'ok hi' } },
      },
    ]);
    desk.give({ name: 'ask', payload: { approved: true, comment: 'fine' } }, first.events);
    const { events, end, state } = await testRun(oneThenOther, {
      ...{ nodeTypes, answers: desk },
      resume: { events: first.events },
    });
    expect(traceOf(events, kinds)).toEqual([
      ...['run:resumed', 'approval:resolved ask', 'task:complete ask'],
      ...['task:start after', 'node:input after', 'task:complete after', 'run:end completed'],
    ]);
    expect(end.output).toEqual({ after: { text: 'true' }, beside: { text: 'on' } });
    expect(state.nodes.get('ask')).toMatchObject({
      status: 'completed',
      attempts: 1,
      asks: [{ key: 'ok', answer: { payload: { approved: true, comment: 'fine' }, by: 'kim', at: 7 } }],
    });
    expect(called).toEqual(['ask', 'ask']);
  });

  test('an answer that arrives while other branches are running resumes the node without suspending the run', async () => {
    const called: string[] = [];
    const desk = createAnswerDesk();
    const text = `
      flow: { name: f, policy: { maxParallel: 2 } }
      nodes:
        - { id: ask, type: asks, input: {} }
        - { id: slow, type: control.wait, input: { ms: 300 } }
      edges: []`;
    const run = startTestRun(text, { nodeTypes: [askingNode(called)], answers: desk });
    const isAsked = (): boolean => run.events.some(({ event }) => event.type === 'node:suspended');
    await new Promise<void>((resolve) => {
      const look = (): void => (isAsked() ? resolve() : void setTimeout(look, 5));
      look();
    });
    desk.give({ name: 'ask' }, run.events);
    const { events, end } = await run.done;
    expect(end.status).toBe('completed');
    expect(traceOf(events, kinds).indexOf('task:complete ask')).toBeLessThan(
      traceOf(events, kinds).indexOf('task:complete slow'),
    );
    expect(traceOf(events, ['run:'])).toEqual(['run:start f', 'run:end completed']);
    expect(traceOf(events, ['task:start', 'node:input'])).toEqual([
      ...['task:start ask', 'node:input ask', 'task:start slow', 'node:input slow'],
    ]);
  });

  test('emits several requests at once; each answer calls the node again, and the last one completes it', async () => {
    const called: string[] = [];
    const nodeTypes = [askingNode(called)];
    const desk = createAnswerDesk();
    const text = `
      flow: { name: f }
      nodes: [ { id: ask, type: asks, input: { keys: [a, b] } } ]
      edges: []`;
    let log: readonly EventEnvelope[] = [];
    const proceed = async (): Promise<string> => {
      const resume = log.length === 0 ? {} : { resume: { events: log } };
      const { events, last } = await testRun(text, { nodeTypes, answers: desk, ...resume });
      log = [...log, ...events];
      return last.type;
    };
    expect(await proceed()).toBe('run:suspended');
    expect(traceOf(log, ['approval:']).length).toBe(2);
    desk.give({ name: 'ask', key: 'b' }, log);
    expect(await proceed()).toBe('run:suspended');
    expect(traceOf(log, ['approval:requested']).length).toBe(2);
    desk.give({ name: 'ask', key: 'a' }, log);
    expect(await proceed()).toBe('run:end');
    expect(called.length).toBe(3);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
  });

  test('two requests with the same key fail it', async () => {
    const { end } = await testRun(
      `
      flow: { name: f }
      nodes: [ { id: ask, type: asks, input: { keys: [a, a] }, policy: { retry: { maxAttempts: 1 } } } ]
      edges: []`,
      { nodeTypes: [askingNode([])] },
    );
    expect(end.error?.code).toBe('ask.duplicate-key');
  });
});

describe('in a loop', () => {
  const loop = `
    flow: { name: f }
    nodes:
      - { id: each, type: control.foreach, input: { items: [a, b, c], body: [ask, after], maxParallel: 1 } }
      - { id: ask, type: asks, input: { what: "{{item}}" } }
      - { id: after, type: echo, input: { text: "{{item}} {{ask.answers[0].approved}}" } }
    edges: [ { from: ask, to: after } ]`;

  test('all items make requests although only one runs at a time, and each continues independently', async () => {
    const called: string[] = [];
    const nodeTypes = [askingNode(called)];
    const desk = createAnswerDesk();
    const first = await testRun(loop, { nodeTypes, answers: desk });
    expect(waitingRequests(first.state).map(({ name }) => name)).toEqual(['each[0].ask', 'each[1].ask', 'each[2].ask']);
    desk.give({ name: 'each[1].ask' }, first.events);
    const second = await testRun(loop, { nodeTypes, answers: desk, resume: { events: first.events } });
    expect(traceOf(second.events, ['task:', 'run:'])).toEqual([
      ...['run:resumed', 'task:complete each[1].ask', 'task:start each[1].after', 'task:complete each[1].after'],
      'run:suspended each[0].ask',
    ]);
    desk.give({ name: 'each[0].ask' }, first.events);
    desk.give({ name: 'each[2].ask', payload: { approved: false } }, first.events);
    const log = [...first.events, ...second.events];
    const { end } = await testRun(loop, { nodeTypes, answers: desk, resume: { events: log } });
    expect(end).toMatchObject({ status: 'completed' });
    const { iterations } = (end.output as { each: { iterations: { outputs: { after: { text: string } } }[] } }).each;
    expect(iterations.map(({ outputs }) => outputs.after.text)).toEqual(['a true', 'b true', 'c false']);
    expect(called.length).toBe(6);
  });

  test('a failure beside a waiting request ends the item and the request', async () => {
    const text = `
      flow: { name: f, policy: { maxParallel: 2 } }
      nodes:
        - { id: each, type: control.foreach, input: { items: [a], body: [ask, fail], tolerate: true } }
        - { id: ask, type: asks, input: {} }
        - { id: fail, type: control.fail, input: { message: no } }
      edges: []`;
    const { end, events, state } = await testRun(text, { nodeTypes: [askingNode([])] });
    expect(end.status).toBe('completed');
    expect(traceOf(events, ['task:cancelled'])).toEqual(['task:cancelled each[0].ask']);
    expect(waitingRequests(state)).toEqual([]);
  });

  test('canceling ends waiting requests', async () => {
    const run = startTestRun(
      `
      flow: { name: f, policy: { maxParallel: 2 } }
      nodes: [ { id: ask, type: asks, input: {} }, { id: slow, type: control.wait, input: { ms: 60000 } } ]
      edges: []`,
      { nodeTypes: [askingNode([])] },
    );
    setTimeout(() => run.cancel(), 50);
    const { end, events } = await run.done;
    expect(end.status).toBe('cancelled');
    expect(traceOf(events, ['task:cancelled'])).toEqual(['task:cancelled slow', 'task:cancelled ask']);
  });
});
