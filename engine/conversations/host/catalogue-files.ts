/**
 * Finds the files that a workspace's catalogs refer to: the scripts and skills used by conversations.
 */
import { join, posix } from 'node:path';
import { readTextFile } from '../../world/files/read-text.ts';
import { walkTree } from '../../world/files/walk-files.ts';
import { realPathOf } from '../../world/script/script-paths.ts';
import { isCataloguePath } from '../catalog/catalogue-doc.ts';
import { parseCatalogue } from '../catalog/parse-catalogue.ts';

/** Maximum number of files searched for catalogs, top-level files first. */
const mostFiles = 50_000;
const mostBytes = 4 * 1024 * 1024;
/** Time in milliseconds after which catalogs are searched for again. Longer if the search takes a long time. */
const keptMs = 1000;
const timesOfSearch = 20;

/**
 * Creates a function that returns the scripts and skills referenced by a workspace's catalogs, as paths with symbolic
 * links resolved.
 * @param workspace absolute path
 */
export function namedByCatalogues(workspace: string): () => Promise<readonly string[]> {
  let kept: { readonly files: readonly string[]; readonly until: number } | undefined;
  return async () => {
    const began = performance.now();
    if (kept !== undefined && began < kept.until) return kept.files;
    const found = await walkTree(workspace, { maxDepth: Number.POSITIVE_INFINITY, maxFiles: mostFiles });
    const catalogues = found.map(({ path }) => path).filter(isCataloguePath);
    const files = (await Promise.all(catalogues.map((path) => namedIn(workspace, path)))).flat();
    const now = performance.now();
    kept = { files, until: now + Math.max(keptMs, timesOfSearch * (now - began)) };
    return files;
  };
}

async function namedIn(workspace: string, path: string): Promise<readonly string[]> {
  const reading = { maxBytes: mostBytes, shownPath: path };
  const text = await readTextFile(join(workspace, path), reading).catch(() => '');
  const { catalogue } = parseCatalogue(text);
  if (catalogue === null) return [];
  const hooks = [...catalogue.intents.values()].flatMap((intent) => Object.values(intent.hooks));
  const named = [catalogue.nlu, ...hooks].flatMap((one) => (one !== undefined && 'script' in one ? [one.script] : []));
  const skills = [...catalogue.flows.values()].flatMap(({ policy }) => ('skill' in policy ? [policy.skill] : []));
  const inFolder = (name: string): string =>
    join(workspace, posix.join(posix.dirname(path), name.replaceAll('\\', '/')));
  return await Promise.all([...named, ...skills].map((name) => realPathOf(inFolder(name)).catch(() => inFolder(name))));
}
