/**
 * Determines where model keys may be sent. A key variable is bound to the hosts that the user's own settings name for
 * it, that belong to a known provider, or that the user has allowed: `millrace/key-hosts.json` in the base folder, `{
 * "version": 1, "hosts": { "OPENAI_API_KEY": ["https://proxy.example.org"] } }`. Workspace settings bind nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { dialedOrigin } from '../../base/web-address.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { readModelSettings } from './model-settings.ts';
import { knownProviders, type ProviderConfig } from './provider-config.ts';

/** An origin with scheme and port, such as `https://api.openai.com`, and the key sent there; undefined if none is. */
interface Destination {
  readonly origin: string;
  readonly variable: string | undefined;
}

/** A new host for the requests of a provider. */
export interface NewHost {
  readonly provider: string;
  /** Host with scheme and port. */
  readonly host: string;
  /** The provider's host until now. */
  readonly formerHost?: string;
  /** The key that is sent with requests. */
  readonly keyVariable?: string;
}

const allowedFile = z.object({ version: z.literal(1), hosts: z.record(z.string(), z.array(z.string())) });

/**
 * Whether a provider's key may be sent to its host. Reads the files on each call, so that changes take effect
 * immediately. Never throws; an unreadable file allows nothing.
 */
export function isKeyAllowed(baseFolder: string, config: ProviderConfig): boolean {
  const { origin, variable } = destinationOf(config);
  if (variable === undefined) return true;
  return knownDestinations(baseFolder).some((known) => known.origin === origin && known.variable === variable);
}

/** Returns what is new about a provider, a host or a key for a known host; undefined if nothing is new. */
export function findNewHost(
  baseFolder: string,
  name: string,
  { next, former }: { readonly next: ProviderConfig; readonly former: ProviderConfig | undefined },
): NewHost | undefined {
  const { origin, variable } = destinationOf(next);
  const isKnown = knownDestinations(baseFolder).some(
    (known) => known.origin === origin && (variable === undefined || known.variable === variable),
  );
  // A provider that moves to another host needs consent, even if that host is known.
  const formerHost = former === undefined ? undefined : destinationOf(former).origin;
  if (isKnown && (formerHost === undefined || formerHost === origin)) return undefined;
  return {
    provider: name,
    host: origin,
    ...(formerHost === undefined || formerHost === origin ? {} : { formerHost }),
    ...(variable === undefined ? {} : { keyVariable: variable }),
  };
}

/** Binds a key's variable to another host. @throws the system's error if the list cannot be written */
export async function allowKeyHost(baseFolder: string, variable: string, host: string): Promise<void> {
  const hosts = readAllowed(baseFolder);
  const others = hosts[variable] ?? [];
  if (others.includes(host)) return;
  const text = JSON.stringify({ version: 1, hosts: { ...hosts, [variable]: [...others, host] } }, null, 2);
  await writeFileAtomically(allowedFileOf(baseFolder), `${text}\n`);
}

/** Error for a key that must not be sent to its provider's host. */
export function keyNotAllowed(name: string, config: ProviderConfig): EngineError {
  const { origin, variable } = destinationOf(config);
  return new EngineError({
    code: 'model.key-not-allowed',
    message: `The key ${variable} is not sent to ${origin}: the settings of this workspace set that host for provider "${name}", and you have not allowed it. Allow it in Settings > Models, or add the provider to your own settings.`,
  });
}

/** Returns the destinations from the user's own settings, the known providers, and the allowed hosts. */
function knownDestinations(baseFolder: string): readonly Destination[] {
  const allowed = Object.entries(readAllowed(baseFolder));
  return [
    ...Array.from(knownProviders.values(), destinationOf),
    ...destinationsOfPerson(baseFolder),
    ...allowed.flatMap(([variable, hosts]) => hosts.map((origin) => ({ origin, variable }))),
  ];
}

function destinationsOfPerson(baseFolder: string): Destination[] {
  try {
    const settings = readModelSettings({ baseFolder, isTrusted: false });
    return settings.providerNames.flatMap((name) => {
      try {
        const config = settings.provider(name);
        return config === undefined ? [] : [destinationOf(config)];
      } catch {
        // A mistake in one provider must not affect the other providers' hosts.
        return [];
      }
    });
  } catch {
    return [];
  }
}

function destinationOf({ baseUrl, apiKeyEnv }: ProviderConfig): Destination {
  return { origin: dialedOrigin(new URL(baseUrl)), variable: apiKeyEnv };
}

function allowedFileOf(baseFolder: string): string {
  return join(baseFolder, 'millrace', 'key-hosts.json');
}

/** An invalid list allows nothing. */
function readAllowed(baseFolder: string): Readonly<Record<string, readonly string[]>> {
  try {
    return allowedFile.parse(JSON.parse(readFileSync(allowedFileOf(baseFolder), 'utf8'))).hosts;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}
