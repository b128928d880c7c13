import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { holdersOf, outputHolderText } from './output-holders.ts';
import { commandMark } from './process-tree.ts';

// Only Linux allows reading the environment of other processes.
test.skipIf(process.platform !== 'linux')(
  'names processes that a program has left running, even if it ended before it was inspected',
  async () => {
    const mark = `holders-${process.pid}`;
    const child = spawn('sh', ['-c', 'sleep 1000 & echo $!'], {
      env: { ...process.env, [commandMark]: mark },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const [said] = await once(child.stdout, 'data');
    if (child.exitCode === null) await once(child, 'exit');
    const pid = Number(String(said));
    try {
      // The process shows the shell until it executes the program.
      const find = holdersOf(child, mark);
      await expect.poll(async () => outputHolderText(await find())).toBe(`sleep 1000 (process ${pid})`);
      expect(await holdersOf(child, 'another')()).toEqual([]);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  },
);
