import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { limitComputing, ownThread, startMeter } from './computing-time.ts';

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

/** Starts a thread that reports its number and then runs this code. */
async function start(work: string): Promise<number | undefined> {
  const code = `const fs = require('node:fs'); const { parentPort } = require('node:worker_threads');
    let thread; try { thread = Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1)); } catch {}
    parentPort.postMessage(thread); ${work}`;
  const worker = new Worker(code, { eval: true });
  workers.push(worker);
  return await new Promise((resolve) => worker.once('message', resolve));
}

const endless = 'setImmediate(() => { for (;;); });';
const waiting = 'setInterval(() => {}, 1000);';
const isLinux = process.platform === 'linux';

test.each([
  ['by its own time', true],
  ['by the time of the process if its own is not known', false],
])('a thread that computes endlessly exceeds its limit, %s', async (_name, isExact) => {
  const thread = await start(endless);
  const meter = startMeter(isExact ? thread : undefined);
  expect(meter.isExact).toBe(isExact && isLinux);
  await new Promise<void>((resolve) => void limitComputing(meter, 60, resolve));
  expect(meter.read()).toBeGreaterThanOrEqual(60);
});

test.runIf(isLinux)('the time that a thread waits does not count, however busy other threads are', async () => {
  const meter = startMeter(await start(waiting));
  let isOver = false;
  const stop = limitComputing(meter, 200, () => {
    isOver = true;
  });
  const other = startMeter(await start(endless));
  await new Promise<void>((resolve) => void limitComputing(other, 250, resolve));
  expect(isOver).toBe(false);
  expect(meter.read()).toBeLessThan(200);
  stop();
});

test('a stopped watch does not call back, and the time of an ended thread is kept', async () => {
  const meter = startMeter(await start(endless));
  let isOver = false;
  limitComputing(meter, 20, () => {
    isOver = true;
  })();
  await new Promise<void>((resolve) => void limitComputing(meter, 60, resolve));
  expect(isOver).toBe(false);
  const before = meter.read();
  await workers[0]?.terminate();
  expect(meter.read()).toBeGreaterThanOrEqual(before);
});

test.runIf(isLinux)('this thread has a number', () => {
  expect(ownThread()).toBeGreaterThan(0);
});
