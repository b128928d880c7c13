/**
 * Reads this program's build information: its package type, the URL of newer versions, and the keys that sign them.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type PackageKind, packageKinds } from './manifest.ts';
import { text } from './text.ts';

/** Schema of `resources/updates.json`. */
const sourceFile = z.object({
  /** URL with a folder for each channel; empty if there is none. */
  feed: z.string(),
  /** Public Ed25519 keys in PEM format; several while a key is being replaced. */
  keys: z.array(z.string()),
});

export interface UpdateSource {
  /** Undefined if the package type is unknown. */
  readonly kind: PackageKind | undefined;
  readonly feed: string;
  readonly keys: readonly string[];
}

/**
 * Reads the build information.
 * @param resources the folder next to the program's archive; undefined if the program runs from a clone
 */
export function readUpdateSource(resources: string | undefined): UpdateSource {
  if (resources === undefined) return { kind: undefined, feed: '', keys: [] };
  const kind = readText(path.join(resources, 'package-type'))?.trim();
  const { feed, keys } = readSource(path.join(resources, 'updates.json'));
  return { kind: packageKinds.find((one) => one === kind), feed, keys };
}

function readSource(file: string): z.output<typeof sourceFile> {
  try {
    return sourceFile.parse(JSON.parse(readText(file) ?? ''));
  } catch {
    return { feed: '', keys: [] };
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns why the program never checks for updates, as a sentence; null if it can. */
export function whyNever({ kind, feed, keys }: UpdateSource): string | null {
  if (kind === undefined) return text().fromClone;
  if (keys.length === 0) return text().noKey;
  return feed === '' ? text().noFeed : null;
}
