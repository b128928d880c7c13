/**
 * Reads the bodies of requests as JSON.
 */
import type { HonoRequest } from 'hono';
import { EngineError } from '../../base/engine-error.ts';
import { isDeeperThan } from '../../base/json-limits.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';

/** Inputs and answers have few levels; a deeper value is an attack or a mistake. */
const mostLevels = 100;

/**
 * Reads a JSON map. An empty body is an empty map.
 * @throws EngineError `http.bad-type` | `http.too-large` | `http.bad-body`
 */
export async function readJsonMap(request: HonoRequest, mostBytes: number): Promise<JsonMap> {
  const bytes = await readBytes(request.raw, mostBytes);
  if (bytes.byteLength === 0) return {};
  const [type = ''] = (request.header('content-type') ?? '').split(';', 1);
  const encoding = request.header('content-encoding') ?? 'identity';
  if (type.trim().toLowerCase() !== 'application/json' || encoding !== 'identity')
    throw refusal(
      'http.bad-type',
      'Send JSON with the header Content-Type: application/json, and without compression.',
    );
  const value = parse(bytes);
  if (!isJsonMap(value)) throw refusal('http.bad-body', 'The body must be a JSON object with the inputs by name.');
  return value;
}

function parse(bytes: Uint8Array): JsonValue {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isDeeperThan(text, mostLevels))
      throw refusal('http.bad-body', `The body is nested more than ${mostLevels} levels deep.`);
    return JSON.parse(text, refuseReserved) as JsonValue;
  } catch (error) {
    if (EngineError.is(error)) throw error;
    const why = error instanceof SyntaxError ? error.message : 'It is not UTF-8 text.';
    throw refusal('http.bad-body', `The body is not valid JSON. ${why}`);
  }
}

/** Keys with which a value would be taken for something else: a prototype, or a value of the history. */
const reserved = new Set(['__proto__', '$value']);

function refuseReserved(key: string, value: unknown): unknown {
  if (!reserved.has(key)) return value;
  throw refusal('http.bad-body', `The body has the key ${key}, which is reserved.`);
}

async function readBytes({ body, headers }: Request, mostBytes: number): Promise<Uint8Array> {
  if (Number(headers.get('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > mostBytes) {
      await reader?.cancel();
      throw tooLarge(mostBytes);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

function tooLarge(mostBytes: number): EngineError {
  return refusal('http.too-large', `The body may have at most ${mostBytes} bytes.`);
}

function refusal(code: string, message: string): EngineError {
  return new EngineError({ code, message });
}
