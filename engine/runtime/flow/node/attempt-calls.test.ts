/**
 * Tests that calls of attempts are logged with their key, and that an attempt that is called again gets the earlier
 * results.
 */
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { createAnswerDesk } from '../../../testing/answer-desk.ts';
import { type Call, callingNode, createCallWorld } from '../../../testing/calling-node.ts';
import { testRun, traceOf } from '../../../testing/test-run.ts';
import type { EventEnvelope, RunEvent } from '../../kernel/events/run-event.ts';

const model = (what: string): Call => ({ to: 'model', what });
const web = (what: string): Call => ({ to: 'web', what });
const ask: Call = { to: 'ask', what: 'May I?' };

const text = (policy = '{}') =>
  `flow: { name: f }\nnodes: [{ id: n, type: calls, input: {}, policy: ${policy} }]\nedges: []`;

function eventsOf<Type extends RunEvent['type']>(log: readonly EventEnvelope[], type: Type) {
  return log.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));
}

/** Makes calls, requests an answer, and repeats the calls with the answer. */
async function askedAndAnswered(groups: readonly (readonly Call[])[]) {
  const world = createCallWorld('once');
  const desk = createAnswerDesk();
  const options = { nodeTypes: [callingNode(groups)], capabilities: world.capabilities, answers: desk };
  const first = await testRun(text(), options);
  desk.give({ name: 'n', key: '0' }, first.events);
  const second = await testRun(text(), { ...options, resume: { events: first.events } });
  return { first, second, sent: world.sent, log: [...first.events, ...second.events] };
}

describe('an attempt that is called again with an answer', () => {
  test('12.1 a takes the results of models and other calls from the log: nothing is emitted, sent or paid for twice', async () => {
    const { first, second, sent, log } = await askedAndAnswered([[model('a'), web('b')], [ask], [model('c')]]);
    expect(sent).toEqual(['model a', 'web b', 'model c']);
    expect(traceOf(second.events, ['model:', 'call:', 'task:', 'approval:'])).toEqual([
      ...['approval:resolved n', 'model:request', 'model:response', 'task:complete n'],
    ]);
    expect(second.end).toMatchObject({
      costUsd: 2,
      output: { n: { given: ['once: 1', 'once: 2', 'kim', 'once: 3'] } },
    });
    expect(eventsOf(first.events, 'model:response')).toMatchObject([{ text: 'once: 1', finishReason: 'stop' }]);
    expect(eventsOf(log, 'call:complete')).toMatchObject([{ result: { status: 200, text: 'once: 2' } }]);
  });

  test('12.1 b calls are identified by their request and by the number of equal calls before', async () => {
    const { log } = await askedAndAnswered([[model('a'), model('a'), model('b')], [ask], [model('a')]]);
    const keys = eventsOf(log, 'model:request').map(({ callKey = '' }) => callKey);
    expect(keys).toEqual(eventsOf(log, 'model:response').map(({ callKey }) => callKey));
    const [hash] = /[0-9a-f]{64}/.exec(keys[0] ?? '') ?? [];
    expect(keys).toEqual([
      `model:${hash}:0`,
      `model:${hash}:1`,
      expect.stringMatching(/^model:[0-9a-f]{64}:0$/),
      `model:${hash}:2`,
    ]);
  });
});

describe('an attempt that was interrupted', () => {
  /** Returns what is sent after an interruption following the first event of a type. */
  async function cutBehind(type: RunEvent['type'], groups: readonly (readonly Call[])[], policy?: string) {
    const first = await testRun(text(policy), {
      ...{ nodeTypes: [callingNode(groups)], capabilities: createCallWorld('before').capabilities },
    });
    const place = first.events.findIndex(({ event }) => event.type === type);
    const world = createCallWorld('after');
    const { end, events } = await testRun(text(policy), {
      ...{ nodeTypes: [callingNode(groups)], capabilities: world.capabilities },
      resume: { events: first.events.slice(0, place + 1) },
    });
    return { sent: world.sent, end, events };
  }

  test('12.1 a takes completed calls from the log, and calls a model again if it had not responded', async () => {
    const groups = [[model('a')], [model('b')]];
    const { sent, end } = await cutBehind('model:response', groups);
    expect(sent).toEqual(['model b']);
    expect(end).toMatchObject({ costUsd: 2, output: { n: { given: ['before: 1', 'after: 1'] } } });
    expect((await cutBehind('model:request', groups)).sent).toEqual(['model a', 'model b']);
  });

  test('12.1 d makes its calls again in its next attempt', async () => {
    let tries = 0;
    const failsOnce = createCallWorld('all');
    const type = callingNode([[model('a')]]);
    const nodeType = {
      ...type,
      async run(context: never) {
        const given = await type.run(context);
        if (tries++ === 0) throw new Error('first');
        return given;
      },
    };
    const policy = '{ retry: { maxAttempts: 2 } }';
    const { end, events } = await testRun(text(policy), {
      nodeTypes: [nodeType],
      capabilities: failsOnce.capabilities,
    });
    expect(failsOnce.sent).toEqual(['model a', 'model a']);
    expect(end).toMatchObject({ status: 'completed', costUsd: 2 });
    const cut = events.slice(0, events.findIndex(({ event }) => event.type === 'node:retry') + 1);
    const world = createCallWorld('later');
    await testRun(text(policy), { nodeTypes: [nodeType], capabilities: world.capabilities, resume: { events: cut } });
    expect(world.sent).toEqual(['model a']);
  });

  test('12.1 a an attempt with outside effects requests a decision first, and then has the completed results', async () => {
    const nodeTypes = [callingNode([[web('a')], [web('b')]], 'external')];
    const first = await testRun(text(), { nodeTypes, capabilities: createCallWorld('before').capabilities });
    const place = first.events.findIndex(({ event }) => event.type === 'call:complete');
    let log: readonly EventEnvelope[] = first.events.slice(0, place + 1);
    const world = createCallWorld('after');
    const asked = await testRun(text(), { nodeTypes, capabilities: world.capabilities, resume: { events: log } });
    expect(asked.last).toMatchObject({ type: 'run:suspended', reason: 'operator' });
    expect(world.sent).toEqual([]);
    log = [...log, ...asked.events];
    const resume = { events: log, answer: { decision: 'approve' } as const };
    const { end } = await testRun(text(), { nodeTypes, capabilities: world.capabilities, resume });
    expect(world.sent).toEqual(['web b']);
    expect(end.output).toEqual({ n: { given: ['before: 1', 'after: 1'] } });
  });
});

test('nodes cannot emit call events themselves', async () => {
  const type = callingNode([]);
  const forges = {
    ...type,
    async run({ hub }: { hub: { emit(event: object): void } }): Promise<JsonValue> {
      hub.emit({ type: 'call:complete', callKey: 'web.send:x:0', result: 1 });
      return { given: [] };
    },
  };
  const { end } = await testRun(text(), { nodeTypes: [forges] });
  expect(end.error).toMatchObject({ code: 'node.bad-event' });
});
