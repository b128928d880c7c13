/** Tests malicious or severely broken tools and manifests. */
import { existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
  engine = await world.engine({ ...process.env });
});
afterEach(() => world.close());

function writeTool(run: JsonMap, more = 'input_schema: { type: object }\n', name = 'mine'): void {
  const text = `tool_id: ${name}\ndescription: Mine.\n${more}run: ${JSON.stringify(run)}\n`;
  world.folder.write(`workspace/tools/${name}.tool.yaml`, text);
}

const call = (params: JsonMap = {}) => engine.tryTool({ tool: 'mine', params, isAgreed: true });

const program = (code: string): JsonMap => ({ command: { program: process.execPath, args: ['-e', code] } });

const isAlive = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/**
 * Each process starts the next in a separate session. The ones in between end, so that no known process is the parent
 * of the last one.
 */
const chain = `const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const step = 'const left = Number(process.argv[1]); require("node:fs").appendFileSync("pids", process.pid + " "); if (left > 0) { require("node:child_process").spawn(process.execPath, ["-e", process.env.STEP, String(left - 1)], { detached: true, stdio: "ignore" }).unref(); } else setInterval(() => {}, 1e6);';
appendFileSync('pids', process.pid + ' ');
spawn(process.execPath, ['-e', step, '3'], { detached: true, stdio: 'ignore', env: { ...process.env, STEP: step } }).unref();
setInterval(() => {}, 1e6);`;

const pidsIn = (): readonly number[] => {
  const file = world.folder.at('workspace/pids');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : [];
};

describe.skipIf(process.platform !== 'linux')('a tool that forks, and leaves its session and its parents', () => {
  test('is ended with all of them on a timeout', async () => {
    writeTool(program(chain), 'timeout_ms: 1500\ninput_schema: { type: object }\n');
    expect(await call()).toMatchObject({ error_category: 'timeout' });
    await vi.waitFor(() => expect(pidsIn().filter(isAlive)).toEqual([]), 20_000);
  });

  test('is ended with all of them when its run is canceled', async () => {
    writeTool(program(chain));
    const text = 'flow: { name: F }\nnodes: [{ id: t, type: tool, input: {}, config: { tool: mine } }]\nedges: []\n';
    const { runId } = await engine.startRun({ path: 'call.flow.yaml', text, inputs: {} });
    await vi.waitFor(() => expect(pidsIn()).toHaveLength(5), 20_000);
    await engine.cancelRun(runId);
    await engine.whenEnded(runId);
    expect((await engine.readEvents(runId, -1, 1000)).at(-1)?.event).toMatchObject({ status: 'cancelled' });
    await vi.waitFor(() => expect(pidsIn().filter(isAlive)).toEqual([]), 20_000);
  });
});

test('an output that does not match its schema fails, and is not a result', async () => {
  writeTool({ js: 'return { days: "many" };' }, 'output_schema: { properties: { days: { type: integer } } }\n');
  expect(await call()).toMatchObject({
    error_category: 'server_error',
    retryable: false,
    message: 'The output of mine does not match its output schema: days: expected a whole number, found "many".',
  });
});

test('a response of 200 MB is not read completely', async () => {
  const piece = Buffer.alloc(1 << 20, 120);
  let sent = 0;
  const server = createServer((_request, response) => {
    const more = (): void => {
      while (sent < 200 && !response.destroyed) {
        sent += 1;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    writeTool({ http: { url: `http://127.0.0.1:${port}/` } });
    expect(await call()).toMatchObject({ error_category: 'validation_error', metadata: { code: 'web.too-large' } });
    expect(sent).toBeLessThan(100);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('12.7 does not follow a redirect to a host that the policy does not allow', async () => {
  const { host, port } = new URL(world.base);
  world.folder.write('workspace/millrace.policy.yaml', `allowed_hosts: ["${host}"]\n`);
  world.answer = () => ({ status: 302, headers: { location: `http://localhost:${port}/inside` }, body: '' });
  writeTool({ http: { url: `${world.base}/` } });
  expect(await call()).toMatchObject({ error_category: 'auth_error', metadata: { code: 'effect.denied' } });
  expect(world.heard.map(({ url }) => url)).toEqual(['/']);
});

test('a tool cannot access a private address in an untrusted workspace', async () => {
  writeTool({ http: { url: `${world.base}/` } });
  const untrusted = await world.untrusted({ ...process.env });
  const result = await untrusted.tryTool({ tool: 'mine', params: {}, isAgreed: true });
  expect(result).toMatchObject({ error_category: 'auth_error', message: expect.stringContaining('private-address') });
  expect(world.heard).toEqual([]);
});

test('params named like Object properties have no side effects, and only given values are filled in', async () => {
  const params = JSON.parse(
    '{ "__proto__": { "isAdmin": true }, "constructor": { "prototype": { "isAdmin": true } } }',
  );
  writeTool({ js: 'return { keys: Object.keys(input), is: ({}).isAdmin ?? null };' });
  expect(await call(params)).toMatchObject({ result: { is: null } });
  expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  writeTool({ http: { url: `${world.base}/{{params.toString}}` } });
  expect((await call()).status).toBe('error');
  expect(world.heard).toEqual([]);
  writeTool({ js: 'return 1' }, 'input_schema: { type: object, properties: {}, additionalProperties: false }\n');
  expect(await call(params)).toMatchObject({ error_category: 'validation_error' });
});

describe('manifests', () => {
  const problemOf = async (name: string) => (await engine.listTools()).find((tool) => tool.name === name)?.problem;

  test('of 50 MB are not read, and reported', async () => {
    writeTool({ js: 'return 1' });
    writeTool({ js: 'return 1' }, '', 'large');
    truncateSync(world.folder.at('workspace/tools/large.tool.yaml'), 50 * 2 ** 20);
    expect(await problemOf('large')).toMatchObject({ message: expect.stringContaining('larger than 1 MiB') });
    expect((await call()).status).toBe('success');
  });

  test('nested 10,000 levels deep are reported as a problem', async () => {
    writeTool({ js: 'return 1' });
    const deep = `tool_id: deep\ndescription: x\ninput_schema: ${'{ a: '.repeat(10_000)}1${' }'.repeat(10_000)}\n`;
    world.folder.write('workspace/tools/deep.tool.yaml', deep);
    expect(await problemOf('deep')).toMatchObject({ place: expect.stringMatching(/^tools\/deep\.tool\.yaml:\d+$/) });
    expect((await call()).status).toBe('success');
  });

  test('are read up to 1,000 in a folder, and the next one is reported', async () => {
    for (let n = 0; n < 1_005; n++) {
      const name = `t${String(n).padStart(5, '0')}`;
      const text = `tool_id: ${name}\ndescription: x\nrun: { js: "return ${n}" }\n`;
      world.folder.write(`workspace/tools/${name}.tool.yaml`, text);
    }
    const tools = (await engine.listTools()).filter(({ kind }) => kind === 'js');
    expect(tools.filter(({ problem }) => problem === undefined)).toHaveLength(1_000);
    expect(tools.flatMap(({ problem }) => problem ?? [])).toEqual([
      {
        place: 'tools/t01000.tool.yaml:1',
        message: expect.stringContaining('has 1005 manifests. Only the first 1000'),
      },
    ]);
    expect(await engine.tryTool({ tool: 't00999', params: {} })).toMatchObject({ result: 999 });
  });

  test('that are folders or cannot be read are reported as problems', async () => {
    mkdirSync(world.folder.at('workspace/tools/folder.tool.yaml'), { recursive: true });
    expect(await problemOf('folder')).toMatchObject({ message: 'This is not a file.' });
  });
});
