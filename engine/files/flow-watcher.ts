/**
 * Notices when flow files, or git's view of them, change.
 */
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { isFlowPath } from './flow-files.ts';
import { findGitFolder } from './git-changes.ts';
import { skippedFolders } from './walk-files.ts';
import { withSlashes } from './workspace-path.ts';

export interface FlowWatchOptions {
  /** The workspace folder, absolute. */
  readonly workspace: string;
  readonly clock: Clock;
  /**
   * Gets the flow files that appeared, changed or went, relative to the workspace and with `/`; an empty list when only
   * git's view of them may have changed.
   */
  readonly onChange: (paths: readonly string[]) => void;
  /** Told when the system gives no more notices, for example because too many folders are watched. */
  readonly onFailure: (error: EngineError) => void;
}

export interface FlowWatch {
  /** From here on nothing is missed. */
  readonly ready: Promise<void>;
  /** Ends the watch; nothing is told afterwards. */
  end(): Promise<void>;
}

/** What comes within this time is told together: a checkout changes many files. */
const gatherMs = 50;

/** What of git's folder is watched: what git writes when the commit, the branch or the index changes, and its folders. */
const gitMarks: ReadonlySet<string> = new Set(['', 'HEAD', 'ORIG_HEAD', 'index', 'packed-refs', 'logs', 'logs/HEAD']);

const watchOptions = { ignoreInitial: true, followSymlinks: false, atomic: true } as const;

/**
 * Starts to watch.
 * @throws the system's error when there is no such folder
 */
export function watchFlows({ workspace, clock, onChange, onFailure }: FlowWatchOptions): FlowWatch {
  const gatherer = createGatherer(clock, onChange);
  const fail = (cause: unknown): void => onFailure(watchFailed(workspace, cause));
  const flows = watchWorkspace(realpathSync(workspace), gatherer.add).on('error', fail);
  let isEnded = false;
  const git = findGitFolder(workspace).then((folder) =>
    folder === null || isEnded ? undefined : watchGit(folder, () => gatherer.add()).on('error', fail),
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

function watchWorkspace(root: string, onFlow: (path: string) => void): FSWatcher {
  const shownOf = (path: string): string => withSlashes(relative(root, path));
  const isIgnored = (path: string, stats?: { isFile(): boolean }): boolean => {
    const shown = shownOf(path);
    const isSkipped = shown.split('/').some((part) => skippedFolders.has(part));
    // Chokidar also asks before it knows what lies at the path: only a known file is ignored for its name.
    return isSkipped || (stats?.isFile() === true && !isFlowPath(shown));
  };
  return watch(root, { ...watchOptions, ignored: isIgnored }).on('all', (event, path) => {
    const shown = shownOf(path);
    if (event !== 'addDir' && event !== 'unlinkDir' && isFlowPath(shown)) {
      onFlow(shown);
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

/** Collects what comes close together and passes it on once, each path once and in order. */
function createGatherer(clock: Clock, onChange: (paths: readonly string[]) => void) {
  const paths = new Set<string>();
  let isEnded = false;
  let endTimer: (() => void) | undefined;
  const pass = (): void => {
    endTimer = undefined;
    const gathered = [...paths].sort();
    paths.clear();
    onChange(gathered);
  };
  return {
    /** Without a path: something changed that has none. */
    add(path?: string): void {
      if (path !== undefined) {
        paths.add(path);
      }
      if (!isEnded) {
        endTimer ??= clock.setTimer(pass, gatherMs);
      }
    },
    end(): void {
      isEnded = true;
      endTimer?.();
    },
  };
}

function watchFailed(workspace: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'files.watch-failed',
    message: `Changes of files in ${workspace} are no longer noticed (${reason}). Reload the list by hand, or open a smaller folder.`,
    cause,
  });
}
