import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../engine/base/engine-error.ts';
import { createEngine, type Engine, systemClock } from '../../engine/index.ts';
import { openWorkspaceFlows } from '../../engine/workspace-flows.ts';
import { engineContract } from '../ipc/contracts/engine-contract.ts';
import { createClient } from '../ipc/rpc.ts';
import { type PortTransport, transportOverPort } from '../ipc/transport.ts';
import { createLateEngine } from './late-engine.ts';
import { serveWindow } from './serve-window.ts';

const greeting = `flow: { name: Greeting, version: 1 }
nodes:
  - { id: hello, type: echo, input: { text: "Hello {{flow.input.name}}" } }
edges: []
`;

/** Generous timeout for busy machines, in milliseconds. */
const patience = { timeout: 20_000 };

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

/** Connects a window that has not made any calls. */
function connectWindow(make: () => Promise<Engine>) {
  const { port1, port2 } = new MessageChannel();
  const sources = { flows: openWorkspaceFlows(workspace), engine: createLateEngine(make), clock: systemClock };
  serveWindow(sources, transportOverPort(port1));
  const transport = transportOverPort(port2);
  windows.push(transport);
  return { transport, ...createClient(engineContract, transport) };
}

function withResolvers<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

test('a window lists and reads flows without an engine, which is created once by the first other call', async () => {
  const make = vi.fn(async () => engine);
  const window = connectWindow(make);
  expect(await window.call('listFlows')).toMatchObject([{ path: 'greeting.flow.yaml' }]);
  expect(await window.call('readFlow', 'greeting.flow.yaml')).toEqual({ text: greeting });
  await expect(window.call('readFlow', '../a.flow.yaml')).rejects.toMatchObject({ code: 'files.outside' });
  expect(make).not.toHaveBeenCalled();

  const pushed: string[] = [];
  window.stream('subscribe', (events) => pushed.push(...events.map(({ event }) => event.type)));
  await window.call('startRun', { path: 'greeting.flow.yaml', text: greeting, inputs: { name: 'Ada' } });
  await expect.poll(() => pushed.at(-1), patience).toBe('run:end');
  expect(pushed[0]).toBe('run:start');
  expect(make).toHaveBeenCalledTimes(1);
});

test('every call of a window fails with the reason the engine is missing, but flows can be read', async () => {
  const window = connectWindow(() => Promise.reject(new EngineError({ code: 'store.unreadable', message: 'Torn.' })));
  await expect(window.call('readNotices')).rejects.toMatchObject({ code: 'store.unreadable' });
  await expect(window.call('listRuns', { limit: 1 })).rejects.toMatchObject({ code: 'store.unreadable' });
  expect(await window.call('readFlow', 'greeting.flow.yaml')).toEqual({ text: greeting });
});

test('a window that closes before the engine exists is not subscribed', async () => {
  const subscribed = vi.spyOn(engine, 'subscribe');
  const { promise, resolve } = withResolvers<Engine>();
  const window = connectWindow(() => promise);
  const asked = expect(window.call('readNotices')).rejects.toMatchObject({ code: 'rpc.disconnected' });
  window.transport.close();
  await asked;
  resolve(engine);
  await promise;
  await new Promise((done) => setImmediate(done));
  expect(subscribed).not.toHaveBeenCalled();
});
