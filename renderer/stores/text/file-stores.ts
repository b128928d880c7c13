/**
 * Open files, their edits, and what ties them to the runs over them.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { LiveRuns } from '../runs/live-runs.ts';
import { flowOnScreen, selectShownDefinition } from '../runs/shown-run.ts';
import type { Notices } from '../window/notices.ts';
import { createFileEdits, type FileEdits } from './edits.ts';
import { createOpenFiles, type OpenFile, type OpenFiles } from './files.ts';
import { createDrafts, type Drafts } from './logs.ts';
import type { DocumentService } from './service.ts';
import { createTypedLines, type TypedLines } from './typed-lines.ts';

export interface FileStores {
  readonly drafts: Drafts;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly typedLines: TypedLines;
  readonly edits: FileEdits;
}

export interface FileStoresParts {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly documents: DocumentService;
  readonly notices: StoreApi<Notices>;
  readonly liveRuns: StoreApi<LiveRuns>;
}

export function createFileStores({ engine, main, documents, notices, liveRuns }: FileStoresParts): FileStores {
  const drafts = createDrafts(main, (error) =>
    notices.getState().addError('Edits are not kept in the journal: save often', error),
  );
  // Before the list of open files hears of the edit: it must not be drawn as the run's older text for a moment.
  drafts.subscribe(({ path, origin, parts }) => {
    if (origin !== 'elsewhere' && parts.length > 0) liveRuns.getState().loosen(path);
  });
  const typedLines = createTypedLines((path, { all, shown }) => {
    const { files, patch } = openFiles.getState();
    if (files.get(path)?.diagnostics === shown) patch(path, { diagnostics: all });
  });
  const openFiles = createOpenFiles({ engine, documents, drafts, notices, typedLines });
  const onScreen = (path: string): OpenFile | undefined =>
    flowOnScreen(openFiles.getState().files.get(path), selectShownDefinition(liveRuns.getState(), path));
  const edits = createFileEdits({ engine, documents, drafts, openFiles, notices, onScreen });
  return { drafts, openFiles, typedLines, edits };
}
