/**
 * Paths of one script, each found, placed and allowed before anything is done with it.
 */
import { basename, dirname, join, relative, sep } from 'node:path';
import { type FolderHolder, systemHolder } from '../files/folder-holder.ts';
import { isSecretPath } from '../files/workspace-path.ts';
import type { PathChange } from '../governance/deciding-places.ts';
import { createEffectGate, type EffectGate } from '../governance/effect-gate.ts';
import { defaultEffectPolicy } from '../governance/effect-policy.ts';
import type { PackPlace, ScriptScope } from '../kernel/capabilities.ts';
import type { EffectPlace, EffectRequest } from '../kernel/effect.ts';
import type { ScriptHostOptions, WrittenByRuns } from './script-host-options.ts';
import {
  isWithin,
  type PathRoots,
  realFolderOf,
  realPathOf,
  resolveScriptPath,
  shownScriptPath,
  slashed,
} from './script-paths.ts';

/** Folders by what they are for; absolute, not necessarily there. */
interface PlaceFolders {
  readonly workspace: string;
  readonly base: string;
  readonly tmp: string;
  /** Closed to scripts: where keys and the list of trusted workspaces are kept. */
  readonly privateFolders: readonly string[];
  readonly pack?: PackPlace | undefined;
}

interface Places {
  /** @param real absolute, links followed */
  placeOf(real: string): EffectPlace;
  /** The same for what would take all it holds along when it is deleted or moved. */
  placeOfWhole(real: string): EffectPlace;
}

/** Follows the links of the folders once, so it knows them for one script. */
function openPlaces(folders: PlaceFolders): Places {
  const { pack } = folders;
  const known = new Map<string, string>();
  const follow = (folder: string): string => realFolderOf(folder, known);
  const [workspace, base, tmp] = [follow(folders.workspace), follow(folders.base), follow(folders.tmp)];
  const packFolder = pack && follow(pack.folder);
  const support = pack && follow(pack.baseSupportFolder);
  const privates = folders.privateFolders.map(follow);
  const packReal = pack && packFolder && ownFolder({ folder: pack.folder, real: packFolder }, folders, workspace);
  const real = {
    workspace,
    base,
    privates,
    tmp: ownFolder({ folder: folders.tmp, real: tmp }, folders, workspace),
    pack: packReal,
    // A folder that a link makes a pack keeps no data of a pack.
    support: packReal === undefined ? undefined : support,
  };
  const placeOf = (path: string): EffectPlace => {
    if (isSecretPath(path) || real.privates.some((folder) => isWithin(folder, path, { isGuard: true })))
      return 'private';
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
 * The real path of a folder; undefined when it is of the workspace and a link leads it out of there. Whoever made
 * the workspace would say by such a link what of a person's files is theirs. Links in the base folder are the person's own.
 */
function ownFolder(
  { folder, real }: { readonly folder: string; readonly real: string },
  { workspace, base }: Pick<PlaceFolders, 'workspace' | 'base'>,
  realWorkspace: string,
): string | undefined {
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

/** A path as a script gave it. */
export interface GivenPath {
  readonly path: string;
  readonly baseDir?: string | undefined;
}

/** A path that may be used. */
export interface AccessPath {
  /** Absolute and collapsed, links not followed. */
  readonly absolute: string;
  /** What to work on: absolute, links followed when the policy looked. */
  readonly real: string;
  /** For people and scripts: absolute with `/`, `~/` for the home folder. */
  readonly shown: string;
}

/**
 * What one script may reach. A path is judged by where it really lies, and the real path is what is then used, so a
 * link that is exchanged in between leads nowhere else: folders are held by `holder` and no link is followed. Each throws `effect.denied` for what the policy refuses.
 */
export interface ScriptAccess {
  readonly roots: PathRoots;
  /** Notes what is written. */
  readonly written: WrittenByRuns;
  /** Holds the folders of the paths that may be used: by these alone files are opened, made, moved and deleted. */
  readonly holder: FolderHolder;
  resolve(given: GivenPath): Promise<string>;
  read(given: GivenPath, signal: AbortSignal): Promise<AccessPath>;
  /** @param change `arrive` for what is moved there; a file is written when absent */
  write(given: GivenPath, signal: AbortSignal, change?: 'arrive'): Promise<AccessPath>;
  /** To delete or to move away; a link is meant itself, not what it leads to. */
  remove(given: GivenPath, signal: AbortSignal): Promise<AccessPath>;
  /** For an effect that has a file as its object, or none. */
  pass(request: FileEffect, signal: AbortSignal): Promise<void>;
  placeOf(real: string): Promise<EffectPlace>;
  /** See `realPathOf` of the paths of scripts; a dry run has other files than the disk. */
  realPathOf(absolute: string): Promise<string>;
  /** Tells of folders (real paths) that no search may enter, whatever it was allowed. */
  closedFolders(): Promise<(real: string) => boolean>;
  shown(absolute: string): string;
  /** As logs and errors name it: relative to the workspace where it lies in it, else as `shown`. */
  named(absolute: string): string;
}

type FileEffect = Pick<EffectRequest, 'effect' | 'target' | 'place' | 'decides'>;

/** Who asks, and who is told what was decided. */
export interface AccessScope extends Pick<ScriptScope, 'place' | 'isDry' | 'dryRun'> {
  readonly hub: Pick<ScriptScope['hub'], 'emit' | 'products' | 'isUnseen'>;
}

/** Opens what a script may reach. */
export function createScriptAccess(options: ScriptHostOptions, scope: AccessScope): ScriptAccess {
  return new Access(options, scope);
}

class Access implements ScriptAccess {
  readonly roots: PathRoots;
  readonly written: WrittenByRuns;
  readonly holder: FolderHolder;
  readonly #options: ScriptHostOptions;
  readonly #scope: AccessScope;
  readonly #gate: EffectGate;
  #places: Places | undefined;

  constructor(options: ScriptHostOptions, scope: AccessScope) {
    this.#options = options;
    this.#scope = scope;
    this.holder = options.holder ?? systemHolder;
    this.written = options.written;
    this.roots = {
      workspace: options.workspace,
      home: options.homeFolder,
      tmp: options.tmpFolder,
      packPath: options.packPath,
    };
    this.#gate = createEffectGate({
      policy: options.policy ?? defaultEffectPolicy,
      onDecision: (decision) => scope.hub.emit({ type: 'governance:decision', ...decision }),
    });
  }

  resolve(given: GivenPath): Promise<string> {
    return resolveScriptPath(this.roots, given);
  }

  shown(absolute: string): string {
    return shownScriptPath(absolute, this.#options.homeFolder);
  }

  named(absolute: string): string {
    const { workspace } = this.#options;
    return isWithin(workspace, absolute) ? slashed(relative(workspace, absolute)) : this.shown(absolute);
  }

  async read(given: GivenPath, signal: AbortSignal): Promise<AccessPath> {
    return await this.#onFile('read', given, signal);
  }

  async write(given: GivenPath, signal: AbortSignal, change: PathChange = 'write'): Promise<AccessPath> {
    return await this.#onFile('write', given, signal, change);
  }

  async remove(given: GivenPath, signal: AbortSignal): Promise<AccessPath> {
    const absolute = await this.resolve(given);
    const real = await this.#realPathOfName(absolute);
    const place = this.#open().placeOfWhole(real);
    const decides = await this.#options.deciding.find(real, 'remove');
    await this.pass({ effect: 'delete', target: given.path, place, decides }, signal);
    return { absolute, real, shown: this.shown(absolute) };
  }

  async pass(request: FileEffect, signal: AbortSignal): Promise<void> {
    const { isTrusted, workspace } = this.#options;
    const { products, isUnseen } = this.#scope.hub;
    // A dry run with files of its own does nothing for real, and is refused what a real run would be refused.
    const isDry = this.#scope.isDry && this.#scope.dryRun === undefined;
    await this.#gate.pass(
      {
        ...{ ...request, isDry, workspace: this.shown(workspace) },
        ...{ products, isUnseen, isTrusted: isUnseen !== true && (await isTrusted()) },
      },
      signal,
    );
  }

  realPathOf(absolute: string): Promise<string> {
    const { realPathOf: ofFiles = realPathOf } = this.#options;
    return ofFiles(absolute);
  }

  /** A link is not followed, the folders before it are. */
  async #realPathOfName(absolute: string): Promise<string> {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(await this.realPathOf(parent), basename(absolute));
  }

  async placeOf(real: string): Promise<EffectPlace> {
    return this.#open().placeOf(real);
  }

  async closedFolders(): Promise<(real: string) => boolean> {
    const places = this.#open();
    return (real) => places.placeOf(real) === 'private';
  }

  async #onFile(
    effect: 'read' | 'write',
    given: GivenPath,
    signal: AbortSignal,
    change?: PathChange,
  ): Promise<AccessPath> {
    const absolute = await this.resolve(given);
    const real = await this.realPathOf(absolute);
    const decides = change === undefined ? undefined : await this.#options.deciding.find(real, change);
    await this.pass({ effect, target: given.path, place: await this.placeOf(real), decides }, signal);
    return { absolute, real, shown: this.shown(absolute) };
  }

  /** Only when it is needed: most scripts touch no file. */
  #open(): Places {
    const { workspace, baseFolder, tmpFolder, privateFolders } = this.#options;
    this.#places ??= openPlaces({
      workspace,
      base: baseFolder,
      tmp: tmpFolder,
      privateFolders: [join(baseFolder, 'millrace'), ...privateFolders],
      pack: this.#scope.place.pack,
    });
    return this.#places;
  }
}
