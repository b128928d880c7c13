/**
 * A lock for one process at a time, so that two commands started together do not install or build into the same
 * folders.
 */
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './progress.mjs';

const pollMs = 200;
/**
 * A process writes its number immediately. A lock without a number for this long was left by a process that was killed
 * before it could.
 */
const namelessLimitMs = 5_000;

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists but cannot be signaled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @param {string} file */
async function tryCreate(file) {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * @param {string} file
 * @returns {Promise<number>} the process that holds it; NaN if it was just created or released
 */
async function holderOf(file) {
  return Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
}

/** @param {string} file */
async function isNamelessForLong(file) {
  const info = await stat(file).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs > namelessLimitMs;
}

/**
 * @param {string} file
 * @param {number} holder
 */
async function isAbandoned(file, holder) {
  return Number.isInteger(holder) ? !isAlive(holder) : isNamelessForLong(file);
}

/**
 * Removes the file of a holder that was killed. Moving it away first ensures that only one of several waiting processes
 * removes it.
 * @param {string} file
 */
async function removeAbandoned(file) {
  const aside = `${file}.${process.pid}`;
  await rename(file, aside).catch(() => undefined);
  await rm(aside, { force: true });
}

/** @param {string} file */
async function acquire(file) {
  let isAnnounced = false;
  while (!(await tryCreate(file))) {
    const holder = await holderOf(file);
    if (await isAbandoned(file, holder)) {
      await removeAbandoned(file);
      continue;
    }
    if (!isAnnounced && Number.isInteger(holder)) {
      say(`Process ${holder} is preparing the program in this folder. Waiting for it. (Lock: ${file})`);
      isAnnounced = true;
    }
    await sleep(pollMs);
  }
}

/**
 * Runs the work while no other process runs work under the same lock.
 * @template T
 * @param {string} file absolute path
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  await mkdir(path.dirname(file), { recursive: true });
  await acquire(file);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
