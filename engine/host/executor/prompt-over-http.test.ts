/** Tests the content of prompts as it reaches servers of each provider. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server.ts';
import { providerKinds } from '../../world/model/provider-config.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=',
  'base64',
);
const pdf = Buffer.from('%PDF-1.4 a small one');

let folder: string;
let server: ModelServer;
let engine: Engine;

const flow = (input: string, { config = '', before = '', edges = '[]' } = {}) => `
flow: { name: Ask }
nodes:
  ${before}
  - { id: ask, type: prompt, input: ${input}, config: { model: "p::tiny"${config} } }
edges: ${edges}
`;

async function run(text: string, rerunOf?: RunState): Promise<RunState> {
  const { runId } =
    rerunOf?.runId === undefined || rerunOf.runId === null
      ? await engine.startRun({ path: 'ask.flow.yaml', text, inputs: {} })
      : await engine.rerunFrom({ runId: rerunOf.runId, nodeId: 'after', text });
  await engine.whenEnded(runId);
  return foldRun(emptyRunState, await engine.readEvents(runId, -1, 5000));
}

async function open(kind: (typeof providerKinds)[number]): Promise<void> {
  vi.stubEnv('MILLRACE_TEST_KEY', 'a-key-for-tests');
  folder = mkdtempSync(join(tmpdir(), 'millrace-prompt-'));
  const workspace = join(folder, 'work');
  mkdirSync(join(workspace, 'pictures'), { recursive: true });
  mkdirSync(join(folder, 'base'));
  server = await startModelServer(kind);
  writeFileSync(
    join(folder, 'base', 'config-user.toml'),
    `[providers.p]\nkind = "${kind}"\nbase_url = "${server.baseUrl}"\napi_key_env = "MILLRACE_TEST_KEY"\n`,
  );
  writeFileSync(join(workspace, 'pictures', 'dot.png'), png);
  writeFileSync(join(workspace, 'paper.pdf'), pdf);
  writeFileSync(join(workspace, 'notes.txt'), 'only text');
  writeFileSync(join(workspace, 'fake.png'), 'only text');
  engine = await createEngine({ workspace, homeFolder: join(folder, 'base') });
}

async function close(): Promise<void> {
  await engine.close();
  await server.close();
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
}

describe.each(providerKinds)('BB-58 a prompt over %s', (kind) => {
  beforeEach(() => open(kind));
  afterEach(close);

  test('sends messages, images and PDFs, and a limit on the response', async () => {
    const messages = `[{ role: system, content: Be brief. }, { role: user, content: What is it? }, { role: assistant, content: A dot. }, { role: user, content: "And this {{read.path}}?" }]`;
    const text = flow(`{ messages: ${messages}, attachments: [pictures/dot.png, "{{read}}"] }`, {
      config: ', maxTokens: 77',
      before: '- { id: read, type: file.read, input: { path: paper.pdf, as: base64 } }',
      edges: '[{ from: read, to: ask }]',
    });
    const { status, error } = await run(text);
    expect([status, error]).toEqual(['completed', undefined]);
    const said = JSON.stringify(server.received[0]?.body);
    for (const words of ['Be brief.', 'What is it?', 'A dot.', 'And this paper.pdf?']) expect(said).toContain(words);
    expect(said).toContain(png.toString('base64'));
    expect(said).toContain(pdf.toString('base64'));
    expect(said).toMatch(/"(?:max_tokens|max_output_tokens|maxOutputTokens)":77\b/);
    // Attachments belong to the last message.
    expect(said.indexOf(png.toString('base64'))).toBeGreaterThan(said.indexOf('And this'));
  });
});

describe('BB-58 attachments of a prompt', () => {
  beforeEach(() => open('openai-compatible'));
  afterEach(close);

  test.each([
    ['notes.txt', 'prompt.bad-attachment', /images \(PNG, JPEG, GIF, WebP\) and PDFs, but "notes.txt" is not one/],
    ['fake.png', 'prompt.bad-attachment', /"fake.png" is not one of these/],
    ['missing.png', 'files.not-found', /missing\.png/],
    ['../outside.png', 'files.outside', /outside/],
    ['.millrace/.env', 'files.outside', /./],
    ['pictures', 'files.not-text', /./],
  ])('rejects %s before sending anything', async (path, code, message) => {
    const { status, error } = await run(flow(`{ prompt: See, attachments: ["${path}"] }`));
    expect([status, error?.message]).toEqual(['failed', expect.stringMatching(message)]);
    expect(error?.code === code || error?.code === 'files.not-found').toBe(true);
    expect(server.received).toHaveLength(0);
  });

  test('rejects a file that is too large, or files that are too large together', async () => {
    const large = Buffer.alloc(17 * 1024 * 1024);
    png.copy(large);
    writeFileSync(join(folder, 'work', 'large.png'), large);
    writeFileSync(join(folder, 'work', 'half.png'), large.subarray(0, 15 * 1024 * 1024));
    const one = await run(flow('{ prompt: See, attachments: [large.png] }'));
    expect(one.error).toMatchObject({ code: 'files.too-large' });
    const many = await run(flow('{ prompt: See, attachments: [half.png, half.png, half.png] }'));
    expect(many.error).toMatchObject({ code: 'prompt.bad-attachment', message: expect.stringContaining('32 MiB') });
    expect(server.received).toHaveLength(0);
  });

  test('sends all files of a reading', async () => {
    const before = '- { id: read, type: file.read, input: { globs: ["pictures/*.png", paper.pdf], as: base64 } }';
    const edges = '[{ from: read, to: ask }]';
    const { error } = await run(flow('{ prompt: See, attachments: ["{{read}}"] }', { before, edges }));
    expect(error).toBeUndefined();
    const said = JSON.stringify(server.received[0]?.body);
    expect(said).toContain(png.toString('base64'));
    expect(said).toContain(pdf.toString('base64'));
  });

  test('a rerun calls the model again only if a file named in the flow has changed', async () => {
    const text = `${flow('{ prompt: See, attachments: [pictures/dot.png] }').replace(
      'edges: []',
      '  - { id: after, type: echo, input: { text: "{{ask.text}}" } }\nedges: [{ from: ask, to: after }]',
    )}`;
    const first = await run(text);
    const second = await run(text, first);
    expect(second.nodes.get('ask')?.status).toBe('reused');
    expect(server.received).toHaveLength(1);
    writeFileSync(join(folder, 'work', 'pictures', 'dot.png'), Buffer.concat([png, png]));
    const third = await run(text, second);
    expect(third.nodes.get('ask')?.status).toBe('completed');
    expect(server.received).toHaveLength(2);
  });
});
