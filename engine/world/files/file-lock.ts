/**
 * A lock between processes: the process that created the lock file holds the lock.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { isMissing, systemCodeOf } from './file-error.ts';

interface FileLockOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The locked resource's name for messages, such as `packs.lock`. */
  readonly shown: string;
}

/**
 * Milliseconds between two attempts to take the lock, and the maximum time to wait for a lock held by another program.
 */
const pauseMs = 25;
const patienceMs = 10_000;
/** Work under a lock takes milliseconds, so a file this old was left by a program that was killed. */
const staleMs = 60_000;

/** This process's latest work for each lock. The next work waits for it instead of polling the file. */
const tails = new Map<string, Promise<unknown>>();

/**
 * Runs work while no other process works under the same lock.
 * @param lock absolute path of a file that exists only while the lock is held; its folder is created if it is missing
 * @returns the result of `work`
 * @throws EngineError `files.locked` if another program holds the lock for ten seconds; the signal's reason; errors
 * from `work`
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

/** Whether the lock was left by a program that has ended or can no longer be working. */
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

/** Renames the file first, so that only one of several processes removes it. */
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
    message: `Another program has been changing ${shown} for ${patienceMs / 1000} seconds. Try again. If no program is changing it, delete ${lock}.`,
    recoverable: true,
  });
}
