// The program is bundled on first import. Importing it here keeps this out of the test time.

import { Worker } from 'node:worker_threads';
import { code } from 'virtual:answer-worker';
import { afterEach, expect, test } from 'vitest';
import type { WorkerSetup } from './worker-protocol.ts';

let worker: Worker;
afterEach(() => worker.terminate());

const nextReport = (): Promise<unknown> => new Promise((resolve) => worker.once('message', resolve));

test('a worker that is woken without a message sleeps again', async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const workerData: WorkerSetup = { module: undefined, flag: flag.buffer };
  worker = new Worker(code, { eval: true, workerData });
  await nextReport();
  // Repeated until the worker sleeps.
  await expect.poll(() => Atomics.notify(flag, 0)).toBe(1);
  const report = nextReport();
  worker.postMessage({ text: '[1]', find: 'whole' });
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
  expect(await report).toEqual({ answer: { value: [1] } });
});
