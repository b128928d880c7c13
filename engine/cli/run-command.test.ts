/**
 * Tests the built program as a process: its output, exit codes, signals and pipes. Other arguments are tested
 * in-process.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventsOf, helloFlow, setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();
beforeEach(() => cli.write('hello.flow.yaml', helloFlow));

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

describe('a run', () => {
  test('prints plain lines into a pipe: one per node, the end, the output', async () => {
    const { code, stdout, stderr } = await cli.run(['run', 'hello.flow.yaml']);
    const lines = stdout.replaceAll(/\d+ ms|\d\.\d s/g, 'TIME').split('\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines[0]).toMatch(/^Hello · \d{8}-\d{6}-\w{6}$/);
    expect(lines.slice(1)).toEqual([
      '✓ completed  greet · TIME',
      '– skipped    never · its condition was not met',
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

  test('with --json prints only envelopes, numbered from 0, ending with run:end', async () => {
    const { code, stdout, stderr } = await cli.run(['run', 'hello.flow.yaml', '--json']);
    const events = eventsOf(stdout);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events[0]?.event).toMatchObject({ type: 'run:start', sourcePath: 'hello.flow.yaml', name: 'Hello' });
    expect(events.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'completed' });
    expect(stdout).not.toContain('exec:');
    expect(stdout.endsWith('\n')).toBe(true);
  });

  test('prints the reason of a failure and exits with 1', async () => {
    cli.write('failing.flow.yaml', failing);
    const { code, stdout } = await cli.run(['run', 'failing.flow.yaml']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ failed {5}stop · .*enough is enough/);
    expect(stdout).toMatch(/✗ failed in .*\nenough is enough\n$/);
    const json = await cli.run(['--json', 'run', 'failing.flow.yaml']);
    expect(json.code).toBe(1);
    expect(eventsOf(json.stdout).at(-1)?.event).toMatchObject({
      type: 'run:end',
      status: 'failed',
      failedNodes: ['stop'],
    });
  });

  test('prints warnings on stderr and runs anyway', async () => {
    cli.write('warn.flow.yaml', helloFlow.replace('text: x', 'text: x, colour: red'));
    const { code, stderr } = await cli.run(['run', 'warn.flow.yaml', '--json']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warn\.flow\.yaml:5:\d+ warning node\.unknown-input .*\n$/);
  });

  test('exits normally when its reader has closed the pipe', async () => {
    cli.write('many.flow.yaml', helloFlow);
    const started = cli.start(['run', 'many.flow.yaml', '--json']);
    started.child.stdout?.destroy();
    expect(await started.result).toMatchObject({ code: 0, stderr: '' });
    expect((await cli.run(['runs', 'list'])).stdout).toContain('completed');
  });
});

describe('a call that runs nothing', () => {
  test.each([
    [['--help'], 0],
    [['run', 'gone.flow.yaml'], 2],
    [['run', 'no@such'], 4],
  ])('%j exits with %i', async (args, code) => {
    expect((await cli.run(args)).code).toBe(code);
  });
});

describe('Ctrl-C', () => {
  test('cancels: the run ends as cancelled, everything is printed, and the exit code is 130', async () => {
    cli.write('long.flow.yaml', long);
    const started = cli.start(['run', 'long.flow.yaml', '--json']);
    await started.whenPrinted('"nodeId":"pause"');
    started.child.kill('SIGINT');
    const { code, stdout, stderr } = await started.result;
    expect(code).toBe(130);
    expect(stderr).toContain('Canceling');
    expect(
      eventsOf(stdout)
        .map(({ event }) => event.type)
        .slice(-3),
    ).toEqual(['task:cancelled', 'phase:cancelled', 'run:end']);
    expect(eventsOf(stdout).at(-1)?.event).toMatchObject({ status: 'cancelled' });
  });

  test('two signals at the same moment count as one key press', async () => {
    cli.write('long.flow.yaml', long);
    const started = cli.start(['run', 'long.flow.yaml']);
    await started.whenPrinted('first');
    started.child.kill('SIGINT');
    started.child.kill('SIGINT');
    const { code, stdout } = await started.result;
    expect(code).toBe(130);
    expect(stdout).toContain('■ cancelled in');
  });
});

describe('a real provider', () => {
  const key = 'sk-cli-test-554433';
  const ask = 'flow: { name: Ask }\nnodes: [{ id: ask, type: prompt, input: { prompt: Hi } }]\nedges: []';

  test('is called by the built program, which then exits; the key is not printed', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const choices = [{ index: 0, delta: { content: 'Hello from afar' }, finish_reason: 'stop' }];
      response.end(`data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices })}\n\ndata: [DONE]\n\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const provider = `kind = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key_env = "FAR_KEY"`;
    cli.write('home/config-user.toml', `[providers.far]\n${provider}\n[options]\nmodel = "far::m"\n`);
    cli.write('ask.flow.yaml', ask);
    const env = { MILLRACE_HOME: path.join(cli.folder, 'home') };
    const answered = await cli.run(['run', 'ask.flow.yaml'], { env: { ...env, FAR_KEY: key } });
    const keyless = await cli.run(['run', 'ask.flow.yaml'], { env });
    server.close();
    expect(answered).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Hello from afar') });
    expect(answered.stdout).not.toContain(key);
    expect(keyless).toMatchObject({ code: 1, stdout: expect.stringContaining('FAR_KEY') });
  });

  test('that has not been set up is explained', async () => {
    cli.write('ask.flow.yaml', ask);
    const { code, stdout } = await cli.run(['run', 'ask.flow.yaml']);
    expect(code).toBe(1);
    expect(stdout).toContain(path.join(cli.folder, 'no-home', 'config-user.toml'));
  });
});
