/**
 * Where keys of models may be sent. A variable is bound to the hosts that the person's own settings name for it, that a
 * provider is known by, or that the person has allowed: `millrace/key-hosts.json` in the base folder,
 * `{ "version": 1, "hosts": { "OPENAI_API_KEY": ["https://proxy.example.org"] } }`. Settings of a workspace bind nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../base/engine-error.ts';
import { dialedOrigin } from '../base/web-address.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { readModelSettings } from './model-settings.ts';
import { knownProviders, type ProviderConfig } from './provider-config.ts';

/** A host with scheme and port, such as `https://api.openai.com`, and the key that goes there; undefined = none does. */
interface Destination {
  readonly origin: string;
  readonly variable: string | undefined;
}

/** Where a provider is to send what it is asked, when nobody has said so before. */
export interface NewHost {
  readonly provider: string;
  /** With scheme and port. */
  readonly host: string;
  /** Where the provider has sent it up to now. */
  readonly formerHost?: string;
  /** The key that goes along. */
  readonly keyVariable?: string;
}

const allowedFile = z.object({ version: z.literal(1), hosts: z.record(z.string(), z.array(z.string())) });

/**
 * Whether the key of a provider may be sent to its host. Reads the files anew: what was just allowed, or taken back, counts.
 * Never throws; what cannot be read allows nothing.
 */
export function isKeyAllowed(baseFolder: string, config: ProviderConfig): boolean {
  const { origin, variable } = destinationOf(config);
  if (variable === undefined) return true;
  return knownDestinations(baseFolder).some((known) => known.origin === origin && known.variable === variable);
}

/** What is new about a provider, or undefined: a host, or a key for a host that did not get it before. */
export function findNewHost(
  baseFolder: string,
  name: string,
  { next, former }: { readonly next: ProviderConfig; readonly former: ProviderConfig | undefined },
): NewHost | undefined {
  const { origin, variable } = destinationOf(next);
  const isKnown = knownDestinations(baseFolder).some(
    (known) => known.origin === origin && (variable === undefined || known.variable === variable),
  );
  // A provider that is to ask somewhere else is asked about as well, although the other place is known.
  const formerHost = former === undefined ? undefined : destinationOf(former).origin;
  if (isKnown && (formerHost === undefined || formerHost === origin)) return undefined;
  return {
    provider: name,
    host: origin,
    ...(formerHost === undefined || formerHost === origin ? {} : { formerHost }),
    ...(variable === undefined ? {} : { keyVariable: variable }),
  };
}

/** Binds a key's variable to one more host. @throws the system's error when the list cannot be written */
export async function allowKeyHost(baseFolder: string, variable: string, host: string): Promise<void> {
  const hosts = readAllowed(baseFolder);
  const others = hosts[variable] ?? [];
  if (others.includes(host)) return;
  const text = JSON.stringify({ version: 1, hosts: { ...hosts, [variable]: [...others, host] } }, null, 2);
  await writeFileAtomically(allowedFileOf(baseFolder), `${text}\n`);
}

/** For a key that must not go where a provider would send it. */
export function keyNotAllowed(name: string, config: ProviderConfig): EngineError {
  const { origin, variable } = destinationOf(config);
  return new EngineError({
    code: 'model.key-not-allowed',
    message: `The key ${variable} is not sent to ${origin}: the settings of this workspace name that host for provider "${name}", and you have not allowed it. Allow it in Settings > Models, or add the provider to your own settings.`,
  });
}

/** The person's own settings, the known providers, and what was allowed. */
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
        // One provider with a mistake must not take their hosts from the others.
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

/** A list that cannot be understood allows nothing. */
function readAllowed(baseFolder: string): Readonly<Record<string, readonly string[]>> {
  try {
    return allowedFile.parse(JSON.parse(readFileSync(allowedFileOf(baseFolder), 'utf8'))).hosts;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}
