/**
 * A service with published flows, for tests.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { type Clock, systemClock } from '../../base/clock.ts';
import { createEngine, type Engine, type EngineOptions, inMemory } from '../../index.ts';
import { addAddresses } from './flow-routes.ts';
import { type HttpService, startHttpService } from './http-service.ts';
import type { PublishRequest } from './publishing.ts';
import type { HttpEnv, HttpServiceOptions } from './served.ts';

/** An answer of the service. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare any part of it.
  readonly json: any;
}

interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: unknown;
}

/** Echoes its input. */
export const echoFlow = `flow:
  name: Echo
  description: Returns a word.
  inputs:
    word: { type: string, required: true, description: The word }
    times: { type: integer, default: 1 }
  outputs: { word: "{{say.text}}" }
nodes: [{ id: say, type: echo, input: { text: "{{flow.input.word}}" } }]
edges: []
`;

/** Asks for a word. */
export const askFlow = `flow: { name: Ask, outputs: { word: "{{ask.values.word}}" } }
nodes:
  - id: ask
    type: user_input
    input: { title: Which word?, schema: { type: object, properties: { word: { type: string } }, required: [word] } }
edges: []
`;

/** Waits for approval. */
export const approveFlow = `flow: { name: Approve }
nodes: [{ id: ok, type: human_approval, input: { title: Go on? } }]
edges: []
`;

export class AddressWorld {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-addresses-')));
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-addresses-home-')));
  readonly notes: string[] = [];
  readonly #engines: Engine[] = [];
  #service: HttpService | undefined;

  get engine(): Engine {
    const [engine] = this.#engines;
    if (engine === undefined) throw new Error('No workspace is served.');
    return engine;
  }

  get origin(): string {
    return this.#service?.origin ?? '';
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Opens the engine of a trusted workspace. */
  async open(folder = this.folder, more: Partial<EngineOptions> = {}): Promise<Engine> {
    const engine = await createEngine({ workspace: folder, homeFolder: this.home, storeFile: inMemory, ...more });
    if (more.isTrusted === undefined) await engine.setTrust(true);
    this.#engines.push(engine);
    return engine;
  }

  /** Returns the routes without a server. */
  routes(): Hono<HttpEnv> {
    const app = new Hono<HttpEnv>();
    addAddresses(app, { ...this.#options({}, systemClock), origin: () => 'http://127.0.0.1:1' });
    return app;
  }

  /** Serves all open workspaces. */
  async serve(more: Partial<HttpServiceOptions> = {}, clock: Clock = systemClock): Promise<void> {
    await this.#service?.close();
    this.#service = await startHttpService(this.#options(more, clock), [addAddresses]);
  }

  #options(more: Partial<HttpServiceOptions>, clock: Clock): HttpServiceOptions {
    const triggers = { triggers: () => [], fire: () => fails(), settled: async () => {}, close: async () => {} };
    const workspaces = this.#engines.map((engine) => ({ engine, triggers: triggers as never }));
    const onNote = (text: string): unknown => this.notes.push(text);
    return { port: 0, workspaces, baseFolder: this.home, clock, onNote, ...more };
  }

  /** Publishes a flow under the name of its file, and returns a key for it. */
  async publish(name: string, more: Partial<PublishRequest> = {}): Promise<string> {
    const { name: published } = await this.engine.publishFlow({ flow: `${name}.flow.yaml`, by: 'kim', ...more });
    return (await this.engine.createApiKey({ name: 'Shop', flows: [published], by: 'kim' })).key;
  }

  /** Sends a request, and returns the answer when it has ended. */
  async send(path: string, sent: Sent = {}): Promise<HttpAnswer> {
    const response = await this.stream(path, sent);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { statusCode = 0, headers } = response;
    return { status: statusCode, headers, text, json: parsed(text) };
  }

  /** Sends a request, and returns the answer when it begins. */
  async stream(path: string, { method, key, headers = {}, body }: Sent = {}): Promise<IncomingMessage> {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const bytes = isRaw ? ((body as string | Buffer | undefined) ?? '') : JSON.stringify(body);
    const all = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'content-length': String(Buffer.byteLength(bytes)),
      ...headers,
    };
    const { hostname, port } = new URL(this.origin);
    return await new Promise((resolve, reject) => {
      const usual = body === undefined ? 'GET' : 'POST';
      // The path is sent as it is, with its dots.
      const request = openRequest({ hostname, port, path, method: method ?? usual, headers: all }, resolve);
      request.on('error', reject);
      request.end(bytes);
    });
  }

  /** Sends bytes as they are. Returns the start of each answer. */
  async raw(text: string): Promise<readonly string[]> {
    const socket = connect(Number(new URL(this.origin).port), '127.0.0.1');
    socket.end(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer.match(/^HTTP\/1\.1 \d+/gm) ?? [];
  }

  /** Closes everything, and opens the workspace with a history in a file. */
  async restart(): Promise<void> {
    await this.#end();
    await this.open(this.folder, { storeFile: join(this.home, 'runs.db') });
  }

  async #end(): Promise<void> {
    await this.#service?.close();
    for (const engine of this.#engines.splice(0)) await engine.close();
  }

  async close(): Promise<void> {
    await this.#end();
    for (const folder of [this.folder, this.home]) rmSync(folder, { recursive: true, force: true });
  }
}

function fails(): never {
  throw new Error('These tests have no triggers.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
