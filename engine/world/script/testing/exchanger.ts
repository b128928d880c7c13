/**
 * Swaps a folder and a link repeatedly, as fast as the system allows.
 */
import { Worker } from 'node:worker_threads';

export interface Exchanger {
  /** Returns how often the link has replaced the folder. */
  count(): number;
  /** Stops; the folder is then back in place. */
  stop(): Promise<void>;
}

const program = `
const { renameSync } = require('node:fs');
const { workerData: { folder, link, aside, state } } = require('node:worker_threads');
const flags = new Int32Array(state);
while (Atomics.load(flags, 0) === 0) {
  try { renameSync(folder, aside); renameSync(link, folder); } catch {}
  Atomics.add(flags, 1, 1);
  try { renameSync(folder, link); } catch {}
  try { renameSync(aside, folder); } catch {}
}
`;

/**
 * Starts swapping.
 * @param folder absolute path of a folder
 * @param link absolute path of a link elsewhere
 */
export async function startExchanging(folder: string, link: string): Promise<Exchanger> {
  const state = new SharedArrayBuffer(8);
  const flags = new Int32Array(state);
  const worker = new Worker(program, { eval: true, workerData: { folder, link, aside: `${folder}-aside`, state } });
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('exit', () => resolve());
    worker.once('error', reject);
  });
  while (Atomics.load(flags, 1) === 0) await new Promise((resolve) => setImmediate(resolve));
  return {
    count: () => Atomics.load(flags, 1),
    async stop() {
      Atomics.store(flags, 0, 1);
      await ended;
    },
  };
}
