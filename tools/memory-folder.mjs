/**
 * A folder in memory for the files that tests write. Creating a file there takes a thirtieth of the time it takes on
 * some disks.
 */
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCaptured } from './child-process.mjs';

/** Where Linux keeps files in memory. Containers often limit it to 64 MB. */
const memory = '/dev/shm';

/** Several times what all tests use at a time. */
const wantedBytes = 4 * 1024 ** 3;

/**
 * Runs the work with an environment in which temporary files are in memory. The environment is unchanged if the system
 * has no such folder, not enough space in it, or does not allow executing programs from it. The files are removed
 * afterward.
 * @template T
 * @param {NodeJS.ProcessEnv} env
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @param {string} [place]
 * @returns {Promise<T>}
 */
export async function withMemoryFolder(env, work, place = memory) {
  const folder = (await hasRoom(place)) ? await makeFolder(place) : undefined;
  try {
    return await work(folder !== undefined && (await startsPrograms(folder)) ? { ...env, TMPDIR: folder } : env);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Creates a folder that is writable by all users, like folders for temporary files, because some tests run as another
 * user.
 * @param {string} place
 */
async function makeFolder(place) {
  const folder = await mkdtemp(path.join(place, 'millrace-tests-'));
  await chmod(folder, 0o1777);
  return folder;
}

/** @param {string} place */
async function hasRoom(place) {
  const room = await statfs(place).catch(() => undefined);
  return room !== undefined && room.bavail * room.bsize >= wantedBytes;
}

/** @param {string} folder */
async function startsPrograms(folder) {
  const program = path.join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  const { code } = await runCaptured(program, []).catch(() => ({ code: 1 }));
  await rm(program);
  return code === 0;
}
