/**
 * Converts a curl command to the input of an `http.request`, with the names of secrets instead of their values, and
 * reports what a node cannot do.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { IsKnownPath } from './curl-bindings.ts';
import { type CurlMessages, curlMessages } from './curl-messages.ts';
import { readCurlWords, valuesOf } from './curl-options.ts';
import { CurlReader, type CurlRequest } from './curl-reader.ts';
import { type CurlSecret, markOf } from './curl-secrets.ts';
import { shellWords } from './shell-words.ts';

export type { CurlRequest } from './curl-reader.ts';
export type { CurlSecret } from './curl-secrets.ts';

const beginning = /^\s*(?:(?:[$%>]|PS [^>\n]*>)\s+)?(?:sudo\s+)?curl(?:\.exe)?(?=[\s^`\\])/i;

/** Longer texts are unlikely to be commands, so they are treated as plain text. */
const longestCommand = 1024 * 1024;

/** Returns whether text is a curl command, without parsing it. */
export function isCurl(text: string): boolean {
  return text.length <= longestCommand && beginning.test(text) && /:\/\/|\w\.\w|localhost|\$/.test(text);
}

/**
 * Parses a curl command with the quoting of any common shell. Returns null for any other text.
 * @param isKnown returns which bindings stay bindings; none if omitted
 * @param messages the sentences about ignored parts, in the language of the reader
 */
export function readCurl(
  text: string,
  isKnown: IsKnownPath = () => false,
  messages: CurlMessages = curlMessages,
): CurlRequest | null {
  if (!isCurl(text)) return null;
  const {
    words: shellParts,
    rest,
    hasCommandInside,
  } = shellWords(text.replace(/^\s*(?:(?:[$%>]|PS [^>\n]*>)\s+)?(?:sudo\s+)?/, ''));
  const { options, addresses } = readCurlWords(shellParts.slice(1));
  const all = [...addresses, ...valuesOf(options, 'url')];
  const [address] = all;
  if (address === undefined) return null;
  const notes = [
    ...(all.length > 1 ? [messages.command.firstUrl({ count: all.length })] : []),
    ...(rest === '' ? [] : [messages.command.rest]),
    ...(hasCommandInside ? [messages.command.nested] : []),
  ];
  const request = new CurlReader(address, options, notes, { isKnown, messages }).read();
  return { ...request, input: withoutValues(request.input, request.secrets) };
}

/** Returns the input with its secrets renamed. */
export function withSecretNames(input: JsonMap, names: ReadonlyMap<string, string>): JsonMap {
  return mapTexts(input, (text) =>
    text.replaceAll(/(?<!\\)\{\{secret\.([A-Z0-9_]+)\}\}/g, (mark, name: string) => {
      const next = names.get(name);
      return next === undefined ? mark : markOf(next);
    }),
  ) as JsonMap;
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (isJsonList(value)) return value.map((one) => mapTexts(one, change));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}

/**
 * Removes values from every place they occur in. Short values are skipped, because they would match parts of other
 * words.
 */
function withoutValues(input: JsonMap, secrets: readonly CurlSecret[]): JsonMap {
  const values = secrets.flatMap(({ name, value }) => (value === null || value.length < 8 ? [] : [{ name, value }]));
  return mapTexts(input, (text) =>
    values.reduce((changed, { name, value }) => changed.replaceAll(value, () => markOf(name)), text),
  ) as JsonMap;
}
