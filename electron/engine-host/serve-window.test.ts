import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine, systemClock } from '../../engine/index.ts';
import { engineContract, enginePushes } from '../ipc/engine-contract.ts';
import { type Client, createClient, onPush } from '../ipc/rpc.ts';
import { type PortTransport, transportOverPort } from '../ipc/transport.ts';
import { serveWindow } from './serve-window.ts';

const greeting = `flow: { name: Greeting, version: 1 }
nodes:
  - { id: hello, type: echo, input: { text: "Hello {{flow.input.name}}" } }
edges: []
`;

/** Generous: how long something may take on a busy machine, in milliseconds. */
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
  readonly call: Client<typeof engineContract>;
  readonly transport: PortTransport;
  /** `type` of the events that were pushed, in order. */
  readonly pushed: string[];
  readonly changedPaths: string[];
}

function openWindow(): TestWindow {
  const { port1, port2 } = new MessageChannel();
  serveWindow(engine, transportOverPort(port1), systemClock);
  const transport = transportOverPort(port2);
  windows.push(transport);
  const call = createClient(engineContract, transport);
  const pushed: string[] = [];
  const changedPaths: string[] = [];
  onPush(enginePushes, transport, {
    'run.events': ({ events }) => {
      pushed.push(...events.map(({ event }) => event.type));
      void call('run.acknowledge', { events: events.length });
    },
    'flow.changed': ({ paths }) => changedPaths.push(...paths),
  });
  return { call, transport, pushed, changedPaths };
}

async function startGreeting(window: TestWindow): Promise<string> {
  const { runId } = await window.call('run.start', {
    path: 'greeting.flow.yaml',
    text: greeting,
    inputs: { name: 'Ada' },
  });
  return runId;
}

describe('a window on the engine', () => {
  test('opens a file, runs it, hears every event of the run, and finds it in the history', async () => {
    const window = openWindow();
    expect(await window.call('engine.info', {})).toEqual({ workspace, notices: [] });
    expect(await window.call('flow.list', {})).toMatchObject({ flows: [{ path: 'greeting.flow.yaml' }] });
    expect(await window.call('flow.read', { path: 'greeting.flow.yaml' })).toEqual({ text: greeting });
    const runId = await startGreeting(window);
    await expect.poll(() => window.pushed.at(-1), patience).toBe('run:end');

    const { events } = await window.call('run.events', { runId, afterSeq: -1, limit: 5000 });
    expect(window.pushed).toEqual(events.map(({ event }) => event.type));
    const { runs } = await window.call('run.list', { limit: 10 });
    expect(runs).toMatchObject([{ runId, status: 'completed', sourcePath: 'greeting.flow.yaml' }]);
    expect(await window.call('run.get', { runId })).toMatchObject({ run: { runId }, definition: greeting });
  });

  test('shows what another window runs, and can redo it', async () => {
    const [runner, watcher] = [openWindow(), openWindow()];
    const runId = await startGreeting(runner);
    await expect.poll(() => watcher.pushed.at(-1), patience).toBe('run:end');
    const redo = await watcher.call('run.redo', { runId });
    await expect.poll(() => runner.pushed.filter((type) => type === 'run:end'), patience).toHaveLength(2);
    const { runs } = await runner.call('run.list', { limit: 10 });
    expect(runs).toMatchObject([{ runId: redo.runId, redoOf: runId }, { runId }]);
  });

  test('is told the problems of a file that cannot run, and nothing is recorded', async () => {
    const { call } = openWindow();
    const start = call('run.start', { path: 'broken.flow.yaml', text: 'nodes: [', inputs: {} });
    await expect(start).rejects.toMatchObject({ code: 'flow.invalid', details: expect.any(Array) });
    expect(await call('run.list', { limit: 10 })).toEqual({ runs: [] });
  });

  test.each([
    '/etc/passwd',
    '../outside.flow.yaml',
    'a/../../outside.flow.yaml',
    '..\\outside.flow.yaml',
    '\\\\server\\share',
    'C:\\outside.flow.yaml',
    'nul\0.flow.yaml',
  ])('can neither read nor run %j, which leads out of the workspace', async (outside) => {
    const { call } = openWindow();
    const started = call('run.start', { path: outside, text: greeting, inputs: {} });
    await expect(started).rejects.toMatchObject({ code: 'rpc.bad-params' });
    const read = call('flow.read', { path: outside });
    await expect(read).rejects.toMatchObject({ code: expect.stringMatching(/^files\.(outside|not-found)$/) });
    expect(await call('run.list', { sourcePath: outside, limit: 10 })).toEqual({ runs: [] });
  });

  test('gets errors of the engine by their codes', async () => {
    const { call } = openWindow();
    await expect(call('flow.read', { path: 'missing.flow.yaml' })).rejects.toMatchObject({ code: 'files.not-found' });
    await expect(call('run.get', { runId: 'nobody' })).rejects.toMatchObject({ code: 'run.not-found' });
    await expect(call('value.read', { hash: 'a'.repeat(64) })).rejects.toMatchObject({ code: 'value.not-found' });
    await expect(call('run.cancel', { runId: 'nobody' })).resolves.toEqual({});
  });

  test('is told when flow files change on disk', async () => {
    const window = openWindow();
    let attempts = 0;
    // The watch begins at some moment after this line, so the file changes until it is heard.
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

  test('that closes leaves the run and the other windows alone', async () => {
    const [leaving, staying] = [openWindow(), openWindow()];
    await startGreeting(leaving);
    leaving.transport.close();
    await expect.poll(() => staying.pushed.at(-1), patience).toBe('run:end');
    await expect(leaving.call('engine.info', {})).rejects.toMatchObject({ code: 'rpc.disconnected' });
  });
});
