import { afterEach, describe, expect, test } from 'vitest';
import { loadWorkerProgram } from '../lua/worker-program.ts';
import { ScriptWorker } from './script-worker.ts';

const lua = { name: 'Lua', area: 'lua', loadProgram: loadWorkerProgram };
const started: ScriptWorker<object>[] = [];

/** A worker with another program than ours. */
async function start(code: string): Promise<ScriptWorker<object>> {
  const { module } = await loadWorkerProgram();
  const program = { code: `const { parentPort, workerData } = require('node:worker_threads');${code}`, module };
  const worker = new ScriptWorker<object>(program, lua);
  started.push(worker);
  return worker;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.end()));
});

const script = { code: '', chunkName: 'test.aip', globals: {}, scriptContext: {}, memoryBytes: 1 };
const ready = "parentPort.postMessage({ type: 'ready' });";
const noAnswer = (): Promise<unknown> => Promise.reject(new Error('Nothing is answered'));

/** Runs a script in a worker that meets it like this. */
async function runWith(reaction: string): Promise<unknown> {
  const worker = await start(`workerData.answers.on('message', () => { ${reaction} }); ${ready}`);
  await worker.whenReady();
  const outcome = await worker.run(script, noAnswer).catch((error: unknown) => error);
  expect(worker.isReusable).toBe(false);
  return outcome;
}

describe('a worker that dies', () => {
  test('before it is ready fails whoever waits for it', async () => {
    const worker = await start('process.exit(3)');
    await expect(worker.whenReady()).rejects.toMatchObject({ code: 'lua.crashed' });
    expect(worker.isReusable).toBe(false);
  });

  test('of its script fails that script', async () => {
    expect(await runWith('process.exit(3)')).toMatchObject({ code: 'lua.crashed' });
  });

  test('of an error of its own says which', async () => {
    expect(await runWith("throw new Error('broken machine')")).toMatchObject({
      code: 'lua.crashed',
      message: expect.stringContaining('broken machine'),
    });
  });

  test('of too deep calls is a stack overflow of the script', async () => {
    expect(await runWith('const f = () => f() + 1; f()')).toMatchObject({
      code: 'lua.error',
      message: expect.stringContaining('stack overflow'),
    });
  });

  test('of its JavaScript memory is out of memory', async () => {
    const reaction = 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5));';
    expect(await runWith(reaction)).toMatchObject({ code: 'lua.memory' });
  }, 60_000);
});

test('a worker whose memory has grown large is not used again', async () => {
  const done = (memoryBytes: number): string =>
    `parentPort.postMessage({ type: 'done', outcome: { isOk: true, value: 1 }, memoryBytes: ${memoryBytes} })`;
  expect(await runWith(done(65 * 2 ** 20))).toEqual({ isOk: true, value: 1 });
});
