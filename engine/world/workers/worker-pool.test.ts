import { afterEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { WorkerKind } from './worker-kind.ts';
import { type WorkerJob, WorkerPool } from './worker-pool.ts';

const never = new AbortController().signal;
const closed = new EngineError({ code: 'test.closed', message: 'Closed' });
const pools: WorkerPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close(closed)));
});

/** Returns each order; `loop` computes endlessly, `die` ends the worker. */
const code = `const { parentPort } = require('node:worker_threads');
  const fs = require('node:fs');
  let thread; try { thread = Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1)); } catch {}
  parentPort.on('message', (order) => {
    if (order === 'loop') for (;;);
    if (order === 'die') process.exit();
    parentPort.postMessage(order);
  });
  parentPort.postMessage({ thread });`;

function open(changes: Partial<WorkerKind> = {}): WorkerPool {
  const pool = new WorkerPool({
    name: 'test',
    loadProgram: () => Promise.resolve({ code }),
    resourceLimits: {},
    size: 2,
    kept: 2,
    failureOf: () => new EngineError({ code: 'test.died', message: 'It died' }),
    ...changes,
  });
  pools.push(pool);
  return pool;
}

const ask = ({ worker }: WorkerJob, order: unknown): Promise<unknown> =>
  worker.run(order, (report, { end }) => end(report));
const run = (pool: WorkerPool, order: unknown, signal = never): Promise<unknown> =>
  pool.run(signal, (job) => ask(job, order));

/** Resolves when `open` is called. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('concurrency', () => {
  test('limits how many jobs compute at once, and starts them in order', async () => {
    const pool = open({ size: 2 });
    let computing = 0;
    let most = 0;
    const two = gate();
    const jobs = ['a', 'b', 'c', 'd', 'e'].map((order) =>
      pool.run(never, async (job) => {
        most = Math.max(most, ++computing);
        if (computing === 2) two.open();
        await two.opened;
        const answer = await ask(job, order);
        computing--;
        return answer;
      }),
    );
    expect(await Promise.all(jobs)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([most, pool.workerCount]).toEqual([2, 2]);
    const single = open({ size: 1 });
    const ended: unknown[] = [];
    await Promise.all([1, 2, 3].map((order) => run(single, order).then((answer) => ended.push(answer))));
    expect(ended).toEqual([1, 2, 3]);
  });

  test('a job that waits for the engine lets another one compute, and continues concurrently', async () => {
    const pool = open({ size: 1 });
    const [paused, go] = [gate(), gate()];
    const first = pool.run(never, async (job) => {
      job.pause();
      paused.open();
      await go.opened;
      job.resume();
      return await ask(job, 'first');
    });
    await paused.opened;
    expect(await run(pool, 'second')).toBe('second');
    go.open();
    expect(await first).toBe('first');
  });

  test('jobs do not wait for each other if their number is not limited', async () => {
    const pool = open({ size: Number.POSITIVE_INFINITY, kept: 0 });
    const end = gate();
    const jobs = ['a', 'b', 'c', 'd'].map((order) =>
      pool.run(never, async (job) => {
        const answer = await ask(job, order);
        await end.opened;
        return answer;
      }),
    );
    await expect.poll(() => pool.workerCount).toBe(4);
    end.open();
    expect(await Promise.all(jobs)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('idle workers', () => {
  test('are reused', async () => {
    const pool = open();
    for (const order of ['a', 'b', 'c']) expect(await run(pool, order)).toBe(order);
    expect(pool.workerCount).toBe(1);
  });

  test('end after the time that their kind sets', async () => {
    const pool = open({ idleMs: 1 });
    await run(pool, 'a');
    await expect.poll(() => pool.workerCount).toBe(0);
  });

  test('end at once if their kind keeps none', async () => {
    const pool = open({ kept: 0 });
    await run(pool, 'a');
    expect(pool.workerCount).toBe(0);
  });

  test('that have died are replaced', async () => {
    const pool = open();
    await run(pool, 'a');
    await expect(run(pool, 'die')).rejects.toMatchObject({ code: 'test.died' });
    expect(pool.workerCount).toBe(0);
    expect(await run(pool, 'b')).toBe('b');
  });
});

describe('ending a job', () => {
  test('by its signal, whatever its worker does, frees its place', async () => {
    const pool = open({ size: 1 });
    const abort = new AbortController();
    const looping = run(pool, 'loop', abort.signal);
    const waiting = run(pool, 'next');
    await expect.poll(() => pool.workerCount).toBe(1);
    abort.abort('enough');
    await expect(looping).rejects.toBe('enough');
    expect(await waiting).toBe('next');
  });

  test('by its signal works while it waits for its place or its worker', async () => {
    const pool = open({ size: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const starting = run(pool, 'a', first.signal);
    const waiting = run(pool, 'b', second.signal);
    second.abort('second');
    await expect(waiting).rejects.toBe('second');
    first.abort('first');
    await expect(starting).rejects.toBe('first');
    await expect(run(pool, 'c', AbortSignal.abort('before'))).rejects.toBe('before');
    expect(pool.workerCount).toBe(0);
    expect(await run(pool, 'd')).toBe('d');
  });

  test('by its limit on computing time uses the error of the limit', async () => {
    const pool = open();
    const looping = pool.run(never, (job) => {
      job.limitComputing(50, (isExact) => new EngineError({ code: 'test.slow', message: `exact: ${isExact}` }));
      return ask(job, 'loop');
    });
    const isExact = process.platform === 'linux';
    await expect(looping).rejects.toMatchObject({ code: 'test.slow', message: `exact: ${isExact}` });
  });

  test('by itself aborts its own signal with the same reason', async () => {
    const pool = open();
    const job = pool.run(never, async (own) => {
      own.cancel('own reason');
      expect(own.signal.reason).toBe('own reason');
      return await ask(own, 'loop');
    });
    await expect(job).rejects.toBe('own reason');
  });

  test('by closing the pool also prevents later jobs', async () => {
    const pool = open({ size: 1 });
    const jobs = [run(pool, 'loop'), run(pool, 'waiting')].map((job) => expect(job).rejects.toBe(closed));
    await expect.poll(() => pool.workerCount).toBe(1);
    await pool.close(closed);
    await Promise.all(jobs);
    await expect(run(pool, 'later')).rejects.toBe(closed);
    expect(pool.workerCount).toBe(0);
  });
});

test('a program that cannot be loaded fails the job, and the next one tries again', async () => {
  let isBroken = true;
  const loadProgram = () => (isBroken ? Promise.reject(new Error('no program')) : Promise.resolve({ code }));
  const pool = open({ size: 1, loadProgram });
  await expect(run(pool, 'a')).rejects.toThrow('no program');
  isBroken = false;
  expect(await run(pool, 'b')).toBe('b');
});
