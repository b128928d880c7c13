import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();

const echo = (text: string): string => `
flow: { name: Echo, input: { who: world } }
nodes: [{ id: say, type: echo, input: { text: "${text} {{flow.input.who}}" } }]
edges: []`;

function write(text: string): void {
  cli.write('echo.flow.yaml', text);
}

function run(...args: readonly string[]): Promise<CliResult> {
  return cli.call(args);
}

/** Runs the current flow file and returns the run's id. */
async function runEcho(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('run', 'echo.flow.yaml', '--json', ...args);
  return JSON.parse(stdout.split('\n')[0] ?? '').runId;
}

function lastOf(stdout: string): unknown {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').event;
}

test('13.14: lists the runs that were started in one way', async () => {
  write(echo('a'));
  const runId = await runEcho();
  expect((await run('runs', 'list', '--started-by', 'cli')).stdout).toContain(runId);
  const { stdout, stderr } = await run('runs', 'list', '--started-by', 'trigger:weekdays');
  expect([stdout, stderr]).toEqual(['', 'No runs match.\n']);
  const refused = await run('runs', 'list', '--started-by', 'nobody');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Choose one of person, trigger, http, cli');
});

describe('redo', () => {
  test('runs the current file with the inputs of the earlier run', async () => {
    write(echo('old'));
    const runId = await runEcho('--input', 'who=you');
    write(echo('new'));
    const { code, stdout } = await run('redo', runId, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      seq: 0,
      event: { type: 'run:start', redoOf: runId },
    });
    expect(lastOf(stdout)).toMatchObject({ type: 'run:end', output: { say: { text: 'new you' } } });
  });

  test('has the exit code of its run', async () => {
    write(echo('fine'));
    const runId = await runEcho();
    write('flow: { name: Echo }\nnodes: [{ id: stop, type: control.fail, input: { message: no } }]\nedges: []');
    const { code, stdout } = await run('redo', runId);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ failed');
  });

  test('prints the problems of a file that is now invalid and exits with 2', async () => {
    write(echo('fine'));
    const runId = await runEcho();
    write('flow: { name: Echo }\nnodes: []');
    const { code, stdout, stderr } = await run('redo', runId, '--json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^echo\.flow\.yaml:1:1 error flow\.missing-key /);
  });

  test('exits with 2 for a missing file or run', async () => {
    write(echo('fine'));
    const runId = await runEcho();
    rmSync(path.join(cli.folder, 'echo.flow.yaml'));
    const gone = await run('redo', runId);
    expect({ code: gone.code, stdout: gone.stdout }).toEqual({ code: 2, stdout: '' });
    expect(gone.stderr).toContain('echo.flow.yaml');
    const unknown = await run('redo', 'no-such-run');
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain("Run no-such-run is not in this workspace's history");
  });
});

describe('runs', () => {
  test('list shows the newest first, as text and JSON', async () => {
    write(echo('a'));
    const first = await runEcho();
    const second = await runEcho();
    const { code, stdout } = await run('runs', 'list');
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)[0]),
    ).toEqual([second, first]);
    expect(stdout.split('\n')[0]).toContain(`${second}  #2  completed`);
    const json = await run('runs', 'list', '--json', '--limit', '1');
    expect(JSON.parse(json.stdout)).toMatchObject({ runId: second, status: 'completed', sourcePath: 'echo.flow.yaml' });
  });

  test('list of a new workspace is empty', async () => {
    expect(await run('runs', 'list')).toEqual({ code: 0, stdout: '', stderr: 'No runs in this workspace yet.\n' });
    expect(await run('runs', 'list', '--json')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('show prints the nodes and the output', async () => {
    write(echo('hi'));
    const runId = await runEcho();
    const { code, stdout } = await run('runs', 'show', runId);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Echo\nrun {6}2.*, #1\nfile {5}echo\.flow\.yaml\nstarted {2}\d{4}-\d\d-\d\d .* UTC by the command line\n\n✓ completed {2}say/,
    );
    expect(stdout).toContain('\nsay:\n  hi world\n');
    const json = await run('runs', 'show', runId, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ runId, status: 'completed', failedNodes: [] });
  });

  test('accepts the number of a run, with or without the sign', async () => {
    write(echo('hi'));
    const runId = await runEcho();
    for (const number of ['1', '#1']) {
      const { stdout } = await run('runs', 'show', number, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ runId, number: 1 });
    }
    const redone = await run('redo', '#1', '--json');
    expect(redone.code).toBe(0);
    expect(JSON.parse(redone.stdout.split('\n')[0]!)).toMatchObject({ event: { redoOf: runId } });
    const { code, stderr } = await run('runs', 'show', '7');
    expect([code === 0, stderr.includes("Run #7 is not in this workspace's history")]).toEqual([false, true]);
  });

  test('events are those that the run printed', async () => {
    write(echo('hi'));
    const { stdout } = await run('run', 'echo.flow.yaml', '--json');
    const { runId } = JSON.parse(stdout.split('\n')[0] ?? '');
    expect(await run('runs', 'events', runId)).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('value prints a value that was too large for an event', async () => {
    write(echo('x'.repeat(20_000)));
    const { stdout } = await run('run', 'echo.flow.yaml', '--json');
    const end = lastOf(stdout) as { output: { $value?: string } };
    const hash = end.output.$value ?? '';
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const value = await run('runs', 'value', hash);
    expect(JSON.parse(value.stdout)).toEqual({ say: { text: `${'x'.repeat(20_000)} world` } });
    const shown = await run('run', 'echo.flow.yaml');
    expect(shown.stdout).toContain(`millrace runs value ${hash}`);
    expect(shown.stdout.length).toBeLessThan(2000);
  });

  test.each([
    ['show', 'nobody', "Run nobody is not in this workspace's history"],
    ['events', 'nobody', "Run nobody is not in this workspace's history"],
    ['value', '0'.repeat(64), `Value ${'0'.repeat(64)} is not in this workspace's history`],
  ])('%s of an unknown item exits with 2', async (command, id, message) => {
    const { code, stdout, stderr } = await run('runs', command, id);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('validate', () => {
  test('reports for each file whether it is valid, and exits with the highest code', async () => {
    write(echo('a'));
    cli.write('bad.flow.yaml', 'flow: { name: x }\nnodes: []\ncolour: red');
    expect(await run('validate', 'echo.flow.yaml')).toEqual({ code: 0, stdout: 'echo.flow.yaml: valid\n', stderr: '' });
    const { code, stdout, stderr } = await run('validate', 'gone.yaml', 'bad.flow.yaml', 'echo.flow.yaml');
    expect({ code, stdout }).toEqual({ code: 2, stdout: 'echo.flow.yaml: valid\n' });
    expect(stderr).toContain('File gone.yaml does not exist');
    expect(stderr).toMatch(/^bad\.flow\.yaml:1:1 error flow\.missing-key /m);
    expect(stderr).toMatch(/^bad\.flow\.yaml:3:1 error flow\.unknown-key /m);
  });

  test('accepts loops, packs and conditions on edges', async () => {
    cli.write(
      'loop.flow.yaml',
      `flow: { name: x, nodePacks: [shop] }
nodes:
  - { id: a, type: echo, input: { text: "{{item}}" } }
  - { id: b, type: echo, input: { text: x } }
  - { id: each, type: control.foreach, input: { items: [1], body: [a] }, policy: { retry: { maxAttempts: 2 } } }
edges:
  - { from: each, to: b, when: { gt: { var: eahc.x, value: 1 } } }
  - { from: a, to: b }
`,
    );
    const { code, stderr } = await run('validate', 'loop.flow.yaml');
    expect([code, [...stderr.matchAll(/^loop\.flow\.yaml:(\S+ \S+ \S+)/gm)].map(([, problem]) => problem)]).toEqual([
      2,
      [
        '1:30 error flow.pack-not-allowed',
        '5:91 error loop.retry',
        '7:45 warning binding.unknown-root',
        '8:5 error loop.crossing-edge',
      ],
    ]);
  });

  test('with --json prints one problem per line on stdout', async () => {
    cli.write('bad.flow.yaml', 'flow: { name: x }\nnodes: []\ncolour: red');
    const { code, stdout, stderr } = await run('validate', 'bad.flow.yaml', '--json');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const problems = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(problems).toHaveLength(2);
    expect(Object.keys(problems[0])).toEqual([
      'file',
      'line',
      'column',
      'endLine',
      'endColumn',
      'severity',
      'code',
      'message',
    ]);
  });

  test('changes no files', async () => {
    write(echo('a'));
    await run('validate', 'echo.flow.yaml');
    expect((await run('runs', 'list', '--store', 'other.db')).code).toBe(0);
    expect(() => rmSync(path.join(cli.folder, '.millrace'), { recursive: true })).toThrow('ENOENT');
  });
});

describe('usage', () => {
  test('schema flow is the JSON Schema of flow files, with the node types', async () => {
    const { code, stdout } = await run('schema', 'flow');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: expect.stringContaining('json-schema.org'), type: 'object' });
    expect(stdout).toContain('"condition.equals"');
    expect((await run('schema', 'flow', '--json')).stdout.trimEnd()).not.toContain('\n');
  });

  test('help exits with 0', async () => {
    const help = await run('--help');
    expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of [
      'run',
      'validate',
      'new',
      'init',
      'list',
      'install',
      'pack',
      'check-keys',
      'schema',
      'self',
    ]) {
      expect(help.stdout).toContain(`  ${command} `);
    }
    expect((await run('run', '--help')).code).toBe(0);
  });

  test.each([
    [[], 'Usage: millrace'],
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['run'], "missing required argument 'target'"],
    [['run', 'a.yaml', '--frob'], "unknown option '--frob'"],
    [['run', 'a.yaml', 'b.yaml'], 'too many arguments'],
    [['runs'], 'Usage: millrace runs'],
    [['runs', 'frob'], "unknown command 'frob'"],
    [['runs', 'list', '--limit', 'x'], 'whole number'],
    [['runs', 'list', '--limit', '1e300'], 'whole number'],
    [['schema', 'cake'], 'Allowed choices are flow'],
    [['validate'], "missing required argument 'files'"],
    [['--workspace'], 'argument missing'],
  ])('millrace %j exits with 2 and prints the reason on stderr', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
