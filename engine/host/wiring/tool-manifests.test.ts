import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { refusalOf, runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
  engine = await world.engine({ ...process.env, MILLRACE_SECRET_API_TOKEN: 'tok-en-12345' }, { isTrusted: true });
});
afterEach(() => world.close());

/** Writes the manifest of a tool `mine`, with `run` in JSON. */
function writeTool(run: JsonMap, more = ''): void {
  const text = `tool_id: mine\ndescription: Mine.\n${more}input_schema: { type: object }\nrun: ${JSON.stringify(run)}\n`;
  world.folder.write('workspace/tools/mine.tool.yaml', text);
}

const call = (params: JsonMap = {}) => engine.tryTool({ tool: 'mine', params, isAgreed: true });

/** Returns a Node program. */
const program = (code: string, ...args: string[]): JsonMap => ({
  command: { program: process.execPath, args: ['-e', code, ...args] },
});

test('http inserts its parameters, which cannot escape their location, and masks the secret in the response', async () => {
  writeTool({
    http: {
      method: 'POST',
      url: `${world.base}/towns/{{params.town}}`,
      headers: { 'x-token': '{{secret.API_TOKEN}}' },
      body: { days: '{{params.days}}' },
    },
  });
  world.answer = ({ headers }) => ({ body: JSON.stringify({ said: headers['x-token'] ?? null }) });
  expect(await call({ town: '../admin?x=1', days: 3 })).toEqual({
    status: 'success',
    result: { said: '•••API_TOKEN•••' },
    metadata: { status: 200 },
  });
  expect(world.heard[0]).toMatchObject({ url: '/towns/..%2Fadmin%3Fx%3D1', body: '{"days":3}' });
  world.answer = () => ({ status: 429, body: 'slow down' });
  expect(await call({ town: 'x', days: 1 })).toMatchObject({ error_category: 'rate_limit', retryable: true });
});

test('command passes arguments unchanged, a list as several, without a shell', async () => {
  writeTool(
    program('console.log(JSON.stringify(process.argv.slice(1)))', '{{params.one}}', '{{params.more}}'),
    'output_schema: { type: array }\n',
  );
  expect(await call({ one: '$(id); "x"', more: ['a b', 'c'] })).toEqual({
    status: 'success',
    result: ['$(id); "x"', 'a b', 'c'],
  });
});

test('js and lua return their result, and report the line of the manifest on failure', async () => {
  writeTool({ js: 'return { twice: input.n * 2 };' });
  expect(await call({ n: 4 })).toMatchObject({ result: { twice: 8 } });
  writeTool({ lua: 'return { twice = input.n * 2 }' });
  expect(await call({ n: 4 })).toMatchObject({ result: { twice: 8 } });
  world.folder.write(
    'workspace/tools/mine.tool.yaml',
    'tool_id: mine\ndescription: Mine.\nrun:\n  js: |\n    const a = 1;\n    throw new Error("no");\n',
  );
  expect(await call()).toMatchObject({ status: 'error', message: expect.stringContaining('At line 6') });
});

test('flow runs a flow as a child run of the calling run', async () => {
  world.folder.write(
    'workspace/inner.flow.yaml',
    'flow: { name: In, outputs: { said: "{{a.text}}" } }\nnodes: [{ id: a, type: echo, input: { text: "hi {{flow.input.who}}" } }]\nedges: []\n',
  );
  writeTool({ flow: '../inner.flow.yaml' });
  const events = await runFlow(
    engine,
    'flow: { name: Out }\nnodes: [{ id: t, type: tool, config: { tool: mine }, input: { who: ann } }]\nedges: []\n',
  );
  expect(events.at(-1)?.event).toMatchObject({ status: 'completed', output: { t: { said: 'hi ann' } } });
  expect(await call()).toMatchObject({
    error_category: 'not_found',
    message: expect.stringContaining('run the flow itself'),
  });
});

test("an agent can be a tool: it receives the tool's parameters as its input", async () => {
  world.folder.write('workspace/tools/greet.aip', '# Output\n\n```lua\nreturn { said = "hi " .. input.who }\n```\n');
  writeTool({ agent: './greet.aip' });
  expect(await call({ who: 'ann' })).toMatchObject({ status: 'success', result: { said: 'hi ann' } });
});

test('an invalid manifest is listed with its position, and the second of two with one name is rejected', async () => {
  writeTool({ js: 'return 1' });
  world.folder.write('workspace/tools/other.tool.yaml', 'tool_id: mine\ndescription: Too.\nrun: { js: "return 2" }\n');
  world.folder.write('workspace/tools/bad.tool.yaml', 'tool_id: Bad\ndescription: x\nrun: { js: "return 1" }\n');
  world.folder.write(
    'workspace/use.flow.yaml',
    'flow: { name: Use }\nnodes: [{ id: t, type: tool, config: { tool: mine } }]\nedges: []\n',
  );
  const list = await engine.listTools();
  const problems = list.flatMap(({ problem }) => problem ?? []);
  expect(problems).toEqual([
    expect.objectContaining({ place: 'tools/bad.tool.yaml:1' }),
    {
      place: 'tools/other.tool.yaml:1',
      message: expect.stringContaining('already exists in tools/mine.tool.yaml.'),
    },
  ]);
  expect(list.find(({ name }) => name === 'mine')).toMatchObject({ usedBy: ['use.flow.yaml'], kind: 'js' });
  expect(await call()).toMatchObject({ result: 1 });
});

test('a tool of a pack has the name of its pack, and receives no secrets', async () => {
  world.folder.write(
    'workspace/.aipack/pack/custom/me/kit/pack.toml',
    '[pack]\nnamespace = "me"\nname = "kit"\nversion = "1.0.0"\n',
  );
  world.folder.write(
    'workspace/.aipack/pack/custom/me/kit/tools/one.tool.yaml',
    'tool_id: one\ndescription: One.\nrun: { js: "return 1" }\n',
  );
  world.folder.write(
    'workspace/.aipack/pack/custom/me/kit/tools/two.tool.yaml',
    'tool_id: two\ndescription: Two.\nrun: { command: { program: git, env: { A: "{{secret.API_TOKEN}}" } } }\n',
  );
  expect(await engine.tryTool({ tool: 'kit.one', params: {}, isAgreed: true })).toMatchObject({ result: 1 });
  const two = (await engine.listTools()).find(({ name }) => name === 'kit.two');
  expect(two?.problem?.message).toContain('A tool of a pack cannot use secrets.');
});

test('ends a tool that hangs with everything it has started', async () => {
  const code = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' });
    require('node:fs').writeFileSync('pids', process.pid + ' ' + child.pid); setInterval(() => {}, 1e6);`;
  writeTool(program(code), 'timeout_ms: 1500\n');
  expect(await call()).toMatchObject({ error_category: 'timeout', message: 'mine did not finish within 1500 ms.' });
  const file = world.folder.at('workspace/pids');
  if (!existsSync(file)) return;
  const pids = readFileSync(file, 'utf8').split(' ').map(Number);
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 20_000);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('ends a tool that outputs 1 GB, without keeping the data', async () => {
  const code = `const piece = Buffer.alloc(1 << 20, 120); let left = 1024; const more = () => { while (left-- > 0) if (!process.stdout.write(piece)) return process.stdout.once('drain', more); }; more();`;
  writeTool(program(code));
  const before = process.memoryUsage().rss;
  expect(await call()).toMatchObject({ status: 'error', metadata: { code: 'command.too-much-output' } });
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
});

test.each([
  ['console.log("{ not json")', /is not JSON: it begins with "\{ not json/],
  ['', /is not JSON: it is empty/],
  ['console.error("boom"); process.exit(3)', /ended with exit code 3: boom/],
  ['process.kill(process.pid, "SIGKILL")', process.platform === 'win32' ? /ended/ : /was ended by signal SIGKILL/],
])('a tool that runs %j fails with server_error and the reason', async (code, words) => {
  writeTool(program(code), 'output_schema: { type: object }\n');
  expect(await call()).toMatchObject({ error_category: 'server_error', message: expect.stringMatching(words) });
});

test("rejects a flow's secret in tool parameters before the run, whatever the tool runs", async () => {
  writeTool({ js: 'return input' });
  const text =
    'flow: { name: F }\nnodes: [{ id: t, type: tool, config: { tool: mine }, input: { a: "{{secret.API_TOKEN}}" } }]\nedges: []\n';
  expect(await refusalOf(engine, text)).toMatchObject({ code: 'flow.invalid' });
});
