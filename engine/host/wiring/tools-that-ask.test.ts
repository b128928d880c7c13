/**
 * Tests tools that run flows and agents with requests to people: the top-level run waits, and is answered by full
 * names.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
  world.folder.write('workspace/inner.flow.yaml', inner);
  world.folder.write('workspace/asks.aip', asker);
  world.folder.write('workspace/model.yaml', model);
  world.folder.write('workspace/uses.aip', uses);
  writeTool('by_flow', { flow: '../inner.flow.yaml' });
  writeTool('by_agent', { agent: '../asks.aip' });
  engine = await world.engine({ ...process.env });
});
afterEach(() => world.close());

const inner = `
flow: { name: Inner, outputs: { said: "{{ok.comment}} for {{flow.input.who}}" } }
nodes:
  - { id: ok, type: human_approval, input: { title: "Greet {{flow.input.who}}?" } }
edges: []
`;
const asker = scriptSection(
  'Output',
  `if CTX.ANSWERS.ok == nil then
  return aip.flow.ask({ key = "ok", title = "Greet " .. input.who .. "?", action = { greet = input.who } })
end
return { said = CTX.ANSWERS.ok.comment .. " for " .. input.who }`,
);
const model = `
replies:
  - match: "^flow"
    reply: Let me ask.
    calls: [{ tool: by_flow, input: { who: ann } }]
  - match: "^agent"
    reply: Let me ask.
    calls: [{ tool: by_agent, input: { who: ann } }]
  - { afterTool: by_flow, reply: Done by flow. }
  - { afterTool: by_agent, reply: Done by agent. }
`;
const uses = `# Options
\`\`\`toml
model = "scripted::model.yaml"
tools = ["by_agent", "by_flow"]
\`\`\`
# User
{{input}}
`;

function writeTool(name: string, run: JsonMap, more = ''): void {
  const text = `tool_id: ${name}\ndescription: Greets.\n${more}input_schema: { type: object }\nrun: ${JSON.stringify(run)}\n`;
  world.folder.write(`workspace/tools/${name}.tool.yaml`, text);
}

const flowWith = (node: JsonMap): string =>
  `flow: { name: Outer }\nnodes: [${JSON.stringify({ id: 't', ...node })}]\nedges: []\n`;

async function start(text: string): Promise<RunId> {
  const { runId } = await engine.startRun({ path: 'call.flow.yaml', text, inputs: {} });
  await engine.whenEnded(runId);
  return runId;
}

const logOf = async (runId: RunId) => await engine.readEvents(runId, -1, 1000);
const countOf = async (runId: RunId, type: string) =>
  (await logOf(runId)).filter(({ event }) => event.type === type).length;

const cases = [
  [
    'a tool node with a flow as its tool',
    { type: 'tool', input: { who: 'ann' }, config: { tool: 'by_flow' } },
    't/ok',
    { said: 'hi for ann' },
  ],
  [
    'a tool node with an agent as its tool',
    { type: 'tool', input: { who: 'ann' }, config: { tool: 'by_agent' } },
    't/input:0',
    { said: 'hi for ann' },
  ],
  ['a prompt with a model that calls a flow', prompt('flow', 'by_flow'), 't/ok', { text: 'Done by flow.' }],
  ['a prompt with a model that calls an agent', prompt('agent', 'by_agent'), 't/input:0', { text: 'Done by agent.' }],
  [
    'an agent with a model that calls an agent',
    { type: 'agent', input: { agent: 'uses.aip', inputs: ['agent'] } },
    't/input:0/input:0',
    { outputs: ['Done by agent.'] },
  ],
  [
    'an agent with a model that calls a flow',
    { type: 'agent', input: { agent: 'uses.aip', inputs: ['flow'] } },
    't/input:0/ok',
    { outputs: ['Done by flow.'] },
  ],
] as const;

function prompt(text: string, tool: string): JsonMap {
  return { type: 'prompt', input: { prompt: text }, config: { model: 'scripted::model.yaml', tools: [tool] } };
}

describe.each(['same', 'later'] as const)('12.1 answered in the %s process', (process) => {
  test.each(cases)(
    '%s suspends the top-level run, which resumes when its full name is answered',
    async (_title, node, name, output) => {
      const runId = await start(flowWith(node));
      expect((await logOf(runId)).at(-1)?.event).toEqual({ type: 'run:suspended', reason: 'approval', nodeId: name });
      if (process === 'later') {
        await engine.close();
        engine = await world.engine({ ...globalThis.process.env });
      }
      await engine.resumeRun({ runId, nodeId: name, payload: { approved: true, comment: 'hi' } });
      await engine.whenEnded(runId);
      expect((await logOf(runId)).at(-1)?.event).toMatchObject({ status: 'completed', output: { t: output } });
      // One call, one child run, and no request about a repetition.
      expect(await countOf(runId, 'tool:attempt')).toBe(1);
      expect(await countOf(runId, 'tool:result')).toBe(1);
      expect(await countOf(runId, 'approval:requested')).toBe(1);
      expect(openScopes(await logOf(runId))).toEqual([]);
    },
  );
});

test('12.1 e of parallel tools, one that makes a request and one with a flow that does are answered in turn', async () => {
  const traits = 'idempotent: true\nrequires_approval: ';
  writeTool('by_flow', { flow: '../inner.flow.yaml' }, `${traits}false\n`);
  writeTool('careful', { js: 'return "done"' }, `${traits}true\n`);
  const both = '[{ tool: by_flow, input: { who: ann } }, { tool: careful, input: {} }]';
  world.folder.write(
    'workspace/model.yaml',
    `replies:\n  - { match: "^both", reply: Both., calls: ${both} }\n  - { afterTool: careful, reply: All done. }\n`,
  );
  const node = prompt('both', 'by_flow');
  const runId = await start(
    flowWith({ ...node, config: { ...(node['config'] as JsonMap), tools: ['by_flow', 'careful'] } }),
  );
  for (const nodeId of ['t', 't/ok']) {
    expect((await logOf(runId)).at(-1)?.event).toMatchObject({ type: 'run:suspended' });
    await engine.resumeRun({ runId, nodeId, payload: { approved: true, comment: 'hi' } });
    await engine.whenEnded(runId);
  }
  expect((await logOf(runId)).at(-1)?.event).toMatchObject({
    status: 'completed',
    output: { t: { text: 'All done.' } },
  });
  // The flow starts again when the other tool has its answer.
  const ends = (await logOf(runId)).flatMap(({ event }) => (event.type === 'run:end' ? event.status : []));
  expect(ends).toEqual(['cancelled', 'completed', 'completed']);
  expect(openScopes(await logOf(runId))).toEqual([]);
});

test('12.1 after a rejection, a tool that is an agent fails for its caller, and its run is over', async () => {
  const runId = await start(flowWith({ type: 'tool', input: { who: 'ann' }, config: { tool: 'by_agent' } }));
  await engine.resumeRun({ runId, decision: 'reject' });
  await engine.whenEnded(runId);
  expect((await logOf(runId)).at(-1)?.event).toMatchObject({ status: 'failed', error: { code: 'approval.rejected' } });
  expect(openScopes(await logOf(runId))).toEqual([]);
});

test('12.1 canceling a waiting run also ends what its tool has started', async () => {
  const runId = await start(flowWith({ type: 'tool', input: { who: 'ann' }, config: { tool: 'by_flow' } }));
  await engine.cancelRun(runId);
  await vi.waitFor(async () =>
    expect((await logOf(runId)).at(-1)?.event).toMatchObject({ type: 'run:end', status: 'cancelled' }),
  );
  expect(openScopes(await logOf(runId))).toEqual([]);
});
