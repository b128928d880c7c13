import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exitCodeOf, npmCommand, runCaptured, runOrFail } from './child-process.mjs';

/** Two signals within 300 ms count as one. */
const longerThanOnePressMs = 350;
const toolUrl = pathToFileURL(path.join(import.meta.dirname, 'child-process.mjs')).href;

test('returns the exit code and both streams', async () => {
  const { code, output } = await runCaptured(process.execPath, [
    '-e',
    'console.log("said"); console.error("warned"); process.exit(3)',
  ]);
  expect(code).toBe(3);
  expect(output).toContain('said');
  expect(output).toContain('warned');
});

test('an error contains the command, its exit code and its output', async () => {
  const failing = runOrFail(process.execPath, ['-e', 'console.error("no luck"); process.exit(7)']);
  await expect(failing).rejects.toThrow(/exit code 7:\nno luck/);
});

test('npm starts without a shell on every system', () => {
  const onWindows = { platform: 'win32', nodePath: 'C:\\node\\node.exe' } as const;
  expect(npmCommand({ ...onWindows, npmScript: 'C:\\npm-cli.js' })).toEqual(['C:\\node\\node.exe', 'C:\\npm-cli.js']);
  const installed = 'C:\\node\\node_modules\\npm\\bin\\npm-cli.js';
  expect(npmCommand(onWindows)).toEqual(['C:\\node\\node.exe', installed]);
  expect(npmCommand({ platform: 'darwin', nodePath: '/bin/node' })).toEqual(['npm']);
});

test('an error names a program that cannot be started', async () => {
  await expect(runCaptured('/no/such/program', [])).rejects.toThrow('Could not start /no/such/program');
});

test('an end by signal is reported like in a shell', () => {
  expect([exitCodeOf(2, null), exitCodeOf(null, 'SIGINT'), exitCodeOf(null, 'SIGTERM')]).toEqual([2, 130, 143]);
});

describe.skipIf(process.platform === 'win32')('signals', () => {
  /** The tool in the middle: waits for a program that counts interrupts and ends 400 ms after the first. */
  const counting = `
    let count = 0;
    process.on('SIGINT', () => { count += 1; if (count === 1) setTimeout(() => { console.log('interrupts', count); process.exit(9); }, 400); });
    setInterval(() => undefined, 1000);
    console.log('ready');`;
  const tool = `
    import { endChildrenOnSignals, runForeground } from '${toolUrl}';
    endChildrenOnSignals();
    process.exit(await runForeground(process.execPath, ['-e', ${JSON.stringify(counting)}]));`;

  test('an interrupt that arrives twice reaches the program once, and its exit code is returned', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', tool], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      if (output === '') {
        child.kill('SIGINT');
        child.kill('SIGINT');
      }
      output += text;
    });
    const [code] = await once(child, 'close');
    expect(output.trim().split('\n')).toEqual(['ready', 'interrupts 1']);
    expect(code).toBe(9);
  });

  test('a background program that takes too long to exit is ended by the second signal', async () => {
    const stubborn = 'process.on("SIGINT", () => undefined); console.log("ready"); setInterval(() => undefined, 1000);';
    const waiting = `
      import { once } from 'node:events';
      import { endChildrenOnSignals, exitCodeOf, startChild } from '${toolUrl}';
      endChildrenOnSignals();
      const child = startChild(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' });
      process.exit(exitCodeOf(...(await once(child, 'exit'))));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', waiting], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const whenClosed = once(child, 'close');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [said] = await once(child.stderr, 'data');
    await sleep(longerThanOnePressMs);
    child.kill('SIGINT');
    const [code] = await whenClosed;
    expect(String(said)).toContain('Stopping');
    expect(code).toBe(exitCodeOf(null, 'SIGKILL'));
  });
});
