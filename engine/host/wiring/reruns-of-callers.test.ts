/** Tests reruns of agents with inputs that call agents and flows; the model server counts requests. */
import { readdirSync, rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../index.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';

let at: AgentWorkspace;
let server: ModelServer;
let engine: Engine;
// One engine for all tests, so that its threads are started only once.
beforeAll(async () => {
  at = createAgentWorkspace();
  server = await startModelServer('openai-compatible');
  at.write(
    'base/config-user.toml',
    `[providers.p]\nkind = "openai-compatible"\nbase_url = "${server.baseUrl}"\napi_key_env = "MILLRACE_TEST_KEY"\n`,
  );
  engine = await at.open();
});
beforeEach(() => {
  vi.stubEnv('MILLRACE_TEST_KEY', 'a-key-for-tests');
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const name of readdirSync(at.at('workspace')))
    if (name !== '.millrace') rmSync(at.at(`workspace/${name}`), { recursive: true });
});
afterAll(async () => {
  await at.close();
  await server.close();
});

const write = (name: string, text: string) => at.write(`workspace/${name}`, text);
const options = '# Options\n\n```toml\nmodel = "p::tiny"\n```\n\n';
const asks = (text = 'About {{input}}') => `${options}# User\n\n${text}\n`;
const calls = (script: string) => `${options}${scriptSection('Output', script)}`;

async function start(agent: string, inputs: readonly string[] = ['a', 'b']): Promise<RunId> {
  const { runId } = await at.run(engine, { agent, inputs });
  return runId;
}

/** Reruns, and returns the number of reused inputs and of model calls. */
async function rerun(runId: RunId) {
  const before = server.received.length;
  const planned = await engine.planRerun({ runId });
  const again = await engine.rerunFrom({ runId });
  const { status } = await engine.whenEnded(again.runId);
  const events = await engine.readEvents(again.runId, -1, 5000);
  const reused = events.filter(
    ({ event, rootRunId }) => event.type === 'node:reused' && rootRunId === undefined,
  ).length;
  expect(planned.filter(({ fate }) => fate === 'reused')).toHaveLength(reused);
  return { runId: again.runId, status, reused, asked: server.received.length - before };
}

/** Returns how many inputs a rerun would reuse. */
async function countReused(runId: RunId): Promise<number> {
  return (await engine.planRerun({ runId })).filter(({ fate }) => fate === 'reused').length;
}

const call = (name: string) => `return aip.agent.run("${name}", { input = input }).outputs[1]`;

test('13.15 inputs that called an agent are reused while that agent is unchanged', async () => {
  write('sub/child.aip', asks());
  write('a.aip', calls(call('sub/child.aip')));
  const before = server.received.length;
  const first = await start('a.aip');
  expect(server.received.length - before).toBe(2);
  const again = await rerun(first);
  expect(again).toMatchObject({ status: 'completed', reused: 2, asked: 0 });
  // A result reused from a run that reused it itself is traced to the run that made the call.
  expect(await rerun(again.runId)).toMatchObject({ reused: 2, asked: 0 });
  write('sub/child.aip', asks('Again {{input}}'));
  expect(await rerun(again.runId)).toMatchObject({ reused: 0, asked: 2 });
});

const changes: readonly (readonly [what: string, change: () => void])[] = [
  ['the called agent has another prompt', () => write('child.aip', calls('return "x" .. tostring(input)'))],
  [
    'the called agent has other settings',
    () => write('child.aip', calls(call('leaf.aip')).replace('tiny"', 'tiny"\ntemperature = 0.5')),
  ],
  ['the called agent does not exist anymore', () => rmSync(at.at('workspace/child.aip'))],
  ['the called agent is not a valid agent anymore', () => write('child.aip', '# Options\n\n```toml\nmodel = [\n```\n')],
  ['an agent that the called agent calls has changed', () => write('leaf.aip', asks('Other {{input}}'))],
  ['an agent that the called agent calls does not exist anymore', () => rmSync(at.at('workspace/leaf.aip'))],
  [
    'the settings of all agents have changed',
    () => write('.aipack/config.toml', '[default_options]\ntemperature = 0.9\n'),
  ],
];

describe.each(changes)('13.15 inputs run again when %s', (_, change) => {
  test('and are reused before that', async () => {
    write('leaf.aip', asks());
    write('child.aip', calls(call('leaf.aip')));
    write('a.aip', calls(call('child.aip')));
    const first = await start('a.aip', ['a']);
    expect(await countReused(first)).toBe(1);
    change();
    expect(await countReused(first)).toBe(0);
  });
});

test.each([
  ['computed', 'local n = "child" return aip.agent.run(n .. ".aip", { input = input }).outputs[1]'],
  ['joined', 'return aip.agent.run("child" .. ".aip", { input = input }).outputs[1]'],
  [
    'chosen by the input',
    'return aip.agent.run(input == "a" and "child.aip" or "child.aip", { input = input }).outputs[1]',
  ],
  ['called through a variable', 'local run = aip.agent.run return run("child.aip", { input = input }).outputs[1]'],
  ['in a table', 'return aip["agent"]["run"]("child.aip", { input = input }).outputs[1]'],
  [
    'relative to a folder chosen by the script',
    'return aip.agent.run("child.aip", { input = input, agent_base_dir = CTX.WORKSPACE_DIR }).outputs[1]',
  ],
])('13.15 inputs run again if the name of what they call is %s', async (_, script) => {
  write('child.aip', asks());
  write('a.aip', calls(script));
  const before = server.received.length;
  const first = await start('a.aip', ['a']);
  expect(server.received.length - before).toBe(1);
  expect(await countReused(first)).toBe(0);
});

test('13.15 an input with a failed call runs again, even if its script caught the error', async () => {
  write('child.aip', calls('error("no")'));
  write('a.aip', calls('local ok = pcall(function() aip.agent.run("child.aip", { input = input }) end) return ok'));
  const first = await start('a.aip', ['a']);
  expect(await rerun(first)).toMatchObject({ status: 'completed', reused: 0 });
});

test('13.15 only the input that called the changed agent runs again', async () => {
  write('one.aip', asks('One {{input}}'));
  write('two.aip', asks('Two {{input}}'));
  const script = `if input == "a" then ${call('one.aip')} end ${call('two.aip')}`;
  write('a.aip', calls(script));
  const first = await start('a.aip', ['a', 'b', 'b2']);
  write('one.aip', asks('Uno {{input}}'));
  expect(await rerun(first)).toMatchObject({ reused: 2, asked: 1 });
});

const greet = (word: string, more = '') =>
  `flow: { name: Greet, input: { who: nobody }, outputs: { said: "{{say.value}}" } }\nnodes:\n  - { id: say, type: constant, input: { value: "${word} {{flow.input.who}}" } }\n${more}edges: []\n`;

describe('13.15 inputs with a model that called a tool that runs a flow', () => {
  const tool = (file: string) =>
    `tool_id: greet\ndescription: Greets.\ninput_schema: { type: object }\nrun: { flow: ../flows/${file} }\n`;

  beforeEach(() => {
    write(
      'talk.yaml',
      'paceMs: 0\nreplies:\n  - { afterTool: greet, reply: Done. }\n  - { match: ".", calls: [{ tool: greet, input: { who: ann } }] }\n',
    );
    write('flows/greet.flow.yaml', greet('Hello'));
    write('flows/inner.flow.yaml', greet('Inner'));
    write('flows/outer.flow.yaml', greet('Outer', '  - { id: c, type: flow, input: { flow: ./inner.flow.yaml } }\n'));
    write('tools/greet.tool.yaml', tool('greet.flow.yaml'));
    write(
      'a.aip',
      '# Options\n```toml\nmodel = "scripted::talk.yaml"\ntools = ["greet"]\n```\n# User\ngreet {{input}}\n',
    );
  });

  test('are reused while the flow is unchanged, and run again when it has changed', async () => {
    const first = await start('a.aip', ['a']);
    expect(
      (await engine.readEvents(first, -1, 500)).some(
        ({ event }) => event.type === 'run:start' && event.name === 'Greet',
      ),
    ).toBe(true);
    expect(await rerun(first)).toMatchObject({ status: 'completed', reused: 1 });
    write('flows/greet.flow.yaml', greet('Bye'));
    expect(await rerun(first)).toMatchObject({ status: 'completed', reused: 0 });
  });

  test('run again when the tool runs another flow, or was removed', async () => {
    const first = await start('a.aip', ['a']);
    write('flows/other.flow.yaml', greet('Hello'));
    write('tools/greet.tool.yaml', tool('other.flow.yaml'));
    expect(await rerun(first)).toMatchObject({ reused: 0 });
  });

  test('run again when a flow below the called one has changed', async () => {
    write('tools/greet.tool.yaml', tool('outer.flow.yaml'));
    const first = await start('a.aip', ['a']);
    expect(await rerun(first)).toMatchObject({ status: 'completed', reused: 1 });
    write('flows/inner.flow.yaml', greet('Changed'));
    expect(await rerun(first)).toMatchObject({ reused: 0 });
  });
});
