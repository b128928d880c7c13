/** one gate for all calls of tools. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { writeMcpProgram } from '../../testing/mcp-program.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
  const { write } = world.folder;
  write('workspace/millrace.policy.yaml', 'blocked_tools:\n  - forbidden\n  - "srv.*"\n');
  tool('forbidden', { js: 'return { done: true }' });
  tool('by_flow', { flow: '../inner.flow.yaml' });
  tool('by_agent', { agent: '../inner.aip' });
  tool('by_server', { mcp: { server: 'srv', tool: 'echo' } });
  write(
    'workspace/inner.flow.yaml',
    'flow: { name: Inner }\nnodes: [{ id: in, type: flow, input: { flow: deep.flow.yaml } }]\nedges: []\n',
  );
  write('workspace/deep.flow.yaml', callNode('forbidden'));
  write('workspace/inner.aip', agentWith('forbidden'));
  const model = ['forbidden', 'by_agent', 'srv.echo'].map(
    (name) => `  - { match: "^${name}", calls: [{ tool: ${name}, input: {} }] }`,
  );
  write(
    'workspace/model.yaml',
    `paceMs: 0\nreplies:\n${model.join('\n')}\n  - { afterTool: ".", reply: told }\n  - { match: ".", reply: told }\n`,
  );
  write(
    'workspace/.mcp.json',
    JSON.stringify({ mcpServers: { srv: writeMcpProgram(world.folder.at('workspace'), {}) } }),
  );
  engine = await world.engine({ ...process.env });
});
afterEach(() => world.close());

function tool(name: string, run: JsonMap): void {
  world.folder.write(
    `workspace/tools/${name}.tool.yaml`,
    `tool_id: ${name}\ndescription: Acts.\ninput_schema: { type: object }\nrun: ${JSON.stringify(run)}\n`,
  );
}

function callNode(name: string): string {
  return `flow: { name: F }\nnodes: [{ id: a, type: tool, input: {}, config: { tool: ${name} } }]\nedges: []\n`;
}

function agentWith(name: string): string {
  return `# Options\n\`\`\`toml\nmodel = "scripted::model.yaml"\ntools = ["${name}"]\n\`\`\`\n# User\n${name}\n`;
}

const promptWith = (name: string): string =>
  `flow: { name: F }\nnodes: [{ id: a, type: prompt, input: { prompt: ${name} }, config: { model: "scripted::model.yaml", tools: [${name}] } }]\nedges: []\n`;

async function runAgent(name: string): Promise<readonly EventEnvelope[]> {
  world.folder.write('workspace/a.aip', agentWith(name));
  const started = await engine.startAgent({ agent: 'a.aip', inputs: ['x'] });
  if (!('runId' in started)) throw new Error('It was not started.');
  await engine.whenEnded(started.runId);
  return await engine.readEvents(started.runId, -1, 1000);
}

const ofType = <Type extends RunEvent['type']>(events: readonly EventEnvelope[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));

/** Expects that no tool of that name has started, and that the rule was emitted. */
function expectRefused(events: readonly EventEnvelope[], target: string, line: number): void {
  const acted = ofType(events, 'tool:attempt').map((one) => one.tool);
  expect(acted).not.toContain(target);
  const rule = { rule: 'tool_blocked', place: `millrace.policy.yaml:${line}`, target };
  const before = ofType(events, 'run:refused').map(({ details }) => details);
  const inside = ofType(events, 'governance:decision').filter(({ allowed }) => !allowed);
  expect([...before, ...inside]).toContainEqual(expect.objectContaining(rule));
}

test.each([
  ['a node', 'forbidden', 1],
  ['a node that calls a server tool', 'srv.echo', 3],
])('X-12 a blocked tool is denied to %s', async (_, name) => {
  expectRefused(await runFlow(engine, callNode(name)), name, name === 'forbidden' ? 2 : 3);
});

test.each([
  ['a flow that a tool runs', 'by_flow'],
  ['an agent that a tool runs', 'by_agent'],
])('X-12 a blocked tool is denied to %s', async (_, name) => {
  expectRefused(await runFlow(engine, callNode(name)), 'forbidden', 2);
});

test('X-12 a blocked server tool is denied to a manifest that overrides it', async () => {
  expectRefused(await runFlow(engine, callNode('by_server')), 'srv.echo', 3);
});

test.each(['forbidden', 'srv.echo'])('X-12 the blocked %s is denied to the model of a prompt', async (name) => {
  expectRefused(await runFlow(engine, promptWith(name)), name, name === 'forbidden' ? 2 : 3);
});

test.each(['forbidden', 'srv.echo'])('X-12 the blocked %s is denied to the model of an agent', async (name) => {
  expectRefused(await runAgent(name), name, name === 'forbidden' ? 2 : 3);
});

test('X-12 a blocked tool is denied to a model with a tool that runs an agent', async () => {
  expectRefused(await runAgent('by_agent'), 'forbidden', 2);
});

test('X-12 a blocked tool is denied to a person who tries it', async () => {
  expect(await engine.tryTool({ tool: 'forbidden', params: {}, isAgreed: true })).toMatchObject({
    status: 'error',
    message: expect.stringContaining('millrace.policy.yaml:2'),
  });
});
