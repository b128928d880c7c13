/**
 * Parses web server URLs. All code that checks, shows or connects to a URL uses this module, so that the URL always
 * refers to the same host.
 */

import { EngineError } from './engine-error.ts';
import { parseUrl } from './parse-url.ts';

/** The WHATWG parser removes these characters from both ends of a URL. */
const outerSpace = /^[\0- ]+|[\0- ]+$/g;
/** The WHATWG parser removes these characters anywhere in a URL. */
const removedCharacters = /[\t\n\r]/g;

/**
 * Parses a URL exactly as the connection will, and rejects one that appears to refer to another host.
 * @param base base of a relative URL, such as the URL that redirects to it
 * @throws EngineError `web.bad-url` if it is not an http or https URL; `web.bad-address` if it is misleading
 */
export function readWebAddress(text: string, base?: URL): URL {
  const url = parseUrl(text, base);
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw notAnAddress(text, base);
  const trick = trickIn(text.replace(outerSpace, ''), url, base);
  if (trick !== undefined) throw misleading(text, url, trick);
  return url;
}

/** Returns why a URL cannot be used, in the words of `readWebAddress`; undefined if it can. */
export function webAddressProblem(text: string): string | undefined {
  const read = readOrError(text);
  return EngineError.is(read) ? read.message : undefined;
}

/** Parses a URL like `readWebAddress`; undefined if it cannot be used. */
export function findWebAddress(text: string, base?: URL): URL | undefined {
  const read = readOrError(text, base);
  return EngineError.is(read) ? undefined : read;
}

function readOrError(text: string, base?: URL): URL | EngineError {
  try {
    return readWebAddress(text, base);
  } catch (error) {
    if (EngineError.is(error)) return error;
    throw error;
  }
}

/** Returns the URL for display, without parameters, which may contain keys. */
export function shownAddress(url: URL): string {
  return `${addressWithoutQuery(url)}${url.search === '' ? '' : '?…'}`;
}

/** Returns the part of a URL that rules match and that events show. */
export function addressWithoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/**
 * Returns the host to connect to, without its port. A trailing dot is ignored, and an IPv4 address inside an IPv6
 * address is returned as IPv4.
 */
export function dialedHost({ hostname }: URL): string {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname.replace(/\.+$/, '');
  return [high, low]
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join('.');
}

/** Returns the host to connect to, with the port unless it is the scheme's default. */
export function dialedHostAndPort(url: URL): string {
  return `${dialedHost(url)}${url.port === '' ? '' : `:${url.port}`}`;
}

/** Returns scheme, host and port, which are equal for two URLs on the same server. */
export function dialedOrigin(url: URL): string {
  return `${url.protocol}//${dialedHostAndPort(url)}`;
}

/** Returns the port to connect to. */
export function dialedPort({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}

/**
 * Returns the names by which a rule can refer to a URL's host: as displayed, without a port, and with the actual port.
 */
export function hostNamesOf(url: URL): readonly string[] {
  const host = dialedHost(url);
  return [dialedHostAndPort(url), host, `${host}:${dialedPort(url)}`];
}

const globSigns = /[*?{}\\]|\[(?![\da-f:.]+\])/i;

/**
 * Normalizes a rule's host (a name, IP address or glob, with or without a port) to the spelling of `hostNamesOf`.
 * @returns undefined if no URL can have such a host
 */
export function hostRule(text: string): string | undefined {
  const rule = text.trim().toLowerCase();
  if (rule === '' || /[\s/@#%]/.test(rule)) return undefined;
  if (/^[\da-f.]*:[\da-f.]*:[\da-f:.]*$/.test(rule)) return hostRule(`[${rule}]`);
  const [, host = '', port = ''] = /^(.*?)(:(?:\d{1,5}|\*))?$/.exec(rule) ?? [];
  if (!globSigns.test(host)) return withPort(parsedHost(host), port);
  const labels = host.replace(/\.$/, '').split('.');
  const plain = labels.map((label) => (globSigns.test(label) || !isForeign(label) ? label : parsedHost(label)));
  return plain.includes(undefined) ? undefined : withPort(plain.join('.'), port);
}

function withPort(host: string | undefined, port: string): string | undefined {
  return host === undefined ? undefined : `${host}${port.replace(/^:0*(?=\d)/, ':')}`;
}

function parsedHost(host: string): string | undefined {
  const url = host === '' ? undefined : parseUrl(`http://${host}/`);
  return url === undefined ? undefined : dialedHost(url);
}

/** The way in which a URL is misleading. */
interface Trick {
  /** Completes a sentence that begins with "The address …". */
  readonly what: string;
  /** The apparent host, if it can be shown. */
  readonly read?: string;
}

function trickIn(text: string, url: URL, base: URL | undefined): Trick | undefined {
  const flat = text.replace(removedCharacters, '');
  const isAbsolute = base === undefined || /^https?:/i.test(flat);
  if (!isAbsolute && !/^[\\/]{2}/.test(flat)) return undefined;
  const start = isAbsolute ? /^https?:\/\/(?![\\/])/i : /^\/\/(?![\\/])/;
  const authority = text.match(start) === null ? undefined : /^[^/?#]*/.exec(text.replace(start, ''))?.[0];
  if (authority === undefined) return { what: startTrick(text, isAbsolute) };
  return trickInAuthority(authority, url);
}

function startTrick(text: string, isAbsolute: boolean): string {
  if (/^[^?#]*[\t\n\r]/.test(text)) return 'has a tab or a line break before the host';
  if (text.includes('\\')) return 'has a backslash before the host';
  return isAbsolute ? 'does not have exactly two slashes before the host' : 'has more than two slashes before the host';
}

function trickInAuthority(authority: string, { hostname }: URL): Trick | undefined {
  if (/[\0- \x7f]/.test(authority)) return { what: 'has a space, a tab or a line break in the host' };
  const [, behind] = /\\(?:.*[@\\])?(.*)$/s.exec(authority) ?? [];
  if (behind !== undefined) return { what: 'has a backslash after the host', ...hostReadIn(behind) };
  const at = authority.lastIndexOf('@');
  if (at !== -1)
    return { what: 'has a user name or a password before the host', ...hostReadIn(authority.slice(0, at)) };
  const host = authority.replace(/:\d*$/, '');
  if (host.includes('%')) return { what: 'has percent-encoded characters in the host', read: host };
  return isSpelledAsDialed(host, hostname)
    ? undefined
    : { what: 'has characters in the host that are replaced', read: host };
}

/** Returns the text before `@` if it is clearly a host. Anything else may be a secret and is not shown. */
function hostReadIn(text: string): { readonly read?: string } {
  const isHost = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z\d-]{1,63}\.)+[a-z]{2,24})(?::\d{1,5})?$/i.test(text);
  return isHost ? { read: text } : {};
}

/**
 * Returns whether parsing changes only letter case, the spelling of an IP address and the encoding of non-ASCII
 * letters.
 */
function isSpelledAsDialed(host: string, hostname: string): boolean {
  if (host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname)) return !isForeign(host);
  const written = host.split('.');
  const dialed = hostname.split('.');
  if (written.length !== dialed.length) return false;
  return written.every((label, index) => {
    if (isForeign(label)) return dialed[index]?.startsWith('xn--') === true && !hasReplacedLetter(label);
    return label.toLowerCase() === dialed[index];
  });
}

function isForeign(text: string): boolean {
  return /[^\0-\x7f]/.test(text);
}

/** Returns whether a label contains look-alike letters, such as fullwidth ones, or invisible characters. */
function hasReplacedLetter(label: string): boolean {
  if (/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}]/u.test(label)) return true;
  return [...label].some((letter) => {
    if (letter.normalize('NFKC') !== letter.normalize('NFC')) return true;
    return isForeign(letter) && !isForeign(letter.toLowerCase());
  });
}

function misleading(text: string, url: URL, { what, read }: Trick): EngineError {
  const dialed = dialedHostAndPort(url);
  const effect = `${read === undefined ? 'It' : `It is read as ${visible(read)} and`} would connect to ${dialed}`;
  return new EngineError({
    code: 'web.bad-address',
    message: `The address ${shownText(text)} ${what}. ${effect}, so no request was sent. Write http:// or https:// and then the host itself; send a user name and a password in the Authorization header.`,
    details: { dialed, ...(read === undefined ? {} : { read: visible(read) }) },
  });
}

function notAnAddress(text: string, base: URL | undefined): EngineError {
  const address = shownText(text);
  const message =
    base === undefined
      ? `${address} is not a web address. It must begin with http:// or https:// and have a host.`
      : `${shownAddress(base)} redirects to ${address}, which is neither http nor https.`;
  return new EngineError({ code: 'web.bad-url', message });
}

/** Removes parts that may be secret and escapes invisible characters. */
function shownText(text: string): string {
  const [shown = ''] = text.replace(/[^/\\]*@/g, '…@').split(/[?#]/);
  return `"${visible(shown.length <= 100 ? shown : `${shown.slice(0, 99)}…`)}"`;
}

function visible(text: string): string {
  return text.replace(/["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (sign) =>
    sign === '"' || sign === '\\' ? `\\${sign}` : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}
