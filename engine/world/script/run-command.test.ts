import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestFolder, type TestFolder } from '../files/testing/test-folder.ts';
import { type CommandResult, maxOutputBytes, runCommand } from './run-command.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

function run(args: readonly string[], signal = new AbortController().signal): Promise<CommandResult> {
  const [command = '', ...rest] = args;
  return runCommand({ command, args: rest, cwd: folder.path, environment: process.env }, signal);
}

function node(code: string, ...args: string[]): string[] {
  return [process.execPath, '-e', code, ...args];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie process has ended, but its exit code has not been collected.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a command', () => {
  test('a command returns both outputs and the exit code', async () => {
    const code = 'console.log("grün"); console.error("oops"); process.exitCode = 3';
    expect(await run(node(code))).toEqual({ stdout: 'grün\n', stderr: 'oops\n', exit: 3 });
  });

  test.skipIf(process.platform === 'win32')('passes arguments unchanged, because no shell parses them', async () => {
    const args = ['a b', '$HOME', '; touch hacked', '*'];
    const { stdout } = await run(node('console.log(JSON.stringify(process.argv.slice(1)))', ...args));
    expect(JSON.parse(stdout)).toEqual(args);
    expect(existsSync(folder.at('hacked'))).toBe(false);
  });

  test('a command has no input, runs in the given folder, and sees only the given environment', async () => {
    const code = 'process.stdin.on("data", () => {}).on("end", () => console.log(process.cwd(), process.env.SEEN))';
    const [command = '', ...args] = node(code);
    const environment = { PATH: process.env['PATH'], SEEN: 'yes' };
    const { stdout } = await runCommand({ command, args, cwd: folder.path, environment }, new AbortController().signal);
    expect(stdout).toBe(`${folder.path} yes\n`);
  });

  test.skipIf(process.platform === 'win32')('returns -1 if a signal ended the command', async () => {
    expect((await run(node('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1e6)'))).exit).toBe(-1);
  });

  test.skipIf(process.platform === 'win32')(
    'reports a command that cannot be started with the expected message',
    async () => {
      await expect(run(['no-such-program', 'x'])).rejects.toMatchObject({
        code: 'command.not-started',
        message: expect.stringMatching(/^Fail to execute: no-such-program x\nCause:\n.*ENOENT/),
      });
      await expect(run(['a\0b'])).rejects.toMatchObject({ code: 'command.not-started' });
    },
  );

  test('ends a command with endless output', async () => {
    const code = 'const x = Buffer.alloc(1 << 20, 120); const go = () => process.stdout.write(x, go); go()';
    await expect(run(node(code))).rejects.toMatchObject({
      code: 'command.too-much-output',
      details: { maxBytes: maxOutputBytes },
    });
  });
});

describe('stopping a command', () => {
  /** Starts a child, which starts a grandchild in a separate group; both write their process ids. */
  const family = `
    const { spawn } = require('node:child_process');
    const { writeFileSync } = require('node:fs');
    const idle = 'setInterval(() => {}, 1e6)';
    const own = spawn(process.execPath, ['-e', idle], { detached: true, stdio: 'inherit' });
    const near = spawn(process.execPath, ['-e', idle], { stdio: 'inherit' });
    process.on('SIGTERM', () => {});
    writeFileSync('pids.tmp', JSON.stringify([process.pid, own.pid, near.pid]));
    require('node:fs').renameSync('pids.tmp', 'pids');
    setInterval(() => {}, 1e6);`;

  test('ends the command with its children, including those in other groups and those that ignore signals', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const ended = run(node(family), controller.signal).catch((error: unknown) => error);
    await vi.waitFor(() => expect(existsSync(folder.at('pids'))).toBe(true), { timeout: 20_000 });
    const pids: number[] = JSON.parse(readFileSync(folder.at('pids'), 'utf8'));
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false, false]), { timeout: 20_000 });
  });

  test('starts nothing if stopped before the start', async () => {
    const reason = new Error('stop');
    const code = 'require("node:fs").writeFileSync("ran", "")';
    await expect(run(node(code), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(existsSync(folder.at('ran'))).toBe(false);
  });
});
