/** Tests policies for MCP servers: starting a program is a command, and connecting to an address is web access. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Engine } from '../../index.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { writeMcpProgram } from '../../testing/mcp-program.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
let server: Server;
let requests = 0;
beforeEach(async () => {
  world = await SecretWorld.open();
  requests = 0;
  server = createServer((_request, response) => {
    requests++;
    response.writeHead(500).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const tool = { name: 'echo', inputSchema: { type: 'object' }, annotations: { openWorldHint: false } };
  const program = writeMcpProgram(world.folder.at('workspace'), { tools: [tool] });
  world.folder.write('workspace/.mcp.json', JSON.stringify({ mcpServers: { program, web: { url } } }));
  engine = await world.engine(process.env);
});
afterEach(async () => {
  await world.close();
  server.close();
});

const policy = (text: string): void => world.folder.write('workspace/millrace.policy.yaml', text);

async function eventsOf(tool: string): Promise<readonly RunEvent[]> {
  const flow = `flow: { name: F }\nnodes: [{ id: t, type: tool, input: {}, config: { tool: ${tool} } }]\nedges: []\n`;
  return (await runFlow(engine, flow)).map(({ event }) => event);
}

async function resultOf(tool: string) {
  const events = await eventsOf(tool);
  const told = events.find(
    (event): event is Extract<RunEvent, { type: 'tool:result' }> => event.type === 'tool:result',
  );
  return told?.result;
}

/** Waits until a tool is denied, because a changed policy takes effect after a short time. */
async function untilDenied(tool: string): Promise<void> {
  await vi.waitFor(async () => expect(await resultOf(tool)).toMatchObject({ metadata: { code: 'effect.denied' } }));
}

const stateOf = async (name: string) => (await engine.listMcpServers()).find((one) => one.name === name);

test.each([
  ['program.echo', 'effects:\n  command: deny\n', 'effect_denied'],
  ['web.echo', 'effects:\n  web: deny\n', 'effect_denied'],
  ['web.echo', '# Not here\nblocked_hosts: ["127.0.0.*"]\n', 'host_blocked'],
  ['web.echo', '# Only there\nallowed_hosts: ["api.example.com"]\n', 'host_not_in_allowlist'],
])('%s is neither started nor contacted under %j', async (tool, text, rule) => {
  policy(text);
  expect(await resultOf(tool)).toMatchObject({
    status: 'error',
    message: expect.stringContaining(`(rule ${rule}, millrace.policy.yaml:2)`),
    metadata: { code: 'effect.denied' },
  });
  const name = tool.split('.')[0] ?? '';
  await expect(engine.restartMcpServer(name)).rejects.toMatchObject({ code: 'effect.denied' });
  expect(await stateOf(name)).toMatchObject({ state: 'idle', restarts: 0 });
  expect(requests).toBe(0);
});

test('a refusal does not count as a failure of the server: it starts immediately once the policy is removed', async () => {
  policy('effects: { command: deny }\n');
  for (let time = 0; time < 7; time++) await resultOf('program.echo');
  policy('');
  await vi.waitFor(() => engine.restartMcpServer('program'));
  expect(await stateOf('program')).toMatchObject({ state: 'running', restarts: 0 });
});

test('a running server is no longer called once a policy forbids it', async () => {
  await engine.restartMcpServer('program');
  expect(await stateOf('program')).toMatchObject({ state: 'running' });
  policy('effects: { command: deny }\n');
  await untilDenied('program.echo');
});

test('a refusal is emitted in the run that made the call, and a policy that would deny a server reports it before it takes effect', async () => {
  await engine.restartMcpServer('program');
  // A person has to approve a new tool first.
  await eventsOf('program.echo');
  const [run] = await engine.listRuns({ limit: 1 });
  if (run === undefined) throw new Error('There is no run.');
  await engine.resumeRun({ runId: run.runId, decision: 'approve' });
  expect(await engine.whenEnded(run.runId)).toMatchObject({ status: 'completed' });
  const text = '# No programs\neffects:\n  command: deny\n';
  const tried = await engine.tryPolicy({ text });
  expect(tried).toMatchObject([
    { refusals: [{ rule: 'effect_denied', effect: 'command', place: 'millrace.policy.yaml:3' }] },
  ]);
  expect(await engine.tryPolicy({ text: 'effects: { web: deny }\n' })).toEqual([]);
  policy(text);
  await untilDenied('program.echo');
  await engine.stopMcpServer('program');
  const decisions = (await eventsOf('program.echo')).filter(({ type }) => type === 'governance:decision');
  expect(decisions).toMatchObject([
    {
      ...{ allowed: false, rule: 'effect_denied', effect: 'command', place: 'millrace.policy.yaml:3' },
      target: tried[0]?.refusals[0]?.target,
    },
  ]);
});
