import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import { type DurableWorld, openDurableTest } from '../../testing/durable-world.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { RestateClient, registerWorker } from './restate-client.ts';
import { parseRestateUrl, serviceOf } from './restate-url.ts';

/** Statuses with which the admin API answers, in order; the last one is repeated. */
let statuses: number[];
/** Bodies of the answers, by path. */
let bodies: Map<string, string>;
let asked: number;
let admin: Server;
let client: RestateClient;
beforeEach(async () => {
  asked = 0;
  bodies = new Map();
  admin = createServer((request, response) => {
    const status = statuses[Math.min(asked++, statuses.length - 1)] ?? 500;
    response.writeHead(status).end(bodies.get(request.url ?? '') ?? 'cannot reach the worker');
  }).listen(0, '127.0.0.1');
  await once(admin, 'listening');
  const { port } = admin.address() as AddressInfo;
  client = new RestateClient(parseRestateUrl(`restate://127.0.0.1:1?admin=${port}`), 'w');
});
afterEach(() => {
  admin.close();
});

test('a worker that Restate cannot reach yet is registered later, and the reason is reported once', async () => {
  statuses = [500, 503, 201, 404];
  const notes: string[] = [];
  await registerWorker(client, 'http://127.0.0.1:2', { clock: systemClock, onNote: ({ code }) => notes.push(code) });
  expect({ asked, notes }).toEqual({ asked: 4, notes: ['restate.refused'] });
});

test('a worker at an address that is not the newest one is told that it receives no new runs', async () => {
  statuses = [201, 200, 200];
  bodies.set(`/services/${serviceOf('w')}`, '{"deployment_id":"dp_2"}');
  bodies.set('/deployments/dp_2', '{"uri":"http://127.0.0.1:3/"}');
  const notes: string[] = [];
  const onNote = ({ message }: Error) => notes.push(message);
  await registerWorker(client, 'http://127.0.0.1:2', { clock: systemClock, onNote });
  expect(notes).toEqual([expect.stringContaining('sends new runs to http://127.0.0.1:3/')]);
  notes.length = 0;
  asked = 0;
  await registerWorker(client, 'http://127.0.0.1:3', { clock: systemClock, onNote });
  expect(notes).toEqual([]);
});

test('a conflict with another version is an error at once, and an unreachable worker after a minute', async () => {
  const clock = createManualClock();
  const register = () => registerWorker(client, 'http://127.0.0.1:2', { clock, onNote: () => undefined });
  statuses = [409];
  await expect(register()).rejects.toMatchObject({ code: 'restate.refused', message: /HTTP 409/ });
  expect(asked).toBe(1);
  statuses = [500];
  const failed = register();
  clock.put(60_000);
  await expect(failed).rejects.toMatchObject({ code: 'restate.refused' });
  expect(asked).toBe(2);
});

test.each([
  { what: 'HTML', status: 200, body: '<html>', code: 'restate.refused', part: 'something other than JSON' },
  { what: 'a redirect', status: 307, body: '', code: 'restate.unreachable', part: 'redirect' },
  { what: 'a huge answer', status: 200, body: 'x'.repeat(17_000_000), code: 'restate.unreachable', part: 'more than' },
])('$what instead of an answer of Restate is an error that says so', async ({ status, body, code, part }) => {
  let received = 0;
  const other = createServer((_request, response) => {
    received++;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const server = createServer((_request, response) => response.writeHead(status, { location }).end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const at = new RestateClient(parseRestateUrl(`restate://127.0.0.1:${port}?admin=${port}`), 'w');
  for (const call of [() => at.start(asRunId('r'), {}), () => at.newestAddress()])
    await expect(call()).rejects.toMatchObject({ code, message: expect.stringContaining(part) });
  expect(received).toBe(0);
  for (const one of [server, other]) one.close();
});

test('a URL that is not one of Restate is refused without being repeated, as it may contain a password', () => {
  for (const url of ['postgres://me:secret@h/d', 'restate://me:secret@h', 'secret', 'restate://h/%zz-secret'])
    try {
      parseRestateUrl(url);
      expect.unreachable(url);
    } catch (error) {
      expect(error).toMatchObject({ code: 'restate.bad-url', message: expect.not.stringContaining('secret') });
    }
});

test('Restate retries the runs of a worker without a limit, so that they survive any outage', async ({ skip }) => {
  const opened = await openDurableTest({ files: {} });
  if ('missing' in opened) return skip(opened.missing);
  const world: DurableWorld = opened;
  try {
    await world.startWorker();
    const place = parseRestateUrl(world.on);
    const response = await fetch(`${place.admin}/services/${serviceOf(world.history.workspace)}`);
    expect(await response.json()).toMatchObject({ retry_policy: { max_attempts: Number.MAX_SAFE_INTEGER } });
  } finally {
    await world.close();
  }
});
