/**
 * A workspace with webhooks, and the HTTP service that serves it, for tests.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { createEngine, type Engine, inMemory } from '../../index.ts';
import type { TriggerService } from '../triggers/trigger-serving.ts';
import type { HttpService } from './http-service.ts';
import { serveHttp } from './routes.ts';
import type { HttpServiceOptions } from './served.ts';

export interface HookAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

export interface HookRequest {
  readonly method?: string;
  readonly headers?: NodeJS.Dict<string | string[]>;
  readonly body?: string | Buffer;
}

/** Secret values by name. */
export const secrets = {
  HOOK: 'a-hook-secret',
  GITHUB: 'github-secret',
  STRIPE: 'whsec_stripe',
  SLACK: 'slack-secret',
};

export class HookWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'millrace-hooks-'));
  readonly homeFolder = mkdtempSync(join(tmpdir(), 'millrace-hooks-home-'));
  readonly notes: string[] = [];
  /** Milliseconds by which the service's clock is ahead. */
  ahead = 0;
  #engine: Engine | undefined;
  #triggers: TriggerService | undefined;
  #service: HttpService | undefined;

  /** @param flows texts by path; their triggers are switched on */
  async begin(flows: Readonly<Record<string, string>>, options: Partial<HttpServiceOptions> = {}): Promise<this> {
    for (const [path, text] of Object.entries(flows)) writeFileSync(join(this.folder, path), text);
    const { folder: workspace, homeFolder } = this;
    const engine = await createEngine({ workspace, homeFolder, storeFile: inMemory });
    this.#engine = engine;
    await engine.setTrust(true);
    for (const [name, value] of Object.entries(secrets)) await engine.setSecret({ name, value });
    for (const flow of Object.keys(flows)) await engine.switchTriggers({ flow, isOn: true, by: 'kim' });
    const onNote = (text: string): void => void this.notes.push(text);
    const triggers = await engine.startTriggers({ onNote });
    this.#triggers = triggers;
    const clock = { ...systemClock, now: () => systemClock.now() + this.ahead };
    const workspaces = [{ engine, triggers }];
    this.#service = await serveHttp({ port: 0, workspaces, baseFolder: homeFolder, clock, onNote, ...options });
    return this;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('It has not begun.');
    return this.#engine;
  }

  get origin(): string {
    if (this.#service === undefined) throw new Error('It has not begun.');
    return this.#service.origin;
  }

  get triggers(): TriggerService {
    if (this.#triggers === undefined) throw new Error('It has not begun.');
    return this.#triggers;
  }

  async ask(path: string, { method = 'POST', headers = {}, body = '' }: HookRequest = {}): Promise<HookAnswer> {
    return await new Promise((resolve, reject) => {
      const sent = request(this.origin + path, { method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Returns the number of events that were recorded. */
  async countFirings(): Promise<number> {
    return (await this.engine.listFirings({ limit: 1_000 })).length;
  }

  async end(): Promise<void> {
    await this.#service?.close();
    await this.#triggers?.close();
    await this.#engine?.close();
    for (const folder of [this.folder, this.homeFolder]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a flow with one webhook, which says what it received. */
export function hookFlow(webhook: string, more = ''): string {
  return `flow:
  name: Hook
  inputs: { text: { type: string, default: none } }
  triggers:
    - { id: hook, webhook: { ${webhook} }, overlap: queue${more} }
nodes: [{ id: say, type: echo, input: { text: "{{flow.input.text}}" } }]
edges: []
`;
}

/** Returns the headers of a JSON request. */
export function json(more: NodeJS.Dict<string> = {}): NodeJS.Dict<string> {
  return { 'content-type': 'application/json', ...more };
}

/** Returns the headers with which a service signs a body. @param seconds time of the signature */
export function signed(
  style: 'github' | 'stripe' | 'slack',
  body: string | Buffer,
  { secret, seconds = Math.floor(Date.now() / 1_000) }: { readonly secret?: string; readonly seconds?: number } = {},
): NodeJS.Dict<string> {
  const key = { github: secrets.GITHUB, stripe: secrets.STRIPE, slack: secrets.SLACK }[style];
  const prefix = { github: '', stripe: `${seconds}.`, slack: `v0:${seconds}:` }[style];
  const digest = createHmac('sha256', secret ?? key)
    .update(prefix)
    .update(body)
    .digest('hex');
  if (style === 'github') return { 'x-hub-signature-256': `sha256=${digest}` };
  if (style === 'stripe') return { 'stripe-signature': `t=${seconds},v1=${digest}` };
  return { 'x-slack-signature': `v0=${digest}`, 'x-slack-request-timestamp': String(seconds) };
}
