import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

function write(path: string, text: string): void {
  world.folder.write(`workspace/${path}`, text);
}

/** Writes a tool that returns its own path. */
function tool(path: string, more = '', run = `js: 'return "${path}"'`): void {
  const id = /([^/]+)\.tool\.yaml$/.exec(path)?.[1];
  write(path, `tool_id: ${id}\ndescription: says whose it is\n${more}run: { ${run} }\n`);
}

const calling = (name: string): string =>
  `flow: { name: F }\nnodes:\n  - { id: a, type: tool, input: {}, config: { tool: "${name}" } }\nedges: []\n`;

async function run(path: string, text: string): Promise<readonly EventEnvelope[]> {
  write(path, text);
  const engine = await world.engine({});
  const { runId } = await engine.startRun({ path, text, inputs: {} });
  await engine.whenEnded(runId);
  return await engine.readEvents(runId, -1, 1000);
}

const ofType = <Type extends RunEvent['type']>(events: readonly EventEnvelope[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));

/** Returns the output of the flow. */
async function outputOf(path: string, text: string): Promise<JsonValue | undefined> {
  // Ends of child runs come before its own.
  const end = ofType(await run(path, text), 'run:end').at(-1);
  return (end?.output as { readonly a?: JsonValue } | undefined)?.a ?? end?.error?.message;
}

/** Returns why a flow is rejected before it runs, with the line. */
async function refusalOf(path: string, text: string): Promise<string | undefined> {
  write(path, text);
  const engine = await world.engine({});
  const error = await engine.startRun({ path, text, inputs: {} }).then(() => undefined, toErrorRecord);
  const [first] = (error?.details ?? []) as readonly Diagnostic[];
  return first === undefined ? error?.message : `${first.code} ${first.range.line}: ${first.message}`;
}

const p1 = 'products/p1/flows/f.flow.yaml';
const outside = 'f.flow.yaml';

describe('tools of products', () => {
  test('are called as <product>.<tool_id>, and listed with their product', async () => {
    tool('products/p1/tools/count.tool.yaml');
    tool('products/p1/tools/open.tool.yaml', 'shared: true\n');
    expect(await outputOf(p1, calling('p1.count'))).toBe('products/p1/tools/count.tool.yaml');
    const engine = await world.engine({});
    const listed = (await engine.listTools()).filter(({ product }) => product !== undefined);
    expect(listed).toMatchObject([
      { name: 'p1.count', product: 'p1', source: 'products/p1/tools/count.tool.yaml', usedBy: [p1] },
      { name: 'p1.open', product: 'p1', shared: true },
    ]);
    expect(listed[0]).not.toHaveProperty('shared');
  });

  test('can be tried by a person, under the policy of their product', async () => {
    tool('products/p1/tools/count.tool.yaml');
    const engine = await world.engine({});
    expect(await engine.tryTool({ tool: 'p1.count', params: {} })).toMatchObject({ status: 'success' });
    write('products/p1/policy.yaml', 'blocked_tools: [p1.count]\n');
    expect(await engine.tryTool({ tool: 'p1.count', params: {}, isAgreed: true })).toMatchObject({
      status: 'error',
      message: expect.stringContaining('products/p1/policy.yaml:1'),
    });
  });

  test('are not available for an invalid product, and none of its flows run', async () => {
    tool('products/p1/tools/count.tool.yaml', 'shared: true\n');
    write('products/p1/manifest.yaml', 'name: p2\n');
    expect(await refusalOf(outside, calling('p1.count'))).toMatch(
      /^node\.unknown-tool 3: Tool "p1\.count" does not exist/,
    );
    const refused =
      /^product\.refused 1: Product p1 cannot be used, so its flows cannot run: products\/p1\/manifest\.yaml:1: /;
    expect(await refusalOf(p1, calling('core.json_query'))).toMatch(refused);
  });

  test('cannot run flows, and a flow of a product cannot call one through a tool of the workspace', async () => {
    write('sub.flow.yaml', 'flow: { name: S }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n');
    tool('products/p1/tools/sub.tool.yaml', '', 'flow: ../../../sub.flow.yaml');
    tool('tools/other.tool.yaml', '', 'flow: ../sub.flow.yaml');
    expect(await refusalOf(p1, calling('p1.sub'))).toMatch(
      /cannot be used: products\/p1\/tools\/sub\.tool\.yaml:3: A tool of a product cannot run a flow, because flows of products cannot call other flows\./,
    );
    expect(await refusalOf(p1, calling('other'))).toMatch(
      /^product\.calls-flow 3: The tool "other" runs a flow, and flows of products cannot call other flows/,
    );
    expect(await outputOf(outside, calling('other'))).toEqual({ a: { text: 'hi' } });
  });

  test('can use secrets like those of the workspace', async () => {
    write('.millrace/.env', 'KEY=s3cret\n');
    tool('products/p1/tools/ask.tool.yaml', '', `http: { url: "${world.base}/{{secret.KEY}}" }`);
    expect(await outputOf(p1, calling('p1.ask'))).toMatchObject({ ok: true });
    expect(world.heard).toMatchObject([{ url: '/s3cret' }]);
  });

  test('of a product with the name of an MCP server are rejected with both names', async () => {
    tool('products/p1/tools/count.tool.yaml');
    write('.mcp.json', '{ "mcpServers": { "p1": { "command": "none" } } }');
    const engine = await world.engine({});
    expect((await engine.listTools()).find(({ name }) => name === 'p1.count')?.problem?.message).toBe(
      'A product named p1 cannot have tools, because the names of tools of the MCP server p1 begin with p1. Rename the product, or the server.',
    );
  });
});

describe('isolation', () => {
  test('MF-161 rejects a tool of another product before the run, unless it is shared', async () => {
    tool('products/p2/tools/own.tool.yaml');
    tool('products/p2/tools/open.tool.yaml', 'shared: true\n');
    const way =
      'The tool "p2.own" belongs to the product p2, and the product p1 cannot call it. Write shared: true in products/p2/tools/own.tool.yaml, or add a tool to p1.';
    expect(await refusalOf(p1, calling('p2.own'))).toBe(`product.isolated 3: ${way}`);
    expect(await outputOf(p1, calling('p2.open'))).toBe('products/p2/tools/open.tool.yaml');
    expect(await outputOf('products/p2/flows/f.flow.yaml', calling('p2.own'))).toBe('products/p2/tools/own.tool.yaml');
  });

  test('MF-161 a flow outside products can only call shared tools', async () => {
    tool('products/p2/tools/own.tool.yaml');
    tool('products/p2/tools/open.tool.yaml', 'shared: true\n');
    const way =
      'The tool "p2.own" belongs to the product p2, and only the flows and agents of that product can call it. Write shared: true in products/p2/tools/own.tool.yaml.';
    expect(await refusalOf(outside, calling('p2.own'))).toBe(`product.isolated 3: ${way}`);
    expect(await outputOf(outside, calling('p2.open'))).toBe('products/p2/tools/open.tool.yaml');
  });

  test('MF-161 models of a product cannot use tools of another product', async () => {
    tool('products/p2/tools/own.tool.yaml');
    const lending = (name: string): string =>
      `flow: { name: F }\nnodes:\n  - { id: a, type: prompt, input: { prompt: hi }, config: { tools: ["${name}"] } }\nedges: []\n`;
    expect(await refusalOf(p1, lending('p2.own'))).toMatch(/^product\.isolated 3: The tool "p2\.own" belongs/);
    expect(await refusalOf(p1, lending('p2.*'))).toMatch(/^product\.isolated 3: The tool "p2\.own" belongs/);
  });

  test('MF-162 tools of the program, the workspace and packs are available to all', async () => {
    tool('tools/mine.tool.yaml');
    for (const path of [p1, 'products/p2/flows/f.flow.yaml']) {
      expect(await outputOf(path, calling('mine'))).toBe('tools/mine.tool.yaml');
      const query = calling('core.json_query').replace('input: {}', 'input: { value: { b: 1 }, path: $.b }');
      expect(await outputOf(path, query)).toEqual({ value: 1 });
    }
  });

  test('a shared tool runs as part of its own product: with its agents, and under its policy too', async () => {
    write(
      'products/p2/agents/say.aip',
      '# Data\n\n```lua\naip.file.save("x.md", "x")\nreturn "said"\n```\n\n# Output\n\n```lua\nreturn data\n```\n',
    );
    tool('products/p2/tools/ask.tool.yaml', 'shared: true\n', 'agent: ../agents/say.aip');
    expect(await outputOf(p1, calling('p2.ask'))).toBe('said');
    write('products/p2/policy.yaml', 'effects: { write: deny }\n');
    expect(await outputOf(p1, calling('p2.ask'))).toMatch(/products\/p2\/policy\.yaml:1/);
  });

  test('MF-160 a flow or an agent of a product cannot run an agent of another product, by any path', async () => {
    write('products/p2/agents/say.aip', '# Output\n\n```lua\nreturn "said"\n```\n');
    const asking = (agent: string): string =>
      `flow: { name: F, input: { p: ${agent} } }\nnodes:\n  - { id: a, type: agent, input: { agent: "${agent}", inputs: [x] } }\nedges: []\n`;
    expect(await refusalOf(p1, asking('products/p2/agents/say.aip'))).toMatch(
      /^product\.isolated 3: .*belongs to product p2, but/,
    );
    const way = 'belongs to product p2, and';
    const hidden = asking('products/p2/agents/say.aip').replace(
      'agent: "products/p2/agents/say.aip"',
      'agent: "{{flow.input.p}}"',
    );
    expect(await outputOf(p1, hidden)).toMatch(way);
    write(
      'products/p1/agents/go.aip',
      '# Output\n\n```lua\nreturn aip.agent.run("../../p2/agents/say.aip", { inputs = { 1 } }).outputs[1]\n```\n',
    );
    expect(await outputOf(p1, asking('products/p1/agents/go.aip'))).toMatch(way);
    expect(await outputOf(outside, asking('products/p2/agents/say.aip'))).toMatchObject({ outputs: ['said'] });
  });
});
