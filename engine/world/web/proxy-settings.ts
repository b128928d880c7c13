/**
 * Determines the proxy of a request from the variables that curl and other programs use: `HTTPS_PROXY`, `HTTP_PROXY`
 * and `NO_PROXY`, in uppercase or lowercase.
 */

import { BlockList, isIP } from 'node:net';
import { EngineError } from '../../base/engine-error.ts';
import { parseUrl } from '../../base/parse-url.ts';
import { dialedHost, dialedPort, hostRule } from '../../base/web-address.ts';

type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

export interface ProxySetting {
  /** URL without user name and password. */
  readonly url: URL;
  /** Value of the `proxy-authorization` header; undefined for none. */
  readonly authorization: string | undefined;
  /** The variable that contains the proxy, for messages. */
  readonly variable: string;
}

/**
 * Returns the proxy for a URL; undefined for a direct connection.
 * @throws EngineError `web.bad-proxy` if the variable contains an invalid proxy
 */
export function proxyFor(url: URL, env: ProxyEnvironment): ProxySetting | undefined {
  const variable = proxyVariableFor(url, env);
  return variable === undefined ? undefined : readProxy((env[variable] ?? '').trim(), variable);
}

/** Returns the variable with the proxy for a URL; undefined for a direct connection. */
export function proxyVariableFor(url: URL, env: ProxyEnvironment): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [name, name.toUpperCase()].find((one) => (env[one] ?? '').trim() !== '');
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return variable === undefined || goesDirectly(url, noProxy) ? undefined : variable;
}

function readProxy(text: string, variable: string): ProxySetting {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = parseUrl(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw badProxy(variable);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const credentials = `${decoded(username)}:${decoded(password)}`;
  const authorization = credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url, authorization, variable };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The value may contain a password, so it is not shown. */
function badProxy(variable: string): EngineError {
  return new EngineError({
    code: 'web.bad-proxy',
    message: `The environment variable ${variable} is not the address of an http or https proxy. Write it in the form http://proxy.example.com:3128. SOCKS proxies are not supported.`,
  });
}

function goesDirectly(url: URL, noProxy: string): boolean {
  return noProxy.split(/[\s,]+/).some((entry) => entry !== '' && isMeant(url, entry));
}

/** `*` matches everything, a name also matches its subdomains, and an address may be a range such as `10.0.0.0/8`. */
function isMeant(url: URL, entry: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(bare(dialedHost(url)), entry);
  const rule = hostRule(entry.replace(/^\*?\./, ''));
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(rule ?? '') ?? [];
  if (name === '' || (port !== undefined && port !== dialedPort(url))) return false;
  const host = dialedHost(url);
  return host === name || (isIP(bare(name)) === 0 && host.endsWith(`.${name}`));
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function isInRange(host: string, range: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const version = isIP(bare(address));
  if (version === 0 || isIP(host) !== version || !/^\d{1,3}$/.test(bits)) return false;
  const longest = version === 4 ? 32 : 128;
  if (Number(bits) > longest) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(bare(address), Number(bits), family);
  return list.check(host, family);
}
