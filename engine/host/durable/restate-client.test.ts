import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
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
