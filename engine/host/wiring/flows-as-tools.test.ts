/** Tests tools that run flows for any caller, including models of agents, however these were started. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
  const { write } = world.folder;
  write('workspace/flows/greet.flow.yaml', greet);
  write('workspace/talk.yaml', talk('greet'));
  write('workspace/more/uses.aip', agentWith('greet'));
  writeTool('workspace/tools', 'greet', { flow: '../flows/greet.flow.yaml' });
  engine = await world.engine({ ...process.env });
});
afterEach(() => world.close());

const greet = `
flow: { name: Greet, input: { who: nobody }, outputs: { said: "{{say.value}}" } }
nodes:
  - { id: say, type: constant, input: { value: "Hello {{flow.input.who}}" } }
edges: []
`;

function talk(tool: string): string {
  const call = `  - { match: ".", calls: [{ tool: ${tool}, input: { who: ann } }] }`;
  return `paceMs: 0\nreplies:\n  - { afterTool: ${tool}, reply: Done. }\n${call}\n`;
}

function agentWith(tool: string): string {
  return `# Options\n\`\`\`toml\nmodel = "scripted::talk.yaml"\ntools = ["${tool}"]\n\`\`\`\n# User\n${tool}\n`;
}

function writeTool(folder: string, name: string, run: JsonMap): void {
  const text = `tool_id: ${name}\ndescription: Greets.\ninput_schema: { type: object }\nrun: ${JSON.stringify(run)}\n`;
  world.folder.write(`${folder}/${name}.tool.yaml`, text);
}

const flowWith = (node: JsonMap): string =>
  JSON.stringify({ flow: { name: 'Outer' }, nodes: [{ id: 't', ...node }], edges: [] });

async function logOfFlow(text: string, path = 'outer.flow.yaml') {
  const { runId } = await engine.startRun({ path, text, inputs: {} });
  await engine.whenEnded(runId);
  return await engine.readEvents(runId, -1, 1000);
}

async function logOfAgent(agent: string) {
  const started = await engine.startAgent({ agent, inputs: ['x'] });
  if (!('runId' in started)) throw new Error('It was not started.');
  await engine.whenEnded(started.runId);
  return await engine.readEvents(started.runId, -1, 1000);
}

type Log = Awaited<ReturnType<typeof logOfFlow>>;

const resultsIn = (log: Log) =>
  log.flatMap(({ event }) =>
    event.type === 'tool:result' ? [(event as Extract<RunEvent, { type: 'tool:result' }>).result] : [],
  );

function expectGreeted(log: Log): void {
  expect(log.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'completed', failedNodes: [] });
  expect(resultsIn(log)).toMatchObject([{ status: 'success', result: { said: 'Hello ann' } }]);
  expect(openScopes(log)).toEqual([]);
}

test.each([
  ['of an agent started by a person', () => logOfAgent('more/uses.aip')],
  [
    'of an agent of a node',
    () => logOfFlow(flowWith({ type: 'agent', input: { agent: 'more/uses.aip', inputs: ['x'] } })),
  ],
  ['of a prompt in a flow in another folder', () => logOfFlow(promptWith('greet'), 'deep/down/outer.flow.yaml')],
  [
    'of an agent called by the script of another one',
    () => {
      world.folder.write(
        'workspace/calls.aip',
        scriptSection('After All', 'return aip.agent.run("more/uses.aip", { inputs = { "x" } }).outputs'),
      );
      return logOfAgent('calls.aip');
    },
  ],
  [
    'of an agent called by Lua in a flow',
    () =>
      logOfFlow(
        flowWith({
          type: 'script.lua',
          input: {},
          config: { code: 'return aip.agent.run("more/uses.aip", { inputs = { "x" } }).outputs' },
        }),
      ),
  ],
  [
    'of an agent that is a tool itself',
    () => {
      writeTool('workspace/tools', 'by_agent', { agent: '../more/uses.aip' });
      return logOfFlow(flowWith({ type: 'tool', input: {}, config: { tool: 'by_agent' } })).then((log) => {
        // The outer tool returns the agent's result.
        expect(resultsIn(log).at(-1)).toMatchObject({ status: 'success', result: 'Done.' });
        return log.filter(({ event }) => event.type !== 'tool:result' || event.tool === 'greet');
      });
    },
  ],
])('runs a flow for the model %s', async (_, run) => {
  expectGreeted(await run());
});

function promptWith(tool: string): string {
  return flowWith({ type: 'prompt', input: { prompt: tool }, config: { model: 'scripted::talk.yaml', tools: [tool] } });
}

test.each([
  ['a node', () => logOfFlow(flowWith({ type: 'tool', input: { who: 'ann' }, config: { tool: 'kit.greet' } }))],
  ['the model of an agent of that pack', () => logOfAgent('me@kit/uses')],
])('a tool of a pack runs a flow of the pack, called by %s', async (_, run) => {
  const pack = 'home/pack/custom/me/kit';
  world.folder.write(`${pack}/pack.toml`, '[pack]\nnamespace = "me"\nname = "kit"\nversion = "1.0.0"\n');
  world.folder.write(`${pack}/flows/greet.flow.yaml`, greet);
  world.folder.write(`${pack}/uses.aip`, agentWith('kit.greet'));
  world.folder.write(`${pack}/talk.yaml`, talk('kit.greet'));
  writeTool(`${pack}/tools`, 'greet', { flow: '../flows/greet.flow.yaml' });
  expectGreeted(await run());
});

test('prevents endless recursion if the agent of a flow would have its model run that flow again', async () => {
  world.folder.write(
    'workspace/flows/greet.flow.yaml',
    flowWith({ type: 'agent', input: { agent: 'more/uses.aip', inputs: ['x'] } }),
  );
  const log = await logOfAgent('more/uses.aip');
  expect(resultsIn(log)[0]).toMatchObject({
    status: 'error',
    message: expect.stringContaining('flows/greet.flow.yaml -> flows/greet.flow.yaml'),
  });
  // The agent, the flow, and its agent, which received an error.
  expect(log.filter(({ event }) => event.type === 'run:start')).toHaveLength(3);
  expect(log.at(-1)?.event).toMatchObject({ status: 'completed' });
});

test('denies a tool that a policy forbids inside a flow that the model of an agent runs', async () => {
  world.folder.write('workspace/millrace.policy.yaml', 'blocked_tools: [core.file_list]\n');
  world.folder.write(
    'workspace/flows/greet.flow.yaml',
    flowWith({ type: 'tool', input: {}, config: { tool: 'core.file_list' } }),
  );
  const log = await logOfAgent('more/uses.aip');
  expect(log.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: 'governance:decision', allowed: false, rule: 'tool_blocked' }),
  );
  expect(resultsIn(log).at(-1)).toMatchObject({ status: 'error', message: expect.stringContaining('core.file_list') });
});
