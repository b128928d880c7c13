/**
 * Resolves a script's paths, classifies them, and checks the policy before anything is done with them.
 */
import { basename, dirname, join, relative, sep } from 'node:path';
import type { PathChange } from '../../runtime/governance/deciding-places.ts';
import { createEffectGate, type EffectGate } from '../../runtime/governance/effect-gate.ts';
import { defaultEffectPolicy } from '../../runtime/governance/effect-policy.ts';
import type { PackPlace, ScriptScope } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { EffectPlace, EffectRequest } from '../../runtime/kernel/capabilities/effect.ts';
import { type FolderHolder, systemHolder } from '../files/folders/folder-holder.ts';
import type { FileChange } from '../files/undo/change-recorder.ts';
import { isSecretPath } from '../files/workspace-path.ts';
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

/** Folders by purpose; absolute, may not exist. */
interface PlaceFolders {
  readonly workspace: string;
  readonly base: string;
  readonly tmp: string;
  /** Not accessible to scripts: folders with keys and the list of trusted workspaces. */
  readonly privateFolders: readonly string[];
  readonly pack?: PackPlace | undefined;
}

interface ScriptEffectPaths {
  /** Classifies a path. @param real absolute, with symbolic links resolved */
  placeOf(real: string): EffectPlace;
  /** Classifies a path for deleting or moving, which affects everything below it. */
  placeOfWhole(real: string): EffectPlace;
}

/** Resolves the folders' symbolic links once, for one script. */
function openPlaces(folders: PlaceFolders): ScriptEffectPaths {
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
    // A folder that is a pack only through a symbolic link has no pack data.
    support: packReal === undefined ? undefined : support,
  };
  const placeOf = (path: string): EffectPlace => {
    if (isSecretPath(path) || real.privates.some((folder) => isWithin(folder, path, { isGuard: true })))
      return 'private';
    // Checked before the workspace, which may contain the base folder if it is the home folder.
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
 * Returns the real path of a folder; undefined if it belongs to the workspace and a link leads it outside. Such a link
 * would let the author of the workspace choose which of the user's files count. Links in the base folder belong to the
 * user.
 */
function ownFolder(
  { folder, real }: { readonly folder: string; readonly real: string },
  { workspace, base }: Pick<PlaceFolders, 'workspace' | 'base'>,
  realWorkspace: string,
): string | undefined {
  const isOfWorkspace = isWithin(workspace, folder) && !isWithin(base, folder);
  return isOfWorkspace && !isWithin(realWorkspace, real) ? undefined : real;
}

/** Zero-width characters that a macOS file system ignores in names. */
const ignoredSigns = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

function inWorkspace(below: string): EffectPlace {
  const parts = below.replaceAll(ignoredSigns, '').split(sep);
  // Some systems ignore letter case, trailing dots and spaces, and everything after a colon.
  if (parts.some((part) => /^\.(?:git|millrace)[. ]*(?::.*)?$/i.test(part))) return 'protected';
  // A base folder other than the one in use, such as the default one if `MILLRACE_HOME` names another.
  return parts.some((part) => /^\.aipack-base[. ]*$/i.test(part)) ? 'base' : 'workspace';
}

/** A path as the script passed it. */
export interface ScriptPathArgument {
  readonly path: string;
  readonly baseDir?: string | undefined;
}

/** A path that may be used. */
export interface AccessPath {
  /** Absolute and normalized, without following symbolic links. */
  readonly absolute: string;
  /** The path to operate on: absolute, with links resolved when the policy was checked. */
  readonly real: string;
  /** Path for display and scripts: absolute with forward slashes, `~/` for the home folder. */
  readonly shown: string;
}

/**
 * One script's access to files. A path is checked by its real location, and the operation uses that real path. A
 * symbolic link that is swapped in between has no effect, because `holder` keeps folders open and follows no links. All
 * methods throw `effect.denied` if the policy denies the effect.
 */
export interface ScriptAccess {
  readonly roots: PathRoots;
  readonly written: Pick<WrittenByRuns, 'isUnseen'>;
  /** Runs `work`, which changes files, and records them as changes of the run. See `WrittenByRuns.changing`. */
  changing<T>(paths: Omit<FileChange, 'rootRunId'>, work: () => Promise<T>): Promise<T>;
  /** Holds the folders of allowed paths. Files are opened, created, moved and deleted only through it. */
  readonly holder: FolderHolder;
  resolve(given: ScriptPathArgument): Promise<string>;
  read(given: ScriptPathArgument, signal: AbortSignal): Promise<AccessPath>;
  /**
   * Checks a path for writing. @param change `arrive` for a path that something is moved to; a file is written if
   * absent
   */
  write(given: ScriptPathArgument, signal: AbortSignal, change?: 'arrive'): Promise<AccessPath>;
  /** Checks a path for deletion or moving; for a symbolic link, the link itself. */
  remove(given: ScriptPathArgument, signal: AbortSignal): Promise<AccessPath>;
  /** Checks an effect that targets a file or has no target. */
  pass(request: FileEffect, signal: AbortSignal): Promise<void>;
  placeOf(real: string): Promise<EffectPlace>;
  /** See `realPathOf` in `script-paths.ts`; a dry run has other files than the disk. */
  realPathOf(absolute: string): Promise<string>;
  /** Returns a function that identifies folders, by real path, that no search may enter. */
  closedFolders(): Promise<(real: string) => boolean>;
  shown(absolute: string): string;
  /** Returns the path for logs and errors: relative to the workspace if it is inside, otherwise as `shown`. */
  named(absolute: string): string;
}

type FileEffect = Pick<EffectRequest, 'effect' | 'target' | 'place' | 'decides'>;

/** Who performs an effect, and where the decision is reported. */
export interface AccessScope extends Pick<ScriptScope, 'place' | 'isDry' | 'dryRun'> {
  readonly hub: Pick<ScriptScope['hub'], 'emit' | 'products' | 'isUnseen' | 'rootRunId'>;
}

/** Creates a script's file access. */
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
  #places: ScriptEffectPaths | undefined;

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

  changing<T>(paths: Omit<FileChange, 'rootRunId'>, work: () => Promise<T>): Promise<T> {
    return this.written.changing({ ...paths, rootRunId: this.#scope.hub.rootRunId }, work);
  }

  resolve(given: ScriptPathArgument): Promise<string> {
    return resolveScriptPath(this.roots, given);
  }

  shown(absolute: string): string {
    return shownScriptPath(absolute, this.#options.homeFolder);
  }

  named(absolute: string): string {
    const { workspace } = this.#options;
    return isWithin(workspace, absolute) ? slashed(relative(workspace, absolute)) : this.shown(absolute);
  }

  async read(given: ScriptPathArgument, signal: AbortSignal): Promise<AccessPath> {
    return await this.#onFile('read', given, signal);
  }

  async write(given: ScriptPathArgument, signal: AbortSignal, change: PathChange = 'write'): Promise<AccessPath> {
    return await this.#onFile('write', given, signal, change);
  }

  async remove(given: ScriptPathArgument, signal: AbortSignal): Promise<AccessPath> {
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
    // A dry run with its own files has no real effects, but is denied what a real run would be denied.
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

  /** Resolves a path's folders, but not the symbolic link itself. */
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
    given: ScriptPathArgument,
    signal: AbortSignal,
    change?: PathChange,
  ): Promise<AccessPath> {
    const absolute = await this.resolve(given);
    const real = await this.realPathOf(absolute);
    const decides = change === undefined ? undefined : await this.#options.deciding.find(real, change);
    await this.pass({ effect, target: given.path, place: await this.placeOf(real), decides }, signal);
    return { absolute, real, shown: this.shown(absolute) };
  }

  /** Opened on demand, because most scripts use no files. */
  #open(): ScriptEffectPaths {
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
