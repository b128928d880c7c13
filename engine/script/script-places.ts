/**
 * In which place a real path lies: what the policy decides by.
 */
import { sep } from 'node:path';
import type { EffectPlace } from '../governance/effect-policy.ts';
import type { PackPlace } from '../kernel/capabilities.ts';
import { isWithin, realPathOf } from './real-path.ts';

/** Folders by what they are for; absolute, not necessarily there. */
export interface PlaceFolders {
  readonly workspace: string;
  readonly base: string;
  readonly tmp: string;
  /** Closed to scripts: where keys and the list of trusted workspaces are kept. */
  readonly privateFolders: readonly string[];
  readonly pack?: PackPlace | undefined;
}

export interface Places {
  /** @param real absolute, links followed */
  placeOf(real: string): EffectPlace;
  /** The same for what would take all it holds along when it is deleted or moved. */
  placeOfWhole(real: string): EffectPlace;
}

/** Follows the links of the folders once, so it knows them for one script. */
export async function openPlaces(folders: PlaceFolders): Promise<Places> {
  const workspace = await realPathOf(folders.workspace);
  const real = {
    workspace,
    base: await realPathOf(folders.base),
    tmp: await ownFolder(folders.tmp, folders, workspace),
    privates: await Promise.all(folders.privateFolders.map((folder) => realPathOf(folder))),
    pack: folders.pack && (await ownFolder(folders.pack.folder, folders, workspace)),
    support: folders.pack && (await realPathOf(folders.pack.baseSupportFolder)),
  };
  const placeOf = (path: string): EffectPlace => {
    if (real.privates.some((folder) => isWithin(folder, path, { isGuard: true }))) return 'private';
    // Before the workspace, which may hold the base folder: a workspace can be somebody's home.
    if (isWithin(real.base, path, { isGuard: true })) {
      return holds(real.support, path) ? 'support' : 'base';
    }
    if (isWithin(real.workspace, path)) return inWorkspace(path.slice(real.workspace.length));
    if (holds(real.tmp, path)) return 'tmp';
    return holds(real.pack, path) ? 'pack' : 'outside';
  };
  const kept = [real.workspace, real.base, ...real.privates, ...(real.pack === undefined ? [] : [real.pack])];
  return {
    placeOf,
    placeOfWhole: (path) => {
      const place = placeOf(path);
      const holdsKept = place === 'workspace' && kept.some((folder) => isWithin(path, folder));
      return holdsKept ? 'protected' : place;
    },
  };
}

function holds(folder: string | undefined, path: string): boolean {
  return folder !== undefined && isWithin(folder, path);
}

/**
 * The folder with its links followed; undefined when it is of the workspace and a link leads it out of there. Whoever made
 * the workspace would say by such a link what of a person's files is theirs. Links in the base folder are the person's own.
 */
async function ownFolder(
  folder: string,
  { workspace, base }: Pick<PlaceFolders, 'workspace' | 'base'>,
  realWorkspace: string,
): Promise<string | undefined> {
  const real = await realPathOf(folder);
  const isOfWorkspace = isWithin(workspace, folder) && !isWithin(base, folder);
  return isOfWorkspace && !isWithin(realWorkspace, real) ? undefined : real;
}

/** Signs without a width, which one file system of macOS passes over in names. */
const ignoredSigns = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

function inWorkspace(below: string): EffectPlace {
  const parts = below.replaceAll(ignoredSigns, '').split(sep);
  // Some systems ignore case, trailing dots and blanks, and what follows a colon.
  if (parts.some((part) => /^\.(?:git|millrace)[. ]*(?::.*)?$/i.test(part))) return 'protected';
  // Another base folder than the one in use, such as the usual one while `MILLRACE_HOME` names a different one.
  return parts.some((part) => /^\.aipack-base[. ]*$/i.test(part)) ? 'base' : 'workspace';
}
