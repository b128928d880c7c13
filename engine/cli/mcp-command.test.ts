import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
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
    return (result.structuredContent ?? {}) as Record<string, unknown>;
  };

  test('12.9 flows are tools with the schema of their inputs, and no tool approves or resumes', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    const own = [
      ...['validate', 'plan', 'run', 'explain', 'read_run', 'node_types', 'run_tests'],
      ...['propose_edit', 'proposal_status', 'list_proposals', 'list_flows'],
    ];
    expect(names).toEqual([...own, 'hello', 'more__asks']);
    expect(tools.find(({ name }) => name === 'hello')?.inputSchema).toMatchObject({
      type: 'object',
      properties: { who: { default: 'world' } },
    });
    expect(tools.find(({ name }) => name === 'more__asks')?.description).toContain('Asks a person.');
    const done = await call('hello', { who: 'you' });
    expect(done).toMatchObject({ status: 'completed', number: 1 });
    expect(JSON.stringify(await call('read_run', { run: '1' }))).toContain('hello you 1');
    expect(stderr).toBe('');
  });

  test('a coding agent validates, runs, reads, explains and plans', async () => {
    expect(await call('validate', { path: 'hello.flow.yaml' })).toEqual({
      ...{ valid: true, problems: [] },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
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
    const asked = await call('more__asks');
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

  describe('proposals', () => {
    const file = 'hello.flow.yaml';
    const polite = helloFlow.replace('"hello', '"good day');
    const read = (name: string): string => readFileSync(path.join(cli.folder, name), 'utf8');
    const hash = async (): Promise<unknown> => (await call('validate', { path: file }))['hash'];
    const records = (): string[] =>
      existsSync(path.join(cli.folder, '.millrace/proposals'))
        ? readdirSync(path.join(cli.folder, '.millrace/proposals'))
        : [];

    const missing = { file: 'new.flow.yaml', changes: [{ do: 'rename', id: 'greet', to: 'x' }] };

    const ask = { id: 'ask', type: 'human_approval', message: 'Send it?' };

    test.each([
      ['new.flow.yaml', helloFlow, expect.stringContaining('nodes: []')],
      ['new.flow.yaml', `id: asks\nsteps:\n  - ${JSON.stringify(ask)}\n`, 'id: "asks"\nsteps: []\n'],
      ['products/desk/flows/new.json', JSON.stringify({ id: 'asks', steps: [ask] }), expect.stringMatching(/^\{/)],
    ])('13.7 a proposal for the missing %s begins a new flow, and creates no file', async (name, text, base) => {
      const { proposalId } = await call('propose_edit', { file: name, title: 'Begin', text });
      expect(await call('proposal_status', { proposalId })).toMatchObject({ status: 'pending', fileChanged: false });
      expect(await call('validate', { proposalId })).toMatchObject({ valid: true });
      expect(JSON.parse(read(`.millrace/proposals/${proposalId}.json`))).toMatchObject({ base, text });
      expect(existsSync(path.join(cli.folder, name))).toBe(false);
    });

    test('13.7 a proposal is pending at once, leaves the flow unchanged, and can be checked and planned', async () => {
      await call('hello');
      const proposed = await call('propose_edit', { file, title: 'Be polite', text: polite });
      expect(proposed).toEqual({ proposalId: expect.any(String), status: 'pending' });
      const { proposalId } = proposed;
      expect(read(file)).toBe(helloFlow);
      expect(await call('proposal_status', { proposalId })).toMatchObject({
        ...{ proposalId, file, title: 'Be polite', status: 'pending', fileChanged: false },
      });
      expect(await call('list_proposals')).toMatchObject({ proposals: [{ proposalId, by: 'test' }], problems: [] });
      expect(await call('validate', { proposalId })).toMatchObject({ valid: true });
      expect(await call('plan', { run: '1' })).toMatchObject({ steps: [{ fate: 'reused' }, {}] });
      expect(await call('plan', { run: '1', proposalId })).toMatchObject({ steps: [{ fate: 'runs' }, {}] });
      cli.write(file, `${helloFlow}\n`);
      expect(await call('proposal_status', { proposalId })).toMatchObject({ status: 'pending', fileChanged: true });
    });

    test('changes apply to the text with the hash, and keep the rest of the file', async () => {
      const changes = [
        { do: 'set-node', id: 'greet', path: ['input', 'text'], value: 'good day' },
        { do: 'set-node', id: 'never', path: ['when'] },
        { do: 'rename', id: 'never', to: 'after' },
      ];
      const baseHash = await hash();
      const { proposalId } = await call('propose_edit', { file, title: 'Change', changes, baseHash });
      const record = JSON.parse(read(`.millrace/proposals/${proposalId}.json`));
      expect(record.text).toBe(
        helloFlow
          .replace('"hello {{flow.input.who}} {{flow.input.times}}"', '"good day"')
          .replace(', when: { equals: { var: greet.text, value: no } }', '')
          .replaceAll('never', 'after'),
      );
      cli.write(file, `${helloFlow}\n`);
      const late = call('propose_edit', { file, title: 'Change', changes, baseHash });
      await expect(late).rejects.toThrow('proposal.changed-base');
    });

    test('13.7 a text with problems is refused with these problems', async () => {
      const text = helloFlow.replace('type: echo', 'type: ecko');
      const refused = call('propose_edit', { file, title: 'Break', text });
      await expect(refused).rejects.toThrow(/flow\.invalid.*node\.unknown-type/s);
      expect(records()).toEqual([]);
    });

    test.each([
      ['a path outside', { file: '../x.flow.yaml' }, 'files.outside'],
      ['an absolute path', { file: '/etc/passwd' }, 'files.'],
      ['a former text of a missing flow', { file: 'new.flow.yaml', baseHash: '0'.repeat(64) }, 'files.not-found'],
      ['a change of a missing flow', { ...missing, text: undefined }, 'files.not-found'],
      ['no title', { title: '' }, 'Invalid arguments'],
      ['no edit', { text: undefined }, 'either text or changes'],
      ['both edits', { changes: [{ do: 'rename', id: 'greet', to: 'x' }] }, 'either text or changes'],
      ['no change', { text: helloFlow }, 'proposal.nothing'],
      ['a wrong type', { text: 7 }, 'Invalid arguments'],
      ['an unknown argument', { status: 'applied' }, 'Invalid arguments'],
      ['no flow', { text: 'flow: {' }, 'flow.invalid'],
      ['an empty text', { text: '' }, 'flow.invalid'],
      ['a huge text', { text: `${polite}\n${'#'.repeat(5 * 1024 * 1024)}` }, 'flow.invalid'],
    ])('%s is refused and nothing is stored', async (_, wrong, message) => {
      const refused = call('propose_edit', { file, title: 'Change', text: polite, ...wrong });
      await expect(refused).rejects.toThrow(message);
      expect(records()).toEqual([]);
      expect(read(file)).toBe(helloFlow);
    });

    test.each([
      [{ do: 'extract', nodes: ['greet'], file: 'x.flow.yaml', name: 'x' }, 'Invalid arguments'],
      [{ do: 'set-node', id: 'gone', path: ['input', 'text'], value: 'x' }, 'edit.refused'],
      [{ do: 'set-node', id: 'greet', path: ['__proto__', 'polluted'], value: 'x' }, 'edit.refused'],
      [{ do: 'add', nodes: [{ id: 'x', type: 'ecko', input: {} }] }, 'node.unknown-type'],
      [{ do: 'add', nodes: [{ id: 'x' }] }, 'Invalid arguments'],
      [{ do: 'remove', nodes: 'greet', edges: [] }, 'Invalid arguments'],
      [{ do: 'splice', node: 'greet', edge: '../x' }, 'edit.refused'],
    ])('the change %j is refused and nothing is stored', async (change, message) => {
      const refused = call('propose_edit', { file, title: 'Change', changes: [change], baseHash: await hash() });
      await expect(refused).rejects.toThrow(message);
      expect(records()).toEqual([]);
    });

    test('proposals that do not exist are errors of the caller', async () => {
      for (const tool of ['proposal_status', 'validate'])
        await expect(call(tool, { proposalId: '../../hello' })).rejects.toThrow('proposal.not-found');
      await expect(call('validate', {})).rejects.toThrow('proposalId');
      const { proposalId } = await call('propose_edit', { file, title: 'Change', text: polite });
      await expect(call('validate', { proposalId, text: polite })).rejects.toThrow('Pass either');
      await call('more__asks');
      await expect(call('plan', { run: '1', proposalId })).rejects.toThrow('more/asks.flow.yaml');
    });
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
