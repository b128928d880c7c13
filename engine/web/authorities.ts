/**
 * The authorities whose certificates are accepted: those of Node, those of the system where Node can read them, and those of the file that
 * `NODE_EXTRA_CA_CERTS` names, whenever it was set.
 */
import { readFileSync } from 'node:fs';
import tls from 'node:tls';

type Env = Readonly<Record<string, string | undefined>>;

/** Later versions of Node have it. */
type TlsWithStores = typeof tls & { getCACertificates?(store: 'default' | 'system'): readonly string[] };

const contexts = new Map<string, tls.SecureContext | undefined>();

/** What connections accept; undefined = what Node does by itself. Made once for each file. */
export function secureContextFor(env: Env): tls.SecureContext | undefined {
  const file = env['NODE_EXTRA_CA_CERTS']?.trim() ?? '';
  if (!contexts.has(file)) contexts.set(file, makeContext(file));
  return contexts.get(file);
}

function makeContext(file: string): tls.SecureContext | undefined {
  const extra = file === '' ? [] : certificatesIn(file);
  const system = storeOf('system') ?? [];
  if (extra.length + system.length === 0) return undefined;
  const known = storeOf('default') ?? tls.rootCertificates;
  return tls.createSecureContext({ ca: [...new Set([...known, ...system, ...extra])] });
}

function storeOf(store: 'default' | 'system'): readonly string[] | undefined {
  try {
    return (tls as TlsWithStores).getCACertificates?.(store);
  } catch {
    // Some builds of Node know the function and not the store.
    return undefined;
  }
}

/** None where the file cannot be read: Node warns of that at its start, and connections fail with what to do. */
function certificatesIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  } catch {
    return [];
  }
}
