/**
 * Parses JSON-RPC messages from a server into the shape that the SDK accepts. The SDK drops an entire message because
 * of a single unknown field, in which case the response never arrives.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isDeeperThan, MAX_JSON_DEPTH, MAX_MESSAGE_DEPTH, truncateNesting } from '../../base/json-limits.ts';
import { readForeignJson } from '../../language/json/foreign-json.ts';

/** Depth of the message fields around a result, with some margin. */
const wrapperDepth = 10;

const internalError = -32603;

/** Any JSON object. */
export type MessageFields = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isFields(value: unknown): value is MessageFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text for a server's log, once per message. */
export const quotedNote =
  'It sent a number that cannot be represented exactly, so it was converted to a string. Make the server send it as a string.\n';

/**
 * Parses the messages of a text, including several in a list. Returns undefined if the text is not JSON or contains no
 * message. Content that is nested too deeply is cut, so that only the affected tool or result is rejected.
 * @param onQuoted called when a number was converted to text because it would have been rounded
 */
export function readMessages(text: string, onQuoted: () => void): readonly JSONRPCMessage[] | undefined {
  // Parsing such text would take minutes.
  if (isDeeperThan(text, MAX_MESSAGE_DEPTH)) {
    const refused = refusalOf(
      text,
      text,
      `The server sent a message that is nested more than ${MAX_MESSAGE_DEPTH} levels deep`,
    );
    return refused && [refused];
  }
  const read = readForeignJson(text, MAX_MESSAGE_DEPTH);
  if (read.kind !== 'value') return undefined;
  const { value, notes } = read;
  if (notes !== undefined && notes.asText.length > 0) onQuoted();
  if (isDeeperThan(text, MAX_JSON_DEPTH + wrapperDepth)) truncateNesting(value, MAX_JSON_DEPTH + wrapperDepth);
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
  // The first revision of the protocol returned results of any type in a field of this name.
  return { ...from, result: isFields(result) ? withoutOddMeta(result) : { toolResult: result } } as JSONRPCMessage;
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isInteger(id);
}

function errorOf(error: unknown): MessageFields {
  const { code, message = error, data } = isFields(error) ? error : {};
  return {
    code: Number.isInteger(Number(code ?? Number.NaN)) ? Number(code) : internalError,
    message: typeof message === 'string' ? message : JSON.stringify(message),
    ...(data === undefined ? {} : { data }),
  };
}

/** Removes `_meta`: the SDK checks it, and Millrace does not use it. */
function withoutOddMeta(fields: MessageFields): MessageFields {
  if (!('_meta' in fields)) return fields;
  const { _meta: _, ...rest } = fields;
  return rest;
}

/** Number of characters at the start and the end of an unread message that are searched for its id. */
export const searchedForId = 1_000;

/**
 * Returns an error in place of a response that is not read; undefined if its request is not known.
 * @param begin starts like the message
 * @param end ends like the message
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
