/**
 * The tree of files, what is done in it, and what goes along when a file gets another name.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../bridge/engine-client.ts';
import type { MainClient } from '../bridge/main-client.ts';
import type { LiveRuns } from './runs/live-runs.ts';
import type { OpenFiles } from './text/files.ts';
import { movedKeys } from './text/paths.ts';
import type { CanvasViews } from './window/canvases.ts';
import { type Cursors, createCursors } from './window/cursors.ts';
import type { Notices } from './window/notices.ts';
import type { Selection } from './window/selection.ts';
import { createFileActions, type FileActions } from './workspace/file-actions.ts';
import type { FileTree } from './workspace/file-tree.ts';
import { createGitState, type GitState } from './workspace/git-state.ts';

export interface TreeStores {
  readonly fileTree: StoreApi<FileTree>;
  readonly files: FileActions;
  readonly git: StoreApi<GitState>;
  readonly cursors: StoreApi<Cursors>;
}

export interface TreeStoresParts {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly selection: StoreApi<Selection>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly canvasViews: CanvasViews;
  readonly fileTree: StoreApi<FileTree>;
  readonly notices: StoreApi<Notices>;
}

/** Also the end of following other windows. */
export function createTreeStores(parts: TreeStoresParts): TreeStores & { readonly end: () => void } {
  const { engine, main, openFiles, selection, liveRuns, canvasViews, fileTree } = parts;
  const onRenamed = (from: string, to: string): void => {
    selection.setState(({ views }) => ({ views: movedKeys(views, from, to) }));
    liveRuns.setState(({ shown }) => ({ shown: movedKeys(shown, from, to) }));
    const moved = movedKeys(canvasViews, from, to);
    canvasViews.clear();
    for (const [path, view] of moved) canvasViews.set(path, view);
    fileTree.getState().rename(from, to);
    openFiles.getState().rename(from, to);
  };
  const end = main.onPush({ 'draft.moved': ({ from, to }) => onRenamed(from, to) });
  const files = createFileActions({ ...parts, onRenamed });
  return { fileTree, files, git: createGitState(engine), cursors: createCursors(), end };
}
