/** Tests the addresses of published flows. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AddressWorld, approveFlow, askFlow, echoFlow } from './test-addresses.ts';

let world: AddressWorld;
let key: string;

beforeEach(async () => {
  world = new AddressWorld();
  world.write('echo.flow.yaml', echoFlow);
  world.write('ask.flow.yaml', askFlow);
  world.write('approve.flow.yaml', approveFlow);
  await world.open();
  key = await world.publish('echo');
});
afterEach(() => world.close());

const wait = { Prefer: 'wait=60' };
const body = { word: 'hi' };

describe('starting a run', () => {
  beforeEach(() => world.serve());

  test('accepts the inputs, and returns where its result will be', async () => {
    const { status, json, headers } = await world.send('/flows/echo/runs', { key, body });
    expect(status).toBe(202);
    expect(json).toMatchObject({ isNew: true, links: { self: headers['location'] } });
    await world.engine.whenEnded(json.runId);
    const ended = await world.send(json.links.self, { key });
    expect(ended).toMatchObject({ status: 200, json: { status: 'completed', outputs: { word: 'hi' } } });
    const [run] = await world.engine.listRuns({ limit: 1 });
    expect(run?.startedBy).toEqual({ kind: 'http', name: 'Shop' });
  });

  test('waits for the result if the caller prefers it', async () => {
    const { status, json } = await world.send('/flows/echo/runs', { key, body, headers: wait });
    expect([status, json.status, json.outputs]).toEqual([200, 'completed', { word: 'hi' }]);
  });

  test('returns large outputs as they are', async () => {
    const word = 'x'.repeat(100_000);
    const { json } = await world.send('/flows/echo/runs', { key, body: { word }, headers: wait });
    expect(json.outputs).toEqual({ word });
  });

  test('reports all problems of the inputs at once', async () => {
    const { status, json } = await world.send('/flows/echo/runs', { key, body: { times: 'x', wrod: 'hi' } });
    expect([status, json.error.code]).toEqual([400, 'flow.bad-inputs']);
    expect(json.error.problems.map(({ name }: { name: string }) => name)).toEqual(['word', 'times', 'wrod']);
    expect(await world.engine.listRuns({ limit: 1 })).toEqual([]);
  });

  test('accepts only JSON objects of a limited size', async () => {
    const bad = [
      [415, { headers: { 'content-type': 'text/plain' }, body: '{}' }],
      [415, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'word=hi' }],
      [415, { headers: { 'content-encoding': 'gzip' }, body: 'x' }],
      [400, { body: '{' }],
      [400, { body: '[]' }],
      [400, { body: 'null' }],
      [400, { body: Buffer.from([0x22, 0xff, 0x22]) }],
      [400, { body: `{"word":${'['.repeat(200)}${']'.repeat(200)}}` }],
      [400, { body: '{"word":"hi","__proto__":{"a":1}}' }],
      [413, { body: { word: 'x'.repeat(2_000) } }],
    ] as const;
    await world.engine.publishFlow({ flow: 'echo.flow.yaml', by: 'kim', limits: { bodyBytes: 1_000 } });
    for (const [status, sent] of bad)
      expect([sent, (await world.send('/flows/echo/runs', { key, method: 'POST', ...sent })).status]).toEqual([
        sent,
        status,
      ]);
    expect(await world.engine.listRuns({ limit: 1 })).toEqual([]);
  });

  test('starts nothing after a change, until a person confirms it', async () => {
    world.write('echo.flow.yaml', echoFlow.replace('A word', 'A text').replace('Returns a', 'Returns one'));
    const refused = await world.send('/flows/echo/runs', { key, body });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'flow.changed']);
    await world.engine.publishFlow({ flow: 'echo.flow.yaml', by: 'kim' });
    expect((await world.send('/flows/echo/runs', { key, body })).status).toBe(202);
  });

  test('hides why a flow cannot start, and tells it to the person who serves it', async () => {
    const request = 'type: http.request, input: { url: "http://127.0.0.1:9", headers: { a: "{{secret.NOT_THERE}}" } }';
    const nodes = `nodes: [{ id: say, ${request} }]\nedges: []\n`;
    world.write('secret.flow.yaml', `flow: { name: Secret }\n${nodes}`);
    const other = await world.publish('secret');
    const { status, json, text } = await world.send('/flows/secret/runs', { key: other, body });
    expect([status, json.error.code, text.includes('NOT_THERE')]).toEqual([503, 'flow.unavailable', false]);
    expect(world.notes.join()).toContain('NOT_THERE');
  });

  test('refuses more runs than the flow may have', async () => {
    const asking = await world.publish('ask', { limits: { runsAtOnce: 1, perHour: 2 } });
    const start = (more = {}) => world.send('/flows/ask/runs', { key: asking, body: {}, ...more });
    const { json } = await start({ headers: wait });
    expect(json.status).toBe('suspended');
    const blocked = await start();
    expect([blocked.status, blocked.json.error.code, blocked.headers['retry-after']]).toEqual([
      429,
      'firing.blocked',
      '5',
    ]);
    expect((await world.send(json.links.cancel, { key: asking, method: 'POST' })).status).toBe(202);
    await world.engine.whenEnded(json.runId);
    expect((await start({ headers: wait })).status).toBe(202);
    const limited = await start();
    expect([limited.status, limited.json.error.code]).toEqual([429, 'firing.limited']);
    const seconds = Number(limited.headers['retry-after']);
    expect(seconds > 3_000 && seconds <= 3_600).toBe(true);
  });
});

describe('an Idempotency-Key', () => {
  beforeEach(() => world.serve());
  const headers = { 'Idempotency-Key': 'order-1' };

  test('starts one run, however often the request arrives', async () => {
    const requests = Array.from({ length: 5 }, () => world.send('/flows/echo/runs', { key, body, headers }));
    const answers = await Promise.all(requests);
    expect(new Set(answers.map(({ json }) => json.runId)).size).toBe(1);
    expect(answers.filter(({ json }) => json.isNew)).toHaveLength(1);
    expect(await world.engine.listRuns({ limit: 9 })).toHaveLength(1);
    const others = { word: 'hi', times: 1 };
    const conflict = await world.send('/flows/echo/runs', { key, body: others, headers });
    expect([conflict.status, conflict.json.error.code]).toEqual([409, 'http.idempotency-conflict']);
  });

  test('does not count for the limits again, and belongs to its caller', async () => {
    await world.engine.publishFlow({ flow: 'echo.flow.yaml', by: 'kim', limits: { perHour: 2 } });
    const other = (await world.engine.createApiKey({ name: 'B', flows: ['echo'], by: 'kim' })).key;
    const first = await world.send('/flows/echo/runs', { key, body, headers });
    const second = await world.send('/flows/echo/runs', { key: other, body: { word: 'other' }, headers });
    expect(second.status).toBe(202);
    expect(second.json.runId).not.toBe(first.json.runId);
    const again = await world.send('/flows/echo/runs', { key, body, headers: { ...headers, ...wait } });
    expect([again.status, again.json.runId, again.json.isNew]).toEqual([200, first.json.runId, false]);
  });

  test('must be short and visible', async () => {
    for (const bad of ['a b', 'x'.repeat(201), 'ü'])
      expect((await world.send('/flows/echo/runs', { key, body, headers: { 'Idempotency-Key': bad } })).status).toBe(
        400,
      );
  });
});

describe('a question', () => {
  let asking: string;
  beforeEach(async () => {
    asking = await world.publish('ask');
    await world.serve();
  });

  test('is shown and answered once, under the name of the key', async () => {
    const { json } = await world.send('/flows/ask/runs', { key: asking, body: {}, headers: wait });
    expect(json.questions).toMatchObject([{ node: 'ask', title: 'Which word?', schema: { required: ['word'] } }]);
    const answers = `${json.links.answers}/ask`;
    const bad = await world.send(answers, { key: asking, body: { values: { word: 1 } } });
    expect([bad.status, bad.json.error.code]).toEqual([400, 'answer.invalid']);
    expect((await world.send(answers, { key: asking, body: { values: { word: 'yes' } } })).status).toBe(202);
    await world.engine.whenEnded(json.runId);
    const ended = await world.send(json.links.self, { key: asking });
    expect(ended.json).toMatchObject({ status: 'completed', outputs: { word: 'yes' } });
    const again = await world.send(answers, { key: asking, body: { values: { word: 'no' } } });
    expect(again.status).toBe(409);
    const events = await world.engine.readEvents(json.runId, -1, 100);
    expect(events.find(({ event }) => event.type === 'input:received')?.event).toMatchObject({ by: 'Shop' });
  });

  test('is the only thing that callers answer', async () => {
    const approving = await world.publish('approve');
    const { json } = await world.send('/flows/approve/runs', { key: approving, body: {}, headers: wait });
    expect([json.status, json.questions]).toEqual(['suspended', []]);
    const answers = `${json.links.answers}/ok`;
    for (const forged of [{ values: {} }, { values: { approved: true } }])
      expect((await world.send(answers, { key: approving, body: forged })).status).toBe(403);
    for (const forged of [{ approved: true }, { decision: 'approve' }, { values: {}, approved: true }, { values: 1 }])
      expect((await world.send(answers, { key: approving, body: forged })).status).toBe(400);
    expect((await world.engine.getRun(json.runId)).status).toBe('suspended');
  });
});

describe('a paused run', () => {
  const asked = (id: string) =>
    `  - { id: ${id}, type: user_input, input: { title: Ask, schema: { type: object, properties: { n: { type: integer } } } } }\n`;
  const two = `flow: { name: Two }
nodes:
${asked('ask')}${asked('also')}  - { id: held, type: echo, input: { text: "{{ask.values.n}}" } }
  - { id: after, type: echo, input: { text: "{{also.values.n}}" } }
edges: [{ from: ask, to: held }, { from: also, to: after }]
`;

  test('13.9 is continued, stepped and changed by no caller, only by a person', async () => {
    world.write('two.flow.yaml', two);
    const caller = await world.publish('two');
    await world.serve();
    const headers = { 'Idempotency-Key': 'once', ...wait };
    const start = () => world.send('/flows/two/runs', { key: caller, body: {}, headers });
    const { json } = await start();
    const { runId, links } = json;
    // The person looks at the run, and sets a breakpoint.
    await world.engine.attachRun(runId);
    await world.engine.setBreakpoints('two.flow.yaml', [{ node: 'held' }]);
    const answer = (node: string, body: unknown) => world.send(`${links.answers}/${node}`, { key: caller, body });
    const state = async () => {
      await world.engine.whenEnded(runId);
      const { waitStatus } = await world.engine.getRun(runId);
      const events = (await world.engine.readEvents(runId, -1, 1000)).map(({ event }) => event);
      const started = events.flatMap((event) => (event.type === 'task:start' ? [event.nodeId] : []));
      return [waitStatus, [...new Set(started)], events.filter(({ type }) => type === 'node:held').length];
    };
    expect((await answer('ask', { values: { n: 1 } })).status).toBe(202);
    expect(await state()).toEqual(['PAUSED', ['ask', 'also'], 1]);

    const values = { n: 2 };
    for (const node of ['held', 'ask', 'after']) expect((await answer(node, { values })).status).toBe(409);
    for (const forged of [
      ...[{ action: 'continue' }, { action: 'step', values }, { action: 'skip', output: {}, values }],
      ...[{ action: 'raise', raised: { seconds: 1 } }, { input: { text: 'x' }, values }, { decision: 'approve' }],
    ])
      for (const node of ['held', 'also']) expect((await answer(node, forged)).status).toBe(400);
    for (const path of ['resume', 'continue', 'step', 'pause', 'outputs', 'breakpoints', 'rerun'])
      for (const method of ['POST', 'PUT', 'PATCH'])
        expect((await world.send(`${links.self}/${path}`, { key: caller, method, body: {} })).status).toBe(404);
    const forged = { breakpoints: { 'two.flow.yaml': [{ node: 'ask' }] }, startedBy: { kind: 'person' } };
    const { json: other } = await world.send('/flows/two/runs', { key: caller, body: forged, headers: wait });
    expect(await world.engine.getRun(other.runId)).toMatchObject({
      ...{ startedBy: { kind: 'http' }, waitStatus: 'PENDING_USER_INPUT' },
    });
    expect((await start()).json).toMatchObject({ runId, isNew: false, status: 'suspended' });
    expect(await state()).toEqual(['PAUSED', ['ask', 'also'], 1]);

    // A question is answered, but nothing starts.
    expect((await answer('also', { values })).status).toBe(202);
    expect((await state()).slice(0, 2)).toEqual(['PAUSED', ['ask', 'also']]);
    await world.engine.resumeRun({ runId, action: 'continue' });
    await world.engine.whenEnded(runId);
    expect((await world.send(links.self, { key: caller })).json.status).toBe('completed');
  });
});

test('an Idempotency-Key is remembered after a restart', async () => {
  const headers = { 'Idempotency-Key': 'order-1', ...wait };
  await world.restart();
  await world.serve();
  const first = await world.send('/flows/echo/runs', { key, body, headers });
  await world.restart();
  await world.serve();
  const again = await world.send('/flows/echo/runs', { key, body, headers });
  expect([again.status, again.json.runId, again.json.isNew]).toEqual([200, first.json.runId, false]);
});
