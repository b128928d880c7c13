/** Tests questions of MCP servers: they become requests of the calling node. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

const sdk = (part: string): string =>
  JSON.stringify(pathToFileURL(path.resolve('node_modules/@modelcontextprotocol/server/dist', part)).href);

/** Appends each call to `calls.jsonl`. Its tools ask once, twice, or for a page. */
const factory = `
import { appendFileSync } from 'node:fs';
import { Server, UrlElicitationRequiredError } from ${sdk('index.mjs')};
const ask = (message, properties, required = []) => ({
  method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
});
const size = { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l', title: 'Large' }] };
export function makeServer() {
  const server = new Server({ name: 'shop', version: '1' }, { capabilities: { tools: {} } });
  const names = ['order', 'twice', 'page', 'sample', 'slow'];
  server.setRequestHandler('tools/list', async () => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const answers = mcpReq.inputResponses;
    const state = mcpReq.requestState?.();
    appendFileSync('calls.jsonl', JSON.stringify({ name: params.name, answers, state }) + '\\n');
    const done = (given) => ({ content: [], structuredContent: { given: given ?? null } });
    if (params.name === 'sample') return { resultType: 'input_required', inputRequests: { it: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } } };
    if (params.name === 'slow' && state === undefined) return { resultType: 'input_required', requestState: 'later' };
    if (params.name === 'page' && answers === undefined) return { resultType: 'input_required', inputRequests: { it: { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in first', url: 'https://shop.example.com/sign-in?for=1', elicitationId: 'e1' } } } };
    if (params.name === 'order' && answers === undefined) return { resultType: 'input_required', requestState: 'basket-7', inputRequests: { size: ask('Which size?', { size }, ['size']) } };
    if (params.name === 'twice' && answers?.color === undefined)
      return answers?.size === undefined
        ? { resultType: 'input_required', inputRequests: { size: ask('Which size?', { size }) } }
        : { resultType: 'input_required', inputRequests: { color: ask('Which color?', { color: { type: 'string' } }), size: ask('Sure?', { size }) } };
    return done({ answers, state: state ?? null });
  });
  return server;
}
`;

/** The second one knows only the earlier revisions. */
const programs = {
  '2026-07-28': `import { serveStdio } from ${sdk('stdio.mjs')};\nimport { makeServer } from './factory.mjs';\nserveStdio(makeServer, { legacy: 'reject' });\n`,
  '2025-11-25': `import { StdioServerTransport } from ${sdk('stdio.mjs')};\nimport { makeServer } from './factory.mjs';\nawait makeServer().connect(new StdioServerTransport());\n`,
};

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

async function open(revision: keyof typeof programs): Promise<void> {
  world.folder.write('workspace/factory.mjs', factory);
  world.folder.write('workspace/server.mjs', programs[revision]);
  const entry = { command: process.execPath, args: ['server.mjs'] };
  world.folder.write('workspace/.mcp.json', JSON.stringify({ mcpServers: { shop: entry } }));
  engine = await world.engine(process.env);
}

const flowOf = (tool: string): string =>
  `flow: { name: F }\nnodes: [{ id: buy, type: tool, config: { tool: shop.${tool} }, input: {} }]\nedges: []\n`;

/** Starts the flow, and allows the call. */
async function start(tool: string): Promise<RunId> {
  const { runId } = await engine.startRun({ path: 'buy.flow.yaml', text: flowOf(tool), inputs: {} });
  await engine.whenEnded(runId);
  await engine.resumeRun({ runId, payload: { approved: true } });
  return runId;
}

async function asked(runId: RunId, count = 1) {
  await vi.waitUntil(async () => (await engine.waiting(runId)).length >= count);
  return await engine.waiting(runId);
}

interface Ended {
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

async function ended(runId: RunId): Promise<Ended> {
  await engine.whenEnded(runId);
  const events = await engine.readEvents(runId, -1, 1000);
  const end = events.findLast(({ event }) => event.type === 'task:complete' || event.type === 'task:failed')?.event;
  if (end?.type === 'task:complete') return { output: end.result };
  return end?.type === 'task:failed' ? { error: end.error } : {};
}

const calls = (): readonly JsonMap[] => {
  const file = world.folder.at('workspace/calls.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonMap);
};

describe.each(['2026-07-28', '2025-11-25'] as const)('with revision %s', (revision) => {
  beforeEach(() => open(revision));

  test('13.10 a form is a request of the node, and its answer reaches the server', async () => {
    const runId = await start('order');
    expect(await asked(runId)).toMatchObject([
      {
        name: 'buy',
        request: {
          kind: 'input',
          title: 'The MCP server shop asks: Which size?',
          message: expect.stringContaining('the call of shop.order'),
          mayDecline: true,
          schema: { properties: { size: { type: 'string', enum: ['Small', 'Large'] } }, required: ['size'] },
        },
      },
    ]);
    await expect(engine.resumeRun({ runId, payload: { values: { size: 'Medium' } } })).rejects.toMatchObject({
      code: 'answer.invalid',
    });
    await engine.resumeRun({ runId, payload: { values: { size: 'Large' } } });
    const accepted = { size: { action: 'accept', content: { size: 'l' } } };
    expect(await ended(runId)).toEqual({ output: { given: { answers: accepted, state: 'basket-7' } } });
    expect(calls()).toEqual([{ name: 'order' }, { name: 'order', answers: accepted, state: 'basket-7' }]);
    expect(await engine.waiting(runId)).toEqual([]);
  });

  test('13.10 a person may decline to answer', async () => {
    const runId = await start('order');
    await asked(runId);
    await engine.resumeRun({ runId, decision: 'reject' });
    expect(await ended(runId)).toMatchObject({ output: { given: { answers: { size: { action: 'decline' } } } } });
  });

  test('13.10 a server may ask again, and several things at once', async () => {
    const runId = await start('twice');
    await asked(runId);
    await engine.resumeRun({ runId, payload: { values: { size: 'Small' } } });
    await vi.waitUntil(async () => (await engine.waiting(runId)).some(({ message }) => message.includes('color')));
    for (const answer of [{ color: 'red' }, { size: 'Large' }]) {
      const [field] = Object.keys(answer);
      const find = async () =>
        (await engine.waiting(runId)).find(
          ({ request }) => request?.kind === 'input' && field! in (request.schema['properties'] as JsonMap),
        );
      await vi.waitUntil(async () => (await find()) !== undefined);
      const { key = '' } = (await find()) ?? {};
      await engine.resumeRun({ runId, key, nodeId: 'buy', payload: { values: answer } });
    }
    expect(await ended(runId)).toMatchObject({
      output: { given: { answers: { color: { content: { color: 'red' } }, size: { content: { size: 'l' } } } } },
    });
  });

  test('13.10 a page is opened only after a person agrees', async () => {
    const runId = await start('page');
    expect(await asked(runId)).toMatchObject([
      {
        request: {
          kind: 'approval',
          title: 'The MCP server shop asks you to open shop.example.com',
          message: expect.stringContaining('https://shop.example.com/sign-in?for=1'),
        },
      },
    ]);
    await engine.resumeRun({ runId, payload: { approved: true } });
    expect(await ended(runId)).toMatchObject({ output: { given: { answers: { it: { action: 'accept' } } } } });
  });

  test('13.10 sampling is not offered', async () => {
    const runId = await start('sample');
    expect((await ended(runId)).error).toMatchObject({ code: 'tool.server-error' });
    expect(await engine.waiting(runId)).toEqual([]);
  });

  test('13.10 a canceled run withdraws its question', async () => {
    const runId = await start('order');
    await asked(runId);
    engine.cancelRun(runId);
    await vi.waitUntil(async () => (await engine.getRun(runId)).status === 'cancelled');
    expect(await engine.waiting(runId)).toEqual([]);
  });
});

test('13.10 the questions of the reference server are answered from the inbox', async () => {
  const { resolve } = createRequire(import.meta.url);
  const manifest = resolve('@modelcontextprotocol/server-everything/package.json');
  const entry = { command: process.execPath, args: [path.join(path.dirname(manifest), 'dist/index.js')] };
  world.folder.write('workspace/.mcp.json', JSON.stringify({ mcpServers: { shop: entry } }));
  engine = await world.engine(process.env);
  const runId = await start('trigger-elicitation-request');
  const [{ request } = {}] = await asked(runId);
  const fields = request?.kind === 'input' ? (request.schema['properties'] as JsonMap) : {};
  expect(fields).toMatchObject({
    titledSingleSelectEnum: { enum: ['Superman', 'Green Lantern', 'Wonder Woman'], default: 'Superman' },
    integer: { type: 'integer', minimum: 1, maximum: 100, default: 42 },
    email: { type: 'string', format: 'email' },
  });
  const values = {
    name: 'Ann',
    integer: 7,
    titledSingleSelectEnum: 'Wonder Woman',
    titledMultipleSelectEnum: ['Tuna'],
  };
  await engine.resumeRun({ runId, payload: { values } });
  const { output } = await ended(runId);
  expect(output).toContain('User provided the requested information');
  expect(output).toContain('Ann');
  expect(output).toContain('hero-3');
  expect(output).toContain('fish-1');
});

test('13.10 a question survives the end of both programs', async () => {
  await open('2026-07-28');
  const runId = await start('order');
  await asked(runId);
  expect(await engine.whenEnded(runId)).toMatchObject({ status: 'suspended' });
  await world.closeEngines();
  engine = await world.engine(process.env);
  expect(await engine.waiting(runId)).toMatchObject([{ request: { kind: 'input' } }]);
  expect(calls()).toHaveLength(1);
  await engine.resumeRun({ runId, payload: { values: { size: 'Small' } } });
  expect(await ended(runId)).toMatchObject({ output: { given: { state: 'basket-7' } } });
  expect(calls()).toEqual([
    { name: 'order' },
    { name: 'order', state: 'basket-7', answers: { size: { action: 'accept', content: { size: 's' } } } },
  ]);
});

test('13.10 a server that only needs time is called again with its state', async () => {
  await open('2026-07-28');
  const runId = await start('slow');
  expect(await ended(runId)).toMatchObject({ output: { given: { state: 'later' } } });
});
