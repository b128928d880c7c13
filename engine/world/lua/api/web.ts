/**
 * `aip.web`: HTTP requests and URL parsing.
 */

import { parseUrl } from '../../../base/parse-url.ts';
import {
  asMap,
  asNumber,
  isLuaList,
  isLuaMap,
  isNil,
  luaTypeOf,
  optionalString,
  requiredString,
  withEmptyMaps,
} from '../api-arguments.ts';
import type { ApiContext, ApiModule, LuaData, LuaValue } from '../api-module.ts';
import { jsonText } from '../formats/json-text.ts';
import { parseStrictJson } from '../formats/relaxed-json.ts';
import type { WebAnswer } from '../host-calls.ts';
import { prefixErrors, scriptError } from '../script-error.ts';

const defaultRedirectLimit = 5;

const userAgents = {
  aipack: 'aipack',
  browser:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
} as const;

type Headers = readonly (readonly [string, string])[];

interface WebOptions {
  /** An empty string sends none; undefined uses the default. */
  readonly userAgent: string | undefined;
  readonly headers: Headers;
  readonly redirectLimit: number;
  readonly parse: boolean;
}

/** A body and its media type. */
interface WebBody {
  readonly text: string;
  readonly type: string;
}

function userAgentOf(value: LuaValue): string | undefined {
  if (value === true) return userAgents.aipack;
  if (value === false) return '';
  return typeof value === 'string' ? value : undefined;
}

function headerValues(value: LuaData): readonly string[] {
  const list = isLuaList(value) ? value : [value];
  if (list.every((one) => typeof one === 'string')) return list;
  throw scriptError(
    `error converting Lua ${luaTypeOf(value)} to String or Array (Header values must be strings or arrays of strings)`,
  );
}

/**
 * Reads `WebOptions`; absent options have their defaults.
 * @throws EngineError `lua.refused-argument` if the value is not a table, or a header is neither a text nor a list of
 * texts
 */
function readWebOptions(value: LuaValue): WebOptions {
  const options = isNil(value) ? {} : asMap(value);
  if (options === undefined) {
    throw scriptError(
      `error converting Lua ${luaTypeOf(value)} to WebOptions (Expected nil or a table for WebOptions)`,
    );
  }
  const limit = asNumber(options['redirect_limit']);
  return {
    userAgent: userAgentOf(options['user_agent']),
    headers: Object.entries(asMap(options['headers']) ?? {}).flatMap(([name, values]) =>
      headerValues(values).map((one) => [name, one] as const),
    ),
    redirectLimit: limit !== undefined && limit >= 0 ? Math.floor(limit) : defaultRedirectLimit,
    parse: options['parse'] === true,
  };
}

function isNamed(name: string): (header: readonly [string, string]) => boolean {
  return ([other]) => other.toLowerCase() === name;
}

/** Returns the headers to send. The option `user_agent` overrides a header of that name; the default is `aipack`. */
function headersOf({ headers, userAgent }: WebOptions): Headers {
  const isAgent = isNamed('user-agent');
  const agent = userAgent ?? headers.find(isAgent)?.[1] ?? userAgents.aipack;
  const others = headers.filter((header) => !isAgent(header));
  return agent === '' ? others : [...others, ['user-agent', agent]];
}

/** Sets the content type unless the script has set it. */
function withContentType(headers: Headers, type: string): Headers {
  return headers.some(isNamed('content-type')) ? headers : [...headers, ['content-type', type]];
}

/**
 * Returns the body of a `post` request. The type for text is not a registered one, but packs and their servers expect
 * it.
 * @throws EngineError `lua.refused-argument` if the value is neither a text nor a table
 */
function bodyOf(data: LuaValue): WebBody {
  if (typeof data === 'string') return { text: data, type: 'plain/text' };
  if (isLuaMap(data) || isLuaList(data)) {
    return { text: jsonText(withEmptyMaps(data)), type: 'application/json' };
  }
  throw scriptError('Data must be a string or a table');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function contentTypeOf(answer: WebAnswer): string | undefined {
  const type = answer.headers['content-type'];
  return typeof type === 'object' ? type[0] : type;
}

/** Explains why text is not an absolute URL. Packs rely on the first sentence. */
function contentOf(answer: WebAnswer, options: WebOptions): { content: LuaValue; error?: string } {
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(contentTypeOf(answer) ?? '');
  if (!options.parse || !isJson) return { content: answer.text };
  try {
    return { content: parseStrictJson(answer.text) };
  } catch (error) {
    return { content: answer.text, error: `Cannot parse the content as JSON. Cause: ${messageOf(error)}` };
  }
}

function responseOf(answer: WebAnswer, options: WebOptions): LuaValue {
  const success = answer.status >= 200 && answer.status < 300;
  const { content, error: parseError } = contentOf(answer, options);
  const error = success ? parseError : `Not a 2xx status code (${answer.status})`;
  const contentType = contentTypeOf(answer);
  return {
    success,
    status: answer.status,
    url: answer.url,
    content: content ?? null,
    headers: answer.headers,
    ...(contentType !== undefined && { content_type: contentType }),
    ...(error !== undefined && { error }),
  };
}

function request(method: 'GET' | 'POST', args: readonly LuaValue[], { host }: ApiContext): LuaValue {
  const url = requiredString(args[0], 1);
  const body = method === 'POST' ? bodyOf(args[1]) : undefined;
  const options = readWebOptions(args[method === 'POST' ? 2 : 1]);
  const headers = headersOf(options);
  const send = () =>
    host('web.request', {
      method,
      url,
      headers: body === undefined ? headers : withContentType(headers, body.type),
      ...(body !== undefined && { body: body.text }),
      redirectLimit: options.redirectLimit,
    });
  const prefix = `Fail to do aip.web.${method.toLowerCase()} for url: ${url}\nCause: `;
  return responseOf(prefixErrors(prefix, send), options);
}

/** Explains why a text is not an absolute URL. Packs rely on the first sentence. */
function addressProblem(text: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(text.trim()) ? 'not a valid address' : 'relative URL without a base';
}

function partsOfUrl([value]: readonly LuaValue[]): LuaValue {
  const text = optionalString(value, 'aip.web.parse_url argument');
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  if (url === undefined) throw scriptError(`Cannot parse url '${text}'. Cause: ${addressProblem(text)}`);
  const query = Object.fromEntries(url.searchParams);
  const scheme = url.protocol.slice(0, -1);
  const port = url.port === '' ? '' : `:${url.port}`;
  return {
    scheme,
    path: url.pathname,
    username: url.username,
    url: url.href,
    page_url: `${scheme}://${url.hostname}${port}${url.pathname}`,
    ...(url.hostname !== '' && { host: url.hostname }),
    ...(url.port !== '' && { port: Number(url.port) }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(url.hash !== '' && { fragment: url.hash.slice(1) }),
    ...(url.password !== '' && { password: url.password }),
  };
}

function resolveHref([value, baseValue]: readonly LuaValue[]): LuaValue {
  const href = optionalString(value, "aip.web.resolve_href 'href' argument");
  const base = requiredString(baseValue, 2);
  if (href === undefined || parseUrl(href) !== undefined) return href;
  if (parseUrl(base) === undefined) {
    throw scriptError(`aip.web.resolve_href: Invalid base_url '${base}'. Cause: ${addressProblem(base)}`);
  }
  const joined = parseUrl(href, base);
  if (joined !== undefined) return joined.href;
  throw scriptError(
    `aip.web.resolve_href: Failed to join href '${href}' with base_url '${base}'. Cause: not a valid address`,
  );
}

const answerText =
  'Returns `{ success, status, url, content, content_type?, headers?, error? }`. Raises an error if the server cannot be reached, but not for a status of 400 or more.';
const optionsText =
  'Options: `user_agent` (a string, `true` = `aipack`, `false` = none), `headers` (strings or lists of strings by name), `redirect_limit` (default 5), `parse` (converts JSON to a table).';

export const webApi: ApiModule = {
  name: 'web',
  reachesOut: true,
  summary: 'Sends web requests and parses URLs.',
  members: [
    {
      name: 'get',
      signature: 'get(url: string, options?: WebOptions) -> WebResponse',
      summary: `Requests a URL. ${answerText} ${optionsText}`,
      call: (args, context) => request('GET', args, context),
    },
    {
      name: 'post',
      signature: 'post(url: string, data: string | table, options?: WebOptions) -> WebResponse',
      summary:
        'Sends a table as JSON, or a string with the content type `plain/text` unless the headers specify another. The response and the options are the same as for `get`.',
      call: (args, context) => request('POST', args, context),
    },
    {
      name: 'parse_url',
      signature: 'parse_url(url: string | nil) -> table | nil',
      summary:
        'Returns the parts of a URL: `{ scheme, host?, port?, path, query?, fragment?, username, password?, url, page_url }`. `query` contains strings by name, and `page_url` ends before the query. Returns nil for nil. Raises an error if the URL is not valid.',
      call: partsOfUrl,
    },
    {
      name: 'resolve_href',
      signature: 'resolve_href(href: string | nil, base_url: string) -> string | nil',
      summary:
        'Resolves a link against the URL of its page, `base_url`. Returns an absolute URL unchanged. Returns nil for nil. Raises an error if `base_url` is not a valid URL.',
      call: resolveHref,
    },
    {
      name: 'UA_AIPACK',
      signature: 'UA_AIPACK: string',
      summary: 'The default user agent for requests.',
      value: userAgents.aipack,
    },
    {
      name: 'UA_BROWSER',
      signature: 'UA_BROWSER: string',
      summary: "A common browser's user agent.",
      value: userAgents.browser,
    },
  ],
};
