/**
 * Sends a message in the way that the person has chosen: by a program of theirs, or a request to a server of theirs.
 */
import { spawn } from 'node:child_process';
import type { DeliverySetting } from '../../ipc/delivery-contract.ts';
import { type Clock, readWebAddress } from '../../ipc/engine-base.ts';
import { type DeliveredMessage, filled, filledBody, type SecretOf } from './message.ts';

/** What sending needs. */
export interface SendWorld {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Milliseconds until it counts as failed. */
  readonly limitMs: number;
  readonly secrets: SecretOf;
}

/**
 * Resolves when it has gone out.
 * @throws Error with a sentence for the person; it may have gone out all the same when the time was over
 */
export async function sendMessage(
  setting: DeliverySetting,
  message: DeliveredMessage,
  world: SendWorld,
): Promise<void> {
  if (setting.via === 'command') await runProgram(setting, message, world);
  if (setting.via === 'request') await post(setting, message, world);
}

type Command = Extract<DeliverySetting, { via: 'command' }>;
type Request = Extract<DeliverySetting, { via: 'request' }>;

/** Of what a program or a server says, as much as a person reads. */
const longestAnswer = 300;

/** No shell reads any of it. What begins with `-` in a message must not become an option of the program. */
function argumentOf(arg: string, message: DeliveredMessage): string {
  const value = filled(arg, message);
  return value.startsWith('-') && !arg.startsWith('-') ? ` ${value}` : value;
}

function environmentOf(message: DeliveredMessage): NodeJS.ProcessEnv {
  const own = Object.entries(message).map(([name, value]) => [`MILLRACE_${name.toUpperCase()}`, value]);
  return { ...process.env, ...Object.fromEntries(own) };
}

/** For how long the words of a program that has ended may stay held open by others. */
const heldOpenMs = 1000;

/** The message is in its environment and, as JSON, in its standard input. */
async function runProgram({ program, args }: Command, message: DeliveredMessage, world: SendWorld): Promise<void> {
  const { clock, limitMs } = world;
  const isWindows = process.platform === 'win32';
  const child = spawn(
    program,
    args.map((arg) => argumentOf(arg, message)),
    // With a group of its own, so that what it has started ends with it.
    { env: environmentOf(message), stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true, detached: !isWindows },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said = (said + part).slice(0, longestAnswer);
  });
  // A program that does not read it ends before it is written.
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
    // `close` comes when all of its words are read, but not while something that it has left running holds them open.
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
    // It has ended meanwhile.
  }
}

async function post(
  request: Request,
  message: DeliveredMessage,
  { clock, limitMs, secrets }: SendWorld,
): Promise<void> {
  const { text, type } = filledBody(request.body, message, secrets);
  // Into an address parts go as parts, whatever signs are in them.
  const url = readWebAddress(filled(request.url, encodedParts(message), secrets));
  const headers = new Headers({ 'content-type': type });
  for (const [name, value] of Object.entries(request.headers)) {
    headers.set(name, headerValue(filled(value, message, secrets)));
  }
  const over = new AbortController();
  const endTimer = clock.setTimer(() => over.abort(), limitMs);
  try {
    // Loaded with the first message, so that no start waits for it.
    const { webFetch } = await import('../../../engine/web/web-fetch.ts');
    // A redirect would take secrets to another address.
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

/** Headers hold Latin letters only; other signs go as RFC 2047 has it, which servers for messages read. */
function headerValue(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

/** A server may answer without an end. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => undefined);
  const text = first?.value === undefined ? '' : new TextDecoder().decode(first.value);
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, longestAnswer);
}
