/** Tests following a run at an address. */
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { AddressWorld, askFlow, echoFlow } from './test-addresses.ts';

let world: AddressWorld;
let key: string;

beforeEach(async () => {
  world = new AddressWorld();
  world.write('echo.flow.yaml', echoFlow);
  world.write('ask.flow.yaml', askFlow);
  await world.open();
  key = await world.publish('echo');
});
afterEach(() => world.close());

const wait = { Prefer: 'wait=60' };

interface Told {
  readonly id: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare any part of it.
  readonly data: any;
}

/** Reads the events of a stream as they arrive. */
async function* events(response: IncomingMessage): AsyncGenerator<Told> {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
      );
      text = text.slice(end + 2);
      if (!fields.has('data')) continue;
      const [id, type = '', data = ''] = [Number(fields.get('id')), fields.get('event'), fields.get('data')];
      yield { id, type, data: JSON.parse(data) };
    }
  }
}

async function all(response: IncomingMessage): Promise<readonly Told[]> {
  const told: Told[] = [];
  for await (const one of events(response)) told.push(one);
  return told;
}

async function finished(word = 'hi') {
  const { json } = await world.send('/flows/echo/runs', { key, body: { word }, headers: wait });
  return json as { readonly runId: string; readonly links: { readonly events: string } };
}

test('tells how the run goes on, and ends with it', async () => {
  await world.serve();
  const { links } = await finished('two\nlines\n\nevent: end');
  const stream = await world.stream(links.events, { key });
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  });
  const told = await all(stream);
  expect(told.map(({ type, data }) => [type, data.node ?? null, data.status])).toEqual([
    ['run', null, 'running'],
    ['node', 'say', 'running'],
    ['node', 'say', 'completed'],
    ['end', null, 'completed'],
  ]);
  expect(told.at(-1)?.data.outputs).toEqual({ word: 'two\nlines\n\nevent: end' });
});

test('continues after the last event that a caller has received', async () => {
  await world.serve();
  const { links } = await finished();
  const told = await all(await world.stream(links.events, { key }));
  for (const [index, { id }] of told.entries()) {
    const rest = told.slice(index + 1);
    const again = await world.stream(links.events, { key, headers: { 'Last-Event-ID': String(id) } });
    expect([again.statusCode, await all(again)]).toEqual([rest.length === 0 ? 204 : 200, rest]);
    const byQuery = await world.stream(`${links.events}?after=${id}`, { key });
    expect(await all(byQuery)).toEqual(rest);
  }
  expect((await world.send(`${links.events}?after=999999999999999`, { key })).status).toBe(204);
  for (const bad of ['x', '1.5', '-2', '1e3', '9'.repeat(400), ''])
    expect((await world.send(links.events, { key, headers: { 'Last-Event-ID': bad } })).status).toBe(400);
});

describe('a run that waits', () => {
  let asking: string;
  let links: { readonly self: string; readonly events: string; readonly answers: string };
  const clock = createManualClock();
  beforeEach(async () => {
    asking = await world.publish('ask');
    await world.serve({}, clock);
    links = (await world.send('/flows/ask/runs', { key: asking, body: {} })).json.links;
  });

  test('shows its questions, and goes on after the answer', async () => {
    const stream = events(await world.stream(links.events, { key: asking }));
    const told: Told[] = [];
    for await (const one of stream) {
      told.push(one);
      if (one.data.status === 'suspended' && one.type === 'run') {
        const answer = { key: asking, body: { values: { word: 'yes' } } };
        expect((await world.send(`${links.answers}/ask`, answer)).status).toBe(202);
      }
    }
    expect(told.find(({ type }) => type === 'waiting')?.data.questions).toMatchObject([
      { node: 'ask', key: expect.any(String) },
    ]);
    expect(told.at(-1)).toMatchObject({ type: 'end', data: { status: 'completed', outputs: { word: 'yes' } } });
    expect(told.map(({ id }) => id)).toEqual([...told.map(({ id }) => id)].sort((left, right) => left - right));
  });

  test('is followed by a limited number of streams, and a connection shows that it is open', async () => {
    const before = clock.openTimers;
    const open: IncomingMessage[] = [];
    for (let count = 0; count < 20; count++) open.push(await world.stream(links.events, { key: asking }));
    expect((await world.send(links.events, { key: asking })).status).toBe(429);
    const [first] = open;
    let text = '';
    first?.on('data', (chunk) => {
      text += String(chunk);
    });
    await expect.poll(() => text, { timeout: 60_000 }).toContain('suspended');
    await expect.poll(() => clock.openTimers > before, { timeout: 60_000 }).toBe(true);
    await clock.advance(15_000);
    await expect.poll(() => text, { timeout: 60_000 }).toContain(': waiting');
    for (const stream of open) stream.destroy();
    await expect.poll(() => clock.openTimers, { timeout: 60_000 }).toBe(before);
    const next = await world.stream(links.events, { key: asking });
    expect(next.statusCode).toBe(200);
    next.destroy();
  });
});

test('events are read from the history when the caller has room for them', async () => {
  const nodes = Array.from({ length: 200 }, (_, index) => `  - { id: n${index}, type: echo, input: { text: hi } }\n`);
  world.write('long.flow.yaml', `flow: { name: Long }\nnodes:\n${nodes.join('')}edges: []\n`);
  const own = await world.publish('long');
  await world.serve();
  const { json } = await world.send('/flows/long/runs', { key: own, body: {}, headers: wait });
  let pages = 0;
  const { readEvents } = world.engine;
  world.engine.readEvents = async (runId, after, limit) => {
    pages++;
    return await readEvents(runId, after, limit);
  };
  const response = await world.routes().request(json.links.events, { headers: { authorization: `Bearer ${own}` } });
  const reader = response.body?.getReader();
  for (let count = 0; count < 5; count++) await reader?.read();
  expect(pages).toBe(1);
  let rest = 0;
  while ((await reader?.read())?.done === false) rest++;
  expect([pages > 2, rest]).toEqual([true, 200 * 2 + 3 - 5]);
});
