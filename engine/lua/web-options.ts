/**
 * What scripts say about a request, made ready to send.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import { asMap, isNil, luaTypeOf } from './api-arguments.ts';
import type { LuaValue } from './api-module.ts';
import { withEmptyMaps } from './empty-maps.ts';
import { scriptError } from './script-error.ts';

const defaultRedirectLimit = 5;

export const userAgents = {
  aipack: 'aipack',
  browser:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
} as const;

type Headers = readonly (readonly [string, string])[];

export interface WebOptions {
  /** Empty = send none; undefined = not said. */
  readonly userAgent: string | undefined;
  readonly headers: Headers;
  readonly redirectLimit: number;
  readonly parse: boolean;
}

/** A body and the type that it is sent with. */
interface WebBody {
  readonly text: string;
  readonly type: string;
}

function userAgentOf(value: LuaValue): string | undefined {
  if (value === true) return userAgents.aipack;
  if (value === false) return '';
  return typeof value === 'string' ? value : undefined;
}

function headerValues(value: JsonValue): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.every((one) => typeof one === 'string')) return list;
  throw scriptError(
    `error converting Lua ${luaTypeOf(value)} to String or Array (Header values must be strings or arrays of strings)`,
  );
}

/**
 * Reads `WebOptions`; what is absent has its default.
 * @throws EngineError `lua.refused-argument` when they are no table, or a header is neither a text nor a list of texts
 */
export function readWebOptions(value: LuaValue): WebOptions {
  const options = isNil(value) ? {} : asMap(value);
  if (options === undefined) {
    throw scriptError(
      `error converting Lua ${luaTypeOf(value)} to WebOptions (Expected nil or a table for WebOptions)`,
    );
  }
  const limit = options['redirect_limit'];
  return {
    userAgent: userAgentOf(options['user_agent']),
    headers: Object.entries(asMap(options['headers']) ?? {}).flatMap(([name, values]) =>
      headerValues(values).map((one) => [name, one] as const),
    ),
    redirectLimit: typeof limit === 'number' && limit >= 0 ? Math.floor(limit) : defaultRedirectLimit,
    parse: options['parse'] === true,
  };
}

function isNamed(name: string): (header: readonly [string, string]) => boolean {
  return ([other]) => other.toLowerCase() === name;
}

/** The headers to send. The option `user_agent` beats a header of that name; without either it is `aipack`. */
export function headersOf({ headers, userAgent }: WebOptions): Headers {
  const isAgent = isNamed('user-agent');
  const agent = userAgent ?? headers.find(isAgent)?.[1] ?? userAgents.aipack;
  const others = headers.filter((header) => !isAgent(header));
  return agent === '' ? others : [...others, ['user-agent', agent]];
}

/** Names the type of the body, unless the script has named one. */
export function withContentType(headers: Headers, type: string): Headers {
  return headers.some(isNamed('content-type')) ? headers : [...headers, ['content-type', type]];
}

/**
 * The body of a `post`. The type of a text is not a registered one; packs and their servers know it.
 * @throws EngineError `lua.refused-argument` when it is neither a text nor a table
 */
export function bodyOf(data: LuaValue): WebBody {
  if (typeof data === 'string') return { text: data, type: 'plain/text' };
  if (typeof data === 'object' && data !== null) {
    return { text: JSON.stringify(withEmptyMaps(data)), type: 'application/json' };
  }
  throw scriptError('Data must be a string or a table');
}
