/**
 * The servers of `.mcp.json` with their variables: `${NAME}` and `${NAME:-default}`, as coding agents write them
 * (https://code.claude.com/docs/en/mcp). A name is that of a secret, or of an environment variable.
 */
import { EngineError } from '../../base/engine-error.ts';
import { readWebAddress } from '../../base/web-address.ts';
import { isSecretName } from '../../language/bindings/secret-bindings.ts';
import type { ScriptSecrets, SecretEncoding } from '../../runtime/kernel/hub/run-secrets.ts';

/**
 * A program with which the client communicates over standard streams. Texts may name secrets as `${NAME}` or
 * `${NAME:-default}`.
 */
export interface StdioServerConfig {
  readonly transport: 'stdio';
  /** Name as written in the file. */
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Working folder, relative to the workspace or absolute. */
  readonly cwd: string;
}

/** A server reached over streamable HTTP. The URL after its host, and the headers, may name secrets like a program. */
export interface HttpServerConfig {
  readonly transport: 'http';
  /** Name as written in the file. */
  readonly title: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServerConfig = StdioServerConfig | HttpServerConfig;

export type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\{([^}]*)\}/g;
const variable = /^([A-Za-z_]\w*)(?::-([\s\S]*))?$/;

/** Variables with such names, or with a password in a URL, are not read from the environment. */
const secretLike = /KEY|TOKEN|SECRET|PASS|CRED|AUTH|COOKIE|PRIVATE/i;
const urlWithPassword = /\/\/[^/@\s]*:[^/@\s]*@/;

/** Texts of a server, lists of texts, and maps of texts. */
type ServerFields = Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>;

interface VariableProblem {
  readonly path: readonly (string | number)[];
  /** Continues `The server "x"`. */
  readonly problem: string;
}

/** Replaces environment variables and defaults. What is left are secrets. */
export function withVariables<Fields extends ServerFields>(
  fields: Fields,
  env: Environment,
): { readonly value: Fields } | VariableProblem {
  let found: VariableProblem | undefined;
  const value = mapTexts(fields, (text, path) =>
    text.replace(reference, (whole, inner: string) => {
      const read = readVariable(inner, env);
      if ('problem' in read) found ??= { path, problem: read.problem };
      return 'text' in read ? read.text : whole;
    }),
  );
  return found ?? { value };
}

type ReadVariable = { readonly text: string } | { readonly secret: string } | { readonly problem: string };

function readVariable(inner: string, env: Environment): ReadVariable {
  const [, name, fallback] = variable.exec(inner) ?? [];
  if (name === undefined)
    return { problem: `uses \${${inner}}, which isn't supported. Use \${NAME} or \${NAME:-default}.` };
  if (secretLike.test(name)) {
    if (isSecretName(name)) return { secret: name };
    return {
      problem: `uses \${${inner}}, which isn't a valid name of a secret. Use capital letters, digits and _, such as \${API_TOKEN}.`,
    };
  }
  const value = env[name] ?? '';
  if (value !== '' && !urlWithPassword.test(value)) return { text: value };
  if (value === '' && fallback !== undefined) return { text: fallback };
  if (isSecretName(name)) return { secret: name };
  return { problem: `uses \${${inner}}, but the environment variable ${name} isn't set.` };
}

function mapTexts<Fields extends ServerFields>(
  fields: Fields,
  change: (text: string, path: readonly (string | number)[]) => string,
): Fields {
  const entries = Object.entries(fields).map(([field, value]) => {
    if (typeof value === 'string') return [field, change(value, [field])];
    if (Array.isArray(value)) return [field, value.map((one: string, index) => change(one, [field, index]))];
    const map = value as Readonly<Record<string, string>>;
    return [field, Object.fromEntries(Object.entries(map).map(([key, one]) => [key, change(one, [field, key])]))];
  });
  return Object.fromEntries(entries) as Fields;
}

/** Returns whether the host of a URL contains no secret. */
export function hasOwnHost(url: string): boolean {
  const at = url.indexOf('${');
  return at === -1 || /^https?:\/\/[^/?#\\]+[/?#]/i.test(url.slice(0, at));
}

/**
 * Returns the configuration with the values of its secrets, for starting the server or sending requests.
 * @throws EngineError `secret.missing` | `secret.host-not-allowed` | `secret.file-unreadable`
 */
export async function withSecrets(config: McpServerConfig, secrets: ScriptSecrets): Promise<McpServerConfig> {
  const { transport, title, ...fields } = config;
  const texts: string[] = [];
  mapTexts(fields, (text) => {
    texts.push(text);
    return text;
  });
  const values = new Map<string, string>();
  const taken: string[] = [];
  for (const inner of new Set(texts.flatMap((text) => [...text.matchAll(reference)].map(([, one = '']) => one)))) {
    const [, name = '', fallback] = variable.exec(inner) ?? [];
    const placeholder = await takeOrElse(name, fallback, secrets);
    values.set(inner, placeholder ?? fallback ?? '');
    if (placeholder !== undefined) taken.push(name);
  }
  if (config.transport === 'http') secrets.admit(taken, readWebAddress(config.url));
  const filled = mapTexts(fields, (text, [field]) => {
    const encoding: SecretEncoding = field === 'url' ? 'address' : 'plain';
    return secrets.fill(
      text.replace(reference, (_, inner: string) => values.get(inner) ?? ''),
      encoding,
    );
  });
  return { transport, title, ...filled } as McpServerConfig;
}

/** Returns a secret's placeholder; undefined if the secret is not set but has a default. */
async function takeOrElse(
  name: string,
  fallback: string | undefined,
  secrets: ScriptSecrets,
): Promise<string | undefined> {
  try {
    return await secrets.take(name);
  } catch (error) {
    if (fallback !== undefined && EngineError.is(error) && error.code === 'secret.missing') return undefined;
    throw error;
  }
}
