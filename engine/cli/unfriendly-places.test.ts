/** Tests read-only folders, full disks and files of other types, with the program as users start it. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventsOf } from '../testing/cli-fixture.ts';
import { type CliResult, type CliStart, cliIn, copyCliForAll } from '../testing/cli-program.ts';
import { mcpCall, mcpGreeting } from '../testing/mcp-lines.ts';

const hello = `
flow: { name: Hello, input: { text: hello } }
nodes: [{ id: say, type: echo, input: { text: "{{flow.input.text}}" } }]
edges: []`;

const writing = `
flow: { name: Writing }
nodes: [{ id: save, type: file.write, input: { path: out.txt, text: x } }]
edges: []`;

/** Root ignores permission bits, so another user is needed. */
const otherUser = process.getuid?.() === 0 ? { userId: 65_534 } : {};

let program: string;
let folder: string;

beforeAll(async () => {
  program = await copyCliForAll();
}, 60_000);
afterAll(() => rmSync(program, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-unfriendly-'));
  chmodSync(folder, 0o755);
  write('hello.flow.yaml', hello);
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string | Buffer): void {
  writeFileSync(path.join(folder, name), content);
}

function run(args: readonly string[], options: Partial<CliStart> = {}): Promise<CliResult> {
  return cliIn(program).start(args, { cwd: folder, ...options }).result;
}

/** Proposes another text for the flow over MCP. Returns the response. */
async function propose(text: string, options: Partial<CliStart>): Promise<string> {
  const { child, result, whenPrinted } = cliIn(program).start(['mcp'], { cwd: folder, ...options });
  const edit = { file: 'hello.flow.yaml', title: 'Be polite', text };
  child.stdin?.write(mcpGreeting + mcpCall(1, 'propose_edit', edit));
  await whenPrinted('"id":1');
  child.stdin?.end();
  const { code, stdout } = await result;
  expect(code).toBe(0);
  return stdout;
}

function endOf({ stdout }: CliResult): unknown {
  return eventsOf(stdout).at(-1)?.event;
}

describe.runIf(process.getuid !== undefined)('a read-only workspace', () => {
  test('runs flows; a note on stderr reports that nothing is stored, and nothing is written', async () => {
    chmodSync(folder, 0o555);
    const result = await run(['run', 'hello.flow.yaml', '--json'], otherUser);
    expect({ code: result.code, end: endOf(result) }).toMatchObject({ code: 0, end: { status: 'completed' } });
    expect(result.stderr).toMatch(/^note: Runs are kept only in memory .*\.millrace/);
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(await run(['runs', 'list', '--json'], otherUser)).toMatchObject({ code: 0, stdout: '' });
    expect(readdirSync(folder)).toEqual(['hello.flow.yaml']);
  });

  test('fails a node that writes to it', async () => {
    write('writing.flow.yaml', writing);
    chmodSync(folder, 0o555);
    const result = await run(['run', 'writing.flow.yaml', '--json'], otherUser);
    expect(result.code).toBe(1);
    expect(endOf(result)).toMatchObject({
      failedNodes: ['save'],
      error: { code: 'files.not-writable', nodeId: 'save' },
    });
  });

  test('13.7 refuses proposals over MCP with the reason', async () => {
    chmodSync(folder, 0o555);
    const response = await propose(hello.replace('text: hello', 'text: good day'), otherUser);
    expect(response).toContain('files.not-writable: .millrace/proposals cannot be written: ');
    expect(readdirSync(folder)).toEqual(['hello.flow.yaml']);
  });

  test('cannot hold the requested history', async () => {
    chmodSync(folder, 0o555);
    const { code, stdout, stderr } = await run(['run', 'hello.flow.yaml', '--store', 'my.db'], otherUser);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(path.join(folder, 'my.db'));
  });

  test('rejects a flow without read permission and names the file', async () => {
    chmodSync(path.join(folder, 'hello.flow.yaml'), 0);
    const { code, stdout, stderr } = await run(['run', 'hello.flow.yaml'], otherUser);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^millrace: .*hello\.flow\.yaml.*\n$/);
  });
});

describe.runIf(process.platform !== 'win32')('a full disk', () => {
  /** In blocks of 512 or 1024 bytes: enough for a new history and a few of the values below, but not all. */
  const fileLimit = 600;
  const nodeCount = 60;
  const large = `
flow: { name: Large }
nodes:
${Array.from({ length: nodeCount }, (_, index) => `  - { id: n${index}, type: echo, input: { text: "${index} {{flow.input.text}}" } }`).join('\n')}
edges: []`;

  test('fails a run with the reason, and keeps what was stored before', async () => {
    await run(['run', 'hello.flow.yaml']);
    write('large.flow.yaml', large);
    write('in.json', JSON.stringify({ text: 'x'.repeat(20_000) }));
    const result = await run(['run', 'large.flow.yaml', '--json', '--input-file', 'in.json'], { fileLimit });
    expect({ code: result.code, end: endOf(result) }).toMatchObject({
      code: 1,
      end: { type: 'run:end', status: 'failed', error: { code: 'store.write-failed' } },
    });
    expect(result.stderr).toMatch(/^note: .*runs\.db/);
    const events = eventsOf(result.stdout);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    const { stdout } = await run(['runs', 'events', events[0]?.runId ?? '']);
    expect(stdout).toContain('task:complete');
    expect(result.stdout.startsWith(stdout)).toBe(true);
    const list = (await run(['runs', 'list', '--json'])).stdout.trimEnd().split('\n');
    expect(list.map((line) => JSON.parse(line).status)).toEqual(['interrupted', 'completed']);
  });
});

describe.runIf(process.platform !== 'win32')('a full disk that has no room for a flow', () => {
  const fileLimit = 600;
  const long = `${hello.replace('text: hello', 'text: good day')}\n${'# More words\n'.repeat(100_000)}`;

  test('13.7 refuses proposals over MCP with the reason, and leaves no file', async () => {
    const response = await propose(long, { fileLimit });
    expect(response).toMatch(/files\.not-writable: \.millrace\/proposals\/\w+\.json cannot be written: /);
    expect(readdirSync(path.join(folder, '.millrace/proposals'))).toEqual([]);
    expect(readFileSync(path.join(folder, 'hello.flow.yaml'), 'utf8')).toBe(hello);
  });

  test('fails an import with the reason, and leaves no file', async () => {
    const node = { name: 'Any', type: 'n8n-nodes-base.any', parameters: { words: 'word '.repeat(200_000) } };
    write('orders.json', JSON.stringify({ name: 'Orders', connections: {}, nodes: [node] }));
    const { code, stdout, stderr } = await run(['import', 'orders.json'], { fileLimit });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^millrace: .*orders\.flow\.yaml: .*the limit.*\.\n$/);
    expect(readdirSync(folder).sort()).toEqual(['hello.flow.yaml', 'orders.json']);
  });
});

describe('--store with a file of another type', () => {
  test.each([
    ['text', 'my notes\n'.repeat(500), 'is damaged or is not a run history'],
    [
      'a truncated database',
      Buffer.from('SQLite format 3\0and then nothing of the kind'),
      'is damaged or is not a run history',
    ],
  ])('%s: is rejected with the reason and not changed by a byte', async (_, content, message) => {
    write('notes.db', content);
    for (const args of [
      ['run', 'hello.flow.yaml', '--json'],
      ['runs', 'list'],
      ['redo', 'some-run'],
    ]) {
      const { code, stdout, stderr } = await run([...args, '--store', 'notes.db']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toContain(path.join(folder, 'notes.db'));
    }
    expect(readFileSync(path.join(folder, 'notes.db')).equals(Buffer.from(content))).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['hello.flow.yaml', 'notes.db']);
  });

  test('a folder is rejected', async () => {
    mkdirSync(path.join(folder, 'history'));
    const { code, stdout, stderr } = await run(['runs', 'list', '--store', 'history']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(path.join(folder, 'history'));
  });
});

describe('system errors are reported in one line with the path, exit code 1', () => {
  /** Starts the program, which must neither report a bug nor print another line. */
  async function refusal(args: readonly string[], options: Partial<CliStart> = {}): Promise<string> {
    const { code, stdout, stderr } = await run(args, options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^millrace: [^\n]+ \(E[A-Z]+\)\.\n$/);
    return stderr;
  }

  test.runIf(process.getuid !== undefined)('init in a read-only folder', async () => {
    chmodSync(folder, 0o555);
    const home = { env: { MILLRACE_HOME: path.join(folder, 'home') } };
    expect(await refusal(['init'], { ...otherUser, ...home })).toContain(`${folder}/`);
    expect(await refusal(['init', 'sub'], { ...otherUser, ...home })).toContain(`${folder}/sub`);
    expect(await refusal(['init-base'], { ...otherUser, ...home })).toContain(`${folder}/home`);
  });

  test.each([
    ['the base folder is a file', 'init', 'hello.flow.yaml'],
    ['the base folder is inside a file', 'init-base', 'hello.flow.yaml/home'],
    ['the name of the base folder is too long', 'init', 'x'.repeat(300)],
  ])('%s', async (_, command, home) => {
    expect(await refusal([command], { env: { MILLRACE_HOME: path.join(folder, home) } })).toContain(folder);
  });

  test('a file at the path of a folder that init creates', async () => {
    write('.aipack', '');
    expect(await refusal(['init'])).toContain(path.join(folder, '.aipack'));
  });
});
