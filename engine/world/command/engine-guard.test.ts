/** Tests what happens to programs when their engine is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleChildProgram, type ChildProgram } from '../../testing/child-program.ts';

let program: ChildProgram;
let folder: string;
let engine: ChildProcess | undefined;
beforeAll(async () => {
  program = await bundleChildProgram(fileURLToPath(new URL('../../testing/guarding-child.ts', import.meta.url)));
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-guard-'));
});
afterEach(() => {
  engine?.kill('SIGKILL');
  for (const name of ['flow', 'script', 'server', 'left', 'ended', 'refusing'])
    for (const pid of pidsIn(name)) end(pid);
  rmSync(folder, { recursive: true });
});
afterAll(() => program.remove());

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

function pidsIn(name: string): readonly number[] {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\s+/).map(Number) : [];
}

/** A process with an ended parent may stay a zombie. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const alive = (...names: readonly string[]): readonly number[] => names.flatMap(pidsIn).filter(isAlive);

/** Writes the ids of the shell and of its background process, and keeps running. */
const both = (name: string): string => `sleep 1000 & echo $$ $! > ${name}.part; mv ${name}.part ${name}; wait`;

async function startEngine(...lines: readonly string[]): Promise<ChildProcess> {
  const [ofFlow = 'true', ofScript = 'true', ofServer = 'true', ...stopsAt] = lines;
  const child = spawn(process.execPath, [program.file, folder, ofFlow, ofScript, ofServer, ...stopsAt], {
    ...{ cwd: folder, stdio: 'ignore', detached: true },
  });
  engine = child;
  return child;
}

async function killed(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

const written = (...names: readonly string[]) =>
  expect.poll(() => names.every((name) => pidsIn(name).length > 0)).toBe(true);

describe.skipIf(process.platform === 'win32')('when the engine ends', () => {
  test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGABRT'] as const)(
    'by %s, commands of flows and scripts and MCP servers end with all processes in their groups',
    async (signal) => {
      const child = await startEngine(both('flow'), both('script'), both('server'));
      await written('flow', 'script', 'server');
      expect(alive('flow', 'script', 'server')).toHaveLength(6);
      await killed(child, signal);
      await expect.poll(() => alive('flow', 'script', 'server')).toEqual([]);
    },
  );

  test('commands that ignore signals end', async () => {
    const refusing =
      "trap '' HUP INT TERM; echo $$ > refusing.part; mv refusing.part refusing; while :; do sleep 1000; done";
    const child = await startEngine(refusing);
    await written('refusing');
    await killed(child, 'SIGKILL');
    await expect.poll(() => alive('refusing')).toEqual([]);
  });

  // Only Linux lets the guard read the environment of other processes.
  test.skipIf(process.platform !== 'linux').each(['flow', 'script', 'server'])(
    'a newly started program of a %s ends',
    async (name) => {
      const lines = ['flow', 'script', 'server'].map((one) => (one === name ? both(one) : 'true'));
      const child = await startEngine(...lines, both(name));
      await written(name);
      expect(alive(name)).toHaveLength(2);
      await killed(child, 'SIGKILL');
      await expect.poll(() => alive(name)).toEqual([]);
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'processes that left the group and those left by an ended command keep running',
    async () => {
      const leaver = `setsid sh -c 'echo $$ > left.part; mv left.part left; exec sleep 1000' & ${both('flow')}`;
      const ending = 'sleep 1000 >/dev/null 2>&1 & echo $! > ended.part; mv ended.part ended';
      const child = await startEngine(leaver, ending);
      await written('left', 'flow', 'ended');
      await written('script-is-over');
      await killed(child, 'SIGKILL');
      await expect.poll(() => alive('flow')).toEqual([]);
      expect(alive('left', 'ended')).toHaveLength(2);
    },
  );
});
