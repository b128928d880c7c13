import { afterEach, describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { writeMcpProgram } from '../../testing/mcp-program.ts';
import { gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const catalogue = `
name: Desk
model: scripted::model.yaml
nlu: { script: nlu.yaml }
intents: { Read: {} }
flows:
  - name: look
    intent: Read
    description: Looks.
    slots: { number: { type: exact, priority: optional } }
    tools: [order_lookup, srv.echo]
    policy: { skill: skills/look }
  - { name: fetch, intent: Read, description: Fetches., policy: { flow: fetch.flow.yaml } }
`;

const lookup = `tool_id: order_lookup
description: Finds an order.
idempotent: true
input_schema: { type: object, properties: { number: { type: string } }, required: [number] }
run: { js: "return { item: 'lamp ' + input.number };" }
`;

const files = (model: string) => ({
  'desk.dialogue.yaml': catalogue,
  'nlu.yaml':
    '- { match: "look", flow: look, slots: { number: { word: "[A-Z]+-\\\\d+" } } }\n- { match: "fetch", flow: fetch }\n',
  'skills/look/SKILL.md': '---\nname: look\n---\nLook it up in {{braces}}.\n',
  'tools/order_lookup.tool.yaml': lookup,
  'fetch.flow.yaml': gives('Fetch', '{ parcel: here }'),
  'model.yaml': `replies:\n${model}`,
});

/** Returns the events of these types in a run. */
async function eventsOf(runId: string | null, ...types: readonly string[]): Promise<readonly object[]> {
  const events = (await desk.engine.readEvents(asRunId(runId ?? ''), -1, 1000)).map(({ event }) => event);
  return events.filter(({ type }) => types.includes(type));
}

describe('a skill', () => {
  test('FS-03 is a prompt that can use only the tools of its flow, including those of an MCP server', async () => {
    desk = await TestDesk.open(
      files(`
  - { afterTool: core.file_read, reply: '{"outcome":"success","data":{"reply":"A lamp."}}' }
  - { afterTool: srv.echo, calls: [{ tool: core.file_read, input: { path: desk.dialogue.yaml } }] }
  - { afterTool: order_lookup, calls: [{ tool: srv.echo, input: { text: hi } }] }
  - { match: "Task: look", calls: [{ tool: order_lookup, input: { number: A-1 } }] }
`),
    );
    desk.write('.mcp.json', JSON.stringify({ mcpServers: { srv: writeMcpProgram(desk.folder) } }));
    // As everywhere, a person approves the first call of a server's tool.
    expect(await desk.say('look A-1')).toContain('Look waits for an approval');
    const [{ runId } = {}] = await desk.engine.listWaiting();
    if (runId === undefined) throw new Error('nothing waits');
    await desk.engine.resumeRun({ runId, decision: 'approve' });
    await desk.engine.whenEnded(runId);
    await desk.rest();
    expect((await desk.view()).messages.at(-1)?.text).toBe('A lamp.');
    const definition = JSON.parse(await desk.engine.readDefinition(runId));
    expect(definition.nodes[0]).toMatchObject({ type: 'prompt', config: { tools: ['order_lookup', 'srv.echo'] } });
    expect(await eventsOf(runId, 'run:start')).toMatchObject([
      { inputs: { system: expect.stringContaining('in {{braces}}.') } },
    ]);
    expect(await eventsOf(runId, 'tool:result')).toMatchObject([
      { tool: 'order_lookup', isError: false, backend: 'js' },
      { tool: 'srv.echo', isError: false, backend: 'mcp' },
    ]);
    expect(await eventsOf(runId, 'agent:tool:complete')).toMatchObject([
      { toolName: 'order_lookup', isError: false },
      { toolName: 'srv.echo', isError: false },
      { toolName: 'core.file_read', isError: true },
    ]);
  });

  test('X-12 with a blocked tool is rejected before it starts, as everywhere', async () => {
    const model = '\n  - { match: "Task: look", calls: [{ tool: order_lookup, input: { number: A-1 } }] }\n';
    desk = await TestDesk.open({ ...files(model), 'desk.dialogue.yaml': catalogue.replace(', srv.echo', '') });
    desk.write('millrace.policy.yaml', 'blocked_tools: [order_lookup]\n');
    expect(await desk.say('look A-1')).toContain('look did not work');
    const [{ runId } = { runId: null }] = await desk.events('flow:run');
    expect(await eventsOf(runId, 'run:refused')).toMatchObject([{ message: expect.stringContaining('order_lookup') }]);
    expect(await eventsOf(runId, 'tool:attempt')).toEqual([]);
    expect(await desk.stack()).toEqual([]);
  });

  test('that needs another flow puts it on the stack, waits for it, and continues the same run with its result', async () => {
    const open = (model: string) => ({ ...files(model), 'desk.dialogue.yaml': catalogue.replace(', srv.echo', '') });
    desk = await TestDesk.open(
      open(`
  - { match: "Result of the flow you requested(.|\\n)*parcel", reply: '{"outcome":"success","data":{"reply":"It is here."}}' }
  - { match: "Task: look", reply: '{"outcome":"uncertain","reason":"The parcel has to be fetched.","stack_on":{"flow":"fetch"}}' }
`),
    );
    expect(await desk.say('look A-1')).toContain('It is here.');
    const runs = await desk.events('flow:run');
    expect(runs.map(({ flowId }) => flowId)).toEqual(['f1', 'f2']);
    const [first] = runs;
    expect(await eventsOf(first?.runId ?? null, 'run:suspended', 'run:resumed', 'run:end')).toMatchObject([
      { type: 'run:suspended', reason: 'turn', nodeId: 'needs' },
      { type: 'run:resumed' },
      { type: 'run:end', status: 'completed' },
    ]);
    expect(await desk.events('stack:cover')).toMatchObject([{ flowId: 'f1' }]);
    expect(await desk.engine.listWaiting()).toEqual([]);
    expect(await desk.stack()).toEqual([]);
  });
});
