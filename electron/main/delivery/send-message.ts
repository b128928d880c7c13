/**
 * Sends a message through the program or to the server that the user has chosen.
 */
import { spawn } from 'node:child_process';
import type { DeliverySetting } from '../../ipc/contracts/delivery-contract.ts';
import { type Clock, readWebAddress } from '../../ipc/engine-base.ts';
import { type DeliveredMessage, filled, filledBody, type SecretOf } from './message.ts';

/** Dependencies of sending a message. */
export interface SendWorld {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Timeout in milliseconds. */
  readonly limitMs: number;
  readonly secrets: SecretOf;
}

/**
 * Resolves when the message has been sent.
 * @throws Error with a message for the user; after a timeout, the message may still have been sent
 */
export async function sendMessage(
  setting: DeliverySetting,
  message: DeliveredMessage,
  world: SendWorld,
): Promise<void> {
  if (setting.via === 'command') await runProgram(setting, message, world);
  if (setting.via === 'request') await post(setting, message, world);
}

type CommandDelivery = Extract<DeliverySetting, { via: 'command' }>;
type RequestDelivery = Extract<DeliverySetting, { via: 'request' }>;

/** Maximum number of characters shown of a program's or server's output. */
const longestAnswer = 300;

/**
 * Replaces placeholders in an argument, which no shell interprets. Message text that begins with `-` must not become a
 * program option.
 */
function argumentOf(arg: string, message: DeliveredMessage): string {
  const value = filled(arg, message);
  return value.startsWith('-') && !arg.startsWith('-') ? ` ${value}` : value;
}

function environmentOf(message: DeliveredMessage): NodeJS.ProcessEnv {
  const own = Object.entries(message).map(([name, value]) => [`MILLRACE_${name.toUpperCase()}`, value]);
  return { ...process.env, ...Object.fromEntries(own) };
}

/**
 * Time in milliseconds to wait for error output after a program has exited and other processes keep the stream open.
 */
const heldOpenMs = 1000;

/** Passes the message in the environment and, as JSON, on standard input. */
async function runProgram(
  { program, args }: CommandDelivery,
  message: DeliveredMessage,
  world: SendWorld,
): Promise<void> {
  const { clock, limitMs } = world;
  const isWindows = process.platform === 'win32';
  const child = spawn(
    program,
    args.map((arg) => argumentOf(arg, message)),
    // Runs in its own process group, so that its child processes can be ended with it.
    { env: environmentOf(message), stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true, detached: !isWindows },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said = (said + part).slice(0, longestAnswer);
  });
  // A program that does not read standard input may exit before everything is written.
  child.stdin.on('error', () => undefined).end(`${JSON.stringify(message)}\n`);
  await new Promise<void>((resolve, reject) => {
    const endTimer = clock.setTimer(() => {
      endAll(child.pid, isWindows, () => child.kill('SIGKILL'));
      reject(new Error(`${program} had not ended after ${limitMs / 1000} seconds, and was stopped.`));
    }, limitMs);
    child.once('error', (error) => {
      endTimer();
      reject(new Error(`${program} could not be started: ${error.message}`));
    });
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      stopWaiting();
      child.stderr.destroy();
      if (code === 0) {
        resolve();
        return;
      }
      const how = code === null ? `was ended by ${signal}` : `ended with ${code}`;
      reject(new Error(`${program} ${how}.${said.trim() === '' ? '' : ` It said: ${said.trim()}`}`));
    };
    let stopWaiting = (): void => undefined;
    // `close` fires when all output has been read, but not while a process that it left running keeps the output open.
    child.once('close', end);
    child.once('exit', (code, signal) => {
      endTimer();
      stopWaiting = clock.setTimer(() => end(code, signal), heldOpenMs);
    });
  });
}

function endAll(pid: number | undefined, isWindows: boolean, endOne: () => void): void {
  try {
    if (pid === undefined || isWindows) endOne();
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

async function post(
  request: RequestDelivery,
  message: DeliveredMessage,
  { clock, limitMs, secrets }: SendWorld,
): Promise<void> {
  const { text, type } = filledBody(request.body, message, secrets);
  // Fields are URL-encoded, whatever characters they contain.
  const url = readWebAddress(filled(request.url, encodedParts(message), secrets));
  const headers = new Headers({ 'content-type': type });
  for (const [name, value] of Object.entries(request.headers)) {
    headers.set(name, headerValue(filled(value, message, secrets)));
  }
  const over = new AbortController();
  const endTimer = clock.setTimer(() => over.abort(), limitMs);
  try {
    // Loaded with the first message, so that startup does not wait for it.
    const { webFetch } = await import('../../../engine/world/web/web-fetch.ts');
    // Following a redirect would send secrets to another address.
    const sent = { method: 'POST', headers, body: text, redirect: 'manual', signal: over.signal } as const;
    const response = await webFetch(url, sent).catch((error: unknown) => {
      const reason = over.signal.aborted ? `it did not answer within ${limitMs / 1000} seconds.` : reasonOf(error);
      throw new Error(`${url.host} was not reached: ${reason}`);
    });
    const answer = await beginningOf(response);
    if (!response.ok) throw new Error(`${url.host} answered ${response.status} ${answer}`.trim());
  } finally {
    endTimer();
  }
}

function encodedParts(message: DeliveredMessage): DeliveredMessage {
  const parts = Object.entries(message).map(([name, value]) => [name, encodeURIComponent(value)]);
  return Object.fromEntries(parts) as unknown as DeliveredMessage;
}

/**
 * Headers are limited to Latin characters. Other characters are encoded as in RFC 2047, which notification servers
 * understand.
 */
function headerValue(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

/** A server may send an endless response. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => undefined);
  const text = first?.value === undefined ? '' : new TextDecoder().decode(first.value);
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, longestAnswer);
}
