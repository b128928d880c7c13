/**
 * Where an installed pack is from, by its record.
 */
import type { PackManifest } from './pack-manifest.ts';
import { defaultRepository, defaultRepositoryName } from './pack-repository.ts';
import { type PackUri, parsePackUri } from './pack-uri.ts';

/**
 * The repository that a pack is from; undefined = it is not from one, or nobody knows.
 * @param chosen stands for the public one, for tests and for mirrors
 */
export function repositoryOf(pack: PackManifest | undefined, chosen?: string): string | undefined {
  const source = pack?.installed?.source;
  if (source === undefined) return undefined;
  if (source === defaultRepositoryName) return chosen ?? defaultRepository;
  const isAddress = /^https?:\/\//i.test(source) && URL.canParse(source);
  return isAddress && !/\.aipack$/i.test(new URL(source).pathname) ? source : undefined;
}

/** How the pack can be had again; undefined = its record does not tell. */
export function uriOf(pack: PackManifest, chosen?: string): PackUri | undefined {
  if (repositoryOf(pack, chosen) !== undefined) {
    return { kind: 'repo', namespace: pack.namespace, name: pack.name };
  }
  const source = pack.installed?.source;
  if (source === undefined) return undefined;
  try {
    return parsePackUri(source, '/');
  } catch {
    return undefined;
  }
}
