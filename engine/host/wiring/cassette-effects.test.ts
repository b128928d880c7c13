/** Tests that a cassette holds programs and tools of MCP servers: a replay starts nothing, and needs no permission. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CassetteMode } from '../../history/cassette/cassette-player.ts';
import { createEngine, type Engine } from '../../index.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { writeMcpProgram } from '../../testing/mcp-program.ts';
import { runFlow } from '../../testing/secret-world.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';

let folder: TestFolder;
const engines: Engine[] = [];

beforeEach(() => {
  folder = createTestFolder();
  folder.write('workspace/.keep', '');
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  folder.remove();
});

const cassetteFile = (): string => folder.at('workspace/calls.cassette.yaml');
const cassetteText = (): string => readFileSync(cassetteFile(), 'utf8');

async function open(mode: CassetteMode, isTrusted: boolean, env: NodeJS.ProcessEnv = process.env): Promise<Engine> {
  const engine = await createEngine({
    workspace: folder.at('workspace'),
    storeFile: ':memory:',
    homeFolder: folder.at('home'),
    env,
    ...(isTrusted ? { isTrusted } : {}),
    cassette: { file: cassetteFile(), mode },
  });
  engines.push(engine);
  return engine;
}

const endOf = (events: readonly EventEnvelope[]) => events.at(-1)?.event;
const outputsIn = (events: readonly EventEnvelope[]) =>
  events.flatMap(({ event }) => (event.type === 'task:complete' ? [event.result] : []));

/** Counts its calls in a file, which a replay does not do. */
const script = `
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync('count.txt', 'x');
process.stdout.write('heard ' + readFileSync(0, 'utf8') + ' and ' + process.argv.slice(2).join(' '));
process.stderr.write('careful');
process.exit(process.argv[2] === 'bad' ? 3 : 0);
`;

const commandFlow = (...args: readonly string[]): string => `
flow: { name: Commands }
nodes:
  - id: call
    type: command.run
    config: { program: ${JSON.stringify(process.execPath)}, okExit: [0, 3] }
    input: { args: [script.cjs, ${args.join(', ')}], stdin: "the text" }
edges: []`;

test('13.13 a program is recorded with its outputs and exit code, and a replay starts nothing and needs no trust', async () => {
  folder.write('workspace/script.cjs', script);
  const recorded = await runFlow(await open('record', true), commandFlow('good', 'words'));
  const output = { stdout: 'heard the text and good words', stderr: 'careful', exitCode: 0 };
  expect(outputsIn(recorded)).toMatchObject([output]);
  await runFlow(await open('auto', true), commandFlow('bad'));
  expect(readFileSync(folder.at('workspace/count.txt'), 'utf8')).toBe('xx');

  rmSync(folder.at('workspace/script.cjs'));
  const replay = await open('replay', false);
  const replayed = await runFlow(replay, commandFlow('good', 'words'));
  expect(outputsIn(replayed)).toMatchObject([output]);
  const logs = (events: readonly EventEnvelope[]) =>
    events.flatMap(({ event }) => (event.type === 'log' ? [event.text] : []));
  expect(logs(replayed)).toEqual(logs(recorded));
  expect(outputsIn(await runFlow(replay, commandFlow('bad')))).toMatchObject([{ exitCode: 3 }]);
  const missing = await runFlow(replay, commandFlow('good', 'other'));
  expect(endOf(missing)).toMatchObject({ status: 'failed', error: { code: 'cassette.miss' } });
  expect(JSON.stringify(endOf(missing))).toContain('words');
  expect(readFileSync(folder.at('workspace/count.txt'), 'utf8')).toBe('xx');
});

test('a secret that a program gets and writes is not in the recording', async () => {
  const secret = 'tok-4711-very-secret';
  folder.write('workspace/script.cjs', script);
  const flow = `
flow: { name: Secret }
nodes:
  - id: call
    type: command.run
    config: { program: ${JSON.stringify(process.execPath)} }
    input: { args: [script.cjs], stdin: "{{secret.DESK_TOKEN}}" }
edges: []`;
  const env = { ...process.env, MILLRACE_SECRET_DESK_TOKEN: secret };
  const recorded = await runFlow(await open('record', true, env), flow);
  expect(endOf(recorded)).toMatchObject({ status: 'completed' });
  expect(cassetteText()).toContain('DESK_TOKEN');
  expect(cassetteText()).not.toContain(secret);
  const replayed = await runFlow(await open('replay', true, env), flow);
  expect(outputsIn(replayed)).toEqual(outputsIn(recorded));
});

const reads = { annotations: { readOnlyHint: true, openWorldHint: false } };
const takesText = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const toolFlow = (text: string): string =>
  `flow: { name: Tools }\nnodes: [{ id: t, type: tool, config: { tool: files.echo }, input: { text: ${text} } }]\nedges: []\n`;

test('13.13 tools of MCP servers are recorded, and a replay calls them without their server', async () => {
  const entry = writeMcpProgram(folder.at('workspace'), {
    tools: [{ name: 'echo', description: 'Gives back.', inputSchema: takesText, ...reads }],
  });
  folder.write('workspace/.mcp.json', JSON.stringify({ mcpServers: { files: entry } }));
  const recording = await open('record', true);
  const asked = await runFlow(recording, toolFlow('hello'));
  // A person allows the tool of a server before its first call.
  expect(endOf(asked)).toMatchObject({ type: 'run:suspended' });
  const runId = asked[0]!.runId;
  await recording.resumeRun({ runId, payload: { approved: true, scope: 'workspace' } });
  expect(await recording.whenEnded(runId)).toMatchObject({ status: 'completed' });
  const recorded = outputsIn(await recording.readEvents(runId, -1, 1000));
  expect(JSON.stringify(recorded)).toContain('hello');
  expect(cassetteText()).toContain('kind: mcp');

  folder.write('workspace/.mcp.json', JSON.stringify({ mcpServers: { files: { command: 'no-such-program' } } }));
  rmSync(folder.at('home'), { recursive: true, force: true });
  const replay = await open('replay', false);
  const replayed = await runFlow(replay, toolFlow('hello'));
  expect(endOf(replayed)).toMatchObject({ type: 'run:end', status: 'completed' });
  expect(outputsIn(replayed)).toEqual(recorded);
  const missing = await runFlow(replay, toolFlow('other'));
  expect(endOf(missing)).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(missing)).toContain('cassette.miss');
  expect(existsSync(path.join(folder.at('workspace'), '.millrace/mcp'))).toBe(false);
});
