import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEngine, type Engine, systemClock } from '../../engine/index.ts';
import { openWorkspaceFlows } from '../../engine/workspace-flows.ts';
import { engineContract } from '../ipc/contracts/engine-contract.ts';
import { type Client, createClient } from '../ipc/rpc.ts';
import { type PortTransport, transportOverPort } from '../ipc/transport.ts';
import { createLateEngine } from './late-engine.ts';
import { serveWindow } from './serve-window.ts';

const greeting = `flow: { name: Greeting, version: 1 }
nodes:
  - { id: hello, type: echo, input: { text: "Hello {{flow.input.name}}" } }
edges: []
`;

/** Generous timeout for busy machines, in milliseconds. */
const patience = { timeout: 10_000 };

let workspace: string;
let engine: Engine;
const windows: PortTransport[] = [];

beforeEach(async () => {
  workspace = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'millrace-window-')));
  writeFileSync(path.join(workspace, 'greeting.flow.yaml'), greeting);
  engine = await createEngine({ workspace, homeFolder: workspace });
});

afterEach(async () => {
  for (const window of windows.splice(0)) window.close();
  await engine.close();
  rmSync(workspace, { recursive: true });
});

interface TestWindow {
  readonly call: Client<typeof engineContract>['call'];
  readonly transport: PortTransport;
  /** `type` of the pushed events, in order. */
  readonly pushed: string[];
  /** `type` of the events of conversations that the window follows. */
  readonly told: string[];
  readonly changedPaths: string[];
  readonly changedFiles: { readonly paths: readonly string[]; readonly isTree: boolean }[];
}

function openWindow(): TestWindow {
  const { port1, port2 } = new MessageChannel();
  const late = createLateEngine(async () => engine);
  serveWindow({ flows: openWorkspaceFlows(workspace), engine: late, clock: systemClock }, transportOverPort(port1));
  const transport = transportOverPort(port2);
  windows.push(transport);
  const { call, stream } = createClient(engineContract, transport);
  const pushed: string[] = [];
  const told: string[] = [];
  stream('watchConversations', ({ notice }) => {
    if (notice.type === 'events') told.push(...notice.events.map(({ event }) => event.type));
  });
  const changedPaths: string[] = [];
  const changedFiles: TestWindow['changedFiles'] = [];
  stream('subscribe', (events) => pushed.push(...events.map(({ event }) => event.type)));
  stream('watchFlows', (paths) => changedPaths.push(...paths));
  stream('watchFiles', (change) => changedFiles.push(change));
  return { call, transport, pushed, told, changedPaths, changedFiles };
}

async function startGreeting(window: TestWindow): Promise<string> {
  const { runId } = await window.call('startRun', {
    path: 'greeting.flow.yaml',
    text: greeting,
    inputs: { name: 'Ada' },
  });
  return runId;
}

describe('a window connected to the engine', () => {
  test('opens a file, runs it, receives every event of the run, and finds it in the history', async () => {
    const window = openWindow();
    expect(await window.call('readNotices')).toEqual([]);
    expect(await window.call('listFlows')).toMatchObject([{ path: 'greeting.flow.yaml' }]);
    expect(await window.call('readFlow', 'greeting.flow.yaml')).toEqual({ text: greeting });
    const runId = await startGreeting(window);
    await expect.poll(() => window.pushed.at(-1), patience).toBe('run:end');

    const events = await window.call('readEvents', runId, -1, 5000);
    expect(window.pushed).toEqual(events.map(({ event }) => event.type));
    const runs = await window.call('listRuns', { limit: 10 });
    expect(runs).toMatchObject([{ runId, status: 'completed', sourcePath: 'greeting.flow.yaml' }]);
    expect(await window.call('getRun', runId)).toMatchObject({ runId });
    expect(await window.call('readDefinition', runId)).toBe(greeting);
  });

  test('holds a conversation and receives its events while it follows it', async () => {
    const flows = '  - { name: hi, intent: Converse, description: Greets., policy: { flow: greeting.flow.yaml } }\n';
    const catalogue = `nlu: { script: nlu.yaml }\nintents: {}\nflows:\n${flows}`;
    writeFileSync(path.join(workspace, 'desk.dialogue.yaml'), catalogue);
    writeFileSync(path.join(workspace, 'nlu.yaml'), '- { match: hello, flow: hi }\n');
    const { call, told } = openWindow();
    const { sessionId } = await call('startConversation', { path: 'desk.dialogue.yaml' });
    await call('followConversation', sessionId);
    await call('sayInConversation', { sessionId, text: 'hello' });
    await expect.poll(() => told.at(-1), patience).toBe('turn:end');
    const view = await call('readConversation', { sessionId });
    expect(view.messages.map(({ from }) => from)).toEqual(['user', 'assistant']);
    const events = await call('readConversationEvents', { sessionId, fromSeq: 1 });
    expect(told).toEqual(events.map(({ event }) => event.type));
    await call('leaveConversation', sessionId);
    await call('sayInConversation', { sessionId, text: 'hello' });
    await expect.poll(async () => (await call('readConversation', { sessionId })).turnCount, patience).toBe(2);
    expect(told).toHaveLength(events.length);
  });

  test('shows runs of another window and can redo them', async () => {
    const [runner, watcher] = [openWindow(), openWindow()];
    await watcher.call('readNotices');
    const runId = await startGreeting(runner);
    await expect.poll(() => watcher.pushed.at(-1), patience).toBe('run:end');
    const redo = await watcher.call('redo', { runId });
    await expect.poll(() => runner.pushed.filter((type) => type === 'run:end'), patience).toHaveLength(2);
    const runs = await runner.call('listRuns', { limit: 10 });
    expect(runs).toMatchObject([{ runId: redo.runId, redoOf: runId }, { runId }]);
  });

  test('receives the problems of a file that cannot run, and no run is recorded', async () => {
    const { call } = openWindow();
    const start = call('startRun', { path: 'broken.flow.yaml', text: 'nodes: [', inputs: {} });
    await expect(start).rejects.toMatchObject({ code: 'flow.invalid', details: expect.any(Array) });
    expect(await call('listRuns', { limit: 10 })).toEqual([]);
  });

  test.each([
    '/etc/passwd',
    '../outside.flow.yaml',
    'a/../../outside.flow.yaml',
    '..\\outside.flow.yaml',
    '\\\\server\\share',
    'C:\\outside.flow.yaml',
    'nul\0.flow.yaml',
  ])('can neither read nor run %j, which is outside the workspace', async (outside) => {
    const { call } = openWindow();
    const started = call('startRun', { path: outside, text: greeting, inputs: {} });
    await expect(started).rejects.toMatchObject({ code: 'rpc.bad-params' });
    const read = call('readFlow', outside);
    await expect(read).rejects.toMatchObject({ code: expect.stringMatching(/^files\.(outside|not-found)$/) });
    expect(await call('listRuns', { sourcePath: outside, limit: 10 })).toEqual([]);
  });

  test('receives engine errors with their codes', async () => {
    const { call } = openWindow();
    await expect(call('readFlow', 'missing.flow.yaml')).rejects.toMatchObject({ code: 'files.not-found' });
    await expect(call('getRun', 'nobody')).rejects.toMatchObject({ code: 'run.not-found' });
    await expect(call('readValue', 'a'.repeat(64))).rejects.toMatchObject({ code: 'value.not-found' });
    await expect(call('pauseRun', 'nobody')).rejects.toMatchObject({ code: 'run.not-found' });
    await expect(call('resumeRun', { runId: 'nobody', action: 'step' })).rejects.toMatchObject({
      code: 'run.not-found',
    });
    await expect(call('cancelRun', 'nobody')).resolves.toBeUndefined();
  });

  test('is notified when flow files change on disk', async () => {
    const window = openWindow();
    let attempts = 0;
    // The watcher starts at some point after this line, so the file is changed until the change is reported.
    await expect
      .poll(
        () => {
          writeFileSync(path.join(workspace, 'new.flow.yaml'), `# ${++attempts}\n${greeting}`);
          return window.changedPaths;
        },
        { interval: 200, ...patience },
      )
      .toContain('new.flow.yaml');
  });

  test('reads, writes, moves and copies files, and receives the current text on a conflict', async () => {
    const { call } = openWindow();
    const text = '\uFEFF# A\r\n';
    await call('createFile', { path: 'notes/a.md', kind: 'file', text });
    expect(await call('readFile', 'notes/a.md')).toEqual({ text, isWritable: true });
    await call('writeFile', { path: 'notes/a.md', text: 'B', expected: text });
    const late = call('writeFile', { path: 'notes/a.md', text: 'C', expected: text });
    await expect(late).rejects.toMatchObject({ code: 'files.changed', details: { text: 'B' } });
    await call('renameFile', { from: 'notes/a.md', to: 'notes/b.md' });
    expect(await call('duplicateFile', 'notes/b.md')).toEqual({ path: 'notes/b-copy.md' });
    const { entries } = await call('listFolder', 'notes');
    expect(entries.map(({ path }) => path)).toEqual(['notes/b-copy.md', 'notes/b.md']);
    expect(await call('listFolder', '')).toMatchObject({
      entries: expect.arrayContaining([{ name: 'notes', path: 'notes', kind: 'folder', change: null, count: 2 }]),
    });
    expect((await call('findFiles')).paths).toContain('greeting.flow.yaml');
    expect(await call('readGit')).toBeNull();
    await expect(call('trashFile', 'gone.md')).rejects.toMatchObject({ code: 'files.not-found' });
  });

  test('searches text and stops a search that has been canceled', async () => {
    const answered = vi.spyOn(engine, 'searchFiles');
    const { call } = openWindow();
    const query = { isCaseSensitive: false, isWholeWord: false, isRegExp: false, include: '', exclude: '' };
    const search = (text: string, signal?: AbortSignal) =>
      call('searchFiles', { ...query, text, unsaved: [{ path: 'a.md', text: 'Hello' }] }, signal);
    const files = (await search('hello')).files;
    expect(files.map(({ path, matches }) => [path, matches.length])).toEqual([
      ['a.md', 1],
      ['greeting.flow.yaml', 2],
    ]);
    const unwanted = new AbortController();
    const ended = expect(search('greet', unwanted.signal)).rejects.toThrow('typed on');
    unwanted.abort(new Error('typed on'));
    await ended;
    await expect.poll(() => answered.mock.results).toHaveLength(2);
    await expect(answered.mock.results[1]?.value).rejects.toMatchObject({ code: 'rpc.cancelled' });
    const outside = call('searchFiles', { ...query, text: 'x', unsaved: [{ path: '../a.md', text: '' }] });
    await expect(outside).rejects.toMatchObject({ code: 'rpc.bad-params' });
  });

  test.each(['close', 'sendMessage', 'watchAgent', 'whenEnded', 'workspace', 'subscribe', 'toString'])(
    'cannot call %s, which the engine has but the contract does not list as a call',
    async (name) => {
      const { transport } = openWindow();
      const { call } = createClient({ [name]: { ...engineContract.listFlows } }, transport);
      await expect(call(name)).rejects.toMatchObject({ code: 'rpc.unknown-method' });
    },
  );

  test('creates flows, agents and packs', async () => {
    const { call } = openWindow();
    const steps = [{ type: 'constant' }, { type: 'echo', id: 'say' }];
    const created = { path: 'new.flow.yaml', from: { kind: 'steps' as const, name: 'New', steps } };
    expect(await call('createFlow', created)).toEqual({ path: 'new.flow.yaml', files: [] });
    await expect(call('createFlow', created)).rejects.toMatchObject({ code: 'files.exists' });
    expect(await call('createAgent', { path: 'new.aip', name: 'New' })).toEqual({ path: 'new.aip' });
    expect(await call('createPack', { ref: 'acme@tools' })).toMatchObject({ path: '.aipack/pack/custom/acme/tools' });
    expect(await call('listExamples')).toEqual([]);
    const { text } = await call('readAgent', 'new.aip');
    expect(text).toMatch(/^# Description/);
  });

  test.each(['/etc/x', '../x', 'a/../../x', '..\\x', 'C:\\x', 'nul\0'])(
    'cannot change anything at %j',
    async (path) => {
      const { call } = openWindow();
      const from = { kind: 'empty' as const, name: 'x' };
      const calls = [
        call('writeFile', { path, text: '' }),
        call('createFile', { path, kind: 'file' }),
        call('renameFile', { from: 'greeting.flow.yaml', to: path }),
        call('renameFile', { from: path, to: 'x' }),
        call('duplicateFile', path),
        call('trashFile', path),
        call('createFlow', { path: `${path}.flow.yaml`, from }),
        call('createAgent', { path: `${path}.aip`, name: 'x' }),
      ];
      for (const refused of await Promise.allSettled(calls)) {
        expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'rpc.bad-params' } });
      }
      const code = expect.stringMatching(/^files\.(outside|not-found)$/);
      const seen = [call('readFile', path), call('listFolder', path)];
      for (const refused of await Promise.allSettled(seen)) expect(refused).toMatchObject({ reason: { code } });
    },
  );

  test('is notified when other files change, in pushes of at most 1,000', async () => {
    const window = openWindow();
    await expect
      .poll(
        () => {
          writeFileSync(path.join(workspace, 'a.aip'), String(Math.random()));
          return window.changedFiles.flatMap(({ paths }) => paths);
        },
        { interval: 200, ...patience },
      )
      .toContain('a.aip');
    window.changedFiles.length = 0;
    for (let index = 0; index < 1_500; index += 1) writeFileSync(path.join(workspace, `${index}.md`), '');
    const told = () => new Set(window.changedFiles.flatMap(({ paths }) => paths)).size;
    await expect.poll(told, patience).toBeGreaterThanOrEqual(1_500);
    expect(Math.max(...window.changedFiles.map(({ paths }) => paths.length))).toBeLessThanOrEqual(1_000);
    expect(window.changedFiles.some(({ isTree }) => isTree)).toBe(true);
  });

  test('leaves the run and other windows unaffected when it closes', async () => {
    const [leaving, staying] = [openWindow(), openWindow()];
    await staying.call('readNotices');
    await startGreeting(leaving);
    leaving.transport.close();
    await expect.poll(() => staying.pushed.at(-1), patience).toBe('run:end');
    await expect(leaving.call('readNotices')).rejects.toMatchObject({ code: 'rpc.disconnected' });
  });
});
