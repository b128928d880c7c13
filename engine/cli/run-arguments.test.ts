import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventsOf, helloFlow, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
beforeEach(() => cli.write('hello.flow.yaml', helloFlow));

describe('inputs', () => {
  test('on the command line override those in a file, which override those of the flow', async () => {
    cli.write('in.json', '{ "who": "file", "times": 2 }');
    const greeting = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await cli.call(['run', 'hello.flow.yaml', '--json', ...args]);
      return eventsOf(stdout).find(({ event }) => event.type === 'task:complete')?.event;
    };
    expect(await greeting()).toMatchObject({ result: { text: 'hello world 1' } });
    expect(await greeting('--input-file', 'in.json')).toMatchObject({ result: { text: 'hello file 2' } });
    expect(await greeting('--input', 'who=me=you', '--input-file', 'in.json')).toMatchObject({
      result: { text: 'hello me=you 2' },
    });
    cli.write('marked.json', '\uFEFF{ "who": "marked" }');
    expect(await greeting('--input-file', 'marked.json', '--input', 'times=1e999')).toMatchObject({
      result: { text: 'hello marked 1e999' },
    });
    expect(await greeting('--input', 'who={"a":1}', '--input', 'times=', '--input', 'times=true')).toMatchObject({
      result: { text: 'hello {"a":1} true' },
    });
  });

  test.each([
    [['--input', 'nothing'], 'KEY=VALUE'],
    [['--input', '=x'], 'KEY=VALUE'],
    [['--input-file', 'gone.json'], 'gone.json cannot be read'],
    [['--input', 'who={"a":1,"b":{"c":1,"c":2}}'], '--input who: The key b.c occurs more than once in a map.'],
    [['--input-file', 'hello.flow.yaml'], 'does not contain a JSON object'],
    [['-i', 'x'], '-i is for agents, and hello.flow.yaml is a flow'],
    [['-f', '*.md'], '-f is for agents'],
    [['--dry', 'req'], '--dry is for agents'],
    [['-w'], '-w is for agents'],
    [['--parallel', '0'], 'whole number'],
    [['--parallel', '1.5'], 'whole number'],
    [['--parallel', '1e300'], 'whole number'],
  ])('%j is rejected', async (args, message) => {
    const { code, stdout, stderr } = await cli.call(['run', 'hello.flow.yaml', ...args]);
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
    cli.write(name, content);
    for (const flags of [[], ['--json']]) {
      const { code, stdout, stderr } = await cli.call(['run', name, ...flags]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(line);
    }
  });

  test('prints every problem on its own line', async () => {
    cli.write('two.flow.yaml', 'flow: { name: x }\nnodes:\n  - { id: a-b, type: nope, input: {} }\nedges: []');
    const { stderr } = await cli.call(['run', 'two.flow.yaml']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line).toMatch(/^two\.flow\.yaml:3:\d+ error \w+\.[\w-]+ .+/);
  });

  test('creates no history', async () => {
    cli.write('empty.flow.yaml', '');
    await cli.call(['run', 'empty.flow.yaml']);
    expect(() => readFileSync(path.join(cli.folder, '.millrace', 'runs.db'))).toThrow('ENOENT');
  });

  test.each([
    ['gone.flow.yaml', 'File gone.flow.yaml does not exist'],
    ['.', 'is not a file'],
    ['none/such', 'Neither a file none/such nor a product none exists'],
    ['shop/two', 'two.yaml and products/shop/flows/two.flow.yaml both define the flow "two"'],
  ])('%s is rejected with a message about what is expected', async (target, message) => {
    for (const name of ['products/shop/flows/two.yaml', 'products/shop/flows/two.flow.yaml']) cli.write(name, '');
    const { code, stdout, stderr } = await cli.call(['run', target]);
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

describe('paths', () => {
  test('the workspace is the nearest folder around the file that has been a workspace, else the current folder', async () => {
    cli.write('project/flows/deep/a.flow.yaml', helloFlow);
    mkdirSync(path.join(cli.folder, 'project', '.aipack'));
    // A file of that name does not mark a workspace.
    cli.write('project/flows/.millrace', '');
    const sourceOf = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await cli.call(['run', 'project/flows/deep/a.flow.yaml', '--json', ...args]);
      const start = eventsOf(stdout)[0]?.event;
      return start?.type === 'run:start' ? start.sourcePath : undefined;
    };
    expect(await sourceOf()).toBe('flows/deep/a.flow.yaml');
    rmSync(path.join(cli.folder, 'project', 'flows', '.millrace'));
    expect(await sourceOf('--workspace', 'project/flows')).toBe('deep/a.flow.yaml');
    mkdirSync(path.join(cli.folder, 'elsewhere'));
    expect(await sourceOf('--workspace', 'elsewhere')).toBe(path.join(cli.folder, 'project/flows/deep/a.flow.yaml'));
    rmSync(path.join(cli.folder, 'project', '.aipack'), { recursive: true });
    rmSync(path.join(cli.folder, 'project', '.millrace'), { recursive: true });
    rmSync(path.join(cli.folder, 'project', 'flows', '.millrace'), { recursive: true });
    expect(await sourceOf()).toBe('project/flows/deep/a.flow.yaml');
  });

  test('PRODUCT/FLOW is a flow of the workspace around the current folder, unless a file has that name', async () => {
    cli.write('products/shop/flows/refund.yaml', helloFlow);
    cli.write('sub/note.txt', '');
    mkdirSync(path.join(cli.folder, '.millrace'));
    const cwd = path.join(cli.folder, 'sub');
    const { code, stdout, stderr } = await cli.call(['run', 'shop/refund', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(eventsOf(stdout)[0]?.event).toMatchObject({ sourcePath: 'products/shop/flows/refund.yaml' });
    cli.write('sub/shop/refund', 'flow: x');
    expect((await cli.call(['run', 'shop/refund'], { cwd })).stderr).toMatch(/^shop\/refund:1:1 error /);
  });

  test('a workspace that is not a folder is rejected', async () => {
    expect(await cli.call(['run', 'hello.flow.yaml', '--workspace', 'gone'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('gone does not exist. Set --workspace'),
    });
  });

  test('under npm, relative paths start where npm was called', async () => {
    cli.write('sub/in.json', '{ "who": "npm" }');
    const { code, stdout } = await cli.call(['run', '../hello.flow.yaml', '--input-file', 'in.json', '--json'], {
      cwd: tmpdir(),
      env: { INIT_CWD: path.join(cli.folder, 'sub') },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('hello npm 1');
  });

  test('--store sets the file of the history', async () => {
    await cli.call(['run', 'hello.flow.yaml', '--store', 'my.db']);
    expect((await cli.call(['runs', 'list', '--store', 'my.db'])).stdout).toContain('hello.flow.yaml');
    expect((await cli.call(['runs', 'list'])).stdout).toBe('');
    cli.write('text.db', 'this is not a database, but long enough to be opened as one');
    const refused = await cli.call(['run', 'hello.flow.yaml', '--store', 'text.db']);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(readFileSync(path.join(cli.folder, 'text.db'), 'utf8')).toMatch(/^this is not a database/);
  });
});
