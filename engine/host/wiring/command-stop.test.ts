import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Engine } from '../../index.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { commandFlow, endOf, resultOf } from '../../testing/command-flow.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

const run = async (text: string, engine?: Engine): Promise<readonly EventEnvelope[]> =>
  runFlow(engine ?? (await world.engine(process.env)), text);

describe.skipIf(process.platform === 'win32')('BB-37 stopping a command', () => {
  /**
   * Starts children in its process group, in a separate session, and with a parent that has ended; all ignore signals.
   */
  const family = `
    const { spawn } = require('node:child_process');
    const fs = require('node:fs');
    const idle = 'process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); setInterval(() => {}, 1e6)';
    const near = spawn(process.execPath, ['-e', idle], { stdio: 'inherit' });
    const own = spawn(process.execPath, ['-e', idle], { detached: true, stdio: 'inherit' });
    const orphaning = 'const c = require("node:child_process").spawn(process.execPath, ["-e", ' + JSON.stringify(idle) + '], { detached: true, stdio: "inherit" }); c.unref(); console.log(c.pid); process.exit()';
    const orphan = Number(String(require('node:child_process').spawnSync(process.execPath, ['-e', orphaning], { stdio: ['ignore', 'pipe', 'inherit'], timeout: 5000 }).stdout ?? ''));
    process.on('SIGTERM', () => {});
    fs.writeFileSync('pids.tmp', JSON.stringify([process.pid, near.pid, own.pid, orphan].filter((one) => one > 0)));
    fs.renameSync('pids.tmp', 'pids');
    setInterval(() => {}, 1e6);`;

  function isAlive(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  }

  async function pidsOf(): Promise<number[]> {
    await vi.waitFor(() => expect(existsSync(world.folder.at('workspace/pids'))).toBe(true), 20_000);
    return JSON.parse(readFileSync(world.folder.at('workspace/pids'), 'utf8')) as number[];
  }

  test('a cancel ends the command with everything it has started, even if signals are ignored', async () => {
    const engine = await world.engine(process.env);
    const { runId } = await engine.startRun({ path: 'a.flow.yaml', text: commandFlow(family), inputs: {} });
    const pids = await pidsOf();
    expect(pids.filter(isAlive)).toEqual(pids);
    engine.cancelRun(runId);
    expect(await engine.whenEnded(runId)).toMatchObject({ status: 'cancelled' });
    // If environments cannot be listed, a process with an ended parent is found only by its group.
    const ended = process.platform === 'linux' ? pids : pids.slice(0, 3);
    await vi.waitFor(() => expect(ended.filter(isAlive)).toEqual([]), 20_000);
  });

  test('a timeout does the same', async () => {
    const engine = await world.engine(process.env);
    const text = commandFlow(family, { more: { policy: { timeoutMs: 3000 } } });
    const events = await run(text, engine);
    expect(endOf(events)).toMatchObject({ status: 'failed', error: { code: 'node.timeout' } });
    const pids = existsSync(world.folder.at('workspace/pids')) ? await pidsOf() : [];
    await vi.waitFor(() => expect(pids.slice(0, 3).filter(isAlive)).toEqual([]), 20_000);
  });

  test.skipIf(process.platform !== 'linux')('ends a command that keeps restarting itself', async () => {
    const engine = await world.engine(process.env);
    // Each process starts its successor in a separate session and ends.
    const code = `const fs = require('node:fs'); fs.appendFileSync('born', 'x');
      setTimeout(() => { const c = require('node:child_process').spawn(process.execPath, ['-e', process.env.CODE], { detached: true, stdio: 'inherit' }); c.unref(); }, 30);`;
    const text = commandFlow(code, { input: { env: { CODE: code } } });
    const { runId } = await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} });
    const born = (): number =>
      existsSync(world.folder.at('workspace/born')) ? readFileSync(world.folder.at('workspace/born')).length : 0;
    await vi.waitFor(() => expect(born()).toBeGreaterThan(3), 20_000);
    engine.cancelRun(runId);
    expect(await engine.whenEnded(runId)).toMatchObject({ status: 'cancelled' });
    // A process started while the others are ended is found by the next scan.
    await vi.waitFor(async () => {
      const before = born();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(born()).toBe(before);
    });
  });

  test('is not needed for a command that reads a terminal, because it has none', async () => {
    const code = `const fs = require('node:fs'); let tty = 'none'; try { fs.openSync('/dev/tty', 'r'); tty = 'some'; } catch {}
      process.stdin.on('data', () => {}).on('end', () => console.log(tty));`;
    expect(resultOf(await run(commandFlow(code)))).toMatchObject({ stdout: 'none\n' });
  });
});
