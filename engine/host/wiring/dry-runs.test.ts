/** Tests the limits of dry runs: what is denied, what a cassette answers, and what is left after an interruption. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let root: string;
let workspace: string;
let server: Server;
let hits: number;
let url: string;
const engines: Engine[] = [];

beforeEach(async () => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), 'millrace-dry-runs-'));
  workspace = path.join(root, 'workspace');
  mkdirSync(workspace);
  hits = 0;
  server = createServer((_, response) => {
    hits += 1;
    response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  server.close();
  rmSync(root, { recursive: true });
});

async function open(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({ workspace, homeFolder: path.join(root, 'base'), isTrusted: true, ...options });
  engines.push(engine);
  return engine;
}

function write(name: string, text: string): void {
  writeFileSync(path.join(workspace, name), text);
}

/** Writes an agent with this Data stage. */
function writeAgent(data: string, name = 'a.aip', prompt = '# User\n{{data}}\n'): void {
  write(name, `# Options\n\`\`\`toml\nmodel = "scripted::model.yaml"\n\`\`\`\n${scriptSection('Data', data)}${prompt}`);
}

const asked = { agent: 'a.aip', inputs: ['x'], index: 0 };

function leftovers(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`millrace-overlay-${process.pid}-`));
}

test.each([
  ['aip.file.save("../out.txt", "x")', 'write-outside'],
  ['aip.file.delete(".git/config")', 'protected-folder'],
  ['aip.file.save(".millrace/x", "x")', 'protected-folder'],
  ['aip.file.save("a.txt", "x")\naip.file.move("a.txt", ".git/hooks/x")', 'protected-folder'],
  ['aip.cmd.exec("ls")', 'command-untrusted'],
  ['aip.web.get("http://127.0.0.1:1/")', 'web-untrusted'],
  ['aip.git.restore("a.txt")', 'command-untrusted'],
])('13.13 a preview is denied what a run would be denied: %s', async (data, rule) => {
  const { isTrusted: _, ...untrusted } = { isTrusted: true as const };
  const engine = await createEngine({ workspace, homeFolder: path.join(root, 'base'), ...untrusted });
  engines.push(engine);
  writeAgent(data);
  const preview = await engine.previewAgent(asked);
  expect(preview).toMatchObject({ end: 'failed', error: { message: expect.stringContaining(`rule ${rule}`) } });
});

test('13.13 policies apply to previews too', async () => {
  write('millrace.policy.yaml', 'effects: { command: deny, write: deny }\n');
  const engine = await open();
  for (const data of ['aip.cmd.exec("ls")', 'aip.file.save("a.txt", "x")']) {
    writeAgent(data);
    const preview = await engine.previewAgent(asked);
    expect(preview).toMatchObject({ end: 'failed', error: { message: expect.stringContaining('effect_denied') } });
  }
});

test('13.13 each preview starts with the files on disk', async () => {
  const engine = await open();
  writeAgent('aip.file.append("n.txt", "+")\nreturn aip.file.load("n.txt").content');
  for (let count = 0; count < 2; count += 1)
    expect(await engine.previewAgent(asked)).toMatchObject({ messages: [{ content: '+\n' }] });
});

test('13.13 a cassette answers requests and the models of called agents, and anything else is omitted', async () => {
  write('model.yaml', 'replies: [{ match: "Sum", reply: "a sum" }]\n');
  const called = `# Options\n\`\`\`toml\nmodel = "scripted::model.yaml"\n\`\`\`\n# User\nSum up {{input}}\n${scriptSection('Output', 'aip.file.save("sum.txt", ai_response.content)\nreturn ai_response.content')}`;
  write('b.aip', called);
  const data = `local page = aip.web.get("${url}").content
local sum = aip.agent.run("b.aip", { inputs = {page} }).outputs[1]
return page .. ": " .. tostring(sum)`;
  writeAgent(data);
  const file = path.join(root, 'c.cassette.yaml');
  write('model.yaml', 'replies: [{ match: "", reply: "a sum" }]\n');
  const recording = await open({ cassette: { file, mode: 'record' } });
  const { runId } = (await recording.startAgent({ agent: 'a.aip', folder: workspace, inputs: ['x'] })) as {
    runId: never;
  };
  expect((await recording.whenEnded(runId)).status).toBe('completed');
  rmSync(path.join(workspace, 'sum.txt'));
  expect(hits).toBe(1);
  const replaying = await open({ cassette: { file, mode: 'replay' }, storeFile: ':memory:' });
  expect(await replaying.previewAgent(asked)).toMatchObject({
    messages: [{ content: 'hello: a sum\n' }],
    effects: [{ effect: 'write', target: 'sum.txt' }],
  });
  writeAgent(`return "not recorded" .. aip.web.get("${url}?other").content`);
  expect(await replaying.previewAgent(asked)).toMatchObject({
    messages: [{ content: 'not recorded\n' }],
    effects: [{ effect: 'web', target: expect.stringContaining('GET ') }],
  });
  expect(hits).toBe(1);
  expect(readdirSync(workspace)).not.toContain('sum.txt');
});

test('13.13 nothing is left when a preview is interrupted while it writes, or when the engine closes', async () => {
  const engine = await open();
  const before = readdirSync(workspace);
  const endless = 'local n = 0\nwhile true do n = n + 1 aip.file.save("f" .. (n % 10) .. ".txt", "x") end';
  writeAgent(endless);
  const cut = engine.previewAgent(asked).catch((error: unknown) => error);
  await expect.poll(leftovers).toHaveLength(1);
  writeAgent('return "next"');
  expect(await engine.previewAgent(asked)).toMatchObject({ end: 'asked' });
  expect(await cut).toMatchObject({ code: 'run.cancelled' });
  writeAgent(endless);
  const closed = engine.previewAgent(asked).catch((error: unknown) => error);
  await expect.poll(leftovers).toHaveLength(1);
  await engine.close();
  engines.splice(0);
  expect(await closed).toMatchObject({ code: 'run.cancelled' });
  expect(leftovers()).toEqual([]);
  expect(readdirSync(workspace).filter((name) => name !== '.millrace')).toEqual(
    [...before, 'a.aip'].filter((name) => name !== '.millrace'),
  );
});

test('13.13 a recorded dry run works in the same way, for all inputs, and logs what it omits', async () => {
  const engine = await open();
  writeAgent(
    'aip.file.append("seen.txt", input)\naip.cmd.exec("deploy", {input})\nreturn aip.file.load("seen.txt").content',
  );
  const request = {
    agent: 'a.aip',
    folder: workspace,
    inputs: ['x', 'y'],
    dry: 'req',
    options: { input_concurrency: 1 },
  } as const;
  const { runId } = (await engine.startAgent(request)) as { runId: never };
  expect((await engine.whenEnded(runId)).status).toBe('completed');
  const log = (await engine.readEvents(runId, -1, 1000))
    .flatMap(({ event }) => (event.type === 'log' ? event.text : []))
    .join('\n');
  expect(log).toContain('Dry run, left out: the command deploy y');
  expect(log).toContain('xy');
  expect(readdirSync(workspace)).not.toContain('seen.txt');
  expect(readFileSync(path.join(workspace, 'a.aip'), 'utf8')).toContain('seen.txt');
  expect(leftovers()).toEqual([]);
});
