/** Tests runs that stopped halfway, in processes that were really killed. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventsOf, setUpBuiltCli } from '../testing/cli-fixture.ts';
import type { CliResult, StartedCli } from '../testing/cli-program.ts';

const cli = setUpBuiltCli();

let server: Server;
let url: string;
/** Whether the server responds to requests. */
let answers: boolean;
let received: number;

beforeEach(async () => {
  answers = false;
  received = 0;
  server = createServer((request, response) => {
    request.resume();
    received++;
    if (answers) response.end('booked');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Writes a flow with a request between two nodes. A POST request must not be repeated without consent. */
function writeFlow(method: 'GET' | 'POST', more = ''): void {
  cli.write(
    'book.flow.yaml',
    `
flow: { name: Book }
nodes:
  - { id: first, type: echo, input: { text: a } }
  - { id: book, type: http.request, input: { url: "${url}", method: ${method}${more} } }
  - { id: last, type: echo, input: { text: "{{?book.body}}" } }
edges: [{ from: first, to: book }, { from: book, to: last }]`,
  );
}

async function startUntilItAsks(): Promise<{ started: StartedCli; runId: string }> {
  const asked = new Promise<void>((resolve) => server.once('request', () => resolve()));
  const started = cli.start(['run', 'book.flow.yaml', '--json', '--trust']);
  await started.whenPrinted('"nodeId":"book"');
  await asked;
  const list = await cli.call(['runs', 'list', '--json']);
  return { started, runId: JSON.parse(list.stdout).runId };
}

/** Kills a run while it waits for the server. */
async function cutRun(method: 'GET' | 'POST'): Promise<{ runId: string; before: CliResult }> {
  writeFlow(method);
  const { started, runId } = await startUntilItAsks();
  started.child.kill('SIGKILL');
  return { runId, before: await started.result };
}

/** Returns a run that was interrupted in its POST request and now waits for a person. */
async function suspendedRun(): Promise<string> {
  const { runId } = await cutRun('POST');
  expect((await cli.call(['--trust', 'resume', runId])).code).toBe(3);
  return runId;
}

function typesOf({ stdout }: CliResult): string[] {
  return eventsOf(stdout).map(({ event }) => event.type);
}

function lastEvent({ stdout }: CliResult): unknown {
  return eventsOf(stdout).at(-1)?.event;
}

describe('a run with a killed program', () => {
  test('continues where it stopped: same id, same numbering, no node twice', async () => {
    const { runId, before } = await cutRun('GET');
    const list = await cli.call(['runs', 'list']);
    expect(list.stdout).toContain('interrupted');
    expect(list.stdout).toContain(`millrace resume ${runId}`);
    answers = true;
    const resumed = await cli.call(['--trust', 'resume', runId, '--json']);
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    const events = [...eventsOf(before.stdout), ...eventsOf(resumed.stdout)];
    const stored = await cli.call(['runs', 'events', runId]);
    expect(eventsOf(stored.stdout).map(({ seq }) => seq)).toEqual(eventsOf(stored.stdout).map((_, index) => index));
    expect(typesOf(resumed)[0]).toBe('run:resumed');
    expect(events.every((event) => event.runId === runId)).toBe(true);
    const ended = eventsOf(stored.stdout).flatMap(({ event }) => (event.type === 'task:complete' ? event.nodeId : []));
    expect(ended).toEqual(['first', 'book', 'last']);
    expect(lastEvent(resumed)).toMatchObject({
      type: 'run:end',
      status: 'completed',
      output: { last: { text: 'booked' } },
    });
    expect(received).toBe(2);
  });

  test('BB-59 in a download leaves no partial file, and saves the complete file after it resumes', async () => {
    const half = Buffer.alloc(200_000, 'x');
    server.removeAllListeners('request');
    server.on('request', (_request, response) => {
      received++;
      response.writeHead(200, { 'content-length': String(2 * half.length) }).write(half);
      if (answers) response.end(half);
    });
    writeFlow('GET', ', saveTo: out/a.bin');
    cli.write('out/a.bin', 'as it was');
    const { started, runId } = await startUntilItAsks();
    // The temporary file exists.
    await vi.waitFor(() => expect(readdirSync(join(cli.folder, 'out')).length).toBeGreaterThan(1), 20_000);
    started.child.kill('SIGKILL');
    await started.result;
    expect(readFileSync(join(cli.folder, 'out/a.bin'), 'utf8')).toBe('as it was');
    answers = true;
    const resumed = await cli.call(['--trust', 'resume', runId, '--json']);
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(join(cli.folder, 'out/a.bin')).equals(Buffer.concat([half, half]))).toBe(true);
    expect(received).toBe(2);
  });

  test('BB-16 asks for its secrets in a terminal and continues', async () => {
    cli.write('.millrace/.env', 'KEY=first-value-1\n');
    writeFlow('GET', ', headers: { x-key: "{{secret.KEY}}" }');
    const { started, runId } = await startUntilItAsks();
    started.child.kill('SIGKILL');
    await started.result;
    expect(await cli.call(['resume', runId])).toMatchObject({ code: 4, stdout: '' });
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
    const answering = (words: string): void => {
      const terminal = Object.assign(new PassThrough(), { isTTY: true });
      terminal.write(`${words}\n`);
      Object.defineProperty(process, 'stdin', { configurable: true, get: () => terminal });
    };
    try {
      answering('n');
      expect(await cli.call(['resume', runId])).toMatchObject({ code: 4, stdout: '' });
      answering('y');
      // Without trust, requests can only reach public addresses, so the node waits for the permission.
      expect(await cli.call(['resume', runId])).toMatchObject({
        code: 3,
        stdout: expect.stringContaining('needs your permission to send requests to 127.0.0.1'),
      });
    } finally {
      Object.defineProperty(process, 'stdin', stdin);
    }
  });

  test('accepts no answer, because it asked no question', async () => {
    const { runId } = await cutRun('GET');
    const { code, stdout, stderr } = await cli.call(['--trust', 'resume', runId, '--approve']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('without an answer');
  });

  test('is canceled by Ctrl-C after it resumes', async () => {
    const { runId } = await cutRun('GET');
    const started = cli.start(['--trust', 'resume', runId, '--json']);
    await started.whenPrinted('"nodeId":"book"');
    started.child.kill('SIGINT');
    const result = await started.result;
    expect(result.code).toBe(130);
    expect(lastEvent(result)).toMatchObject({ type: 'run:end', status: 'cancelled' });
  });
});

describe('a run interrupted in a node that must not be repeated without consent', () => {
  test('suspends and asks: the last line is run:suspended, and the exit code is 3', async () => {
    const { runId } = await cutRun('POST');
    const asked = await cli.call(['--trust', 'resume', runId, '--json']);
    expect({ code: asked.code, stderr: asked.stderr }).toEqual({ code: 3, stderr: '' });
    expect(typesOf(asked)).toEqual(['run:resumed', 'task:start', 'node:suspended', 'run:suspended']);
    expect(lastEvent(asked)).toEqual({ type: 'run:suspended', reason: 'operator', nodeId: 'book' });
    expect(received).toBe(1);
  });

  test('is unchanged without an answer, and shows what it waits for', async () => {
    const runId = await suspendedRun();
    const before = await cli.call(['runs', 'events', runId]);
    const again = await cli.call(['--trust', 'resume', runId, '--json']);
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 3, stderr: '' });
    expect(again.stdout).toBe(`${before.stdout.trimEnd().split('\n').at(-1)}\n`);
    const forPeople = await cli.call(['--trust', 'resume', runId]);
    expect(forPeople.code).toBe(3);
    expect(forPeople.stdout).toContain(`millrace resume ${runId} --approve`);
    expect(await cli.call(['runs', 'events', runId])).toEqual(before);
  });

  test('--approve runs the node again', async () => {
    const runId = await suspendedRun();
    answers = true;
    const approved = await cli.call(['--trust', 'resume', runId, '--approve', '--comment', 'not booked yet', '--json']);
    expect(approved.code).toBe(0);
    expect(eventsOf(approved.stdout)[0]?.event).toEqual({
      type: 'run:resumed',
      decision: 'approve',
      comment: 'not booked yet',
    });
    expect(lastEvent(approved)).toMatchObject({ status: 'completed', output: { last: { text: 'booked' } } });
    expect(received).toBe(2);
  });

  test('--reject fails it, and the run according to its policy', async () => {
    const runId = await suspendedRun();
    const rejected = await cli.call(['--trust', 'resume', runId, '--reject', '--node', 'book']);
    expect(rejected.code).toBe(1);
    expect(rejected.stdout).toMatch(/^Book · .* · resumed\n✗ failed {5}book/);
    expect((await cli.call(['runs', 'list'])).stdout).toContain('failed');
    expect(received).toBe(1);
  });

  test('an answer for a node that does not wait is rejected with a list of those that do', async () => {
    const runId = await suspendedRun();
    const { code, stdout, stderr } = await cli.call(['--trust', 'resume', runId, '--approve', '--node', 'last']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/"last".*Waiting nodes: book/);
    expect((await cli.call(['--trust', 'resume', runId])).code).toBe(3);
  });
});

describe('an agent run that was interrupted in its second input', () => {
  /** Continues with its second input only if the file exists, and logs the inputs it has started. */
  const agent = `# Data
\`\`\`lua
aip.file.append("acted.txt", input .. " ")
while input == "b" and not aip.path.exists("go.txt") do end
return input
\`\`\`

# Output
\`\`\`lua
return data .. "!"
\`\`\`
`;

  /** Returns the run that waits for a person and has completed its first input. */
  async function waiting(args: readonly string[], names: readonly string[]): Promise<string> {
    cli.write('a.aip', `# Options\n\`\`\`toml\ninput_concurrency = 1\n\`\`\`\n\n${agent}`);
    cli.write(
      'work.flow.yaml',
      'flow: { name: Work }\nnodes:\n  - { id: work, type: agent, input: { agent: a.aip, inputs: [a, b] } }\nedges: []\n',
    );
    const started = cli.start(['run', ...args, '--json']);
    await started.whenPrinted('"taskId":"input:1"');
    started.child.kill('SIGKILL');
    await started.result;
    const { runId } = JSON.parse((await cli.call(['runs', 'list', '--json'])).stdout);
    const asked = await cli.call(['resume', runId]);
    expect(asked.code).toBe(3);
    for (const name of names) expect(asked.stdout).toContain(name);
    cli.write('go.txt', '');
    return runId;
  }

  test.each([
    [['a.aip', '-i', 'a', '-i', 'b'], 'input:1'],
    [['work.flow.yaml'], 'work/input:1'],
  ])('%j asks only about %s, and continues when that is approved', async (args, name) => {
    const runId = await waiting(args, [`(${name} asks)`]);
    const approved = await cli.call(['resume', runId, '--approve', '--node', name, '--json']);
    expect({ code: approved.code, stderr: approved.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.stringify(lastEvent(approved))).toContain('["a!","b!"]');
    expect(readFileSync(join(cli.folder, 'acted.txt'), 'utf8')).toMatch(/^a b (?:b )?$/);
  });

  test('fails when the repetition is rejected', async () => {
    const runId = await waiting(['work.flow.yaml'], ['(work/input:1 asks)']);
    const rejected = await cli.call(['resume', runId, '--reject', '--json']);
    expect(rejected.code).toBe(1);
    expect(lastEvent(rejected)).toMatchObject({ status: 'failed', error: { code: 'node.cut' }, failedNodes: ['work'] });
  });
});

describe('resume is rejected', () => {
  test('for a run owned by another program, which is named', async () => {
    writeFlow('GET');
    const { started, runId } = await startUntilItAsks();
    const { code, stdout, stderr } = await cli.call(['--trust', 'resume', runId]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`process ${started.child.pid} `);
    started.child.kill('SIGINT');
    expect((await started.result).code).toBe(130);
  });

  test('for a run that has ended', async () => {
    answers = true;
    writeFlow('GET');
    const { stdout } = await cli.call(['run', 'book.flow.yaml', '--json', '--trust']);
    const ended = await cli.call(['resume', eventsOf(stdout)[0]?.runId ?? '']);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('is completed');
  });

  test.each([
    [['resume', 'nobody'], "Run nobody is not in this workspace's history"],
    [['resume', 'x', '--approve', '--reject'], "'--approve' cannot be used with option '--reject'"],
    [['resume', 'x', '--node', 'a'], '--node requires an answer'],
    [['resume', 'x', '--comment', 'a'], '--comment requires an answer'],
    [['resume'], "missing required argument 'run'"],
  ])('millrace %j', async (args, message) => {
    const { code, stdout, stderr } = await cli.call(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
