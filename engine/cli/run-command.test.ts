import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventEnvelope } from '../isomorphic.ts';
import { buildCli, type CliProgram, type CliResult } from '../testing/cli-program.ts';

let cli: CliProgram;
let folder: string;

beforeAll(async () => {
  cli = await buildCli();
}, 60_000);
afterAll(() => cli.remove());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-cli-'));
  writeFileSync(path.join(folder, 'hello.flow.yaml'), hello);
});
afterEach(() => rmSync(folder, { recursive: true }));

const hello = `
flow: { name: Hello, input: { who: world, times: 1 } }
nodes:
  - { id: greet, type: echo, input: { text: "hello {{flow.input.who}} {{flow.input.times}}" } }
  - { id: never, type: echo, when: { equals: { var: greet.text, value: no } }, input: { text: x } }
edges: [{ from: greet, to: never }]`;

const failing = `
flow: { name: Failing }
nodes: [{ id: stop, type: control.fail, input: { message: "enough is enough" } }]
edges: []`;

const long = `
flow: { name: Long }
nodes:
  - { id: first, type: echo, input: { text: a } }
  - { id: pause, type: control.wait, input: { ms: 60000 } }
edges: [{ from: first, to: pause }]`;

function write(name: string, content: string | Buffer): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content);
}

function run(...args: readonly string[]): Promise<CliResult> {
  return cli.run(args, { cwd: folder });
}

function eventsOf(stdout: string): EventEnvelope[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventEnvelope);
}

async function outputOf(...args: readonly string[]): Promise<unknown> {
  const { stdout, stderr } = await run('run', 'hello.flow.yaml', '--json', ...args);
  const end = eventsOf(stdout).at(-1)?.event;
  return end?.type === 'run:end' ? end.output : stderr;
}

describe('a run', () => {
  test('prints plain lines into a pipe: one a node, the end, the output', async () => {
    const { code, stdout, stderr } = await run('run', 'hello.flow.yaml');
    const lines = stdout.replaceAll(/\d+ ms|\d\.\d s/g, 'TIME').split('\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines[0]).toMatch(/^Hello · \d{8}-\d{6}-\w{6}$/);
    expect(lines.slice(1)).toEqual([
      '✓ completed  greet · TIME',
      '– skipped    never · its condition does not hold',
      '✓ completed in TIME',
      '',
      'never:',
      '  {',
      '    "skipped": true,',
      '    "reason": "when"',
      '  }',
      '',
    ]);
  });

  test('with --json prints envelopes only, numbered from 0, the last one run:end', async () => {
    const { code, stdout, stderr } = await run('run', 'hello.flow.yaml', '--json');
    const events = eventsOf(stdout);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events[0]?.event).toMatchObject({ type: 'run:start', sourcePath: 'hello.flow.yaml', name: 'Hello' });
    expect(events.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'completed' });
    expect(stdout).not.toContain('exec:');
    expect(stdout.endsWith('\n')).toBe(true);
  });

  test('that fails says why and exits with 1', async () => {
    write('failing.flow.yaml', failing);
    const { code, stdout } = await run('run', 'failing.flow.yaml');
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ failed {5}stop · .*enough is enough/);
    expect(stdout).toMatch(/✗ failed in .*\nenough is enough\n$/);
    const json = await run('--json', 'run', 'failing.flow.yaml');
    expect(json.code).toBe(1);
    expect(eventsOf(json.stdout).at(-1)?.event).toMatchObject({
      type: 'run:end',
      status: 'failed',
      failedNodes: ['stop'],
    });
  });

  test('shows warnings on stderr and runs all the same', async () => {
    write('warn.flow.yaml', hello.replace('text: x', 'text: x, colour: red'));
    const { code, stderr } = await run('run', 'warn.flow.yaml', '--json');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warn\.flow\.yaml:5:\d+ warning node\.unknown-input .*\n$/);
  });

  test('ends well when its reader has gone', async () => {
    write('many.flow.yaml', hello);
    const started = cli.start(['run', 'many.flow.yaml', '--json'], { cwd: folder });
    started.child.stdout?.destroy();
    expect(await started.result).toMatchObject({ code: 0, stderr: '' });
    expect((await run('runs', 'list')).stdout).toContain('completed');
  });
});

describe('inputs', () => {
  test('of the flow are below those of a file, which are below those of the command line', async () => {
    write('in.json', '{ "who": "file", "times": 2 }');
    expect(await outputOf('--input-file', 'in.json')).toMatchObject({ never: expect.anything() });
    const greeting = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await run('run', 'hello.flow.yaml', '--json', ...args);
      return eventsOf(stdout).find(({ event }) => event.type === 'task:complete')?.event;
    };
    expect(await greeting()).toMatchObject({ result: { text: 'hello world 1' } });
    expect(await greeting('--input-file', 'in.json')).toMatchObject({ result: { text: 'hello file 2' } });
    expect(await greeting('--input', 'who=me=you', '--input-file', 'in.json')).toMatchObject({
      result: { text: 'hello me=you 2' },
    });
    expect(await greeting('--input', 'who={"a":1}', '--input', 'times=', '--input', 'times=true')).toMatchObject({
      result: { text: 'hello {"a":1} true' },
    });
  });

  test.each([
    [['--input', 'nothing'], 'KEY=VALUE'],
    [['--input', '=x'], 'KEY=VALUE'],
    [['--input-file', 'gone.json'], 'gone.json cannot be read'],
    [['--input-file', 'hello.flow.yaml'], 'does not hold a JSON object'],
    [['-i', 'x'], "unknown option '-i'"],
    [['--parallel', '0'], 'whole number'],
    [['--parallel', '1.5'], 'whole number'],
  ])('%j is refused', async (args, message) => {
    const { code, stdout, stderr } = await run('run', 'hello.flow.yaml', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('a file that cannot run', () => {
  test.each([
    ['broken.flow.yaml', 'flow: [', /^broken\.flow\.yaml:1:\d+ error yaml\.syntax /],
    ['empty.flow.yaml', '', /^empty\.flow\.yaml:1:1 error yaml\.empty /],
    ['edges.flow.yaml', 'flow: { name: x }\nnodes: []', /^edges\.flow\.yaml:1:1 error flow\.missing-key .*edges/],
    ['cycle.flow.yaml', cycle(), /^cycle\.flow\.yaml:3:\d+ error edge\.cycle /],
    ['binary.flow.yaml', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff]), / error file\.not-text /],
    ['big.flow.yaml', Buffer.alloc(20 * 1024 * 1024, 'a: 1\n'), /^big\.flow\.yaml:1:1 error file\.too-large /],
  ])('%s prints its problems on stderr, nothing on stdout, and exits with 2', async (name, content, line) => {
    write(name, content);
    for (const flags of [[], ['--json']]) {
      const { code, stdout, stderr } = await run('run', name, ...flags);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(line);
    }
  });

  test('prints every problem, one a line', async () => {
    write('two.flow.yaml', 'flow: { name: x }\nnodes:\n  - { id: a-b, type: nope, input: {} }\nedges: []');
    const { stderr } = await run('run', 'two.flow.yaml');
    const lines = stderr.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line).toMatch(/^two\.flow\.yaml:3:\d+ error \w+\.[\w-]+ .+/);
  });

  test('leaves no history behind', async () => {
    write('empty.flow.yaml', '');
    await run('run', 'empty.flow.yaml');
    expect(() => readFileSync(path.join(folder, '.millrace', 'runs.db'))).toThrow('ENOENT');
  });

  test.each([
    ['gone.flow.yaml', 'There is no file gone.flow.yaml'],
    ['.', 'is not a file'],
    ['agent.aip', 'agent file'],
    ['pro@coder', 'There is no file pro@coder'],
  ])('%s is refused with a word on what is wanted', async (target, message) => {
    write('agent.aip', '# Instruction');
    const { code, stdout, stderr } = await run('run', target);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  function cycle(): string {
    return `flow: { name: x }
nodes: [{ id: a, type: echo, input: { text: x } }, { id: b, type: echo, input: { text: x } }]
edges: [{ from: a, to: b }, { from: b, to: a }]`;
  }
});

describe('places', () => {
  test('the workspace is the nearest folder around the file that has been one, else the current folder', async () => {
    write('project/flows/deep/a.flow.yaml', hello);
    mkdirSync(path.join(folder, 'project', '.aipack'));
    const sourceOf = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await run('run', 'project/flows/deep/a.flow.yaml', '--json', ...args);
      const start = eventsOf(stdout)[0]?.event;
      return start?.type === 'run:start' ? start.sourcePath : undefined;
    };
    expect(await sourceOf()).toBe('flows/deep/a.flow.yaml');
    expect(await sourceOf('--workspace', 'project/flows')).toBe('deep/a.flow.yaml');
    mkdirSync(path.join(folder, 'elsewhere'));
    expect(await sourceOf('--workspace', 'elsewhere')).toBe(path.join(folder, 'project/flows/deep/a.flow.yaml'));
    rmSync(path.join(folder, 'project', '.aipack'), { recursive: true });
    rmSync(path.join(folder, 'project', '.millrace'), { recursive: true });
    rmSync(path.join(folder, 'project', 'flows', '.millrace'), { recursive: true });
    expect(await sourceOf()).toBe('project/flows/deep/a.flow.yaml');
  });

  test('a workspace that is none is refused', async () => {
    expect(await run('run', 'hello.flow.yaml', '--workspace', 'gone')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('There is no folder gone'),
    });
  });

  test('under npm relative paths start where npm was called', async () => {
    write('sub/in.json', '{ "who": "npm" }');
    const { code, stdout } = await cli.run(['run', '../hello.flow.yaml', '--input-file', 'in.json', '--json'], {
      cwd: tmpdir(),
      env: { INIT_CWD: path.join(folder, 'sub') },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('hello npm 1');
  });

  test('--store names the file of the history', async () => {
    await run('run', 'hello.flow.yaml', '--store', 'my.db');
    expect((await run('runs', 'list', '--store', 'my.db')).stdout).toContain('hello.flow.yaml');
    expect((await run('runs', 'list')).stdout).toBe('');
    write('text.db', 'this is no database, and long enough to be looked at as one');
    const refused = await run('run', 'hello.flow.yaml', '--store', 'text.db');
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(readFileSync(path.join(folder, 'text.db'), 'utf8')).toMatch(/^this is no database/);
  });
});

describe('Ctrl-C', () => {
  test('cancels: the run ends as cancelled, all of it is printed, and the code is 130', async () => {
    write('long.flow.yaml', long);
    const started = cli.start(['run', 'long.flow.yaml', '--json'], { cwd: folder });
    await started.whenPrinted('"nodeId":"pause"');
    started.child.kill('SIGINT');
    const { code, stdout, stderr } = await started.result;
    expect(code).toBe(130);
    expect(stderr).toContain('Cancelling');
    expect(
      eventsOf(stdout)
        .map(({ event }) => event.type)
        .slice(-3),
    ).toEqual(['task:cancelled', 'phase:cancelled', 'run:end']);
    expect(eventsOf(stdout).at(-1)?.event).toMatchObject({ status: 'cancelled' });
  });

  test('twice in one moment is one key press', async () => {
    write('long.flow.yaml', long);
    const started = cli.start(['run', 'long.flow.yaml'], { cwd: folder });
    await started.whenPrinted('first');
    started.child.kill('SIGINT');
    started.child.kill('SIGINT');
    const { code, stdout } = await started.result;
    expect(code).toBe(130);
    expect(stdout).toContain('■ cancelled in');
  });
});
