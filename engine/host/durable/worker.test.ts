/** Tests what operators of workers rely on: limits, signed requests, shutdown, health and metrics. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { type CountingService, startCountingService } from '../../testing/counting-service.ts';
import { type DurableWorld, openDurableTest } from '../../testing/durable-world.ts';
import { freePort } from '../../testing/free-port.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { RestateClient } from './restate-client.ts';
import { parseRestateUrl, serviceOf } from './restate-url.ts';

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Restate's key pair: the private key in PEM format, and the public key as Restate prints it. */
function createIdentity(): { readonly pem: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  let digits = '';
  for (let rest = BigInt(`0x${Buffer.from(x, 'base64url').toString('hex')}`); rest > 0n; rest /= 58n)
    digits = `${base58[Number(rest % 58n)]}${digits}`;
  return { pem: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string, publicKey: `publickeyv1_${digits}` };
}

const identity = createIdentity();
/** Larger than what a journal contains. */
const largeText = 'large '.repeat(250_000);
let folder: string;
let world: DurableWorld | { readonly missing: string };

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-identity-'));
  const pemFile = path.join(folder, 'identity.pem');
  writeFileSync(pemFile, identity.pem);
  world = await openDurableTest({
    files: { 'large.txt': largeText },
    restateEnv: { RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: pemFile },
  });
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
  rmSync(folder, { recursive: true });
});

function open({ skip }: TestContext): DurableWorld {
  return 'missing' in world ? skip(world.missing) : world;
}

/** Waits in a step until the service answers. */
function heldFlow({ url }: CountingService): string {
  return `
flow: { name: Held, inputs: { id: { type: string, required: true } } }
nodes:
  - { id: hold, type: http.request, input: { method: POST, url: "${url}/hold/{{flow.input.id}}" } }
  - { id: pause, type: control.wait, input: { ms: 10 } }
  - { id: work, type: http.request, input: { method: POST, url: "${url}/book/after {{flow.input.id}}" } }
edges: [{ from: hold, to: pause }, { from: pause, to: work }]
`;
}

async function expectCompleted(durable: DurableWorld, runId: RunId): Promise<void> {
  const log = await durable.whenEnded(runId);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
  const { status, failedNodes } = foldRun(emptyRunState, log);
  expect({ status, failed: [...failedNodes] }).toEqual({ status: 'completed', failed: [] });
}

interface StatusPages {
  health(): Promise<{ readonly status: number; readonly text: string }>;
  /** Returns the value of a metric. */
  metric(name: string): Promise<number>;
}

function statusPages(port: number): StatusPages {
  const read = async (page: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`http://127.0.0.1:${port}/${page}`);
    return { status: response.status, text: await response.text() };
  };
  return {
    health: () => read('health'),
    async metric(name) {
      const { text } = await read('metrics');
      const [, value] = new RegExp(`^${name} (.*)$`, 'm').exec(text) ?? [];
      return Number(value);
    },
  };
}

test('13.11 a result of more than 1 MiB is in the journal by its hash only, and survives its worker', async (context) => {
  const durable = open(context);
  const port = await freePort();
  const worker = await durable.startWorker(port);
  const runId = await durable.start(`
flow: { name: Large }
nodes:
  - { id: read, type: file.read, input: { path: large.txt } }
  - { id: ok, type: human_approval, input: { title: "Go on?" } }
  - { id: copy, type: constant, input: { value: "{{read.text}}" } }
edges: [{ from: read, to: ok }, { from: ok, to: copy }]
`);
  await vi.waitFor(async () => expect(await durable.history.asksOf(runId)).toHaveLength(1));
  await worker.kill();
  const entries = await durable.query<{ name?: string; raw_length: number }>(
    `SELECT j.name, j.raw_length FROM sys_journal j JOIN sys_invocation i ON i.id = j.id
     WHERE i.target_service_key = '${runId}'`,
  );
  expect(entries.map(({ name }) => name)).toContainEqual(expect.stringContaining('read'));
  expect(Math.max(...entries.map((entry) => entry.raw_length))).toBeLessThan(10_000);
  const next = await durable.startWorker(port);
  await durable.answer(runId, 'ok', { approved: true });
  const log = await durable.whenEnded(runId);
  await next.kill();
  const { status, nodes } = foldRun(emptyRunState, log);
  const output = [...nodes.values()].find(({ nodeId }) => nodeId === 'copy')?.output as { $value: string };
  expect(status).toBe('completed');
  expect(await durable.history.readValue(output.$value)).toEqual({ value: largeText });
}, 300_000);

test('13.11 a run that was recorded but not started is started by a worker, and executed once', async (context) => {
  const durable = open(context);
  const service = await startCountingService();
  const runId = await durable.record(heldFlow(service), { id: 'lost' });
  const worker = await durable.startWorker(await freePort());
  const client = new RestateClient(parseRestateUrl(durable.on), durable.history.workspace);
  await vi.waitFor(() => expect(service.booked.size).toBe(1));
  const { engine, reference } = (await durable.history.hostOf(runId)) ?? {};
  expect(engine).toBe('restate');
  // Another worker has started the run at the same time.
  expect(await client.start(runId, {})).toBe(reference);
  service.release();
  await expectCompleted(durable, runId);
  const log = await durable.whenEnded(runId);
  expect(await client.start(runId, {})).toBe(reference);
  await fetch(`${parseRestateUrl(durable.on).admin}/invocations/${reference}/purge`, { method: 'PATCH' });
  const query = `SELECT status FROM sys_invocation WHERE id = '${reference}'`;
  await vi.waitFor(async () => expect(await durable.query(query)).toEqual([]));
  // Restate has forgotten the run.
  expect(await client.start(runId, {})).toBe(reference);
  await vi.waitFor(async () => expect(await durable.query(query)).toEqual([{ status: 'completed' }]));
  expect(await durable.whenEnded(runId)).toEqual(log);
  expect([...service.booked.values()]).toEqual([1, 1]);
  await worker.kill();
  await service.close();
}, 300_000);

test('13.11 a worker never has more runs in progress than --max-runs, and gets the others later', async (context) => {
  const durable = open(context);
  const service = await startCountingService();
  const metricsPort = await freePort();
  const options = ['--max-runs', '2', '--metrics-port', String(metricsPort)];
  const worker = await durable.startWorker(await freePort(), options);
  const pages = statusPages(metricsPort);
  const runIds: RunId[] = [];
  for (const id of '123456') runIds.push(await durable.start(heldFlow(service), { id }));
  // Each of the others has been rejected several times.
  await vi.waitFor(async () => expect(await pages.metric('millrace_worker_rejected_total')).toBeGreaterThan(12));
  await vi.waitFor(() => expect(service.booked.size).toBeGreaterThan(1));
  expect([service.booked.size, await pages.metric('millrace_worker_runs')]).toEqual([2, 2]);
  service.release();
  for (const runId of runIds) await expectCompleted(durable, runId);
  expect([...service.booked.values()]).toEqual(Array.from({ length: 12 }, () => 1));
  await worker.kill();
  await service.close();
}, 300_000);

test('13.11 a worker that cannot start ends, and says why', async (context) => {
  const durable = open(context);
  const port = await freePort();
  const nowhere = `restate://127.0.0.1:${await freePort()}/w?admin=${await freePort()}`;
  await expect(durable.startWorker(port, ['--on', nowhere])).rejects.toThrow('Restate cannot be reached');
  const worker = await durable.startWorker(port);
  await expect(durable.startWorker(port)).rejects.toThrow(`cannot listen on 127.0.0.1:${port}`);
  await worker.kill();
});

test('13.11 a worker with --keep-days deletes old runs of the history', async (context) => {
  const durable = open(context);
  const { history } = durable;
  const record = async (id: string, at: number): Promise<RunId> => {
    const run = newRun(id, { queuedAt: at });
    await history.createRun({ ...run, host: { engine: 'restate' } });
    const events = envelopes(run.runId, [runStart, runCompleted]).map((event) => ({ ...event, at }));
    await history.project([{ runId: run.runId, events }]);
    return run.runId;
  };
  const [old, recent] = [await record('old', 1_000), await record('recent', Date.now())];
  const worker = await durable.startWorker(await freePort(), ['--keep-days', '30']);
  await vi.waitFor(async () => expect(await history.findSummary(old)).toBeUndefined());
  expect(await history.findSummary(recent)).toMatchObject({ status: 'completed' });
  await worker.kill();
}, 300_000);

test('13.11 with --identity-key, a worker rejects requests that Restate has not signed', async (context) => {
  const durable = open(context);
  const service = await startCountingService();
  service.release();
  const [port, metricsPort] = [await freePort(), await freePort()];
  const own = ['--identity-key', identity.publicKey, '--metrics-port', String(metricsPort)];
  const worker = await durable.startWorker(port, own);
  const runId = await durable.start(heldFlow(service), { id: 'signed' });
  await expectCompleted(durable, runId);
  const unsigned = connect(`http://127.0.0.1:${port}`);
  for (const page of ['/discover', `/invoke/${serviceOf(durable.history.workspace)}/run`]) {
    const request = unsigned.request({ ':path': page, ':method': page === '/discover' ? 'GET' : 'POST' }).end();
    const [headers] = (await once(request, 'response')) as [Readonly<Record<string, unknown>>];
    expect([page, headers[':status']]).toEqual([page, 401]);
    request.close();
  }
  // Rejected requests that never end occupy no place.
  const run = { ':path': `/invoke/${serviceOf(durable.history.workspace)}/run`, ':method': 'POST' };
  const endless = Array.from({ length: 3 }, () => unsigned.request(run));
  await Promise.all(endless.map((request) => once(request, 'response')));
  await vi.waitFor(async () => expect(await statusPages(metricsPort).metric('millrace_worker_runs')).toBe(0));
  for (const request of endless) request.close();
  unsigned.close();
  await worker.kill();
  await service.close();
}, 300_000);

test('13.11 a worker that is stopped finishes its steps, reports that, and leaves the rest to others', async (context) => {
  const durable = open(context);
  const service = await startCountingService();
  const [port, metricsPort] = [await freePort(), await freePort()];
  const worker = await durable.startWorker(port, ['--metrics-port', String(metricsPort)]);
  const pages = statusPages(metricsPort);
  const runId = await durable.start(heldFlow(service), { id: 'drained' });
  await vi.waitFor(() => expect(service.booked.size).toBe(1));
  expect(await pages.health()).toEqual({ status: 200, text: 'ok' });
  const busy = ['millrace_worker_runs', 'millrace_worker_steps_running', 'millrace_worker_draining'];
  expect(await Promise.all(busy.map(pages.metric))).toEqual([1, 1, 0]);

  const exited = worker.drain();
  await vi.waitFor(async () => expect(await pages.health()).toEqual({ status: 503, text: 'draining' }));
  expect(await Promise.all(busy.map(pages.metric))).toEqual([1, 1, 1]);
  service.release();
  expect(await exited).toBe(0);
  expect([...service.booked.keys()]).toEqual(['drained']);
  const next = await durable.startWorker(port);
  await expectCompleted(durable, runId);
  expect([...service.booked]).toEqual([
    ['drained', 1],
    ['after drained', 1],
  ]);
  await next.kill();
  await service.close();
}, 300_000);
