/** Tests commands that have ended while a process they started still holds their outputs. */
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { commandFlow, endOf, resultOf } from '../../testing/command-flow.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(async () => {
  if (existsSync(world.folder.at('workspace/pid'))) process.kill(Number(written('pid')), 'SIGKILL');
  await world.close();
});

const written = (name: string): string => readFileSync(world.folder.at(`workspace/${name}`), 'utf8');
const shell = (line: string, config: object = {}, more: object = {}): string =>
  commandFlow('', { input: { args: ['-c', line] }, config: { program: 'sh', ...config }, more });
const run = async (text: string): Promise<readonly EventEnvelope[]> => runFlow(await world.engine(process.env), text);
const warnings = (events: readonly EventEnvelope[]): readonly string[] =>
  events.flatMap(({ event }) => (event.type === 'log' && event.level === 'warn' ? [event.text] : []));
/** Ends when its process shows the started program; until then it shows the shell. */
const background =
  'sleep 1000 & echo $! > pid; while grep -qsa echo "/proc/$!/cmdline"; do sleep 0.01; done; echo started';

describe.skipIf(process.platform === 'win32')('a program that leaves a background process', () => {
  test('waits for it by default, and names the holder of the outputs in the log and in the timeout message', async () => {
    const clock = createManualClock();
    const engine = await world.engine(process.env, { clock });
    const text = shell(background, {}, { policy: { timeoutMs: 20_000 } });
    const { runId } = await engine.startRun({ path: 'call.flow.yaml', text, inputs: {} });
    const read = async (): Promise<readonly EventEnvelope[]> => await engine.readEvents(runId, -1, 1000);
    // Log lines are written in batches with a short delay.
    const look = async (): Promise<readonly string[]> => {
      await clock.advance(5);
      return warnings(await read());
    };
    await expect.poll(look, { timeout: 80_000 }).toHaveLength(1);
    await clock.advance(20_000);
    await engine.whenEnded(runId);
    const events = await read();
    const words = `sh has exited, but its output is still held open by: sleep 1000 (process ${written('pid').trim()})`;
    expect(warnings(events)).toEqual([expect.stringContaining(words)]);
    expect(endOf(events)).toMatchObject({
      status: 'failed',
      error: { code: 'node.timeout', message: expect.stringContaining(`timed out after 20000ms. ${words}`) },
    });
    await expect.poll(() => isAlive(Number(written('pid')))).toBe(false);
  });

  test('ends the node with the program if requested, and leaves the background process running', async () => {
    const events = await run(shell(background, { waitFor: 'program' }));
    expect([resultOf(events), warnings(events)]).toEqual([{ exitCode: 0, stdout: 'started\n', stderr: '' }, []]);
    expect(isAlive(Number(written('pid')))).toBe(true);
  });

  test.each([
    ['exits with a code', 'exit 3', { exitCode: 3 }],
    ['writes much before it ends', 'head -c 500000 /dev/zero | tr "\\0" x', { bytes: 500_038 }],
    ['writes to both outputs', 'echo a; echo b >&2', { exitCode: 0, stdout: 'a\n', stderr: 'b\n' }],
    [
      'leaves a process that has closed its outputs',
      '(sleep 1000 >/dev/null 2>&1 & echo $! > pid); echo x',
      { stdout: 'x\n' },
    ],
  ])('with waitFor: program, keeps all output of the program itself: it %s', async (_what, line, outcome) => {
    const events = await run(shell(line, { waitFor: 'program', okExit: [0, 3] }));
    expect(resultOf(events)).toMatchObject(outcome);
  });

  test('does not stop the process for writing after the node has ended, however much', async () => {
    const line =
      '(while [ ! -e go ]; do sleep 0.01; done; head -c 3000000 /dev/zero; echo written > after) & echo $! > pid; echo x';
    const events = await run(shell(line, { waitFor: 'program', maxBytes: 1000 }));
    expect(resultOf(events)).toMatchObject({ exitCode: 0, stdout: 'x\n' });
    world.folder.write('workspace/go', '');
    await expect.poll(() => existsSync(world.folder.at('workspace/after'))).toBe(true);
  });

  test('does not mention held outputs if a program ends normally', async () => {
    expect(warnings(await run(shell('echo x', {})))).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
