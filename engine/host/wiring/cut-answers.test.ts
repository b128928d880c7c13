/**
 * Tests that a response fails for every caller if its compressed data is truncated, even if the transfer itself ends
 * normally.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { runFlow, SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
beforeEach(async () => {
  world = await SecretWorld.open();
});
afterEach(() => world.close());

const text = Array.from({ length: 400 }, (_, line) => createHash('md5').update(String(line)).digest('hex')).join('\n');

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1);
}

const codings: readonly (readonly [string, Buffer])[] = [
  ['gzip', half(gzipSync(text))],
  ['gzip', gzipSync(text).subarray(0, -8)],
  ['deflate', half(deflateSync(text))],
  ['br', half(brotliCompressSync(text))],
];

function answer(encoding: string, body: Buffer, type = 'text/plain'): void {
  world.answer = () => ({ headers: { 'content-encoding': encoding, 'content-type': type }, body });
}

async function run(node: object): Promise<readonly EventEnvelope[]> {
  const flow = { flow: { name: 'F' }, nodes: [{ id: 'a', ...node }], edges: [] };
  return await runFlow(await world.engine(), JSON.stringify(flow));
}

const ofType = <Type extends RunEvent['type']>(events: readonly EventEnvelope[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<RunEvent, { type: Type }>] : []));

describe('a truncated response fails', () => {
  test.each(codings)('in http.request, and leaves the target file unchanged: %s', async (encoding, body) => {
    answer(encoding, body);
    world.folder.write('workspace/a.txt', 'old');
    for (const input of [{ url: world.base }, { url: world.base, saveTo: 'a.txt' }]) {
      const events = await run({ type: 'http.request', input });
      expect(ofType(events, 'run:end')).toMatchObject([{ status: 'failed', error: { code: 'web.broken' } }]);
    }
    expect(readFileSync(world.folder.at('workspace/a.txt'), 'utf8')).toBe('old');
  });

  test('in core.http_get and in tools of manifests', async () => {
    answer('gzip', half(gzipSync(text)));
    world.folder.write(
      'workspace/tools/ask.tool.yaml',
      `tool_id: ask\ndescription: Asks.\nrun: { http: { url: "${world.base}" } }\n`,
    );
    for (const [tool, input] of [
      ['core.http_get', { url: world.base }],
      ['ask', {}],
    ]) {
      const events = await run({ type: 'tool', input, config: { tool } });
      expect(ofType(events, 'tool:result').at(-1)?.result).toMatchObject({ metadata: { code: 'web.broken' } });
    }
  });

  test('in aip.web', async () => {
    answer('gzip', half(gzipSync(text)));
    const events = await run({
      type: 'script.lua',
      input: {},
      config: { code: `return aip.web.get("${world.base}")` },
    });
    expect(ofType(events, 'run:end')).toMatchObject([
      { status: 'failed', error: { message: expect.stringContaining('its data ends too early') } },
    ]);
  });

  test('of a model', async () => {
    world.folder.write(
      'home/config-user.toml',
      `[providers.cut]\nkind = "openai-compatible"\nbase_url = "${world.base}"\n`,
    );
    const choice = { index: 0, delta: { role: 'assistant', content: text }, finish_reason: null };
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] };
    const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const events = [chunk, end].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
    answer('gzip', gzipSync(`${events}data: [DONE]\n\n`).subarray(0, -200), 'text/event-stream');
    const told = await run({ type: 'prompt', input: { prompt: 'Hi' }, config: { model: 'cut::m' } });
    expect(ofType(told, 'run:end')).toMatchObject([{ status: 'failed', error: { code: 'model.unavailable' } }]);
  });

  test('of an MCP server', async () => {
    world.folder.write('workspace/.mcp.json', JSON.stringify({ mcpServers: { s: { url: world.base } } }));
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: text, version: '1' } };
    const said = { jsonrpc: '2.0', id: 0, result };
    answer('gzip', gzipSync(JSON.stringify(said)).subarray(0, -8), 'application/json');
    const events = await run({ type: 'tool', input: {}, config: { tool: 's.echo' } });
    expect(ofType(events, 'run:end')).toMatchObject([{ status: 'failed' }]);
    expect(JSON.stringify(events)).toMatch(/gzip data|cannot be decompressed/);
  });
});
