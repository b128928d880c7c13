import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { createEngine } from '../../index.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import type { CassetteMode } from './cassette-player.ts';

const modelKey = 'sk-model-0123456789';
const webKey = 'web-key-9876543210';

let folder: TestFolder;
let server: Server;
let port: number;
let heard: { readonly url: string; readonly headers: IncomingHttpHeaders }[];

beforeEach(async () => {
  folder = createTestFolder();
  mkdirSync(folder.at('workspace'));
  heard = [];
  server = createServer((request, response) => {
    heard.push({ url: request.url ?? '', headers: request.headers });
    request.resume();
    request.on('end', () => {
      if (request.url === '/v1/chat/completions') answerAsModel(response);
      else response.writeHead(201, { 'content-type': 'application/json' }).end('{"stored":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  folder.write(
    'home/config-user.toml',
    `[providers.here]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key_env = "HERE_KEY"\n`,
  );
});
afterEach(async () => {
  await closeServer();
  folder.remove();
});

async function closeServer(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function answerAsModel(response: ServerResponse): void {
  const send = (chunk: object): unknown =>
    response.write(`data: ${JSON.stringify({ id: 'c', created: 1, model: 'tiny', ...chunk })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of ['Good ', 'mor', 'ning']) {
    send({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });
  response.end('data: [DONE]\n\n');
}

function flowOf(question: string, system: string): string {
  return `
flow: { name: Greet }
nodes:
  - id: ask
    type: prompt
    config: { model: "here::tiny", temperature: 0.2 }
    input: { prompt: "${question}", system: "${system}" }
  - id: store
    type: http.request
    input:
      url: "http://127.0.0.1:${port}/greetings?token=${webKey}"
      method: POST
      headers: { Authorization: "Bearer ${webKey}" }
      body: { greeting: "{{ask.text}}", password: "hunter2-hunter2" }
edges: [{ from: ask, to: store }]`;
}

const cassette = (): string => readFileSync(folder.at('greet.cassette.yaml'), 'utf8');

interface RunOptions {
  readonly question?: string;
  readonly system?: string;
  readonly withoutSettings?: true;
}

interface Outcome {
  readonly events: readonly EventEnvelope[];
  readonly notices: readonly string[];
}

async function run(mode: CassetteMode, options: RunOptions = {}): Promise<Outcome> {
  const engine = await createEngine({
    workspace: folder.at('workspace'),
    isTrusted: true,
    homeFolder: folder.at(options.withoutSettings ? 'nowhere' : 'home'),
    env: options.withoutSettings ? {} : { HERE_KEY: modelKey },
    storeFile: folder.at(`${Math.random()}.db`),
    ids: createCountingIds(),
    cassette: { file: folder.at('greet.cassette.yaml'), mode },
  });
  try {
    const { question = 'How do you greet?', system = 'Be kind.' } = options;
    const text = flowOf(question, system);
    const { runId } = await engine.startRun({ path: 'greet.flow.yaml', text, inputs: {} });
    await engine.whenEnded(runId);
    return {
      events: await engine.readEvents(runId, -1, 1000),
      notices: engine.notices.map(({ message }) => message),
    };
  } finally {
    await engine.close();
  }
}

/** Returns events without values that depend on time. Streamed text is joined, because its chunks depend on time. */
function comparable({ events }: Outcome): RunEvent[] {
  const told: RunEvent[] = [];
  for (const { event } of events) {
    const last = told.at(-1);
    if (event.type === 'agent:text' && last?.type === 'agent:text') {
      told[told.length - 1] = { ...last, content: last.content + event.content };
    } else {
      told.push('durationMs' in event ? { ...event, durationMs: 0 } : event);
    }
  }
  return told;
}

describe('a flow with a cassette', () => {
  test('replays its recording without the server, the settings and the keys', async () => {
    const live = await run('record');
    expect(heard.map(({ url }) => url)).toEqual(['/v1/chat/completions', `/greetings?token=${webKey}`]);
    await closeServer();
    const again = await run('replay', { withoutSettings: true });
    const expected = comparable(live).map((event) => {
      if (event.type === 'model:response') return { ...event, fromCassette: true };
      const { usage: _, unpricedCalls: _calls, ...unpaid } = { usage: undefined, unpricedCalls: undefined, ...event };
      // A replayed run has no usage. Its responses contain the recorded usage.
      return event.type === 'run:end' ? unpaid : event;
    });
    expect(comparable(again)).toEqual(expected);
    expect(comparable(live).at(-1)).toMatchObject({
      status: 'completed',
      output: { store: { status: 201, body: { stored: true } } },
      usage: { promptTokens: 11, completionTokens: 7 },
    });
    expect(heard).toHaveLength(2);
  });

  test('contains no secrets of either call', async () => {
    const system = `The key is ${modelKey}.`;
    await run('record', { system });
    expect(heard[0]?.headers.authorization).toBe(`Bearer ${modelKey}`);
    expect(heard[1]?.headers.authorization).toBe(`Bearer ${webKey}`);
    expect(cassette()).not.toContain(modelKey);
    expect(cassette()).not.toContain(webKey);
    expect(cassette()).not.toContain('Bearer');
    expect(cassette()).not.toContain('hunter2');
    expect(cassette()).toContain('authorization: "[secret]"');
    expect(cassette()).toContain('The key is [secret].');
    expect(cassette()).toContain('text: Good morning');
    const { events } = await run('replay', { system, withoutSettings: true });
    expect(events.at(-1)?.event).toMatchObject({ status: 'completed' });
  });

  test('fails with the difference when its prompt has changed, and sends nothing', async () => {
    await run('record');
    const { events } = await run('replay', { question: 'How do you greet a king?' });
    expect(events.at(-1)?.event).toMatchObject({
      status: 'failed',
      error: {
        code: 'cassette.miss',
        nodeId: 'ask',
        message: expect.stringContaining(
          'differs in messages[1].content: "How do you greet?" -> "How do you greet a king?"',
        ),
      },
    });
    expect(heard).toHaveLength(2);
  });

  test('in auto mode makes new calls live, reports them, and replays them the next time', async () => {
    await run('record');
    const question = 'How do you greet a king?';
    const { events, notices } = await run('auto', { question });
    expect(events.at(-1)?.event).toMatchObject({ status: 'completed' });
    // The model returned the same response, so the second call was found.
    expect(heard.map(({ url }) => url.slice(0, 5))).toEqual(['/v1/c', '/gree', '/v1/c']);
    expect(notices).toEqual([expect.stringContaining('"How do you greet?" -> "How do you greet a king?"')]);
    await closeServer();
    for (const options of [{}, { question }]) {
      const replayed = await run('replay', options);
      expect(replayed.events.at(-1)?.event).toMatchObject({ status: 'completed' });
    }
  });

  test('the engine does not open if a cassette for replay is missing', async () => {
    expect(await run('replay').catch(toErrorRecord)).toMatchObject({ code: 'cassette.not-found' });
  });
});
