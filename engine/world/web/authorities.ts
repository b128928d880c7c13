/**
 * Determines the accepted certificate authorities: Node's, the system's if Node can read them, and those in the file
 * named by `NODE_EXTRA_CA_CERTS`, even if it was set after the start.
 */
import { readFileSync } from 'node:fs';
import tls from 'node:tls';

type AuthorityEnvironment = Readonly<Record<string, string | undefined>>;

/** Available in later versions of Node. */
type TlsWithStores = typeof tls & { getCACertificates?(store: 'default' | 'system'): readonly string[] };

const contexts = new Map<string, tls.SecureContext | undefined>();

/** Returns the TLS context for connections, created once per file; undefined for Node's default. */
export function secureContextFor(env: AuthorityEnvironment): tls.SecureContext | undefined {
  const file = env['NODE_EXTRA_CA_CERTS']?.trim() ?? '';
  if (!contexts.has(file)) contexts.set(file, makeContext(file));
  return contexts.get(file);
}

function makeContext(file: string): tls.SecureContext | undefined {
  const ca = authoritiesIn(file);
  return ca && tls.createSecureContext({ ca });
}

/** Returns the certificates of the accepted authorities, as PEM; undefined for Node's default. */
export function authoritiesFor(env: AuthorityEnvironment): string[] | undefined {
  return authoritiesIn(env['NODE_EXTRA_CA_CERTS']?.trim() ?? '');
}

function authoritiesIn(file: string): string[] | undefined {
  const extra = file === '' ? [] : certificatesIn(file);
  const system = storeOf('system') ?? [];
  if (extra.length + system.length === 0) return undefined;
  const known = storeOf('default') ?? tls.rootCertificates;
  return [...new Set([...known, ...system, ...extra])];
}

function storeOf(store: 'default' | 'system'): readonly string[] | undefined {
  try {
    return (tls as TlsWithStores).getCACertificates?.(store);
  } catch {
    // Some Node builds have the function but not the store.
    return undefined;
  }
}

/**
 * Empty if the file cannot be read. Node prints a warning when it starts, and failing connections report what to do.
 */
function certificatesIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  } catch {
    return [];
  }
}
