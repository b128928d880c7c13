/** Tests how long an approval for a tool of a server lasts. */
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../index.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { writeMcpProgram } from '../../testing/mcp-program.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
  writeServer({});
  world.folder.write('workspace/model.yaml', model);
  world.folder.write('workspace/tools/mine.tool.yaml', manifest);
  engine = await world.engine(process.env);
});
afterEach(() => world.close());

const model = `
replies:
  - { match: "^write", reply: I write., calls: [{ tool: files.put, input: { text: hi } }] }
  - { afterTool: files.put, reply: Done. }
`;
const manifest = `tool_id: mine\ndescription: Writes.\nrisk: low\ninput_schema: { type: object }\nrun: { mcp: { server: files, tool: put } }\n`;

/** Writes a server `files` with a tool `put` that acts but does not communicate externally. */
function writeServer(more: object): void {
  const put = {
    ...{ name: 'put', title: 'Put away', description: 'Writes.', inputSchema: { type: 'object' } },
    ...{ annotations: { openWorldHint: false }, ...more },
  };
  const entry = writeMcpProgram(world.folder.at('workspace'), { tools: [put] });
  world.folder.write('workspace/.mcp.json', JSON.stringify({ mcpServers: { files: entry } }));
}

const flowWith = (node: JsonMap): string =>
  `flow: { name: F }\nnodes: [${JSON.stringify({ id: 't', ...node })}]\nedges: []\n`;
const byNode = flowWith({ type: 'tool', config: { tool: 'files.put' }, input: { text: 'hi' } });
const byManifest = flowWith({ type: 'tool', config: { tool: 'mine' }, input: { text: 'hi' } });
const byModel = flowWith({
  type: 'prompt',
  input: { prompt: 'write it' },
  config: { model: 'scripted::model.yaml', tools: ['files.put'] },
});

async function start(text: string): Promise<RunId> {
  const { runId } = await engine.startRun({ path: 'call.flow.yaml', text, inputs: {} });
  await engine.whenEnded(runId);
  return runId;
}

async function answer(runId: RunId, payload: JsonMap): Promise<string> {
  await engine.resumeRun({ runId, payload });
  await engine.whenEnded(runId);
  return (await engine.getRun(runId)).status;
}

const statusOf = async (runId: RunId): Promise<string> => (await engine.getRun(runId)).status;
const listFile = (): string => world.folder.at('home/millrace/mcp-tools.json');

test.each([
  ['a node', byNode],
  ['a manifest', byManifest],
  ['the tool loop of a model', byModel],
])('13.17 a later run asks again after a single approval of a call of %s', async (_, text) => {
  const first = await start(text);
  expect(await engine.waiting(first)).toMatchObject([
    { request: { action: { risk: 'high' }, params: { text: 'hi' }, scopes: ['once', 'workspace'] } },
  ]);
  expect(await answer(first, { approved: true })).toBe('completed');
  expect(await engine.listAllowedTools()).toEqual([]);
  expect(existsSync(listFile())).toBe(false);
  const second = await start(text);
  expect(await statusOf(second)).toBe('suspended');
  expect(await answer(second, { approved: true, scope: 'workspace' })).toBe('completed');
  expect(await engine.listAllowedTools()).toMatchObject([{ server: 'files', tool: 'put' }]);
  expect(await statusOf(await start(text))).toBe('completed');
  await engine.withdrawTool({ server: 'files', tool: 'put' });
  expect(await statusOf(await start(text))).toBe('suspended');
});

test.each<[string, JsonValue]>([
  ['a scope that does not exist', 'forever'],
  ['another letter case', 'Workspace'],
  ['true', true],
  ['null', null],
  ['a list', ['workspace']],
  ['a map', { workspace: true }],
])('13.17 refuses an answer with the scope %s, and keeps waiting', async (_, scope) => {
  const runId = await start(byNode);
  await expect(engine.resumeRun({ runId, payload: { approved: true, scope } })).rejects.toMatchObject({
    code: 'answer.invalid',
    details: [expect.objectContaining({ code: 'enum_mismatch:scope' })],
  });
  expect(await statusOf(runId)).toBe('suspended');
  expect(await engine.listAllowedTools()).toEqual([]);
});

test("13.17 a tool that requires approval for each call, and a node's own request, cannot be allowed for the workspace", async () => {
  writeServer({ annotations: {} });
  await engine.close();
  engine = await world.engine(process.env);
  const ask = flowWith({ type: 'human_approval', input: { title: 'Go on?' } });
  for (const text of [byNode, ask]) {
    const runId = await start(text);
    const given = { runId, payload: { approved: true, scope: 'workspace' } };
    await expect(engine.resumeRun(given)).rejects.toMatchObject({ code: 'answer.invalid' });
    expect(await answer(runId, { approved: true, scope: 'once' })).toBe('completed');
  }
});

test('13.17 a tool that changes while its request is open requires a new approval in its new form', async () => {
  const runId = await start(byNode);
  await engine.close();
  writeServer({ inputSchema: { type: 'object', properties: { text: { type: 'string' }, all: {} } } });
  engine = await world.engine(process.env);
  expect(await answer(runId, { approved: true, scope: 'workspace' })).toBe('suspended');
  expect(await engine.listAllowedTools()).toEqual([]);
  expect(await answer(runId, { approved: true })).toBe('completed');
});

test('13.17 the list of open requests shows the server, the tool, its risk and its arguments on one line', async () => {
  const runId = await start(byNode);
  const line = 'Call Put away? files.put, high risk, with {"text":"hi"}';
  expect(await engine.waiting(runId)).toMatchObject([{ message: line }]);
  expect(await engine.listWaiting()).toMatchObject([{ message: line }]);
  const events = (await engine.readEvents(runId, -1, 1000)).map(({ event }) => event);
  expect(events.find(({ type }) => type === 'node:suspended')).toMatchObject({ request: { message: line } });
});

test('13.17 the file contains the real path of the workspace, hashes and times, and nothing else', async () => {
  await answer(await start(byNode), { approved: true, scope: 'workspace', comment: 'fine' });
  const { workspaces } = JSON.parse(readFileSync(listFile(), 'utf8')) as { workspaces: JsonMap };
  expect(Object.values(workspaces)).toEqual([
    { files: { put: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), at: expect.any(Number) } } },
  ]);
});
