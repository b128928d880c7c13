/**
 * Reads the URL of a shared history.
 */

import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext, type SecureContext } from 'node:tls';
import type { ClientConfig } from 'pg';
import { EngineError } from '../../base/engine-error.ts';
import { parseUrl } from '../../base/parse-url.ts';
import { authoritiesFor, secureContextFor } from '../../world/web/authorities.ts';

export interface SharedPlace {
  readonly connection: Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'password' | 'ssl'>;
  readonly schema: string;
  /** Host, database and schema, for messages. Contains no password. */
  readonly place: string;
  /** What to check if no connection can be opened. */
  readonly advice: string;
  readonly isEncrypted: boolean;
}

const defaultSchema = 'millrace';
/** PostgreSQL cuts longer names. */
const schemaName = /^[a-z_][a-z0-9_]{0,62}$/;
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '']);
const modes: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full'];
const settings: ReadonlySet<string> = new Set(['schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']);

/**
 * Parses the URL. Without `sslmode`, connections to other machines are encrypted (`require`).
 * @param environment source of the password (`PGPASSWORD`) if the URL has none
 * @throws EngineError `store.bad-url`; the message contains no password
 */
export function parseSharedUrl(text: string, environment: NodeJS.ProcessEnv = process.env): SharedPlace {
  const url = parseUrl(text);
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol))
    throw badUrl('The URL of the history must have the form postgres://USER@HOST:PORT/DATABASE?schema=NAME.');
  for (const name of url.searchParams.keys())
    if (!settings.has(name)) throw badUrl(`Unknown setting "${name}". Use ${[...settings].join(', ')}.`);
  const schema = url.searchParams.get('schema') ?? defaultSchema;
  if (!schemaName.test(schema))
    throw badUrl('The name of the schema must consist of at most 63 lowercase letters, digits and underscores.');
  const connection = connectionOf(url, environment);
  const { host, port, database } = connection;
  return {
    connection,
    schema,
    place: `${host}:${port}/${database} (schema ${schema})`,
    advice: [
      'Check that PostgreSQL is running, and that the host and port are correct.',
      ...(connection.ssl === false ? [] : ['If it does not offer TLS, turn encryption off (sslmode=disable).']),
    ].join(' '),
    isEncrypted: connection.ssl !== false,
  };
}

function connectionOf(url: URL, environment: NodeJS.ProcessEnv): SharedPlace['connection'] {
  const database = decoded(url.pathname.slice(1));
  if (database === '') throw badUrl('The URL names no database: add it after the host, for example /millrace.');
  const user = decoded(url.username);
  const password = url.password === '' ? environment['PGPASSWORD'] : decoded(url.password);
  return {
    host: url.hostname === '' ? 'localhost' : url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    ...(user === '' ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ssl: tlsOf(url, environment),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badUrl('A "%" in the name, password or database is not followed by two hexadecimal digits: write it as %25.');
  }
}

function tlsOf(url: URL, environment: NodeJS.ProcessEnv): ConnectionOptions | false {
  const mode = url.searchParams.get('sslmode') ?? (loopback.has(url.hostname) ? 'disable' : 'require');
  if (!modes.includes(mode)) throw badUrl(`sslmode must be ${modes.join(', ')}.`);
  if (mode === 'disable') return false;
  const files = { ca: fileOf(url, 'sslrootcert'), cert: fileOf(url, 'sslcert'), key: fileOf(url, 'sslkey') };
  // As in PostgreSQL's own programs, `require` verifies the certificate only if its authority is named.
  const isVerified = mode !== 'require' || files.ca !== undefined;
  const secureContext = contextOf(files, environment);
  return {
    ...(secureContext === undefined ? {} : { secureContext }),
    rejectUnauthorized: isVerified,
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

interface TlsFiles {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Without `sslrootcert`, the same authorities are accepted as for other connections; undefined for Node's default. */
function contextOf({ ca, cert, key }: TlsFiles, environment: NodeJS.ProcessEnv): SecureContext | undefined {
  if ((cert === undefined) !== (key === undefined)) throw badUrl('sslcert and sslkey must be used together.');
  if (ca === undefined && cert === undefined) return secureContextFor(environment);
  // Node ignores text without a certificate.
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw badUrl('The file of sslrootcert contains no certificate in PEM format.');
  try {
    return createSecureContext({
      ca: ca ?? authoritiesFor(environment),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw badUrl(`The files of sslrootcert, sslcert and sslkey are not certificates with a key: ${reason}.`, cause);
  }
}

function fileOf(url: URL, name: string): string | undefined {
  const path = url.searchParams.get(name);
  if (path === null) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw badUrl(`The file of ${name} cannot be read: ${path}.`, cause);
  }
}

function badUrl(message: string, cause?: unknown): EngineError {
  return new EngineError({ code: 'store.bad-url', message, cause });
}
