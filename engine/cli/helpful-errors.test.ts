/** Tests helpful messages of the command line: versions, suggestions, problems of answers, and commands that answer. */
import { describe, expect, test } from 'vitest';
import { programVersion } from '../base/program-version.ts';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

test.each([[['--version']], [['-V']], [['--json', '--version']]])(
  '%j prints the version and nothing else',
  async (args) => {
    expect(await cli.call(args)).toEqual({ code: 0, stdout: `${programVersion}\n`, stderr: '' });
  },
);

test.each([
  [['rusume', '1'], 'resume'],
  [['runs', 'lst'], 'list'],
  [['run', 'a.flow.yaml', '--inptu', 'a=b'], '--input'],
  [['resume', '1', '--aprove'], '--approve'],
  [['secrets', 'alow'], 'allow'],
  [['--jsn', 'inbox'], '--json'],
])('%j is rejected with exit code 2, and the nearest name is suggested', async (args, nearest) => {
  const { code, stdout, stderr } = await cli.call(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`Did you mean`);
  expect(stderr).toContain(nearest);
});

test('each command in the help works by its name alone', async () => {
  const { stdout } = await cli.call(['--help']);
  const [, listed = ''] = stdout.split('\nCommands:\n');
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) {
    const { code, stdout: help } = await cli.call([name, '--help']);
    expect([code, help.split(/ (?:\[|<)|\n/)[0]]).toEqual([0, `Usage: millrace ${name}`]);
  }
});

describe('an invalid answer', () => {
  const form = `
flow: { name: Form }
nodes:
  - id: ask
    type: user_input
    input:
      title: Which?
      schema: { type: object, properties: { color: { enum: [red, blue] }, count: { type: integer }, why: { type: string } }, required: [why] }
edges: []`;

  test('is rejected with the field and code of each problem, and the run keeps waiting', async () => {
    cli.write('a.flow.yaml', form);
    expect((await cli.call(['run', 'a.flow.yaml'])).code).toBe(3);
    cli.write('answer.json', JSON.stringify({ values: { color: 'green', count: 'x', other: 1 } }));
    const { code, stdout, stderr } = await cli.call(['resume', '1', '--answer', 'answer.json']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const said of [
      'color (enum_mismatch)',
      'count (type_mismatch)',
      'why (missing_required)',
      'other (unknown_key)',
    ])
      expect(stderr.split('\n')).toContainEqual(expect.stringContaining(`  ${said}: `));
    cli.write('answer.json', JSON.stringify({ values: { color: 'red', count: 1, why: 'x' } }));
    expect((await cli.call(['resume', '1', '--answer', 'answer.json'])).code).toBe(0);
  });
});

describe('a run with several requests', () => {
  const several = `
flow: { name: Several, policy: { maxParallel: 3 } }
nodes:
  - { id: each, type: control.foreach, input: { items: [a, b], body: [ask] } }
  - { id: ask, type: human_approval, input: { title: "{{item}}?" } }
  - { id: form, type: user_input, input: { title: Why?, schema: { type: object, properties: { a: { type: string } } } } }
edges: []`;

  test('lists the exact command for each of them: when it is suspended, when it is resumed, and when an answer names none', async () => {
    cli.write('a.flow.yaml', several);
    cli.write('answer.json', '{ "values": {} }');
    const ran = await cli.call(['run', 'a.flow.yaml']);
    const id = /20\d{6}-\d{6}-\w+/.exec(ran.stdout)?.[0] ?? '';
    const commands = [
      `  millrace resume ${id} --node 'each[0].ask' --approve (or --reject)`,
      `  millrace resume ${id} --node 'each[1].ask' --approve (or --reject)`,
      `  millrace resume ${id} --node form --answer FILE`,
    ];
    for (const args of [[], ['--approve']]) {
      const { stdout, stderr } = await cli.call(['resume', '1', ...args]);
      expect((args.length === 0 ? stdout : stderr).split('\n')).toEqual(expect.arrayContaining(commands));
    }
    expect(ran.stdout.split('\n')).toEqual(expect.arrayContaining(commands));
    expect((await cli.call(['resume', '1', '--node', 'each[1].ask', '--approve'])).code).toBe(3);
    expect((await cli.call(['resume', '1', '--node', 'form', '--answer', 'answer.json'])).code).toBe(3);
    expect((await cli.call(['resume', '1', '--node', 'each[0].ask', '--approve'])).code).toBe(0);
  });
});
