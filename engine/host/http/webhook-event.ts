/**
 * Turns a request to a webhook into the event of its trigger: reads the body within limits, and finds the ID with which a
 * repeated request is recognized.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { EngineError } from '../../base/engine-error.ts';
import { readForeignJson } from '../../language/json/foreign-json.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { WebhookSignatureDoc } from '../../language/triggers/trigger-doc.ts';

/** Bodies that are held in memory at the same time, in bytes: many callers may send large ones slowly. */
const mostHeldBytes = 64 * 1024 * 1024;

/** Values of one level, such as a list of orders, are normal; deep nesting is an attack or a mistake. */
const mostLevels = 100;

const longestKey = 200;

/** Headers that prove who the caller is. Runs do not see them, because runs are recorded. */
const secretHeaders = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'stripe-signature',
  'x-hub-signature',
  'x-hub-signature-256',
  'x-slack-signature',
  'x-webhook-secret',
]);

/** Reads the bodies of requests. */
export class RequestBodies {
  readonly #mostBytes: number;
  #heldBytes = 0;

  /** @param mostBytes maximum size of a body */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Calls `use` with the body, which counts as held until its promise settles.
   * @throws EngineError `http.too-large` | `http.unavailable` | `http.incomplete`; errors of `use`
   */
  async with<T>(incoming: IncomingMessage, use: (body: Buffer) => Promise<T>): Promise<T> {
    if (Number(incoming.headers['content-length'] ?? 0) > this.#mostBytes) throw this.#tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#heldBytes += chunk.length;
        if (size > this.#mostBytes) throw this.#tooLarge();
        if (this.#heldBytes > mostHeldBytes)
          throw refusal('http.unavailable', 'Too many large requests at the same time. Try again later.');
        chunks.push(chunk);
      }
      return await use(Buffer.concat(chunks));
    } catch (error) {
      if (isAbort(error)) throw refusal('http.incomplete', 'The connection closed before the whole body had arrived.');
      throw error;
    } finally {
      this.#heldBytes -= size;
    }
  }

  #tooLarge(): EngineError {
    return refusal('http.too-large', `The body may have at most ${this.#mostBytes} bytes.`);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

/** The headers of a request, by lowercase name, without those that prove who the caller is. */
export function eventHeaders(headers: IncomingHttpHeaders): JsonMap {
  const shown = Object.entries(headers).filter(([name]) => !secretHeaders.has(name));
  return Object.fromEntries(shown.map(([name, value = '']) => [name, typeof value === 'string' ? value : [...value]]));
}

/** Returns fields as a map. A field that occurs several times is a list. */
export function fieldsOf(text: string): JsonMap {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const former = fields.get(name);
    if (Array.isArray(former)) former.push(value);
    else fields.set(name, former === undefined ? value : [former, value]);
  }
  return checked(Object.fromEntries(fields));
}

/**
 * Returns the body as a value: JSON, the fields of a form, or text; for other types `{ type, base64 }`. Null if empty.
 * @throws EngineError `http.bad-type` | `http.bad-body`
 */
export function bodyValue(headers: IncomingHttpHeaders, body: Buffer): JsonValue {
  if (body.length === 0) return null;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity')
    throw refusal('http.bad-type', `The body has the encoding ${JSON.stringify(encoding)}. Send it uncompressed.`);
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const name = type.trim();
  const text = (): string => textOf(body, parameters);
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(name)) return jsonOf(text());
  if (name === 'application/x-www-form-urlencoded') return fieldsOf(text());
  if (/^text\/|[/+]xml$/.test(name)) return text();
  return { type: name, base64: body.toString('base64') };
}

function textOf(body: Buffer, parameters: readonly string[]): string {
  const [charset = 'utf-8'] = parameters.flatMap((one) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(one)?.[1] ?? []);
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    throw refusal('http.bad-type', `The charset ${JSON.stringify(charset)} is unknown. Send the body as UTF-8.`);
  }
  try {
    return decoder.decode(body);
  } catch {
    throw refusal('http.bad-body', `The body is not valid text in the charset ${charset}.`);
  }
}

function jsonOf(text: string): JsonValue {
  const read = readForeignJson(text, mostLevels);
  if (read.kind === 'value') return checked(read.value);
  if (read.kind === 'no-json') throw refusal('http.bad-body', `The body is not valid JSON: ${read.problem}`);
  throw refusal('http.bad-body', `The body is nested more than ${mostLevels} levels deep.`);
}

/** A key of a prototype, and one with which a map would be taken for a large value of the history. */
const reserved: ReadonlySet<string> = new Set(['__proto__', '$value']);

/** @throws EngineError `http.bad-body` */
function checked<Value extends JsonValue>(value: Value): Value {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) {
      const [key] = Object.keys(next).filter((name) => reserved.has(name));
      if (key !== undefined) throw refusal('http.bad-body', `The request has the key ${key}, which is reserved.`);
    }
    for (const inner of Object.values(next)) if (typeof inner === 'object') pending.push(inner);
  }
  return value;
}

/** A request whose sender is known. */
export interface GenuineRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonValue;
  readonly style: WebhookSignatureDoc['style'] | undefined;
  /** Digest of what was signed. */
  readonly digest: string | undefined;
}

/**
 * Returns the ID of a request's event; the same for a repeated request. With Stripe and Slack, the ID is part of what was
 * signed, so nobody else can change it. GitHub signs no ID, so its own header counts. Without a signature, the caller may
 * send one. Otherwise, each request is a new event.
 */
export function eventIdOf({ headers, body, style, digest }: GenuineRequest): string {
  const sent = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const field = (name: string): string | undefined => {
    const value = isJsonMap(body) ? body[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const ids = {
    github: () => sent('x-github-delivery'),
    stripe: () => field('id'),
    slack: () => field('event_id'),
    none: () => sent('idempotency-key') ?? sent('webhook-id'),
  };
  const id = ids[style ?? 'none']() ?? digest ?? randomUUID();
  return id.length <= longestKey ? id : createHash('sha256').update(id).digest('hex');
}

/** Creates an error that the service reports to the caller. */
export function refusal(code: string, message: string): EngineError {
  return new EngineError({ code, message });
}
