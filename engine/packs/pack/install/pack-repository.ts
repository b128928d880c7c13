/**
 * Queries a pack repository on the web for a pack's newest version and its archive, and determines an installed pack's
 * source from its record.
 */

import { parse } from 'smol-toml';
import { EngineError } from '../../../base/engine-error.ts';
import { parseUrl } from '../../../base/parse-url.ts';
import type { PackManifest } from '../pack-manifest.ts';
import { identityOf, type PackRef } from '../pack-ref.ts';
import { type DownloadOptions, downloadText } from './download.ts';
import { type PackUri, parsePackUri } from './pack-uri.ts';

export const defaultRepository = 'https://repo.aipack.ai';
/** Name of the public repository in `[installed] source`. */
export const defaultRepositoryName = 'aipack.ai';

type Identity = Pick<PackRef, 'namespace' | 'name'>;

interface LatestPack {
  readonly version: string;
  /** URL of its archive. */
  readonly url: string;
}

const maxIndexBytes = 64 * 1024;

/**
 * Requests the newest stable version of a pack.
 * @param repository base URL, `http:` or `https:`
 * @throws EngineError `pack.not-found` (`details.ref`) | `pack.bad-repository`; the errors of `downloadText`
 */
export async function findLatest(
  repository: string,
  pack: Identity,
  options: Omit<DownloadOptions, 'maxBytes'>,
): Promise<LatestPack> {
  const folder = `${repository.replace(/\/+$/, '')}/pack/${pack.namespace}/${pack.name}/stable`;
  const url = `${folder}/latest.toml`;
  try {
    return readLatest(await downloadText(url, { ...options, maxBytes: maxIndexBytes }), url, folder);
  } catch (error) {
    if (isStatus(error, 404)) throw unknownPack(repository, pack, error);
    if (EngineError.is(error) && error.code === 'pack.not-an-archive')
      throw badRepository(url, 'it is a web page', error);
    throw error;
  }
}

function readLatest(text: string, url: string, folder: string): LatestPack {
  const latest = sectionOf(text, url);
  const { version, rel_path: path } = latest;
  if (typeof version !== 'string' || typeof path !== 'string') {
    throw badRepository(url, '[latest_stable] must have version and rel_path');
  }
  const parts = path.split('/');
  if (path.includes('\\') || path.includes(':') || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw badRepository(url, `rel_path ${JSON.stringify(path)} is outside the pack's folder`);
  }
  return { version, url: `${folder}/${parts.map(encodeURIComponent).join('/')}` };
}

function sectionOf(text: string, url: string): Record<string, unknown> {
  let latest: unknown;
  try {
    latest = parse(text)['latest_stable'];
  } catch (error) {
    throw badRepository(url, 'it is not valid TOML', error);
  }
  if (typeof latest !== 'object' || latest === null) throw badRepository(url, 'it has no section [latest_stable]');
  return { ...latest };
}

function isStatus(error: unknown, status: number): boolean {
  if (!EngineError.is(error) || typeof error.details !== 'object' || error.details === null) return false;
  return 'status' in error.details && error.details.status === status;
}

function unknownPack(repository: string, pack: Identity, cause: unknown): EngineError {
  const ref = identityOf(pack);
  return new EngineError({
    code: 'pack.not-found',
    message: `${repository} has no pack ${ref}. Check its name.`,
    details: { ref },
    cause,
  });
}

function badRepository(url: string, problem: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'pack.bad-repository',
    message: `${url} is not a valid response of a pack repository: ${problem}.`,
    cause,
  });
}

/**
 * Returns a pack's repository; undefined if the pack is not from a repository or its source is unknown.
 * @param chosen replaces the public repository, for tests and mirrors
 */
export function repositoryOf(pack: PackManifest | undefined, chosen?: string): string | undefined {
  const source = pack?.installed?.source;
  if (source === undefined) return undefined;
  if (source === defaultRepositoryName) return chosen ?? defaultRepository;
  const url = /^https?:\/\//i.test(source) ? parseUrl(source) : undefined;
  return url !== undefined && !/\.aipack$/i.test(url.pathname) ? source : undefined;
}

/** Returns the URI from which a pack can be fetched again; undefined if its record does not contain one. */
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
