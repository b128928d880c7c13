/**
 * A server with responses as observed from real model servers, and the expected results.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { toErrorRecord } from '../base/engine-error.ts';
import type { RunEvent } from '../runtime/kernel/events/run-event.ts';
import type { Hub } from '../runtime/kernel/hub/hub.ts';
import { ReportingModel } from '../runtime/kernel/models/reporting-model.ts';
import { createModelRouter } from '../world/model/model-router.ts';

export const key = 'sk-very-secret-0123456789';
export const done = 'data: [DONE]\n\n';
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const chunk = (delta: unknown, reason: string | null = null, extra: object = {}) => ({
  ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'odd' },
  choices: [{ index: 0, delta, finish_reason: reason }],
  ...extra,
});
export const say = (content: unknown, extra?: object): string =>
  data(chunk({ role: 'assistant', content }, null, extra));
export const end = (reason = 'stop', extra?: object): string => data(chunk({}, reason, extra));
export const call = (...calls: unknown[]): string => data(chunk({ role: 'assistant', tool_calls: calls }));
export const whole = (message: object, extra: object = {}) => ({
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'odd' },
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...extra,
});
export const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
export const file = 'core__file_read';
export const a = { name: file, arguments: '{"path":"a"}' };
export const b = { name: file, arguments: '{"path":"b"}' };
export const [inputA, inputB] = [{ path: 'a' }, { path: 'b' }];

export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string | Buffer | readonly (string | Buffer)[];
  /** Closes the connection after the body. */
  readonly isCut?: true;
}

/** The expected reply or error. */
export interface Expected {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly unknown[];
  readonly finish?: string;
  readonly usage?: readonly [prompt: number, completion: number];
  /** Text in each warning. */
  readonly warnings?: readonly string[];
  readonly error?: readonly [code: string, words: string];
}

export type Row = readonly [name: string, body: Answer['body'] | Answer, expected: Expected];

export const ok: Expected = { text: 'ok', finish: 'stop' };
export const counted: Expected = { ...ok, usage: [5, 3] };
export const called = (...calls: readonly unknown[]): Expected => ({ calls, finish: 'tool-calls' });

let server: Server;
let home: string;
const answers = new Map<string, Answer>();

/** Starts the server before the tests of a file and stops it afterwards. */
export function setUpOddServer(): void {
  beforeAll(startServer);
  afterAll(stopServer);
}

async function startServer(): Promise<void> {
  home = mkdtempSync(join(tmpdir(), 'odd-answers-'));
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => void send(response, answers.get(request.url?.split('/')[1] ?? '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function stopServer(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(home, { recursive: true });
}

async function send(response: ServerResponse, answer: Answer | undefined): Promise<void> {
  const { status = 200, type = 'text/event-stream', body, isCut } = answer ?? { status: 404, body: '' };
  response.writeHead(status, { 'content-type': type });
  const parts = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body;
  for (const part of parts) await new Promise((resolve) => response.write(part, resolve));
  if (isCut) response.destroy();
  else response.end();
}

async function ask(answer: Answer) {
  const name = `case-${answers.size}`;
  answers.set(name, answer);
  const { port } = server.address() as AddressInfo;
  const entry = `kind = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}/${name}/v1"\napi_key_env = "A_KEY"`;
  writeFileSync(join(home, 'config-user.toml'), `[providers.odd]\n${entry}\n`);
  const files = { readText: () => Promise.reject(new Error('no files')) };
  const router = createModelRouter({ baseFolder: home, keyOf: () => key, files, clock: fastClock, random: () => 0 });
  const events: RunEvent[] = [];
  const hub = { emit: (event: RunEvent) => void events.push(event) } as unknown as Hub;
  const hash = { sha256: (text: string) => createHash('sha256').update(text).digest('hex') };
  const told = new ReportingModel(router, { hub, hash, clock: fastClock });
  const tools = [{ name: file, description: 'Reads a file.', inputSchema: { type: 'object' } }];
  const request = { model: 'odd::odd', messages: [{ role: 'user' as const, content: 'Go' }], tools };
  const options = { signal: new AbortController().signal, onText: () => {}, onReasoning: () => {} };
  const outcome = await told.ask(request, options).catch(toErrorRecord);
  return { outcome, warnings: events.flatMap((event) => (event.type === 'log' ? [event.text] : [])) };
}

/** Real time without the pauses between attempts. */
const fastClock = {
  ...systemClock,
  now: () => systemClock.now(),
  setTimer: (callback: () => void, delayMs: number) => systemClock.setTimer(callback, delayMs > 60_000 ? delayMs : 0),
};

/** Calls a model on a server with this response, and compares the result. */
export async function checkAnswer(answer: Answer['body'] | Answer, expected: Expected): Promise<void> {
  const isBody = typeof answer === 'string' || Buffer.isBuffer(answer) || Array.isArray(answer);
  const { outcome, warnings } = await ask(isBody ? { body: answer as Answer['body'] } : (answer as Answer));
  const { text, reasoning, calls: wanted, finish, usage: tokens, error } = expected;
  if (error !== undefined) {
    expect(outcome).toMatchObject({ code: error[0], message: expect.stringContaining(error[1]) });
    expect((outcome as { message: string }).message.length).toBeLessThan(700);
    expect(JSON.stringify(outcome)).not.toContain(key);
    return;
  }
  const { text: said, reasoning: thought, toolCalls, finishReason, usage: used, code, message } = outcome as never;
  expect({ code, message }).toEqual({});
  if (text !== undefined) expect(said).toBe(text);
  if (finish !== undefined) expect(finishReason).toBe(finish);
  expect(thought).toBe(reasoning);
  expect((toolCalls as unknown as undefined | readonly { input: unknown }[])?.map(({ input }) => input)).toEqual(
    wanted,
  );
  const ids = ((toolCalls ?? []) as readonly { id: string }[]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  if (tokens !== undefined) expect(used).toMatchObject({ promptTokens: tokens[0], completionTokens: tokens[1] });
  expect(warnings).toEqual((expected.warnings ?? []).map((words) => expect.stringContaining(words)));
}
