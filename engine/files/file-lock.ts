/**
 * One process at a time for a piece of work, whichever programs want it: the one that could make the lock's file has it.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { isMissing, systemCodeOf } from './file-error.ts';

interface FileLockOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What messages call the work that is waited for, such as `packs.lock`. */
  readonly shown: string;
}

/** Pauses between two tries, and how long somebody may hold the lock before nobody waits for it any longer, in milliseconds. */
const pauseMs = 25;
const patienceMs = 10_000;
/** The work takes milliseconds, so a file of this age is of a program that was killed. */
const staleMs = 60_000;

/** The last work of this process on each lock; the next waits for it and not for the file. */
const tails = new Map<string, Promise<unknown>>();

/**
 * Does work while no other process does work with the same lock.
 * @param lock absolute; a file that is there only meanwhile. Its folder is made when it is missing
 * @returns what `work` gives
 * @throws EngineError `files.locked` when another program holds it for ten seconds; the signal's reason; what `work` throws
 */
export async function withFileLock<T>(lock: string, options: FileLockOptions, work: () => Promise<T>): Promise<T> {
  const before = tails.get(lock) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(() => holding(lock, options, work));
  const tail = mine.catch(() => undefined);
  tails.set(lock, tail);
  try {
    return await mine;
  } finally {
    if (tails.get(lock) === tail) tails.delete(lock);
  }
}

async function holding<T>(lock: string, options: FileLockOptions, work: () => Promise<T>): Promise<T> {
  await take(lock, options);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string, { clock, signal, shown }: FileLockOptions): Promise<void> {
  await mkdir(dirname(lock), { recursive: true });
  for (let waited = 0; ; waited += pauseMs) {
    signal.throwIfAborted();
    try {
      return await writeFile(lock, `${process.pid}`, { flag: 'wx' });
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') throw error;
    }
    if (await isLeftBehind(lock)) await takeAway(lock);
    else if (waited >= patienceMs) throw locked(shown, lock);
    else await new Promise<void>((resolve) => clock.setTimer(resolve, pauseMs));
  }
}

/** Of a program that is gone, or that cannot still be at it. */
async function isLeftBehind(lock: string): Promise<boolean> {
  try {
    const [state, text] = await Promise.all([stat(lock), readFile(lock, 'utf8')]);
    return Date.now() - state.mtimeMs > staleMs || (/^\d+$/.test(text) && !isAlive(Number(text)));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) !== 'ESRCH';
  }
}

/** Moved first: of several that find it left behind, one takes it away. */
async function takeAway(lock: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
    await rm(aside, { force: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function locked(shown: string, lock: string): EngineError {
  return new EngineError({
    code: 'files.locked',
    message: `Another program has been changing ${shown} for ${patienceMs / 1000} seconds. Try again; if none does, delete ${lock}.`,
    recoverable: true,
  });
}
