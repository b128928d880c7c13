/**
 * Creates the stores of the open files: their texts, edits and reviews.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { MainClient } from '../bridge/main-client.ts';
import { followSelectedNode } from './review/choose-difference.ts';
import { createReviews, type Reviews } from './review/reviews.ts';
import type { LiveRuns } from './runs/live/live-runs.ts';
import { flowOnScreen, selectShownDefinition } from './runs/shown-run.ts';
import { createFileEdits, type FileEdits } from './text/edits.ts';
import type { OpenFile } from './text/file.ts';
import { createOpenFiles, type FileServices, type OpenFiles } from './text/files.ts';
import { createFileLogs } from './text/log.ts';
import { text } from './text.ts';
import type { Selection } from './window/selection.ts';

type FileStoresOutside = Omit<FileServices, 'logs'> & {
  readonly main: MainClient;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly selection: StoreApi<Selection>;
};

interface FileStores {
  readonly openFiles: StoreApi<OpenFiles>;
  readonly edits: FileEdits;
  readonly reviews: StoreApi<Reviews>;
}

/** Also returns a function for the text on screen at a path, which may be that of an older run, and one that ends them. */
export function createFileStores({
  engine,
  main,
  documents,
  notices,
  liveRuns,
  selection,
}: FileStoresOutside): readonly [FileStores, (path: string) => OpenFile | undefined, () => void] {
  const logs = createFileLogs(main, (error) => notices.getState().addError(text.journalFailed, error));
  // Runs before the open files apply the edit. Otherwise the run's older text would be drawn for a moment.
  logs.subscribe(({ path, origin, parts }) => {
    if (origin !== 'elsewhere' && parts.length > 0) liveRuns.getState().loosen(path);
  });
  const services = { engine, documents, logs, notices };
  const openFiles = createOpenFiles(services);
  const onScreen = (path: string): OpenFile | undefined =>
    flowOnScreen(openFiles.getState().files.get(path), selectShownDefinition(liveRuns.getState(), path));
  const edits = createFileEdits(services, openFiles, onScreen);
  const [reviews, endReviews] = createReviews({ engine, documents, notices, openFiles, edits });
  const endFollowing = followSelectedNode({ reviews, selection, openFiles });
  const end = (): void => {
    endFollowing();
    endReviews();
    logs.end();
  };
  return [{ openFiles, edits, reviews }, onScreen, end];
}
