/**
 * A text that a server sends → the messages of JSON-RPC in it, in the shape that the SDK accepts. The SDK drops a message whole for one
 * field that it does not know, and then its answer never comes.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { cutBelow, isDeeperThan, MAX_JSON_DEPTH, MAX_MESSAGE_DEPTH } from '../base/json-limits.ts';
import { readForeignJson } from '../flowspec/foreign-json.ts';

/** The fields of a message around a result, with some to spare. */
const wrapperDepth = 10;

const internalError = -32603;

/** Any map of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is a map. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the log of a server says, once for each message. */
export const quotedNote =
  'It sent a number that cannot be kept exactly, which arrives as text. Have the server send it as text.\n';

/**
 * The messages of a text, also several in a list; undefined when it is not JSON, or holds none. What is nested too deeply is cut, so that
 * the one tool or result is refused to which it belongs.
 * @param onQuoted called when a number would have been rounded, and is text instead
 */
export function readMessages(text: string, onQuoted: () => void): readonly JSONRPCMessage[] | undefined {
  // Parsing such a text would take minutes.
  if (isDeeperThan(text, MAX_MESSAGE_DEPTH)) {
    const refused = refusalOf(
      text,
      text,
      `The server has sent a message that is nested more than ${MAX_MESSAGE_DEPTH} levels deep`,
    );
    return refused && [refused];
  }
  const read = readForeignJson(text, MAX_MESSAGE_DEPTH);
  if (read.kind !== 'value') return undefined;
  const { value, notes } = read;
  if (notes !== undefined && notes.asText.length > 0) onQuoted();
  if (isDeeperThan(text, MAX_JSON_DEPTH + wrapperDepth)) cutBelow(value, MAX_JSON_DEPTH + wrapperDepth);
  const messages = (Array.isArray(value) ? value : [value]).flatMap((one) => messageOf(one) ?? []);
  return messages.length === 0 ? undefined : messages;
}

function messageOf(value: unknown): JSONRPCMessage | undefined {
  if (!isFields(value)) return undefined;
  const { id, method, params } = value;
  const from = { jsonrpc: '2.0', ...(isId(id) ? { id } : {}) };
  if (typeof method === 'string')
    return { ...from, method, ...(isFields(params) ? { params: withoutOddMeta(params) } : {}) } as JSONRPCMessage;
  if (value['error'] !== undefined && value['error'] !== null)
    return { ...from, error: errorOf(value['error']) } as JSONRPCMessage;
  if (!('result' in value) || !isId(id)) return undefined;
  const { result } = value;
  // The first revision of the protocol gave results of any kind in a field of this name.
  return { ...from, result: isFields(result) ? withoutOddMeta(result) : { toolResult: result } } as JSONRPCMessage;
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isInteger(id);
}

function errorOf(error: unknown): Fields {
  const { code, message = error, data } = isFields(error) ? error : {};
  return {
    code: Number.isInteger(Number(code ?? Number.NaN)) ? Number(code) : internalError,
    message: typeof message === 'string' ? message : JSON.stringify(message),
    ...(data === undefined ? {} : { data }),
  };
}

/** Removes `_meta`: the SDK checks it, and Millrace does not use it. */
function withoutOddMeta(fields: Fields): Fields {
  if (!('_meta' in fields)) return fields;
  const { _meta: _, ...rest } = fields;
  return rest;
}

/** So much of the beginning and the end of a message that is not read is searched for its id, in characters. */
export const searchedForId = 1_000;

/**
 * An error in place of an answer that is not read; undefined when the call is not known that it would have answered.
 * @param begin begins as the message does
 * @param end ends as the message does
 */
export function refusalOf(begin: string, end: string, message: string): JSONRPCMessage | undefined {
  const version = '"jsonrpc"\\s*:\\s*"2\\.0"\\s*';
  const id = '"id"\\s*:\\s*(\\d+|"[^"\\\\]{1,100}")\\s*';
  const found =
    new RegExp(`^\\uFEFF?\\s*\\{\\s*(?:${version},\\s*)?${id}[,}]`).exec(begin.slice(0, searchedForId)) ??
    new RegExp(`,\\s*${id}(?:,\\s*${version})?\\}\\s*$`).exec(end.slice(-searchedForId));
  if (found?.[1] === undefined) return undefined;
  return { jsonrpc: '2.0', id: JSON.parse(found[1]) as string | number, error: { code: internalError, message } };
}
