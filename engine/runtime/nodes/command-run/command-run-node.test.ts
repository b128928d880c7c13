import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { runSingleNode, type SingleNodeEnd } from '../../../testing/run-single-node.ts';
import type { CommandOutcome, CommandRequest } from '../../kernel/capabilities/command-capability.ts';
import { commandRunNode } from './command-run-node.ts';

interface Asked {
  readonly end: SingleNodeEnd;
  readonly requests: readonly CommandRequest[];
}

async function run(
  given: { input?: JsonMap; config?: JsonMap },
  outcome: Partial<CommandOutcome> = {},
): Promise<Asked> {
  const requests: CommandRequest[] = [];
  const { capabilities } = createFakeCapabilities({
    commands: {
      async run(request) {
        requests.push(request);
        request.onOutput?.('stdout', outcome.stdout ?? '');
        request.onOutput?.('stderr', outcome.stderr ?? '');
        return { exitCode: 0, stdout: '', stderr: '', ...outcome };
      },
    },
  });
  const node = { type: 'command.run', input: given.input ?? {}, config: { program: 'git', ...given.config } };
  return { end: await runSingleNode(node, { capabilities }), requests };
}

describe('BB-36 command.run', () => {
  test('runs a program with a list of arguments, never a shell command line', async () => {
    const { requests } = await run({ input: { args: ['log', '-n 1; ls'], env: { A: 'b' } }, config: { cwd: 'sub' } });
    expect(requests).toEqual([
      expect.objectContaining({
        program: 'git',
        args: ['log', '-n 1; ls'],
        env: { A: 'b' },
        cwd: 'sub',
        maxBytes: 1024 * 1024,
      }),
    ]);
    expect(requests[0]).not.toHaveProperty('stdin');
  });

  test('declares external effects and where secrets may occur', () => {
    expect([commandRunNode.effects, commandRunNode.effectsOf, commandRunNode.secretFields]).toEqual([
      'external',
      undefined,
      ['env', 'stdin'],
    ]);
  });

  test('a signal is a failure that names it, unless -1 is an accepted exit code', async () => {
    const killed = { exitCode: -1, signal: 'SIGSEGV' };
    expect((await run({}, killed)).end.error).toMatchObject({
      code: 'command.failed',
      message: expect.stringContaining('SIGSEGV'),
      details: { exitCode: -1, signal: 'SIGSEGV' },
    });
    expect((await run({ config: { okExit: [-1] } }, killed)).end.output).toMatchObject({ exitCode: -1 });
  });

  test('an error contains only the end of long outputs', async () => {
    const { end } = await run({}, { exitCode: 1, stdout: 'x'.repeat(100_000), stderr: `${'y'.repeat(100_000)}end` });
    const { stdout = '', stderr = '' } = (end.error?.details ?? {}) as Partial<CommandOutcome>;
    expect([stdout.length, stderr.length, stderr.endsWith('end')]).toEqual([8000, 8000, true]);
    expect(end.error?.message.length).toBeLessThan(500);
  });
});

describe('BB-37 the log of command.run', () => {
  const logOf = ({ events }: SingleNodeEnd): readonly string[][] =>
    events.flatMap(({ event }) => (event.type === 'log' ? [[event.level, event.text]] : []));

  test('the log contains both outputs, each line once', async () => {
    expect(logOf((await run({}, { stdout: 'a\nb', stderr: 'c\n' })).end)).toEqual([
      ['print', 'a\nb'],
      ['warn', 'c'],
    ]);
  });

  test('the log has few entries for a command with much output, and is limited in length', async () => {
    const log = logOf((await run({ config: { maxBytes: 8_000_000 } }, { stdout: 'line\n'.repeat(1_000_000) })).end);
    expect(log.length).toBeLessThan(100);
    expect(log.at(-1)?.[1]).toMatch(/… further output is not logged$/);
  });
});

test('its card shows the command', () => {
  const { summary } = commandRunNode;
  expect(summary?.({ program: 'git' }, { args: ['log', '-1'] })).toEqual(['Runs ', { chip: 'git log -1' }]);
  expect(summary?.({ program: 'ls' }, { args: '{{a.items}}' })).toEqual(['Runs ', { chip: 'ls' }]);
  expect(summary?.({}, {})).toEqual(['Runs ', 'no program yet']);
});
