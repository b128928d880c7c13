/** Tests external JSON that is nested too deeply for any recursive code. */
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const lists = deep(100_000);
const maps = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(request.url === '/maps' ? maps : lists);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const flow = (nodes: string): string => `flow: { name: Deep, input: { x: null } }\nnodes:\n${nodes}\nedges: []\n`;

/** Expects an error message without a stack trace. */
function expectWords(result: { readonly code: number | null; readonly stdout: string; readonly stderr: string }): void {
  const said = result.stdout + result.stderr;
  expect(said).not.toMatch(/Maximum call stack|RangeError|\n\s+at /);
  expect(said).toMatch(/is nested more than 500 levels deep|nested (?:too deeply|more than)|too deep/);
  expect(result.code).not.toBe(0);
}

describe('values passed to a command', () => {
  test.each([
    ['--input', ['run', 'a.flow.yaml', '--input', `x=${deep(5_000)}`]],
    ['--input-file', ['run', 'a.flow.yaml', '--input-file', 'maps.json']],
    ['--input-file with a list inside', ['run', 'a.flow.yaml', '--input-file', 'inside.json']],
    ['--pin', ['run', 'a.flow.yaml', '--pin', 'echo=lists.json']],
    ['--params of a tool', ['tools', 'try', 'core.json_query', '--params', 'inside.json']],
    ['resume --answer', ['resume', 'none', '--answer', 'lists.json']],
    ['resume --answer with a map', ['resume', 'none', '--answer', 'maps.json']],
    ['a cassette', ['run', 'a.flow.yaml', '--cassette', 'lists.json', '--mode', 'replay']],
    ['a script of a chat', ['chat', 'a.catalogue.yaml', '--script', 'lists.json']],
    ['a flow file', ['validate', 'deep.flow.yaml']],
    ['a flow file that runs', ['run', 'deep.flow.yaml']],
    ['a manifest of a tool', ['run', 'tool.flow.yaml']],
  ])('%s is rejected with a message', async (_, args) => {
    cli.write('a.flow.yaml', flow('  - { id: echo, type: echo, input: { text: a } }'));
    cli.write('lists.json', lists);
    cli.write('maps.json', maps);
    cli.write('inside.json', `{"x":${lists}}`);
    cli.write('deep.flow.yaml', flow(`  - { id: echo, type: echo, input: { text: ${lists} } }`));
    cli.write('tool.flow.yaml', flow('  - { id: t, type: tool, input: {}, config: { tool: deep } }'));
    cli.write(
      'tools/deep.tool.yaml',
      `tool_id: deep\ndescription: x\ninput_schema: ${maps}\nrun: { js: "return 1" }\n`,
    );
    cli.write('a.catalogue.yaml', 'catalogue: { name: A }\n');
    expectWords(await cli.call(args));
  });
});

describe('responses of web servers', () => {
  test.each([
    ['lists', 'parse: json'],
    ['maps', 'parse: json'],
  ])('http.request with %s and %s fails with a message', async (path, more) => {
    cli.write(
      'a.flow.yaml',
      flow(`  - { id: get, type: http.request, input: { url: "${url}/${path}" }, config: { ${more} } }`),
    );
    expectWords(await cli.call(['run', 'a.flow.yaml', '--trust']));
  });

  test('http.request with parse: auto returns them as text', async () => {
    cli.write('a.flow.yaml', flow(`  - { id: get, type: http.request, input: { url: "${url}/maps" } }`));
    const { code, stderr } = await cli.call(['run', 'a.flow.yaml', '--trust']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  });
});

describe('millrace mcp', () => {
  beforeAll(() => builtPart('cli'), 60_000);

  test.each([
    ['lists', `{"path":"a.flow.yaml","inputs":{"x":${lists}}}`],
    ['maps', maps],
  ])('arguments of %s get a JSON-RPC error, and the server keeps running', async (_, deepArguments) => {
    cli.write('a.flow.yaml', flow('  - { id: echo, type: echo, input: { text: "{{input.x}}" } }'));
    const program = path.join(await builtPart('cli'), 'cli.cjs');
    const server = spawn(process.execPath, [program, 'mcp', '--workspace', cli.folder], {
      env: { MILLRACE_HOME: path.join(cli.folder, 'home') },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => server.once('close', () => resolve('ended')));
    const lines = createInterface({ input: server.stdout });
    const ask = async (id: number, method: string, params: string): Promise<unknown> => {
      const answer = new Promise((resolve) =>
        lines.on('line', (line) => {
          const message = JSON.parse(line);
          if (message.id === id) resolve(message);
        }),
      );
      server.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
      return await Promise.race([answer, ended]);
    };
    const client = '"capabilities":{},"clientInfo":{"name":"t","version":"1"}';
    await ask(1, 'initialize', `{"protocolVersion":"2025-06-18",${client}}`);
    server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    expect(await ask(2, 'tools/call', `{"name":"run","arguments":${deepArguments}}`)).toMatchObject({
      id: 2,
      error: { code: -32602, message: expect.stringContaining('nested more than 500 levels deep') },
    });
    expect(await ask(3, 'tools/list', '{}')).toMatchObject({ id: 3, result: { tools: expect.any(Array) } });
    server.stdin.end();
    await ended;
  });
});
