/**
 * Requests that can reach only public addresses.
 */
import { isIP } from 'node:net';
import { EngineError } from '../../base/engine-error.ts';
import { readWebAddress } from '../../base/web-address.ts';
import { createCheckedLookup, isPublicAddress, type Resolve, systemResolve } from './private-address.ts';
import { proxyVariableFor } from './proxy-settings.ts';
import { toSendError } from './web-error.ts';
import { createWebFetch, type WebFetch } from './web-fetch.ts';

/** Network properties. */
export interface PublicNetwork {
  /** Resolves names; the system's resolver by default. */
  readonly resolve?: Resolve;
  /** Whether an address is public; `isPublicAddress` by default. */
  readonly isPublic?: (address: string) => boolean;
}

const ownNames = /^(?:.*\.)?localhost\.?$/;

/**
 * Creates a `fetch` that connects only to addresses that were resolved and found public, including after redirects.
 * Uses no proxy.
 */
export function createPublicFetch({ resolve = systemResolve, isPublic = isPublicAddress }: PublicNetwork): WebFetch {
  const send = createWebFetch({ lookup: createCheckedLookup(resolve, isPublic, privateAddress) });
  return async (address, init) => {
    const url = readWebAddress(String(address));
    if (isPrivateHost(url, isPublic)) throw privateAddress(hostIn(url));
    return await send(url, init).catch((error: unknown) => {
      throw withoutProxy(toSendError(error, url), url);
    });
  };
}

/**
 * Whether a URL names an address on this machine or a private network. A name may still resolve to one, which is
 * detected during the lookup.
 */
export function isPrivateHost(url: URL, isPublic: (address: string) => boolean = isPublicAddress): boolean {
  const host = hostIn(url);
  // IP addresses are connected to without a lookup, and some resolvers do not know this machine's own names.
  return isIP(host) === 0 ? ownNames.test(host) : !isPublic(host);
}

function hostIn({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** A proxy could reach private addresses. In a network that requires a proxy, this is why the request failed. */
function withoutProxy(error: EngineError, url: URL): EngineError {
  const variable = error.code === 'web.unreachable' ? proxyVariableFor(url, process.env) : undefined;
  if (variable === undefined) return error;
  const { code, details, recoverable } = error;
  const message = `${error.message} The proxy of ${variable} was not used, because an untrusted workspace could reach private addresses through it. To use the proxy, trust this workspace in Settings, or start the run with --trust.`;
  return new EngineError({ code, message, details, recoverable });
}

/** The flow already knows the name. The address is not shown, because it would reveal the network. */
function privateAddress(host: string): EngineError {
  return new EngineError({
    code: 'effect.denied',
    message: `The host ${JSON.stringify(host.slice(0, maxShownHost))} is this machine or is in a private network, which an untrusted workspace cannot access (rule private-address). To allow it, trust this workspace in Settings, or start the run with --trust. Do so only if you know what its flows and agents do.`,
    details: { effect: 'web', rule: 'private-address', target: host.slice(0, maxShownHost), trustHelps: true },
  });
}

/** Maximum length of a host name. */
const maxShownHost = 253;
