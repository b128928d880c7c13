/**
 * The edits of open files, in step with main.
 */
import { type EditLog, type EditStep, newEditLog, takeStep } from '../../bridge/edit-log.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import { DraftLine, type EditParts } from './log.ts';
import { isAtOrBelow, movedPath } from './paths.ts';

/** Who changed the text: the person in the text editor, who sees it there already; something else in this window; others. */
export type EditOrigin = 'typed' | 'here' | 'elsewhere';

export interface DraftChange {
  readonly path: string;
  readonly log: EditLog;
  readonly parts: EditParts;
  readonly origin: EditOrigin;
}

export interface OpenedDraft {
  readonly log: EditLog;
  /** Others changed the file since its unsaved edits were made. */
  readonly isConflict: boolean;
  /** What could not be read of the journal, in a sentence. */
  readonly notice?: string | undefined;
}

export interface DraftFile {
  /** What the file holds. */
  readonly diskText: string;
  /** Whether main is to keep its edits at all. */
  readonly isKept: boolean;
}

export interface Drafts {
  /**
   * Begins to follow a file. With a journal from before, the log has its edits. Where main keeps none, the file can be
   * edited all the same, and `onTrouble` hears of it. A file that is followed already keeps its log.
   */
  open(path: string, file: DraftFile): Promise<OpenedDraft>;
  /** Begins to follow a file that was deleted; null when nothing unsaved of it is kept. */
  openGone(path: string): Promise<OpenedDraft | null>;
  close(path: string): void;
  /** Follows the files at `from`, or below it, by their new names. Main must have been told, or has told itself. */
  rename(from: string, to: string): void;
  logOf(path: string): EditLog | undefined;
  /** Takes a step in an open file. @throws RangeError for edits that do not fit its text */
  take(path: string, step: EditStep, origin?: EditOrigin): void;
  subscribe(listener: (change: DraftChange) => void): () => void;
  /** Hears nothing more from main. */
  end(): void;
}

interface JournaledLog extends OpenedDraft {
  readonly isKept: boolean;
}

function renameLines(lines: Map<string, DraftLine>, from: string, to: string): void {
  for (const line of [...lines.values()].filter(({ path }) => isAtOrBelow(path, from))) {
    lines.delete(line.path);
    line.path = movedPath(line.path, from, to);
    lines.set(line.path, line);
  }
}

/** @param diskText null = the file was deleted */
async function readJournal(main: MainClient, path: string, diskText: string | null): Promise<JournaledLog> {
  const { baseText, steps, version, notice } = await main.call('draft.open', { path, diskText });
  const log = { ...steps.reduce(takeStep, newEditLog(baseText)), version };
  return { log, isConflict: steps.at(-1)?.do === 'disk' && log.text !== log.savedText, notice, isKept: true };
}

/** Main asks about files that it could not keep before the window ends. */
function createUnkeptTeller(main: MainClient, lines: ReadonlyMap<string, DraftLine>): () => void {
  let told = '';
  return () => {
    const paths = [...lines.values()].filter(({ isUnkept }) => isUnkept).map(({ path }) => path);
    if (paths.join('\n') === told) return;
    told = paths.join('\n');
    main.call('draft.unkept', { paths }).catch(() => undefined);
  };
}

async function tellClosed(main: MainClient, line: DraftLine): Promise<void> {
  const { path } = line;
  await line.whenSent();
  // Main hears of it anyway when the window ends.
  await main.call('draft.close', { path }).catch(() => undefined);
}

export function createDrafts(main: MainClient, onTrouble: (error: unknown) => void): Drafts {
  const lines = new Map<string, DraftLine>();
  const listeners = new Set<(change: DraftChange) => void>();
  /** Of files that main is about to hear of as closed. */
  const closing = new Map<string, Promise<unknown>>();
  const tell = (change: DraftChange): void => {
    for (const listener of listeners) listener(change);
  };
  const readOrBegin = async (path: string, { diskText, isKept }: DraftFile): Promise<JournaledLog> => {
    const alone = { log: newEditLog(diskText), isConflict: false, isKept: false };
    if (!isKept) return alone;
    try {
      return await readJournal(main, path, diskText);
    } catch (error) {
      onTrouble(error);
      return alone;
    }
  };
  const follow = (path: string, { isKept, ...opened }: JournaledLog): OpenedDraft => {
    const known = lines.get(path);
    if (known !== undefined) return { ...opened, log: known.log };
    const onForeign = (log: EditLog, parts: EditParts): void =>
      tell({ path: line.path, log, parts, origin: 'elsewhere' });
    const line = new DraftLine({ path, log: opened.log, main: isKept ? main : null, onForeign, onTrouble });
    lines.set(path, line);
    return opened;
  };

  const tellUnkept = createUnkeptTeller(main, lines);
  const end = main.onPush({ 'draft.stepped': ({ path, ...foreign }) => lines.get(path)?.hear(foreign) });

  return {
    async open(path, file) {
      await closing.get(path);
      return follow(path, await readOrBegin(path, file));
    },
    async openGone(path) {
      await closing.get(path);
      const kept = await readJournal(main, path, null).catch(() => null);
      return kept === null ? null : follow(path, kept);
    },
    close(path) {
      const line = lines.get(path);
      if (line === undefined) return;
      lines.delete(path);
      tellUnkept();
      const done = tellClosed(main, line);
      closing.set(path, done);
      void done.then(() => closing.get(path) === done && closing.delete(path));
    },
    rename: (from, to) => renameLines(lines, from, to),
    logOf: (path) => lines.get(path)?.log,
    take(path, step, origin = 'here') {
      const line = lines.get(path);
      if (line === undefined) return;
      const parts = line.take(step);
      tell({ path, log: line.log, parts, origin });
      void line.whenSent().then(tellUnkept);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end,
  };
}
