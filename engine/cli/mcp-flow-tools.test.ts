/** Tests the tools that `millrace mcp` offers for flows and agents: their names, arguments, results and progress. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';
import { connectMcpClient } from '../testing/mcp-client.ts';
import { toolNameOf } from './actions/mcp-flow-tools.ts';

const none = new Set<string>();

describe('names of tools', () => {
  test.each([
    ['hello.flow.yaml', 'hello'],
    ['flows/orders/triage-2.flow.yaml', 'flows__orders__triage-2'],
    ['Agents/Triage.aip', 'Agents__Triage_agent'],
  ])('13.9 the tool of %s is %s', (file, name) => expect(toolNameOf(file, none)).toBe(name));

  test('13.9 every path has its own name, which every client accepts', () => {
    const paths = [
      ...[
        'a/b.flow.yaml',
        'a__b.flow.yaml',
        'a_b.flow.yaml',
        'a b.flow.yaml',
        'a-b.flow.yaml',
        'a.b.flow.yaml',
        'A/b.flow.yaml',
      ],
      ...['x.flow.yaml', 'x.flow.yml', 'x.flow.json', 'x.aip', 'x_agent.flow.yaml', 'x/agent.flow.yaml'],
      ...[
        'é.flow.yaml',
        'e.flow.yaml',
        '日本.flow.yaml',
        '2.flow.yaml',
        '_.flow.yaml',
        '_a.flow.yaml',
        'a_/b.flow.yaml',
        'a/_b.flow.yaml',
      ],
      ...[`${'long/'.repeat(30)}x.flow.yaml`, `${'long/'.repeat(31)}x.flow.yaml`, `${'y'.repeat(200)}.flow.yaml`],
      ...['run.flow.yaml', 'validate.flow.yaml'],
    ];
    const reserved = new Set(['run', 'validate']);
    const names = paths.map((one) => toolNameOf(one, reserved));
    for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
    expect(new Set(names).size).toBe(paths.length);
    expect(names.filter((name) => reserved.has(name))).toEqual([]);
  });
});

describe('millrace mcp', () => {
  const cli = setUpCli();
  let client: Client | undefined;
  beforeAll(() => builtPart('cli'), 60_000);
  afterEach(async () => {
    await client?.close();
    client = undefined;
  });

  async function listed(): Promise<readonly string[]> {
    client ??= await connectMcpClient(cli.folder);
    const { tools } = await client.listTools();
    const at = tools.findIndex(({ name }) => name === 'list_flows');
    return tools.slice(at + 1).map(({ name }) => name);
  }

  async function call(name: string, args: Record<string, unknown> = {}, options = {}): Promise<CallToolResult> {
    client ??= await connectMcpClient(cli.folder);
    return (await client.callTool({ name, arguments: args }, options)) as CallToolResult;
  }

  const textOf = ({ content }: CallToolResult): string =>
    content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  const named = (name: string, more = ''): string =>
    `flow: { name: ${name}${more} }\nnodes: [{ id: a, type: echo, input: { text: ${name} } }]\nedges: []\n`;

  test('13.9 adding and removing files never gives a name to another flow', async () => {
    cli.write('b/slow.flow.yaml', named('Slow'));
    expect(await listed()).toEqual(['b__slow']);
    cli.write('a/slow.flow.yaml', named('Slow'));
    cli.write('slow.flow.yaml', named('Slow'));
    expect(await listed()).toEqual(['a__slow', 'b__slow', 'slow']);
    rmSync(path.join(cli.folder, 'a/slow.flow.yaml'));
    expect(textOf(await call('a__slow'))).toContain('does not exist');
    expect(await call('b__slow')).toMatchObject({ structuredContent: { status: 'completed' } });
  });

  test('13.9 a flow may choose its name, and two flows with one name are both refused', async () => {
    cli.write('a.flow.yaml', named('A', ', toolName: make_a'));
    expect(await listed()).toEqual(['make_a']);
    cli.write('b.flow.yaml', named('B', ', toolName: make_a'));
    cli.write('c.flow.yaml', named('C', ', toolName: run'));
    expect(await listed()).toEqual([]);
    const { structuredContent } = await call('list_flows');
    expect(structuredContent).toMatchObject({
      flows: [
        { path: 'a.flow.yaml', problem: expect.stringContaining('"make_a"') },
        { path: 'b.flow.yaml', problem: expect.stringContaining('"make_a"') },
        { path: 'c.flow.yaml', problem: expect.stringContaining('name of a tool of Millrace') },
      ],
    });
  });

  test('13.9 a broken flow is listed with its reason, not offered, and offered when it is mended', async () => {
    cli.write('broken.flow.yaml', 'flow: {');
    cli.write('odd.flow.yaml', named('Odd', ', toolName: "a b"'));
    expect(await listed()).toEqual([]);
    expect((await call('list_flows')).structuredContent).toMatchObject({
      flows: [
        { path: 'broken.flow.yaml', problem: expect.stringMatching(/^Line \d/) },
        { path: 'odd.flow.yaml', problem: expect.stringContaining('toolName') },
      ],
    });
    expect(textOf(await call('broken'))).toContain('broken.flow.yaml is not offered: Line');
    cli.write('broken.flow.yaml', named('Mended'));
    expect(await listed()).toEqual(['broken']);
  });

  test('13.9 a flow whose called flow is added later is offered then', async () => {
    const calls = `flow: { name: Outer }\nnodes: [{ id: a, type: flow, input: { flow: ./inner.flow.yaml, inputs: {} } }]\nedges: []\n`;
    cli.write('outer.flow.yaml', calls);
    expect(await listed()).toEqual([]);
    cli.write('inner.flow.yaml', named('Inner'));
    await vi.waitUntil(async () => (await listed()).length === 2);
  });

  test('13.9 unknown arguments are refused with the known ones', async () => {
    cli.write('hello.flow.yaml', helloFlow);
    cli.write('plain.flow.yaml', named('"{{flow.input.who}}"'));
    cli.write(
      'free.flow.yaml',
      'flow: { name: Free }\nnodes: [{ id: a, type: echo, input: { text: "{{flow.input}}" } }]\nedges: []\n',
    );
    const refused = await call('hello', { whom: 'you' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('no input "whom". It has: who, times.');
    expect(textOf(await call('plain', { other: 1 }))).toContain('It has: who.');
    expect(await call('plain', { who: 'you' })).toMatchObject({ structuredContent: { status: 'completed' } });
    expect(await call('free', { other: 1 })).toMatchObject({ structuredContent: { status: 'completed' } });
    cli.write('typed.flow.yaml', named('Typed', ', inputs: { times: { type: integer } }'));
    expect((await call('typed', { times: 'many' })).isError).toBe(true);
    expect((await call('read_run', { nothing: 1 })).isError).toBe(true);
  });

  test('13.9 a failed run is an error with its reason, and a waiting one is not', async () => {
    cli.write(
      'fails.flow.yaml',
      'flow: { name: Fails }\nnodes: [{ id: a, type: control.fail, input: { message: out of paper } }]\nedges: []\n',
    );
    cli.write(
      'asks.flow.yaml',
      'flow: { name: Asks }\nnodes: [{ id: ask, type: human_approval, input: { title: OK? } }]\nedges: []\n',
    );
    const result = await call('fails');
    expect(result).toMatchObject({ isError: true, structuredContent: { status: 'failed' } });
    expect(textOf(result)).toContain('out of paper');
    expect(await call('run', { path: 'fails.flow.yaml' })).toMatchObject({ isError: true });
    const waits = await call('asks');
    expect(waits).toMatchObject({ structuredContent: { status: 'suspended' } });
    expect(waits.isError).not.toBe(true);
  });

  test('13.9 descriptions are cut and cleaned', async () => {
    const hidden = `\\u202eevil\\u200b ${'very long '.repeat(300)}`;
    cli.write(
      'long.flow.yaml',
      `flow: { name: Long, description: "${hidden}", inputs: { a: { type: string, description: "x\\u202ey" } } }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: []\n`,
    );
    client = await connectMcpClient(cli.folder);
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'long');
    expect(tool?.description?.length).toBeLessThanOrEqual(1_024);
    expect(tool?.description).toMatch(/^evil very long .* Runs the flow long\.flow\.yaml\.$/);
    expect(JSON.stringify(tool)).not.toMatch(/\u202e|\u200b/);
  });

  test('13.9 agents are offered, and process the items of the call', async () => {
    cli.write('agents/shout.aip', '# Output\n\n```lua\nreturn string.upper(input)\n```\n');
    expect(await listed()).toEqual(['agents__shout_agent']);
    const result = await call('agents__shout_agent', { inputs: ['hi', 'you'] });
    expect(textOf(result)).toContain('HI');
    expect(await call('run', { path: 'agents/shout.aip', items: ['hi'] })).toMatchObject({
      structuredContent: { status: 'completed' },
    });
    expect(textOf(await call('run', { path: 'agents/shout.aip', inputs: { a: 1 } }))).toContain('items, not inputs');
    expect((await call('agents__shout_agent', { items: ['hi'] })).isError).toBe(true);
  });

  test('13.9 a client that asks for it gets progress', async () => {
    const nodes = Array.from({ length: 3 }, (_, n) => `{ id: n${n}, type: echo, input: { text: x } }`).join(', ');
    cli.write('steps.flow.yaml', `flow: { name: Steps }\nnodes: [${nodes}]\nedges: []\n`);
    const reports: unknown[] = [];
    await call('steps', {}, { onprogress: (report: unknown) => reports.push(report) });
    expect(reports[0]).toMatchObject({ progress: expect.any(Number), message: expect.stringContaining('ended') });
  });

  test('13.9 more than 200 flows are listed, and the rest can be run by path', async () => {
    for (let n = 0; n < 210; n++) cli.write(`many/f${n}.flow.yaml`, named(`F${n}`));
    expect(await listed()).toHaveLength(200);
    const { structuredContent } = await call('list_flows');
    const { flows } = structuredContent as { flows: readonly { path: string; problem?: string }[] };
    const rest = flows.filter(({ problem }) => problem !== undefined);
    expect(rest).toHaveLength(10);
    expect(rest[0]?.problem).toContain('"run"');
    expect(await call('run', { path: rest[0]?.path })).toMatchObject({ structuredContent: { status: 'completed' } });
  });
});
