/** A place for what tests write: in memory, where making a file takes a thirtieth of the time it takes on some disks. */
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCaptured } from './child-process.mjs';

/** Where Linux keeps files in memory; containers often give it 64 MB only. */
const memory = '/dev/shm';

/** Several times what all tests hold at a time. */
const wantedBytes = 4 * 1024 ** 3;

/**
 * Does the work with an environment whose temporary files lie in memory; as it is where the system has no such place, no
 * room in it, or lets no program be started from there. The files are removed afterwards.
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
 * Open to all users, as folders for temporary files are: some tests work as another one.
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
