import { afterEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { WorkerKind } from './worker-kind.ts';
import { WorkerThread } from './worker-thread.ts';

const kind: WorkerKind = {
  name: 'test',
  loadProgram: () => Promise.reject(new Error('Not loaded here')),
  resourceLimits: { maxOldGenerationSizeMb: 64 },
  size: 1,
  kept: 0,
  failureOf: (error) => new EngineError({ code: 'test.died', message: error?.message ?? 'no error', cause: error }),
};

const started: WorkerThread[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.end('the test is over')));
});

/** Starts a worker that runs this code. */
function start(code: string): WorkerThread {
  const program = { code: `const { parentPort, workerData } = require('node:worker_threads');${code}` };
  const worker = new WorkerThread(program, kind);
  started.push(worker);
  return worker;
}

/** Starts a worker that runs `reaction` for each message, and waits until it is ready. */
async function startReady(reaction: string): Promise<WorkerThread> {
  const worker = start(`parentPort.on('message', (m) => { ${reaction} }); parentPort.postMessage({});`);
  await worker.whenReady();
  return worker;
}

/** Sends a worker an order and returns its first report. */
function firstReport(worker: WorkerThread, order: unknown): Promise<unknown> {
  return worker.run(order, (report, { end }) => end(report));
}

test('an order ends with the result of its listener, and the worker receives answers until then', async () => {
  const worker = await startReady("parentPort.postMessage(m + '!')");
  const reports: string[] = [];
  const [first, second] = ['a', 'b'].map(
    (order) => async () =>
      await worker.run<string, number>(order, (report, { send, end }) => {
        reports.push(report);
        if (report.length > 3) end(report.length);
        send(report);
      }),
  );
  expect(await first?.()).toBe(4);
  expect(await second?.()).toBe(4);
  expect(reports).toEqual(['a!', 'a!!', 'a!!!', 'b!', 'b!!', 'b!!!']);
  expect(worker.isReusable).toBe(true);
});

test('an order that cannot be sent fails, and the worker accepts the next one', async () => {
  const worker = await startReady('parentPort.postMessage(m)');
  await expect(firstReport(worker, () => 1)).rejects.toThrow('could not be cloned');
  expect(await firstReport(worker, 'next')).toBe('next');
});

test('a retired worker is not reusable', async () => {
  const worker = await startReady('');
  worker.retire();
  expect(worker.isReusable).toBe(false);
});

describe('a worker that dies', () => {
  test('before it is ready rejects the callers that wait for it', async () => {
    const worker = start('process.exit(3)');
    await expect(worker.whenReady()).rejects.toMatchObject({ code: 'test.died', message: 'no error' });
    expect(worker.isReusable).toBe(false);
  });

  test.each([
    ['by exiting', 'process.exit(3)', 'no error'],
    ['because of an error', "throw new Error('broken')", 'broken'],
    ['because of a value that is not an error', "throw 'broken text'", 'broken text'],
  ])('%s fails its order', async (_how, reaction, message) => {
    const worker = await startReady(reaction);
    await expect(firstReport(worker, 'go')).rejects.toMatchObject({ code: 'test.died', message });
    expect(worker.isReusable).toBe(false);
  });

  test('from lack of memory reports that as the cause', async () => {
    const worker = await startReady('const all = []; for (;;) all.push(new Array(1e5).fill(all.length + 0.5));');
    await expect(firstReport(worker, 'go')).rejects.toMatchObject({ cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' } });
  }, 60_000);
});

test('ending a worker fails its order at once with the reason', async () => {
  const worker = await startReady('for (;;) {}');
  const order = firstReport(worker, 'go');
  void worker.end('enough');
  await expect(order).rejects.toBe('enough');
  await expect(firstReport(worker, 'later')).rejects.toBe('enough');
  const starting = start('for (;;) {}');
  void starting.end('never mind');
  await expect(starting.whenReady()).rejects.toBe('never mind');
});
