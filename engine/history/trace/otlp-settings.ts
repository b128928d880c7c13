/**
 * Reads OpenTelemetry's variables, which determine where spans are sent during runs. Only the user's own environment is
 * used, because files in a workspace are untrusted and could send run data to their author. Source:
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */

import { parseUrl } from '../../base/parse-url.ts';
import { findWebAddress } from '../../base/web-address.ts';

type OtlpEnvironment = Readonly<Record<string, string | undefined>>;

export interface OtlpSettings {
  /** The complete URL, including its path. */
  readonly endpoint: URL;
  /** Headers may contain keys, so messages never contain their values. */
  readonly headers: Readonly<Record<string, string>>;
  /** Timeout of one request in milliseconds. */
  readonly timeoutMs: number;
}

/** Default address of collectors for OTLP over HTTP. */
const localCollector = 'http://localhost:4318';
const usualTimeoutMs = 10_000;

/**
 * Reads the environment.
 * @returns undefined if spans are not requested; `problem` is a sentence that explains why they cannot be sent
 */
export function otlpSettingsOf(env: OtlpEnvironment): OtlpSettings | { readonly problem: string } | undefined {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const exporters = listed(env['OTEL_TRACES_EXPORTER']);
  const isWanted = exporters.includes('otlp');
  if (exporters.length > 0 && !isWanted) return undefined;
  const own = settingOf(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const base = settingOf(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (own === undefined && base === undefined && !isWanted) return undefined;
  const protocol = ofTraces(env, 'PROTOCOL');
  if (protocol === 'grpc') {
    return problem(
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but Millrace sends over HTTP. Set it to http/json, and use the HTTP port',
    );
  }
  const endpoint = endpointOf(own, base ?? localCollector);
  if (typeof endpoint === 'string') return problem(endpoint);
  const headers = headersOf(ofTraces(env, 'HEADERS') ?? '');
  return headers === undefined
    ? problem('OTEL_EXPORTER_OTLP_HEADERS is not a comma-separated list of name=value')
    : { endpoint, headers, timeoutMs: timeoutOf(ofTraces(env, 'TIMEOUT')) };
}

function problem(why: string): { readonly problem: string } {
  return { problem: `Spans are not sent: ${why}.` };
}

/** Variables for traces override general ones. */
function ofTraces(env: OtlpEnvironment, name: string): string | undefined {
  return settingOf(env, `OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? settingOf(env, `OTEL_EXPORTER_OTLP_${name}`);
}

/** Returns a variable; undefined if it is not set or empty. */
function settingOf(env: OtlpEnvironment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

function listed(text = ''): readonly string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim().toLowerCase()]));
}

/**
 * Returns the URL for traces: a URL set for traces is unchanged; the traces path is added to a general URL. Returns the
 * text itself if it is not a valid URL.
 */
function endpointOf(own: string | undefined, base: string): URL | string {
  const name = own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const text = own ?? base;
  const { username, password } = parseUrl(text) ?? { username: '', password: '' };
  if (username !== '' || password !== '') return `${name} contains a user name or password; use a header instead`;
  const url = findWebAddress(text);
  if (url === undefined) return `${name} is not an http or https address`;
  if (own === undefined) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url;
}

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Parses W3C Baggage: comma-separated `name=value` with percent-encoded values. Returns undefined if it is invalid. */
function headersOf(text: string): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {};
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    const value = decoded(part.slice(at + 1).trim());
    if (at === -1 || !headerName.test(name) || value === undefined || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      return undefined;
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function timeoutOf(text: string | undefined): number {
  const ms = Number(text);
  return text !== undefined && Number.isInteger(ms) && ms > 0 ? Math.min(ms, 600_000) : usualTimeoutMs;
}
