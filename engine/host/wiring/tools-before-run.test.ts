/** Tests that tools referenced by a flow are checked before it runs, without starting servers. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { refusalOf, runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
  const schema = '{ type: object, properties: { days: { type: integer } }, required: [days] }';
  const text = (name: string) =>
    `tool_id: ${name}\ndescription: x\ninput_schema: ${schema}\nrun: { js: "return input.days" }\n`;
  world.folder.write('workspace/tools/get_weather.tool.yaml', text('get_weather'));
  world.folder.write('workspace/tools/broken.tool.yaml', text('broken').replace('js:', 'jss:'));
  world.folder.write('workspace/.mcp.json', '{ "mcpServers": { "files": { "command": "no-such-program-here" } } }');
  const pack = 'workspace/.aipack/pack/custom/me/kit';
  world.folder.write(`${pack}/pack.toml`, '[pack]\nnamespace = "me"\nname = "kit"\nversion = "1.0.0"\n');
  world.folder.write(`${pack}/tools/one.tool.yaml`, text('one'));
  engine = await world.engine({ ...process.env });
});
afterEach(() => world.close());

const toolNode = (tool: string, input: JsonMap = {}): string =>
  `flow: { name: F }\nnodes:\n  - id: t\n    type: tool\n    input: ${JSON.stringify(input)}\n    config:\n      tool: ${tool}\nedges: []\n`;
const promptNode = (...tools: readonly string[]): string =>
  `flow: { name: F }\nnodes:\n  - id: t\n    type: prompt\n    input: { prompt: Hi }\n    config:\n      model: none::x\n      tools:\n${tools.map((tool) => `        - ${tool}\n`).join('')}edges: []\n`;

test.each([
  ['get_wether', 7, 'Tool "get_wether" does not exist. Did you mean "get_weather"?'],
  ['core.file_raed', 7, 'Did you mean "core.file_read"?'],
  ['kit.two', 7, 'Tool "kit.two" does not exist.'],
  ['nobody.knows', 7, 'Tool "nobody.knows" does not exist.'],
  ['broken', 7, 'The tool "broken" cannot be used: tools/broken.tool.yaml:4: '],
])('rejects a tool node that references %s before the run, at its line', async (tool, line, words) => {
  const refusal = await refusalOf(engine, toolNode(tool, { days: 1 }));
  expect(refusal).toMatchObject({ code: 'flow.invalid', message: expect.stringContaining(words), line });
});

test('rejects a prompt for each unknown name in its list, including a group', async () => {
  const refusal = await refusalOf(engine, promptNode('core.file_read', 'kit.*', 'kitt.*', 'files.*', 'nothing'));
  expect(refusal?.details).toMatchObject([
    { code: 'node.unknown-tool', nodeId: 't', range: { line: 11 }, message: expect.stringContaining('"kitt.*"') },
    { code: 'node.unknown-tool', nodeId: 't', range: { line: 13 } },
  ]);
});

test('rejects invalid fixed parameters at their line; bound values are validated in the run', async () => {
  const text = toolNode('get_weather').replace('input: {}', 'input:\n      days: many');
  expect(await refusalOf(engine, text)).toMatchObject({
    line: 6,
    message: expect.stringContaining('days: expected a whole number, found "many"'),
  });
  expect(await refusalOf(engine, toolNode('kit.one'))).toMatchObject({
    message: expect.stringContaining('days: expected a value'),
  });
  const from = 'nodes:\n  - { id: n, type: constant, input: { value: many } }\n';
  const bound = toolNode('get_weather', { days: '{{n.value}}' }).replace('nodes:\n', from);
  const events = await runFlow(engine, bound.replace('edges: []', 'edges: [{ from: n, to: t }]'));
  expect(events.at(-1)?.event).toMatchObject({ error: { message: expect.stringContaining('found "many"') } });
});

test('does not check tools of a server, which is started when the run calls it', async () => {
  expect(await refusalOf(engine, promptNode('files.read'))).toBeUndefined();
  const events = await runFlow(engine, toolNode('files.read'));
  expect(events.at(-1)?.event).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^mcp\./) } });
});

test('rejects a binding that no output of a tool can satisfy before the run, if its manifest declares the output', async () => {
  const schema = '{ type: object, properties: { days: { type: integer } }, additionalProperties: false }';
  world.folder.write(
    'workspace/tools/typed.tool.yaml',
    `tool_id: typed\ndescription: x\ninput_schema: { type: object }\noutput_schema: ${schema}\nrun: { js: "return { days: 1 }" }\n`,
  );
  const use = (tool: string, items: string): string =>
    toolNode(tool, tool === 'get_weather' ? { days: 1 } : {}).replace(
      'edges: []',
      `  - { id: use, type: list.sort, input: { items: "${items}" } }\nedges: [{ from: t, to: use }]`,
    );
  expect(await refusalOf(engine, use('typed', '{{t.days}}'))).toMatchObject({
    details: [{ code: 'binding.wrong-type', nodeId: 'use' }],
  });
  expect(await refusalOf(engine, use('typed', '{{t.day}}'))).toMatchObject({
    message: expect.stringContaining('Did you mean "days"?'),
  });
  expect(await refusalOf(engine, use('get_weather', '{{t.days}}'))).toBeUndefined();
});
