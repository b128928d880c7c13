/**
 * Addresses of requests: which may be asked, and what of them may be shown.
 */
import { EngineError } from '../base/engine-error.ts';

interface WebAddress {
  /** Without name and password, which `fetch` refuses in an address. */
  readonly url: URL;
  /** `name:password` of the address, decoded; undefined when it has none. */
  readonly credentials: string | undefined;
}

/**
 * Reads an address.
 * @param base what it may be relative to: the address that redirects to it
 * @throws EngineError `web.bad-url` when it is none, or neither `http:` nor `https:`
 */
export function readWebAddress(text: string, base?: URL): WebAddress {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw badAddress(text, base);
  const credentials = url.username + url.password === '' ? undefined : `${url.username}:${url.password}`;
  url.username = '';
  url.password = '';
  return { url, credentials: credentials === undefined ? undefined : decoded(credentials) };
}

/** The address for people: without name and password, and without the values that may be keys. */
export function shownAddress({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function badAddress(text: string, base: URL | undefined): EngineError {
  const [shown = ''] = text.replace(/\/\/[^/]*@/, '//').split(/[?#]/);
  const address = JSON.stringify(shown.length <= 100 ? shown : `${shown.slice(0, 99)}…`);
  const message =
    base === undefined
      ? `${address} is no address that can be asked. It must begin with http:// or https://.`
      : `${shownAddress(base)} redirects to ${address}, which is neither http nor https.`;
  return new EngineError({ code: 'web.bad-url', message });
}
