/**
 * Parses the URL of a Restate server: `restate://HOST:8080/WORKSPACE?admin=9070`.
 */
import { createHash } from 'node:crypto';
import { EngineError } from '../../base/engine-error.ts';
import { parseUrl } from '../../base/parse-url.ts';

/** Where a Restate server is, and the workspace whose runs it hosts. */
export interface RestatePlace {
  /** Origin of the ingress, for example `http://127.0.0.1:8080`. */
  readonly ingress: string;
  /** Origin of the admin API. */
  readonly admin: string;
  /** Name of the workspace; undefined if the URL has none. */
  readonly workspace: string | undefined;
}

const defaultPort = '8080';
const defaultAdminPort = '9070';

/** @throws EngineError `restate.bad-url` */
export function parseRestateUrl(text: string): RestatePlace {
  const url = parseUrl(text);
  if (url === undefined || url.protocol !== 'restate:' || url.hostname === '') throw badUrl();
  if (url.username !== '' || url.password !== '')
    throw badUrl('It must not contain a user or a password, because Restate has none.');
  const admin = url.searchParams.get('admin') ?? defaultAdminPort;
  const workspace = decoded(url.pathname.replace(/^\//, ''));
  return {
    ingress: `http://${url.hostname}:${url.port || defaultPort}`,
    admin: /^\d+$/.test(admin) ? `http://${url.hostname}:${admin}` : (parseUrl(admin)?.origin ?? badAdmin(admin)),
    workspace: workspace === '' ? undefined : workspace,
  };
}

/** Names that Restate accepts for services. */
const plainName = /^[a-z][a-z0-9._-]*$/i;

/** Returns the name of the service that runs the flows of a workspace. */
export function serviceOf(workspace: string): string {
  const name = `millrace.${workspace}`;
  if (plainName.test(name)) return name;
  const hash = createHash('sha256').update(workspace).digest('hex').slice(0, 8);
  return `${name.replaceAll(/[^a-z0-9._-]/gi, '_')}-${hash}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badUrl('A "%" in the name of the workspace is not followed by two hexadecimal digits: write it as %25.');
  }
}

/** The message does not repeat the URL, which may be that of a database with a password. */
function badUrl(why = 'It is not the URL of a Restate server.'): EngineError {
  const message = `--on is invalid. ${why} Example: restate://localhost:8080/my-workspace?admin=9070`;
  return new EngineError({ code: 'restate.bad-url', message });
}

function badAdmin(text: string): never {
  const message = `"admin" must be a port or the URL of Restate's admin API, not ${JSON.stringify(text)}.`;
  throw new EngineError({ code: 'restate.bad-url', message });
}
