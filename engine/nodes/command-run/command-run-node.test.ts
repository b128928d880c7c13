import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../flowspec/json-value.ts';
import type { CommandOutcome, CommandRequest } from '../../kernel/command-capability.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { runSingleNode, type SingleNodeEnd } from '../../testing/run-single-node.ts';
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
  test('asks for a program with a list of arguments, never for a line of a shell', async () => {
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

  test('is external, and names where secrets may stand', () => {
    expect([commandRunNode.effects, commandRunNode.effectsOf, commandRunNode.secretFields]).toEqual([
      'external',
      undefined,
      ['env', 'stdin'],
    ]);
  });

  test('a signal is a failure that is named, unless -1 is fine', async () => {
    const killed = { exitCode: -1, signal: 'SIGSEGV' };
    expect((await run({}, killed)).end.error).toMatchObject({
      code: 'command.failed',
      message: expect.stringContaining('SIGSEGV'),
      details: { exitCode: -1, signal: 'SIGSEGV' },
    });
    expect((await run({ config: { okExit: [-1] } }, killed)).end.output).toMatchObject({ exitCode: -1 });
  });

  test('an error holds the end of long outputs only', async () => {
    const { end } = await run({}, { exitCode: 1, stdout: 'x'.repeat(100_000), stderr: `${'y'.repeat(100_000)}end` });
    const { stdout = '', stderr = '' } = (end.error?.details ?? {}) as Partial<CommandOutcome>;
    expect([stdout.length, stderr.length, stderr.endsWith('end')]).toEqual([8000, 8000, true]);
    expect(end.error?.message.length).toBeLessThan(500);
  });
});

describe('BB-37 its log', () => {
  const logOf = ({ events }: SingleNodeEnd): readonly string[][] =>
    events.flatMap(({ event }) => (event.type === 'log' ? [[event.level, event.text]] : []));

  test('has both outputs, each line once', async () => {
    expect(logOf((await run({}, { stdout: 'a\nb', stderr: 'c\n' })).end)).toEqual([
      ['print', 'a\nb'],
      ['warn', 'c'],
    ]);
  });

  test('of a command that writes much has few entries, and ends somewhere', async () => {
    const log = logOf((await run({ config: { maxBytes: 8_000_000 } }, { stdout: 'line\n'.repeat(1_000_000) })).end);
    expect(log.length).toBeLessThan(100);
    expect(log.at(-1)?.[1]).toMatch(/… more is not in the log$/);
  });
});

test('its card shows the command', () => {
  const { summary } = commandRunNode;
  expect(summary?.({ program: 'git' }, { args: ['log', '-1'] })).toEqual(['Runs ', { chip: 'git log -1' }]);
  expect(summary?.({ program: 'ls' }, { args: '{{a.items}}' })).toEqual(['Runs ', { chip: 'ls' }]);
  expect(summary?.({}, {})).toEqual(['Runs ', 'no program yet']);
});
