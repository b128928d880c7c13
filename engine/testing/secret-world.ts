/**
 * An engine with secrets, and a web server that records what it receives.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'vitest';
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { createEngine, type Engine, type EngineOptions } from '../index.ts';
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import { createTestFolder, type TestFolder } from '../world/files/testing/test-folder.ts';
import { formsOf } from '../world/secrets/secret-forms.ts';

interface Heard {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A folder with a workspace and a home folder, a server, and engines that are closed with them. */
export class SecretWorld {
  readonly folder: TestFolder = createTestFolder();
  /** Requests that the server received, in order. */
  readonly heard: Heard[] = [];
  /** Returns the server's response; JSON unless it sets headers. */
  answer: (heard: Heard) => Said = () => ({ body: '{"ok":true}' });
  readonly #engines = new Set<Engine>();
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const one = { url: request.url ?? '', headers: request.headers, body };
      this.heard.push(one);
      const { status = 200, headers = { 'content-type': 'application/json' }, body: said } = this.answer(one);
      response.writeHead(status, { ...headers }).end(said);
    });
  });

  static async open(): Promise<SecretWorld> {
    const world = new SecretWorld();
    mkdirSync(world.folder.at('workspace'));
    await new Promise<void>((resolve) => world.#server.listen(0, '127.0.0.1', resolve));
    return world;
  }

  /** URL of the server without a path. */
  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Opens an engine on a trusted workspace. */
  engine(env: EngineOptions['env'] = {}, more: Partial<EngineOptions> = {}): Promise<Engine> {
    return this.untrusted(env, { isTrusted: true, ...more });
  }

  async untrusted(env: EngineOptions['env'] = {}, more: Partial<EngineOptions> = {}): Promise<Engine> {
    const place = { workspace: this.folder.at('workspace'), homeFolder: this.folder.at('home') };
    const engine = await createEngine({ ...place, env: env ?? {}, ...more });
    this.#engines.add(engine);
    return engine;
  }

  async closeEngines(): Promise<void> {
    for (const engine of this.#engines) await engine.close();
    this.#engines.clear();
  }

  async close(): Promise<void> {
    await this.closeEngines();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.folder.remove();
  }

  /** Closes the engines and checks every byte that they wrote: it contains none of the values in any form. */
  async expectNoTrace(values: readonly string[]): Promise<void> {
    await this.closeEngines();
    const at = this.folder.at('.');
    const files = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expectNoForm(readFileSync(path.join(file.parentPath, file.name)), values);
  }
}

/** Checks that the bytes contain neither a value nor a placeholder. */
export function expectNoForm(bytes: Buffer, values: readonly string[]): void {
  for (const form of values.flatMap(formsOf)) expect(bytes.includes(form)).toBe(false);
  expect(bytes.toString('latin1')).not.toMatch(/secret-[0-9a-f]{32}/);
}

/** Returns a flow with one request, or with the nodes and edges in `more`. */
export function callFlow(input: object, more = 'edges: []'): string {
  return `flow: { name: Call }\nnodes:\n  - { id: call, type: http.request, input: ${JSON.stringify(input)} }\n${more}`;
}

/** Runs a flow to its end and returns its events. */
export async function runFlow(engine: Engine, text: string): Promise<readonly EventEnvelope[]> {
  const { runId } = await engine.startRun({ path: 'call.flow.yaml', text, inputs: {} });
  await engine.whenEnded(runId);
  return await engine.readEvents(runId, -1, 1000);
}

/** Returns why a flow does not start; undefined if it does. */
export async function refusalOf(engine: Engine, text: string): Promise<ErrorRecord | undefined> {
  return await engine.startRun({ path: 'call.flow.yaml', text, inputs: {} }).then(() => undefined, toErrorRecord);
}

/** Returns the run of these events. */
export function runIdOf([first]: readonly EventEnvelope[]): RunId {
  if (first === undefined) throw new Error('The run has told nothing.');
  return first.runId;
}
