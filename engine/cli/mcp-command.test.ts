import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';
import { writeMcpProgram } from '../testing/mcp-program.ts';

const cli = setUpCli();

const askingFlow = `
flow: { name: Asks, description: Asks a person. }
nodes:
  - { id: ask, type: human_approval, input: { title: May it go on? } }
edges: []`;

describe('millrace mcp, used by a protocol client', () => {
  let client: Client;
  let stderr = '';

  beforeAll(() => builtPart('cli'), 60_000);
  beforeEach(async () => {
    cli.write('hello.flow.yaml', helloFlow);
    cli.write('more/asks.flow.yaml', askingFlow);
    cli.write('broken.flow.yaml', 'flow: {');
    cli.write('wrong.flow.yaml', 'flow: { name: Wrong }\nnodes:\n  - { id: a, type: ecko, input: {} }\nedges: []\n');
    client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [path.join(await builtPart('cli'), 'cli.cjs'), 'mcp', '--workspace', cli.folder],
      env: { MILLRACE_HOME: path.join(cli.folder, 'home') },
      stderr: 'pipe',
    });
    stderr = '';
    transport.stderr?.on('data', (piece) => {
      stderr += String(piece);
    });
    const garbage: Error[] = [];
    client.onerror = (error) => garbage.push(error);
    await client.connect(transport);
    expect(garbage).toEqual([]);
  });
  afterEach(() => client.close());

  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
    if (result.isError === true) throw new Error(JSON.stringify(result.content));
    return result.structuredContent ?? {};
  };

  test('12.9 flows are tools with the schema of their inputs, and no tool approves or resumes', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    const own = ['validate', 'plan', 'run', 'explain', 'read_run', 'node_types'];
    expect(names).toEqual([...own, 'hello', 'asks', 'wrong']);
    expect(tools.find(({ name }) => name === 'hello')?.inputSchema).toMatchObject({
      type: 'object',
      properties: { who: { default: 'world' } },
    });
    expect(tools.find(({ name }) => name === 'asks')?.description).toContain('Asks a person.');
    const done = await call('hello', { who: 'you' });
    expect(done).toMatchObject({ status: 'completed', number: 1 });
    expect(JSON.stringify(await call('read_run', { run: '1' }))).toContain('hello you 1');
    expect(stderr).toBe('');
  });

  test('a coding agent validates, runs, reads, explains and plans', async () => {
    expect(await call('validate', { path: 'hello.flow.yaml' })).toEqual({ valid: true, problems: [] });
    expect(await call('validate', { path: 'wrong.flow.yaml' })).toMatchObject({
      valid: false,
      problems: [{ line: 3, code: 'node.unknown-type', message: expect.stringContaining('echo') }],
    });
    const { runId } = await call('run', { path: 'hello.flow.yaml', inputs: { times: 3 } });
    expect(await call('read_run', { run: runId, events: 5 })).toMatchObject({
      status: 'completed',
      nodes: [
        { nodeId: 'greet', status: 'completed' },
        { nodeId: 'never', status: 'skipped' },
      ],
      events: expect.arrayContaining([expect.objectContaining({ seq: 0 })]),
    });
    expect(await call('read_run')).toMatchObject({ runs: [{ runId, sourcePath: 'hello.flow.yaml' }] });
    expect(await call('explain', { run: '1', node: 'never' })).toMatchObject({
      status: 'skipped',
      why: expect.stringContaining('its own condition'),
      edges: [{ from: 'greet', fired: true }],
    });
    expect(await call('explain', { run: '1', node: 'greet' })).toMatchObject({ why: expect.stringContaining('ran') });
    await expect(call('explain', { run: '1', node: 'gret' })).rejects.toThrow('greet, never');
    cli.write('hello.flow.yaml', helloFlow.replace('"hello', '"good day'));
    expect(await call('plan', { run: '1' })).toMatchObject({
      steps: [{ nodeId: 'greet', fate: 'runs' }, { nodeId: 'never' }],
    });
    expect(await call('node_types')).toMatchObject({ types: expect.arrayContaining([{ ...anyType, type: 'echo' }]) });
    expect(await call('node_types', { type: 'echo' })).toMatchObject({ input: { type: 'object' } });
  });

  const anyType = {
    title: expect.any(String),
    description: expect.any(String),
    category: expect.any(String),
    effects: 'pure',
  };

  test('12.9 a run that asks is returned as suspended, with instructions for a person', async () => {
    const asked = await call('asks');
    expect(asked).toMatchObject({
      status: 'suspended',
      waiting: [{ node: 'ask' }],
      howToAnswer: expect.stringContaining('millrace resume 1 --node'),
    });
  });

  test('errors of the caller are results that explain them', async () => {
    await expect(call('run', { path: '../outside.flow.yaml' })).rejects.toThrow('files.outside');
    await expect(call('run', { path: 'missing.flow.yaml' })).rejects.toThrow('files.not-found');
    await expect(call('run', { path: 'wrong.flow.yaml' })).rejects.toThrow('node.unknown-type');
    await expect(call('run', { pth: 'hello.flow.yaml' })).rejects.toThrow('Invalid arguments');
    await expect(call('read_run', { run: '77' })).rejects.toThrow('run.not-found');
    await expect(call('nothing')).rejects.toThrow(/Tool .*nothing.* does not exist/);
    await expect(call('node_types', { type: 'ecko' })).rejects.toThrow(/Node type .*ecko.* does not exist/);
  });
});

describe('millrace mcp servers', () => {
  test('starts the servers and lists their tools if the workspace is trusted', async () => {
    const none = await cli.call(['mcp', 'servers']);
    expect(none).toMatchObject({ code: 0, stdout: '' });
    const servers = { test: writeMcpProgram(cli.folder), gone: { command: 'no-such-program' }, bad: 7 };
    cli.write('.mcp.json', JSON.stringify({ mcpServers: servers }));
    const untrusted = await cli.call(['mcp', 'servers']);
    expect(untrusted.stdout).toContain('test  untrusted');
    const { code, stdout } = await cli.call(['mcp', 'servers', '--trust']);
    expect(code).toBe(1);
    expect(stdout).toContain('test.echo  (requires approval at the first call)');
    expect(stdout).toContain('could not be started: the program or its folder (cwd) does not exist');
    expect(stdout).toContain('.mcp.json:1:');
    const json = await cli.call(['mcp', 'servers', '--trust', '--json']);
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['test', 'gone', 'bad']);
  });
});

describe('a flow with a tool of an MCP server', () => {
  const tools = [
    {
      name: 'note',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      annotations: { openWorldHint: false },
    },
  ];
  const flow = `
flow: { name: Notes }
nodes:
  - { id: note, type: tool, config: { tool: test.note }, input: { text: first } }
edges: []`;

  test("13.17 asks before the first call, uses the person's edits, and does not ask again once the workspace allows the tool", async () => {
    cli.write('.mcp.json', JSON.stringify({ mcpServers: { test: writeMcpProgram(cli.folder, { tools }) } }));
    cli.write('notes.flow.yaml', flow);
    expect((await cli.call(['run', 'notes.flow.yaml', '--trust'])).code).toBe(3);
    cli.write('answer.json', JSON.stringify({ approved: true, params: { text: 'edited' }, scope: 'workspace' }));
    const resumed = await cli.call(['resume', '1', '--answer', 'answer.json', '--trust']);
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('edited') });
    const second = await cli.call(['run', 'notes.flow.yaml', '--trust']);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('first') });
  });

  test('12.9 fails with a clear message in an untrusted workspace', async () => {
    cli.write('.mcp.json', JSON.stringify({ mcpServers: { test: writeMcpProgram(cli.folder, { tools }) } }));
    cli.write('notes.flow.yaml', flow);
    const { code, stdout } = await cli.call(['run', 'notes.flow.yaml']);
    expect(code).toBe(1);
    expect(stdout).toContain('not trusted');
  });
});
