import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine, EngineOptions } from '../../index.ts';
import { toErrorRecord } from '../../isomorphic.ts';
import { checkFlow } from '../../language/flow/check-flow.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { type AgentWorkspace, createAgentWorkspace, endOf } from '../wiring/test-agent-workspace.ts';

let place: AgentWorkspace;
beforeEach(() => {
  place = createAgentWorkspace();
});
afterEach(() => place.close());

const agent = (options: string, sections: Readonly<Record<string, string>>): string =>
  `# Options\n\n\`\`\`toml\n${options}\n\`\`\`\n${Object.entries(sections)
    .map(([heading, code]) => `\n# ${heading}\n\n\`\`\`lua\n${code}\n\`\`\`\n`)
    .join('')}`;

const shoutOptions = `
[node]
title = "Shout"
description = "Makes a text loud."
icon = "quote"
category = "text"

[node.input]
type = "object"
required = ["text"]
properties.text = { type = "string", minLength = 2, description = "What to shout" }
properties.times = { type = "integer", default = 1, maximum = 3 }

[node.output]
type = "object"
required = ["loud"]
properties.loud = { type = "string", pattern = "^[A-Z!]+$" }
`;

const shout = agent(shoutOptions, {
  Output: 'return { loud = string.rep(string.upper(input.text) .. "!", input.times) }',
});

const flowOf = (type: string, input: string): string => `
flow: { name: Loud }
nodes:
  - { id: loud, type: "${type}", input: ${input} }
  - { id: after, type: constant, input: { value: "{{loud.loud}}" } }
edges: [{ from: loud, to: after }]`;

const open = (more: Partial<EngineOptions> = {}): Promise<Engine> => place.open({ env: {}, ...more });

async function run(engine: Engine, text: string, inputs: Record<string, JsonValue> = {}) {
  const { runId } = await engine.startRun({ path: 'a.flow.yaml', text, inputs });
  const { status, error } = await engine.whenEnded(runId);
  return { runId, status, error, output: (await endOf(engine, runId)).output };
}

async function refusal(engine: Engine, text: string): Promise<unknown> {
  const error: unknown = await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} }).catch((thrown) => thrown);
  expect(await engine.listRuns({ limit: 1 })).toEqual([]);
  const { code, details } = toErrorRecord(error);
  expect(code).toBe('flow.invalid');
  return (details as { code: string; message: string; range: { line: number } }[]).map((one) => [
    one.code,
    one.range.line,
    one.message,
  ]);
}

describe('an agent of the workspace as a node type', () => {
  test("BB-40 its input is the only input of the agent, and the agent's only output is its output", async () => {
    place.write('workspace/agents/shout.aip', shout);
    const engine = await open();
    const text = flowOf('./agents/shout.aip', '{ text: "{{flow.input.word}}" }');
    const ended = await run(engine, text, { word: 'hi' });
    expect(ended).toMatchObject({ status: 'completed', output: { after: { value: 'HI!' } } });
    const child = (await engine.readEvents(ended.runId, -1, 500)).find(
      ({ event }) => event.type === 'run:start' && event.kind === 'agent',
    );
    expect(child?.event).toMatchObject({ inputs: [{ text: 'hi', times: 1 }] });
  });

  test('BB-40 it is validated before the start like a built-in type: literals, missing fields, unknown keys', async () => {
    place.write('workspace/shout.aip', shout);
    const engine = await open();
    expect(await refusal(engine, flowOf('./shout.aip', '{ text: "a", times: 9, wrong: 1 }'))).toEqual([
      ['node.bad-input', 4, '"input.text" must have at least 2 characters.'],
      ['node.bad-input', 4, '"input.times" must be at most 3.'],
      ['node.unknown-input', 4, expect.stringContaining('"wrong"')],
    ]);
    expect(await refusal(engine, flowOf('./shout.aip', '{}'))).toEqual([
      ['node.missing-input', 4, 'The node needs "input.text".'],
    ]);
  });

  test('BB-40 bound values are validated in the run, before the agent starts', async () => {
    place.write('workspace/shout.aip', shout);
    const engine = await open();
    const ended = await run(engine, flowOf('./shout.aip', '{ text: "{{flow.input.word}}" }'), { word: 'a' });
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'node.bad-input' } });
    expect((await engine.readEvents(ended.runId, -1, 500)).some(({ event }) => event.type === 'agent:start')).toBe(
      false,
    );
  });

  test('BB-40 its output is validated against its schema, including patterns', async () => {
    place.write('workspace/shout.aip', shout);
    const engine = await open();
    const ended = await run(engine, flowOf('./shout.aip', '{ text: "a1" }'));
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: 'node.bad-output', message: expect.stringContaining('/loud') },
    });
  });

  test('BB-40 an agent with several outputs fails the node', async () => {
    const beforeAll = 'return aip.flow.before_all_response({ inputs = { "a", "b" } })';
    place.write(
      'workspace/many.aip',
      agent('[node]\ntitle = "Many"', { 'Before All': beforeAll, Output: 'return input' }),
    );
    const ended = await run(await open(), flowOf('./many.aip', '{}'));
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: 'agent.not-one-output', message: expect.stringContaining('2 outputs') },
    });
  });

  test('BB-40 an agent that skips in Before All skips the node', async () => {
    place.write('workspace/lazy.aip', agent('[node]', { 'Before All': 'return aip.flow.skip("nothing to do")' }));
    const engine = await open();
    const flow = flowOf('./lazy.aip', '{}').replace('{{loud.loud}}', '{{?loud.loud}}');
    const { runId, status } = await run(engine, flow);
    expect(status).toBe('completed');
    const skipped = (await engine.readEvents(runId, -1, 500)).filter(({ event }) => event.type === 'node:skipped');
    expect(skipped.map(({ event }) => event)).toContainEqual(expect.objectContaining({ reason: 'directive' }));
  });

  test('BB-40 its description is part of the definition: a rerun of the same text with another description detects it', async () => {
    place.write('workspace/shout.aip', shout);
    const engine = await open();
    const text = flowOf('./shout.aip', '{ text: hi }');
    const first = await run(engine, text);
    place.write('workspace/shout.aip', shout.replace('maximum = 3', 'maximum = 2'));
    const second = await run(engine, text);
    const hashes = [first, second].map(async ({ runId }) => (await engine.getRun(runId)).definitionHash);
    expect(new Set(hashes).size).toBe(2);
    place.write('workspace/shout.aip', shout.replace('minLength = 2', 'minLength = 5'));
    expect(await refusal(await open({ storeFile: place.at('other.db') }), text)).toHaveLength(1);
  });
});

describe('responses of models', () => {
  const ask = `# Options\n\n\`\`\`toml\nmodel = "scripted::replies.yaml"\n[node]\ntitle = "Judge"\n[node.input]\nproperties.text = { type = "string" }\n[node.output]\ntype = "object"\nrequired = ["label"]\nproperties.label = { enum = ["good", "bad"] }\n\`\`\`\n\n# Instruction\n\nJudge: {{input.text}}\n`;

  test('BB-40 an agent without an Output script returns the response as a value that matches its output schema', async () => {
    place.write('workspace/judge.aip', ask);
    place.write(
      'workspace/replies.yaml',
      'replies:\n  - match: "Judge"\n    reply: "Here: {\\"label\\": \\"good\\"}"\n',
    );
    const engine = await open();
    const ended = await run(engine, flowOf('./judge.aip', '{ text: x }').replace('loud.loud', 'loud.label'));
    expect(ended.error).toBeUndefined();
    expect(ended).toMatchObject({ status: 'completed', output: { after: { value: 'good' } } });
  });
});

describe('BB-43 a type that cannot be used', () => {
  test.each([
    ['./none.aip', '', /Agent .\/none.aip does not exist. The path is relative to the workspace folder/],
    ['./plain.aip', '# Instruction\n\nHi\n', /is not a node type.*\[node\].*type agent/],
    [
      './broken.aip',
      agent('[node]\nicon = "dragon"', { Output: 'return 1' }),
      /broken.aip has an error in line 5: .*"node.icon" must be one of/,
    ],
    ['no@pack/agent', '', /Pack no@pack is not installed.*Packs.*millrace install no@pack/],
    ['./../outside.aip', '', /does not exist/],
  ])('%s is rejected at the start, at its position, with a fix', async (type, file, message) => {
    if (file !== '') place.write(`workspace/${type}`, file);
    place.write('outside.aip', shout);
    expect(await refusal(await open(), flowOf(type, '{ text: hi }'))).toEqual([
      ['node.unknown-type', 4, expect.stringMatching(message)],
    ]);
  });

  test('a run that was interrupted before its file was deleted resumes with its original description', async () => {
    place.write('workspace/shout.aip', shout);
    const engine = await open();
    const text = flowOf('./shout.aip', '{ text: hi }');
    const { runId } = await run(engine, text);
    rmSync(place.at('workspace/shout.aip'));
    await expect(engine.redo({ runId, text })).rejects.toMatchObject({ code: 'flow.invalid' });
    await expect(engine.planRerun({ runId, text })).rejects.toMatchObject({ code: 'flow.invalid' });
  });

  test('validation reports that a program has not loaded agents', () => {
    const { diagnostics } = checkFlow(flowOf('./shout.aip', '{ text: hi }'), createNodeRegistry(builtinNodes));
    expect(diagnostics).toMatchObject([
      { code: 'node.unknown-type', message: expect.stringMatching(/^Agent .* does not exist/) },
    ]);
  });
});

describe('the list of types', () => {
  test('BB-42 contains plain data: agents of the workspace and packs, and invalid ones with their problem', async () => {
    place.write('workspace/shout.aip', shout);
    place.write('workspace/plain.aip', '# Instruction\n\nHi\n');
    place.write(
      'workspace/lying.aip',
      agent('[node.input]\nrequired = ["a"]\nadditionalProperties = false', { Output: 'return 1' }),
    );
    place.write('workspace/.aipack/pack/custom/me@x/no.aip', shout);
    place.write('workspace/.aipack/pack/custom/acme/tools/loud.aip', shout);
    const engine = await open();
    const listed = await engine.listNodeTypes({ named: ['acme@none/x', './plain.aip', './shout.aip'] });
    expect(structuredClone(JSON.parse(JSON.stringify(listed)))).toEqual(listed);
    const own = listed.filter(({ type }) => !type.startsWith('demo@') && !type.startsWith('core@'));
    expect(own).toEqual([
      {
        type: './lying.aip',
        problem: expect.stringMatching(/lying.aip has an error in line \d+.*node.input.required.*requires "a"/),
      },
      {
        ...{ type: './shout.aip', title: 'Shout', description: 'Makes a text loud.', icon: 'quote', category: 'text' },
        ...{ effects: 'external', group: 'This workspace' },
        input: expect.objectContaining({ type: 'object', required: ['text'] }),
        output: expect.objectContaining({ required: ['loud'] }),
      },
      expect.objectContaining({ type: 'acme@tools/loud', title: 'Shout', group: 'acme@tools' }),
      { type: 'acme@none/x', problem: expect.stringContaining('not installed') },
      { type: './plain.aip', problem: expect.stringContaining('[node]') },
    ]);
    place.write('workspace/shout.aip', shout.replace('"Shout"', '"Cry out"'));
    const again = await engine.listNodeTypes({ named: [] });
    expect(again.find(({ type }) => type === './shout.aip')).toMatchObject({ title: 'Cry out' });
  });

  test('BB-40 an agent of a pack runs by its reference, without an entry in nodePacks', async () => {
    place.write('workspace/.aipack/pack/custom/acme/tools/loud.aip', shout);
    const ended = await run(await open(), flowOf('acme@tools/loud', '{ text: hi, times: 2 }'));
    expect(ended).toMatchObject({ status: 'completed', output: { after: { value: 'HI!HI!' } } });
  });
});
