/**
 * Reads a workspace's `.mcp.json`: its Model Context Protocol servers under `mcpServers`, in the format of coding
 * agents (https://modelcontextprotocol.io/docs/develop/connect-local-servers).
 */

import { evaluate, type MemberNode, type ObjectNode, parse, type ValueNode } from '@humanwhocodes/momoa';
import { z } from 'zod';
import { isDeeperThan } from '../../base/json-limits.ts';
import { parseUrl } from '../../base/parse-url.ts';
import { addressWithoutQuery, readWebAddress, webAddressProblem } from '../../base/web-address.ts';
import { nearestWord } from '../../language/findings/nearest.ts';
import { type Environment, hasOwnHost, type McpServerConfig, withVariables } from './server-config.ts';

/** Path relative to the workspace. */
export const mcpConfigFile = '.mcp.json';

/** Maximum number of servers in a file. No handwritten list is longer. */
const mostServers = 100;

/** A problem in the file. Lines and columns start at 1, columns count UTF-16 units. */
export interface McpConfigProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The server that cannot be used because of the problem; absent if no server can. */
  readonly server?: string;
}

export interface McpConfig {
  /** Servers in file order, by their name in names of tools. */
  readonly servers: ReadonlyMap<string, McpServerConfig>;
  readonly problems: readonly McpConfigProblem[];
}

/**
 * Parses the file's text: JSON with comments and trailing commas. A problem with one server does not affect the others.
 * Never throws.
 * @param env environment variables for `${NAME}`
 */
export function readMcpConfig(text: string, env: Environment = {}): McpConfig {
  const servers = new Map<string, McpServerConfig>();
  const root = parseRoot(text);
  const list = 'problem' in root ? root : listIn(root);
  if ('problem' in list) return { servers, problems: [{ ...list.at, message: list.problem }] };
  const problems: McpConfigProblem[] = [];
  const names = membersOf(list).map(nameOf);
  for (const [index, member] of membersOf(list).entries()) {
    const name = nameOf(member);
    const isRepeated = names.indexOf(name) !== names.lastIndexOf(name);
    // A server is reported once.
    if (isRepeated && names.lastIndexOf(name) !== index) continue;
    const read = isRepeated ? repeated(name) : (refusalOf(name, servers) ?? readServer(name, member.value, env));
    if ('transport' in read) servers.set(idOf(name), read);
    else problems.push({ ...placeOf(member.value, read.path), message: read.message, server: name });
  }
  return { servers, problems };
}

/** Returns why a server cannot be added. */
function refusalOf(name: string, servers: McpConfig['servers']): McpConfigMismatch | undefined {
  if (servers.size >= mostServers) return tooMany(name);
  const other = servers.get(idOf(name));
  return other === undefined ? undefined : sameId(name, other.title);
}

/** The file's list, or why there is none. */
type FileProblem = { readonly at: Place; readonly problem: string };

/** Deeper text would exceed the stack. No server nests more than a few levels. */
const deepest = 64;

function parseRoot(text: string): ObjectNode | FileProblem {
  const source = text.replace(/^\uFEFF/, '');
  const start = { line: 1, column: 1 };
  if (isDeeperThan(source, deepest))
    return { at: start, problem: `${mcpConfigFile} is nested more than ${deepest} levels deep.` };
  try {
    const { body } = parse(source, { mode: 'jsonc', allowTrailingCommas: true });
    if (body.type === 'Object') return body;
    return { at: body.loc.start, problem: needsList };
  } catch (error) {
    const { line = 1, column = 1, message } = error as Error & { readonly line?: number; readonly column?: number };
    const reason = message.replace(/\s*\(\d+:\d+\)$/, '');
    return { at: { line, column }, problem: `${mcpConfigFile} is not valid JSON: ${reason}` };
  }
}

const needsList = `${mcpConfigFile} must be a map with the key mcpServers, which maps names to servers.`;

/** Returns the map of servers. Some programs call it `servers`, and some files consist of it alone. */
function listIn(root: ObjectNode): ObjectNode | FileProblem {
  const lists = membersOf(root).filter((member) => nameOf(member) === 'mcpServers');
  if (lists.length > 1)
    return {
      at: lists[1]?.loc.start ?? root.loc.start,
      problem: `${mcpConfigFile} has the key mcpServers more than once. Put all servers under one of them.`,
    };
  const [own] = lists;
  const other = membersOf(root).find((member) => nameOf(member) === 'servers');
  const list = own ?? (other?.value.type === 'Object' && !isServer(other.value) ? other : undefined);
  if (list !== undefined)
    return list.value.type === 'Object' ? list.value : { at: list.value.loc.start, problem: needsList };
  const isList = membersOf(root).length > 0 && membersOf(root).every(({ value }) => isServer(value));
  return isList ? root : { at: root.loc.start, problem: needsList };
}

function isServer(value: ValueNode): boolean {
  return value.type === 'Object' && membersOf(value).some((member) => ['command', 'url'].includes(nameOf(member)));
}

function membersOf({ members }: ObjectNode): readonly MemberNode[] {
  return members;
}

function nameOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name;
}

/** Returns the position of a value below a node, or of its nearest parent. */
function placeOf(node: ValueNode, path: McpConfigMismatch['path']): Place {
  const [part, ...rest] = path;
  const below =
    node.type === 'Object'
      ? node.members.find((member) => nameOf(member) === part)?.value
      : node.type === 'Array'
        ? node.elements[Number(part)]?.value
        : undefined;
  if (part !== undefined && below !== undefined) return placeOf(below, rest);
  const { line, column } = node.loc.start;
  return { line, column };
}

/** From 1; columns are in UTF-16 units. */
interface Place {
  readonly line: number;
  readonly column: number;
}

interface McpConfigMismatch {
  /** Path below the server. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const longestName = 64;

/**
 * Returns the name of a server in names of tools, with `-` for each part that they cannot contain. Empty if nothing
 * is left.
 */
function idOf(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/_+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
}

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

function readServer(name: string, node: ValueNode, env: Environment): McpServerConfig | McpConfigMismatch {
  const id = idOf(name);
  if (id === '' || id.length > longestName) return badName(name);
  const entry: unknown = evaluate(node);
  const twice = repeatedKey(node);
  if (twice !== undefined) return { path: twice, message: onlyOnce(name, `has ${twice.join('.')}`) };
  const typed = z.looseObject({ type: z.unknown(), url: z.unknown() }).partial().safeParse(entry);
  if (!typed.success) return { path: [], message: `The server "${name}" must be a map with command or url.` };
  const { type = typed.data.url === undefined ? 'stdio' : 'http' } = typed.data;
  if (type === 'stdio') return readStdio(name, entry, env);
  if (typeof type === 'string' && httpTypes.includes(type)) return readHttp(name, entry, env);
  return badType(name, type);
}

/** Returns the path of the first key that a map has twice. */
function repeatedKey(node: ValueNode): readonly string[] | undefined {
  if (node.type !== 'Object') return undefined;
  const names = membersOf(node).map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return [twice];
  for (const member of membersOf(node)) {
    const below = repeatedKey(member.value);
    if (below !== undefined) return [nameOf(member), ...below];
  }
  return undefined;
}

function readStdio(name: string, entry: unknown, env: Environment): McpServerConfig | McpConfigMismatch {
  const parsed = stdioSchema.safeParse(entry);
  if (!parsed.success) return misfitOf(name, parsed.error);
  const found = withVariables(parsed.data, env);
  if ('problem' in found) return { path: found.path, message: `The server "${name}" ${found.problem}` };
  return { transport: 'stdio', title: name, ...found.value };
}

function readHttp(name: string, entry: unknown, env: Environment): McpServerConfig | McpConfigMismatch {
  const parsed = httpSchema.safeParse(entry);
  if (!parsed.success) return misfitOf(name, parsed.error);
  const found = withVariables(parsed.data, env);
  if ('problem' in found) return { path: found.path, message: `The server "${name}" ${found.problem}` };
  const { url, headers } = found.value;
  const problem = addressProblem(name, url);
  if (problem !== undefined) return { path: ['url'], message: problem };
  const bad = Object.entries(headers).find(([header]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(header));
  if (bad !== undefined) {
    return { path: ['headers', bad[0]], message: `${JSON.stringify(bad[0])} is not a valid name of an HTTP header.` };
  }
  return { transport: 'http', title: name, url, headers };
}

function addressProblem(name: string, url: string): string | undefined {
  if (!hasOwnHost(url))
    return `The url of the server "${name}" takes its host from a secret, which hides where requests go. Write the host into the file.`;
  const { username, password } = parseUrl(url) ?? { username: '', password: '' };
  if (username !== '' || password !== '')
    return `The url of the server "${name}" contains a password, which anyone with access to the file can read. Write "headers": { "Authorization": "Bearer \${TOKEN}" } and set the secret TOKEN.`;
  const problem = webAddressProblem(url);
  return problem === undefined ? undefined : `The url of the server "${name}" cannot be used: ${problem}`;
}

function badName(name: string): McpConfigMismatch {
  return {
    path: [],
    message: `${JSON.stringify(name.slice(0, 80))} cannot be part of the names of tools. Use a name with letters or digits of the English alphabet, at most ${longestName} characters.`,
  };
}

function sameId(name: string, other: string): McpConfigMismatch {
  return {
    path: [],
    message: `The tools of the servers "${other}" and "${name}" would have the same names. Rename one of the servers.`,
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

function repeated(name: string): McpConfigMismatch {
  return { path: [], message: onlyOnce(name, 'is in the file') };
}

/** Neither value is used, because only the author knows which one is intended. */
function onlyOnce(name: string, what: string): string {
  return `The server "${name}" ${what} more than once. Keep one of them.`;
}

function tooMany(name: string): McpConfigMismatch {
  return { path: [], message: `The server "${name}" was ignored: a file can have at most ${mostServers} servers.` };
}

function misfitOf(name: string, { issues }: z.ZodError): McpConfigMismatch {
  const [issue] = issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  return { path, message: `The server "${name}": ${path.join('.') || 'it'} is invalid: ${issue?.message ?? ''}.` };
}

/** Returns the display name of a server: its command line, or its URL without parts that may be secret. */
export function targetOf(config: McpServerConfig): string {
  if (config.transport === 'stdio') return [config.command, ...config.args].join(' ');
  return addressWithoutQuery(readWebAddress(config.url)).replaceAll('$%7B', '${').replaceAll('%7D', '}');
}
