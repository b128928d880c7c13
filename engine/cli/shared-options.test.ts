/**
 * Tests which options work together with `--on` and `--history`: each either acts or is rejected by name. Rejections need
 * no server.
 */
import { expect, test } from 'vitest';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';
import { scriptSection } from '../testing/run-agent-file.ts';

const cli = setUpCli();

const on = ['--on', 'restate://127.0.0.1:9/w?admin=9'];
const history = ['--history', 'postgres://kim@127.0.0.1:9/db'];
const both = [...on, ...history];

/** Options that are rejected with `--on` or `--history`, by command: arguments, and what the message names. */
const rejected: Readonly<Record<string, readonly (readonly [args: readonly string[], words: string])[]>> = {
  run: [
    [['hello.flow.yaml', ...on], '--on needs --history'],
    [['hello.flow.yaml', '--history', 'mysql://db'], 'postgres://'],
    [['hello.flow.yaml', ...history, '--on', 'http://127.0.0.1'], 'restate://'],
    ...[
      ['--only', 'a'],
      ['--to', 'a'],
      ['--pin', 'a=missing.json'],
      ['--cassette', 'c.yaml'],
      ['--mode', 'replay'],
      ['--yes'],
      ['--store', 'runs.db'],
    ].map((flags) => [['hello.flow.yaml', ...both, ...flags], `${flags[0]} is not available with --on`] as const),
    ...[['-i', 'x'], ['-f', '*'], ['--dry', 'req'], ['-w'], ['-v']].map(
      (flags) => [['hello.flow.yaml', ...both, ...flags], `${flags[0]} is for agents`] as const,
    ),
    [['hello.aip', ...both], 'hello.aip is an agent, and workers execute only flows'],
    [['demo@pack/agent', ...both], 'demo@pack/agent is an agent, and workers execute only flows'],
  ],
  resume: [
    [['1', ...on], '--on needs --history'],
    [['1', ...history, '--store', 'runs.db'], 'either --store or --history'],
    [['1', ...history, '--allow'], '--allow acts only on this machine'],
    [['1', ...history, '--skip', 'x.json'], '--skip acts only on this machine'],
    [['1', ...history, '--edit', 'x.json'], '--edit acts only on this machine'],
    [['1', ...history, '--raise', 'usd=1'], '--raise acts only on this machine'],
    [['1', ...history, '--output', 'a=x.json'], '--output acts only on this machine'],
    [['1', ...history, '--yes'], '--yes acts only on this machine'],
    [['1', ...history, '--trust'], '--trust acts only on this machine'],
  ],
  pause: [
    [['1', ...on], '--on needs --history'],
    [['1', ...history, '--store', 'runs.db'], 'either --store or --history'],
  ],
  cancel: [
    [['1', ...on], '--on needs --history'],
    [['1', ...history, '--store', 'runs.db'], 'either --store or --history'],
  ],
  inbox: [
    [on, '--on needs --history'],
    [[...history, '--store', 'runs.db'], 'either --store or --history'],
  ],
  runs: [
    [['list', ...on], '--on needs --history'],
    [['list', ...history, '--store', 'runs.db'], 'either --store or --history'],
    [['delete', '1', ...history], 'deleted by age'],
  ],
  worker: [
    [on, '--history'],
    [history, '--on'],
    [[...both, '--store', 'runs.db'], 'Remove --store'],
  ],
  chat: [[['bank.dialogue.yaml', ...both], 'Conversations run only on this machine']],
  redo: [[['1', ...history], 'Runs of workers cannot be repeated']],
  rerun: [[['1', '--from', 'a', ...both], 'Runs of workers cannot be repeated']],
  simulate: [[['1', '--autonomy', 'semi_auto', ...history], 'history of this machine']],
};

/** Options that act with `--on` or `--history`, by command. */
const acting: Readonly<Record<string, readonly string[]>> = {
  run: ['--input', '--input-file', '--parallel', '--autonomy', '--break', '--on', '--history'],
  resume: [
    ...['--approve', '--reject', '--answer', '--scope', '--comment', '--node', '--key', '--by', '--continue', '--step'],
    ...['--history', '--on'],
  ],
  pause: ['--history', '--on'],
  cancel: ['--history', '--on'],
  inbox: ['--history', '--on'],
  runs: ['--history', '--on'],
  worker: [
    ...[
      '--on',
      '--history',
      '--workspace',
      '--listen',
      '--address',
      '--max-runs',
      '--metrics-port',
      '--identity-key',
      '--keep-days',
    ],
  ],
};

const cases = Object.entries(rejected).flatMap(([command, rows]) =>
  rows.map(([args, words]) => [[command, ...args].join(' '), words, [command, ...args]] as const),
);

test.each(cases)('%s is rejected: %s', async (_, words, args) => {
  cli.write('hello.flow.yaml', helloFlow);
  cli.write('hello.aip', scriptSection('Output', 'return 1'));
  const { code, stdout, stderr } = await cli.call(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});

const short: Readonly<Record<string, string>> = {
  '--on-inputs': '-i',
  '--on-files': '-f',
  '--watch': '-w',
  '--verbose': '-v',
};

test.each(Object.keys(acting))('every option of %s either acts or is rejected', async (command) => {
  const { stdout } = await cli.call([command, '--help']);
  const options = Array.from(stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, option = '']) => option);
  const known = [...(acting[command] ?? []), ...(rejected[command] ?? []).flatMap(([args]) => args)];
  const unknown = options.filter((option) => option !== '--help' && !known.includes(short[option] ?? option));
  expect(options.length).toBeGreaterThan(2);
  expect(unknown).toEqual([]);
});
