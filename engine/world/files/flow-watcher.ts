/**
 * Watches a workspace for changes to its files, to its flow files in particular, and to their Git state.
 */
import { realpathSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { isFlowPath } from './flow-files.ts';
import { findGitFolder } from './git-changes.ts';
import { isUnlisted, skippedFolders } from './walk-files.ts';
import { withSlashes } from './workspace-path.ts';

interface FlowWatcherOptions {
  /** Absolute path of the workspace folder. */
  readonly workspace: string;
  readonly clock: Clock;
  /**
   * Receives the flow files that were added, changed or removed, relative to the workspace and with `/`. The list is
   * empty if only the Git state may have changed.
   */
  readonly onChange: (paths: readonly string[]) => void;
  /**
   * Receives all files that were added, changed or removed. If a folder was added or removed, this includes everything
   * in it.
   */
  readonly onFiles: (change: WatchedChange) => void;
  /** Called when the system stops reporting changes, for example because too many folders are watched. */
  readonly onFailure: (error: EngineError) => void;
}

/** Files that changed at about the same time. */
export interface WatchedChange {
  /** Paths relative to the workspace, with `/`, sorted; empty if only the Git state may have changed. */
  readonly paths: readonly string[];
  /** False if only file contents changed, so that folder listings are still valid. */
  readonly isTree: boolean;
}

export interface FlowWatch {
  /** Resolves when the watch is active. Later changes are not missed. */
  readonly ready: Promise<void>;
  /** Ends the watch. Nothing is reported afterward. */
  end(): Promise<void>;
}

/** Changes within this time are reported together, because a checkout changes many files. */
const gatherMs = 50;

/**
 * The watched files in the Git folder: those that Git writes when the commit, branch or index changes, and their
 * folders.
 */
const gitMarks: ReadonlySet<string> = new Set(['', 'HEAD', 'ORIG_HEAD', 'index', 'packed-refs', 'logs', 'logs/HEAD']);

const watchOptions = { ignoreInitial: true, followSymlinks: false, atomic: true } as const;

/**
 * Starts watching.
 * @throws the system's error if the folder does not exist
 */
export function watchFlows({ workspace, clock, onChange, onFiles, onFailure }: FlowWatcherOptions): FlowWatch {
  const gatherer = createGatherer(clock, { onChange, onFiles });
  const fail = (cause: unknown): void => onFailure(watchFailed(workspace, cause));
  const flows = watchWorkspace(realpathSync(workspace), gatherer).on('error', fail);
  let isEnded = false;
  const git = findGitFolder(workspace).then((folder) =>
    folder === null || isEnded ? undefined : watchGit(folder, gatherer.addMark).on('error', fail),
  );
  const gitReady = git.then((watcher) => watcher && whenReady(watcher));
  return {
    ready: Promise.all([whenReady(flows), gitReady]).then(() => undefined),
    async end() {
      isEnded = true;
      gatherer.end();
      await flows.close();
      await (await git)?.close();
    },
  };
}

/**
 * Only folders and flow files are watched individually, because each watch uses system resources. A folder's events
 * name the changed files in it, which is enough for other files.
 */
function watchWorkspace(root: string, { addFlow, addFile }: Gatherer): FSWatcher {
  const shownOf = (path: string): string => withSlashes(relative(root, path));
  const isIgnored = (path: string, stats?: { isFile(): boolean }): boolean => {
    const shown = shownOf(path);
    const isSkipped = shown.split('/').some((part) => skippedFolders.has(part));
    // Chokidar also calls this before it knows an entry's type. Only a known file is ignored by name.
    return isSkipped || (stats?.isFile() === true && !isFlowPath(shown));
  };
  const watcher = watch(root, { ...watchOptions, ignored: isIgnored });
  let isReady = false;
  watcher.once('ready', () => {
    isReady = true;
  });
  watcher.on('raw', (event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath: string };
    // Events about the watched path itself contain its own name.
    const isOfItself = name === null || (name === basename(watchedPath) && watchedPath !== root);
    const shown = shownOf(isOfItself ? watchedPath : join(watchedPath, name));
    if (isReady && shown !== '' && !isUnlisted(shown)) addFile(shown, event !== 'change');
  });
  return watcher.on('all', (event, path) => {
    const shown = shownOf(path);
    if (event === 'addDir' || event === 'unlinkDir') {
      if (shown !== '' && !isUnlisted(shown)) addFile(shown, true);
    } else if (isFlowPath(shown)) {
      addFlow(shown);
      addFile(shown, event !== 'change');
    }
  });
}

function watchGit(folder: string, onMark: () => void): FSWatcher {
  const isIgnored = (path: string): boolean => !gitMarks.has(withSlashes(relative(folder, path)));
  return watch(folder, { ...watchOptions, ignored: isIgnored }).on('all', onMark);
}

function whenReady(watcher: FSWatcher): Promise<void> {
  return new Promise((resolve) => {
    watcher.once('ready', resolve);
  });
}

interface Gatherer {
  addFlow(path: string): void;
  addFile(path: string, isTree: boolean): void;
  /** Records that the Git state may have changed. */
  addMark(): void;
  end(): void;
}

/** Collects changes that occur close together and reports them once, in order and without duplicates. */
function createGatherer(clock: Clock, tell: Pick<FlowWatcherOptions, 'onChange' | 'onFiles'>): Gatherer {
  const flows = new Set<string>();
  const files = new Set<string>();
  let [hasFlows, hasTree] = [false, false];
  let isEnded = false;
  let endTimer: (() => void) | undefined;
  const pass = (): void => {
    endTimer = undefined;
    const [flowPaths, paths] = [[...flows].sort(), [...files].sort()];
    const [tellsFlows, isTree] = [hasFlows, hasTree];
    flows.clear();
    files.clear();
    [hasFlows, hasTree] = [false, false];
    if (tellsFlows) tell.onChange(flowPaths);
    tell.onFiles({ paths, isTree });
  };
  const start = (): void => {
    if (!isEnded) endTimer ??= clock.setTimer(pass, gatherMs);
  };
  return {
    addFlow(path) {
      flows.add(path);
      hasFlows = true;
      start();
    },
    addFile(path, isTree) {
      files.add(path);
      hasTree ||= isTree;
      start();
    },
    addMark() {
      [hasFlows, hasTree] = [true, true];
      start();
    },
    end() {
      isEnded = true;
      endTimer?.();
    },
  };
}

function watchFailed(workspace: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'files.watch-failed',
    message: `File changes in ${workspace} are no longer detected (${reason}). Reload the list manually, or open a smaller folder.`,
    cause,
  });
}
