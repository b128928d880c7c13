import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from './base/engine-error.ts';
import { asRunId } from './base/ids.ts';
import { createEngine, type Engine, type EngineOptions } from './index.ts';
import { builtinTypes, checkFlow, createNodeRegistry } from './isomorphic.ts';
import type { EventEnvelope } from './runtime/kernel/events/run-event.ts';

const echo = `
flow: { name: Echo, input: { word: hello } }
nodes: [{ id: say, type: echo, input: { text: "{{flow.input.word}}" } }]
edges: []`;

let workspace: string;
let engines: Engine[];

beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'millrace-engine-'));
  engines = [];
});
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  rmSync(workspace, { recursive: true });
});

async function open(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({ workspace, homeFolder: path.join(workspace, 'home'), ...options });
  engines.push(engine);
  return engine;
}

function write(name: string, text: string | Buffer): void {
  mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
  writeFileSync(path.join(workspace, name), text);
}

async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return 'none';
  } catch (error) {
    return toErrorRecord(error).code;
  }
}

describe('createEngine', () => {
  test('rejects a workspace that is not a folder', async () => {
    write('file', '');
    expect(await codeOf(() => open({ workspace: path.join(workspace, 'gone') }))).toBe('workspace.not-found');
    expect(await codeOf(() => open({ workspace: path.join(workspace, 'file') }))).toBe('workspace.not-found');
  });

  test('keeps the history for the next engine of the same workspace', async () => {
    const first = await open();
    const { runId } = await first.startRun({ path: 'echo.flow.yaml', text: echo, inputs: { word: 'again' } });
    const summary = await first.whenEnded(runId);
    const events = await first.readEvents(runId, -1, 100);
    await first.close();
    engines = [];
    const second = await open();
    expect(await second.getRun(runId)).toEqual(summary);
    expect(await second.readEvents(runId, -1, 100)).toEqual(events);
    expect((await second.readEvents(runId, 1, 2)).map(({ seq }) => seq)).toEqual([2, 3]);
    expect(await second.readDefinition(runId)).toBe(echo);
    expect(await second.listRuns({ limit: 5 })).toEqual([summary]);
    expect(await second.listRuns({ limit: 5, sourcePath: 'other.flow.yaml' })).toEqual([]);
    expect(await second.whenEnded(runId)).toEqual(summary);
    write('echo.flow.yaml', echo);
    const redo = await second.redo({ runId });
    await second.whenEnded(redo.runId);
    expect((await second.readEvents(redo.runId, -1, 100)).at(-1)?.event).toMatchObject({
      output: { say: { text: 'again' } },
    });
  });

  test('reports unknown runs and values', async () => {
    const engine = await open();
    const nobody = asRunId('nobody');
    expect(await codeOf(async () => await engine.getRun(nobody))).toBe('run.not-found');
    expect(await codeOf(async () => await engine.readDefinition(nobody))).toBe('run.not-found');
    expect(await codeOf(() => engine.whenEnded(nobody))).toBe('run.not-found');
    expect(await codeOf(async () => await engine.readValue('0'.repeat(64)))).toBe('value.not-found');
    expect(await engine.readEvents(nobody, -1, 10)).toEqual([]);
  });

  test('13.14 shows the runs of another engine of the same workspace, which cancels them on request', async () => {
    const [runner, watcher] = [await open(), await open()];
    const long = 'flow: { name: L }\nnodes: [{ id: w, type: control.wait, input: { ms: 60000 } }]\nedges: []';
    const told = new Promise<void>((resolve) => {
      watcher.watchHistory(resolve);
    });
    const { runId } = await runner.startRun({ path: 'l.flow.yaml', text: long, inputs: {} });
    await told;
    expect(await watcher.listRuns({ limit: 5 })).toMatchObject([{ runId, status: 'running' }]);
    const ended = runner.whenEnded(runId);
    watcher.cancelRun(runId);
    expect((await ended).status).toBe('cancelled');
    watcher.cancelRun(runId);
    expect((await watcher.getRun(runId)).status).toBe('cancelled');
  });

  test('exports a run to a file, and deletes it, which watchers of the history see immediately', async () => {
    const engine = await open();
    const { runId } = await engine.startRun({ path: 'echo.flow.yaml', text: echo, inputs: {} });
    await engine.whenEnded(runId);
    const file = path.join(workspace, 'out', 'run.json');
    await engine.exportRun(runId, file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 'millrace.run/1', run: { runId } });
    write('taken', '');
    expect(await codeOf(() => engine.exportRun(runId, path.join(workspace, 'taken', 'run.json')))).toBe(
      'files.not-writable',
    );
    let told = 0;
    engine.watchHistory(() => told++);
    await engine.deleteRun(runId);
    expect([told, await engine.listRuns({ limit: 5 })]).toEqual([1, []]);
    expect(await codeOf(() => engine.deleteRun(runId))).toBe('run.not-found');
    expect(await codeOf(() => engine.exportRun(runId, file))).toBe('run.not-found');
  });

  test('does not delete a run in progress', async () => {
    const engine = await open();
    const long = 'flow: { name: L }\nnodes: [{ id: w, type: control.wait, input: { ms: 60000 } }]\nedges: []';
    const { runId } = await engine.startRun({ path: 'l.flow.yaml', text: long, inputs: {} });
    expect(await codeOf(() => engine.deleteRun(runId))).toBe('run.invalid-state');
    engine.cancelRun(runId);
    await engine.whenEnded(runId);
    await engine.deleteRun(runId);
    expect(await engine.listRuns({ limit: 5 })).toEqual([]);
  });

  test('can be closed while runs are in progress, and more than once', async () => {
    const engine = await open();
    const long = 'flow: { name: L }\nnodes: [{ id: w, type: control.wait, input: { ms: 60000 } }]\nedges: []';
    const { runId } = await engine.startRun({ path: 'l.flow.yaml', text: long, inputs: {} });
    const ended = engine.whenEnded(runId);
    await engine.close();
    await engine.close();
    expect((await ended).status).toBe('cancelled');
  });
});

describe('flow files', () => {
  test('are listed and read; for files that are not text or too large, validation receives enough to reject them', async () => {
    write('b.flow.yaml', echo);
    write('sub/a.flow.yml', 'flow: 1');
    write('notes.yaml', '');
    write('bin.flow.yaml', Buffer.from([0, 1, 2, 0xff, 0xfe]));
    write('big.flow.yaml', Buffer.alloc(20 * 1024 * 1024, 97));
    const engine = await open();
    expect((await engine.listFlows()).map((flow) => flow.path)).toEqual([
      'b.flow.yaml',
      'big.flow.yaml',
      'bin.flow.yaml',
      'sub/a.flow.yml',
    ]);
    expect(await engine.readFlow('b.flow.yaml')).toEqual({ text: echo });
    expect(await codeOf(() => engine.readFlow('gone.flow.yaml'))).toBe('files.not-found');
    const problemsOf = async (name: string): Promise<string[]> =>
      checkFlow((await engine.readFlow(name)).text, createNodeRegistry(builtinTypes)).diagnostics.map(
        ({ code }) => code,
      );
    expect(await codeOf(() => engine.readFlow('../elsewhere.flow.yaml'))).toBe('files.outside');
    expect(await problemsOf('bin.flow.yaml')).toEqual(['file.not-text']);
    expect(await problemsOf('big.flow.yaml')).toEqual(['file.too-large']);
  });

  test('changes are reported to all watchers until they end', async () => {
    const engine = await open();
    const heard: string[] = [];
    let end = (): void => {};
    const told = new Promise<readonly string[]>((resolve) => {
      // The first report has no paths, because anything may have changed before the watch was active.
      end = engine.watchFlows((paths) => paths.length > 0 && resolve(paths));
    });
    const endOther = engine.watchFlows((paths) => heard.push(...paths));
    // The watch may become active slightly after the call, so the file is written repeatedly.
    const pen = setInterval(() => write('new.flow.yaml', `${echo}\n# ${Math.random()}`), 100);
    expect(await told).toContain('new.flow.yaml');
    clearInterval(pen);
    expect(heard).toContain('new.flow.yaml');
    end();
    endOther();
  });
});

describe('a real provider', () => {
  const key = 'sk-engine-test-998877';
  const ask = `
flow: { name: Ask }
nodes:
  - id: ask
    type: prompt
    policy: { retry: { maxAttempts: 2 } }
    input: { prompt: "Hello?" }
edges: []`;

  let server: Server;
  let answer: (response: ServerResponse, attempt: number) => void;

  beforeEach(async () => {
    let attempts = 0;
    server = createServer((request, response) => {
      request.resume();
      answer(response, ++attempts);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    write(
      'home/config-user.toml',
      `[providers.here]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key_env = "HERE_KEY"\n` +
        '[options]\nmodel = "here::tiny"\n',
    );
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  function chunk(response: ServerResponse, delta: object, finishReason: string | null = null): void {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    response.write(`data: ${JSON.stringify({ id: 'c', created: 1, model: 'tiny', choices })}\n\n`);
  }

  async function run(onEvents: (events: readonly EventEnvelope[], engine: Engine) => void = () => {}) {
    const engine = await open({ env: { HERE_KEY: key } });
    engine.subscribe((events) => onEvents(events, engine));
    const { runId } = await engine.startRun({ path: 'ask.flow.yaml', text: ask, inputs: {} });
    const summary = await engine.whenEnded(runId);
    return { summary, events: await engine.readEvents(runId, -1, 100) };
  }

  test('responds to a prompt in a flow without a model; a failed attempt is retried; the key appears nowhere', async () => {
    answer = (response, attempt) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (attempt === 1) {
        // A response that had started is not requested again below the node.
        chunk(response, { content: 'Goo' });
        response.end(`data: ${JSON.stringify({ error: { message: `busy, ${key}` } })}\n\n`);
        return;
      }
      chunk(response, { content: 'Good ' });
      chunk(response, { content: 'day' });
      chunk(response, {}, 'stop');
      response.end('data: [DONE]\n\n');
    };
    const { summary, events } = await run();
    expect(summary.status).toBe('completed');
    expect(events.find(({ event }) => event.type === 'node:retry')?.event).toMatchObject({
      error: { code: 'model.unavailable', recoverable: true },
    });
    expect(events.at(-1)?.event).toMatchObject({ output: { ask: { text: 'Good day', model: 'here::tiny' } } });
    expect(JSON.stringify(events)).not.toContain(key);
    expect(readFileSync(path.join(workspace, '.millrace', 'runs.db')).includes(key)).toBe(false);
  });

  test('is disconnected when the run is canceled in the middle of a response', async () => {
    let closed = (): void => {};
    const serverSawClose = new Promise<void>((resolve) => {
      closed = resolve;
    });
    answer = (response) => {
      response.on('close', closed);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      chunk(response, { content: 'Once upon a time' });
    };
    const { summary, events } = await run((batch, engine) => {
      if (batch.some(({ event }) => event.type === 'agent:text')) engine.cancelRun();
    });
    expect(summary.status).toBe('cancelled');
    expect(events.some(({ event }) => event.type === 'task:failed')).toBe(false);
    await serverSawClose;
  });
});
