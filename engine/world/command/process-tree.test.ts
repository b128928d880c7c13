import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandMark, killTree } from './process-tree.ts';

/** A relay: each process starts the next one in a new session and exits immediately. */
const relay = 'i=$1; sleep 0.01; if [ "$i" -gt 0 ]; then setsid sh -c "$RELAY" relay $((i - 1)) & fi';

function runners(mark: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isOne = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${commandMark}=${mark}\0`);
      return isOne && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  });
}

test.skipIf(process.platform !== 'linux')(
  'ends all processes of a chain in which each starts the next one and exits, faster than processes can be listed',
  async () => {
    for (let round = 0; round < 5; round++) {
      const mark = `relay-${process.pid}-${round}`;
      const env = { ...process.env, [commandMark]: mark, RELAY: relay };
      const child = spawn('sh', ['-c', relay, 'relay', '2000'], { detached: true, stdio: 'ignore', env });
      await expect.poll(() => runners(mark).length, { interval: 5 }).toBeGreaterThan(0);
      await killTree(child, mark);
      expect(runners(mark)).toEqual([]);
      // A process that was missed would still be running.
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(runners(mark)).toEqual([]);
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'also ends children without the mark, even in other groups, because their parents are killed only after they are listed',
  async () => {
    const idle = 'setInterval(() => {}, 1e6)';
    const code = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(idle)}], { detached: true, stdio: 'ignore', env: {} });
      process.stdout.write(String(child.pid));
      ${idle}`;
    const mark = `unmarked-${process.pid}`;
    const parent = spawn(process.execPath, ['-e', code], {
      ...{ detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
      env: { ...process.env, [commandMark]: mark },
    });
    const [written] = await once(parent.stdout ?? parent, 'data');
    const isThere = (): boolean => {
      try {
        return process.kill(Number(written), 0);
      } catch {
        return false;
      }
    };
    expect(isThere()).toBe(true);
    await killTree(parent, mark);
    await expect.poll(isThere).toBe(false);
  },
);

/** Starts a process that exits immediately and leaves another one in its group. */
async function startLeaver(mark: string): Promise<ChildProcess> {
  const env = { ...process.env, [commandMark]: mark };
  const leaver = spawn('sh', ['-c', 'sleep 1000 &'], { detached: true, stdio: 'ignore', env });
  await once(leaver, 'exit');
  expect(runners(mark)).toHaveLength(1);
  return leaver;
}

test.skipIf(process.platform !== 'linux')(
  'does not end a process that reuses the id of an ended one, nor its group, but ends those that the ended one left',
  async () => {
    const mark = `leaver-${process.pid}`;
    await startLeaver(mark);
    const stranger = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    const { pid } = stranger;
    await killTree({ pid, exitCode: 0, signalCode: null }, mark);
    await killTree({ pid, exitCode: null, signalCode: 'SIGKILL' }, mark);
    expect(runners(mark)).toEqual([]);
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
    const end = once(stranger, 'exit');
    await killTree(stranger);
    expect(await end).toEqual([null, 'SIGKILL']);
  },
);

test.skipIf(process.platform !== 'linux')('kills the group of an ended process, even without a mark', async () => {
  const mark = `group-${process.pid}`;
  await killTree(await startLeaver(mark));
  // Without a mark, nothing checks whether a signaled member has already exited.
  await expect.poll(() => runners(mark), { timeout: 60_000 }).toEqual([]);
});
