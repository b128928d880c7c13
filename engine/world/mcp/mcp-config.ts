/**
 * Reads a workspace's `.mcp.json`: its Model Context Protocol servers under `mcpServers`, in the format of coding
 * agents (https://modelcontextprotocol.io/docs/develop/connect-local-servers).
 */

import { z } from 'zod';
import { parseUrl } from '../../base/parse-url.ts';
import { addressWithoutQuery, readWebAddress, webAddressProblem } from '../../base/web-address.ts';
import { parsePath } from '../../language/bindings/binding-path.ts';
import { isSecretName } from '../../language/bindings/secret-bindings.ts';
import { nearestWord } from '../../language/findings/nearest.ts';
import { findJson } from '../../language/schema/find-json.ts';
import { readYaml } from '../../language/yaml/yaml-source.ts';
import type { ScriptSecrets } from '../../runtime/kernel/hub/run-secrets.ts';

/** Path relative to the workspace. */
export const mcpConfigFile = '.mcp.json';

/** Maximum number of servers in a file. No handwritten list is longer. */
const mostServers = 100;

/** A program with which the client communicates over standard streams. */
export interface StdioServerConfig {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables. Values may name secrets as `${NAME}`. */
  readonly env: Readonly<Record<string, string>>;
  /** Working folder, relative to the workspace or absolute. */
  readonly cwd: string;
}

/** A server reached over streamable HTTP. */
export interface HttpServerConfig {
  readonly transport: 'http';
  readonly url: string;
  /** HTTP headers. Values may name secrets as `${NAME}`. */
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServerConfig = StdioServerConfig | HttpServerConfig;

/** A problem in the file. Lines and columns start at 1, columns count UTF-16 units. */
export interface McpConfigProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The server that cannot be used because of the problem; absent if no server can. */
  readonly server?: string;
}

export interface McpConfig {
  /** Servers by name, in file order. */
  readonly servers: ReadonlyMap<string, McpServerConfig>;
  readonly problems: readonly McpConfigProblem[];
}

/**
 * Returns the configuration with the values of its secrets, for starting the server or sending requests.
 * @throws EngineError `secret.missing` | `secret.host-not-allowed` | `secret.file-unreadable`
 */
export async function withSecrets(config: McpServerConfig, secrets: ScriptSecrets): Promise<McpServerConfig> {
  const values = config.transport === 'stdio' ? config.env : config.headers;
  const named = secretsNamedIn(values);
  const placeholders = new Map<string, string>();
  for (const name of named) placeholders.set(name, await secrets.take(name));
  if (config.transport === 'http') secrets.admit(named, readWebAddress(config.url));
  const filled = Object.entries(values).map(([key, value]) => {
    const text = value.replace(reference, (_, name: string) => placeholders.get(name) ?? '');
    return [key, secrets.fill(text, 'plain')];
  });
  const field = config.transport === 'stdio' ? 'env' : 'headers';
  return { ...config, [field]: Object.fromEntries(filled) };
}

/** Returns each name once. */
function secretsNamedIn(values: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.values(values).flatMap((value) => [...value.matchAll(reference)].map(([, name = '']) => name));
  return [...new Set(names)];
}

const reference = /\$\{([^}]*)\}/g;

/** Parses the file's text. A problem with one server does not affect the others. Never throws. */
export function readMcpConfig(text: string): McpConfig {
  const found = findJson(text, 'whole');
  if ('unreadable' in found) {
    const { line, column, problem } = found.unreadable;
    return {
      servers: new Map(),
      problems: [{ line, column, message: `${mcpConfigFile} is not valid JSON: ${problem}` }],
    };
  }
  const places = placesOf(text);
  const repeated = (found.notes?.repeated ?? []).map((path) => parsePath(path) ?? []);
  if (repeated.some(({ length, 0: key }) => length === 1 && key === 'mcpServers')) {
    const message = `${mcpConfigFile} has the key mcpServers more than once. Put all servers under one of them.`;
    return { servers: new Map(), problems: [{ ...places(['mcpServers']), message }] };
  }
  const root = rootSchema.safeParse(found.value);
  if (!root.success) {
    const message = `${mcpConfigFile} must be a map with the key mcpServers, which maps names to servers.`;
    return { servers: new Map(), problems: [{ ...places(['mcpServers']), message }] };
  }
  const servers = new Map<string, McpServerConfig>();
  const problems: McpConfigProblem[] = [];
  for (const [name, entry] of Object.entries(root.data.mcpServers)) {
    const twice = repeated.find(([, server]) => server === name);
    const isRead = servers.size < mostServers;
    const read = twice !== undefined ? repeatedIn(name, twice) : isRead ? readServer(name, entry) : tooMany(name);
    if ('transport' in read) servers.set(name, read);
    else problems.push({ ...places(['mcpServers', name, ...read.path]), message: read.message, server: name });
  }
  return { servers, problems };
}

const rootSchema = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

interface McpConfigMismatch {
  /** Path below the server. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const serverName = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;
const longestName = 64;
const text = z.string().max(32_768);
const texts = z.record(z.string().max(1_000), text).default({});
const stdioSchema = z.object({
  command: text.min(1),
  args: z.array(text).max(1_000).default([]),
  env: texts,
  cwd: text.min(1).default('.'),
});
const httpSchema = z.object({ url: text.min(1), headers: texts });
const httpTypes = ['http', 'url', 'streamable-http'];

function readServer(name: string, entry: unknown): McpServerConfig | McpConfigMismatch {
  if (!serverName.test(name) || name.length > longestName) return badName(name);
  const typed = z.looseObject({ type: z.unknown(), url: z.unknown() }).partial().safeParse(entry);
  if (!typed.success) return { path: [], message: `The server "${name}" must be a map with command or url.` };
  const { type = typed.data.url === undefined ? 'stdio' : 'http' } = typed.data;
  if (type === 'stdio') return readStdio(name, entry);
  if (typeof type === 'string' && httpTypes.includes(type)) return readHttp(name, entry);
  return badType(name, type);
}

function readStdio(name: string, entry: unknown): McpServerConfig | McpConfigMismatch {
  const parsed = stdioSchema.safeParse(entry);
  if (!parsed.success) return misfitOf(name, parsed.error);
  const { command, args, env, cwd } = parsed.data;
  const named = [command, ...args, cwd].findIndex((value) => value.match(reference) !== null);
  if (named !== -1) {
    const path = named === 0 ? ['command'] : named <= args.length ? ['args', named - 1] : ['cwd'];
    return { path, message: misplaced(name) };
  }
  return badReference(name, 'env', env) ?? { transport: 'stdio', command, args, env, cwd };
}

function readHttp(name: string, entry: unknown): McpServerConfig | McpConfigMismatch {
  const parsed = httpSchema.safeParse(entry);
  if (!parsed.success) return misfitOf(name, parsed.error);
  const { url, headers } = parsed.data;
  if (url.match(reference) !== null) return { path: ['url'], message: misplaced(name) };
  const { username, password } = parseUrl(url) ?? { username: '', password: '' };
  if (username !== '' || password !== '') {
    return {
      path: ['url'],
      message: `The url of the server "${name}" contains a password, which anyone with access to the file can read. Write "headers": { "Authorization": "Bearer \${TOKEN}" } and set the secret TOKEN.`,
    };
  }
  const problem = webAddressProblem(url);
  if (problem !== undefined)
    return { path: ['url'], message: `The url of the server "${name}" cannot be used: ${problem}` };
  const bad = Object.entries(headers).find(([header]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(header));
  if (bad !== undefined) {
    return { path: ['headers', bad[0]], message: `${JSON.stringify(bad[0])} is not a valid name of an HTTP header.` };
  }
  return badReference(name, 'headers', headers) ?? { transport: 'http', url, headers };
}

function badReference(
  server: string,
  field: string,
  values: Readonly<Record<string, string>>,
): McpConfigMismatch | undefined {
  for (const [key, value] of Object.entries(values)) {
    const bad = secretsNamedIn({ key: value }).find((name) => !isSecretName(name));
    if (bad === undefined) continue;
    return {
      path: [field, key],
      message: `The server "${server}" uses \${${bad}}, which is not a valid name of a secret. Use capital letters, digits and _, such as \${API_TOKEN}.`,
    };
  }
  return undefined;
}

function badName(name: string): McpConfigMismatch {
  return {
    path: [],
    message: `${JSON.stringify(name.slice(0, 80))} is not a valid name of a server, because it is part of tool names. Use letters, digits, - and single _, at most ${longestName} characters.`,
  };
}

function badType(name: string, type: unknown): McpConfigMismatch {
  const written = typeof type === 'string' ? type : JSON.stringify(type);
  const near = typeof type === 'string' ? nearestWord(type, ['stdio', 'http']) : undefined;
  const why =
    type === 'sse'
      ? 'The old transport over server-sent events is not supported. Most servers that have it also support streamable HTTP: write "type": "http" and the address for it.'
      : `Use stdio or http.${near === undefined ? '' : ` Did you mean "${near}"?`}`;
  return { path: ['type'], message: `The server "${name}" has the type ${written.slice(0, 80)}. ${why}` };
}

function misplaced(name: string): string {
  return `The server "${name}" uses a secret here, where other programs could see it. Use \${NAME} only in env and headers.`;
}

/** Neither value is used, because only the author knows which one is intended. */
function repeatedIn(name: string, [, , ...path]: readonly string[]): McpConfigMismatch {
  const what = path.length === 0 ? 'is in the file' : `has ${path.join('.')}`;
  return { path, message: `The server "${name}" ${what} more than once. Keep one of them.` };
}

function tooMany(name: string): McpConfigMismatch {
  return { path: [], message: `The server "${name}" was ignored: a file can have at most ${mostServers} servers.` };
}

function misfitOf(name: string, { issues }: z.ZodError): McpConfigMismatch {
  const [issue] = issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  return { path, message: `The server "${name}": ${path.join('.') || 'it'} is invalid: ${issue?.message ?? ''}.` };
}

/**
 * Returns a function that finds the position of a value, or of its parent if the value is missing. JSON is parsed as
 * YAML.
 */
function placesOf(source: string): (path: readonly (string | number)[]) => { line: number; column: number } {
  const { root } = readYaml(source);
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const node = root !== null && 'getIn' in root ? root.getIn(path.slice(0, length), true) : undefined;
      const range = (node as { readonly range?: readonly number[] } | undefined)?.range;
      if (range?.[0] !== undefined) return placeOf(source, range[0]);
    }
    return { line: 1, column: 1 };
  };
}

function placeOf(source: string, offset: number): { line: number; column: number } {
  const lines = source.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Returns the display name of a server: its command line, or its URL without parts that may be secret. */
export function targetOf(config: McpServerConfig): string {
  return config.transport === 'stdio'
    ? [config.command, ...config.args].join(' ')
    : addressWithoutQuery(readWebAddress(config.url));
}
