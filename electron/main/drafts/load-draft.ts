/**
 * Brings the draft of a file up from its journal, or makes a new one.
 */
import { existsSync, statSync } from 'node:fs';
import { type EditStep, newEditLog } from '../../ipc/edit-log.ts';
import { editBetween } from '../../ipc/engine-base.ts';
import { Draft } from './draft.ts';
import { mendJournal, readJournal, type StoredDraft, setJournalAside } from './journal-file.ts';

interface FileOnDisk {
  /** Inside the workspace. */
  readonly path: string;
  readonly text: string;
  /** The present, epoch milliseconds. */
  readonly now: number;
}

interface LoadedDraft<User> {
  readonly draft: Draft<User>;
  /** What of the edits could not be read, in a sentence for the person. */
  readonly notice: string | undefined;
}

/** @param journal its file, which need not exist @throws the system's error when one can be neither read nor moved away */
export function loadDraft<User>(journal: string, { path, text, now }: FileOnDisk): LoadedDraft<User> {
  const fresh: StoredDraft = { path, baseText: text, log: newEditLog(text), sizeBytes: 0, at: now, isDamaged: false };
  if (!existsSync(journal)) return { draft: new Draft<User>(journal, fresh), notice: undefined };
  const stored = readJournal(journal);
  if (stored === undefined || stored.path !== path) {
    const aside = setJournalAside(journal);
    const notice = `The edits of ${path} that were not saved could not be read. You see the file as it was saved. ${howToRead(aside)}`;
    return { draft: new Draft<User>(journal, fresh), notice };
  }
  if (stored.isDamaged) {
    const aside = setJournalAside(journal);
    const notice = `The latest edits of ${path} could not be read, only those before them. ${howToRead(aside)}`;
    return { draft: new Draft<User>(journal, stored), notice };
  }
  if (statSync(journal).size > stored.sizeBytes) mendJournal(journal, stored.sizeBytes);
  return { draft: new Draft<User>(journal, stored), notice: undefined };
}

function howToRead(aside: string): string {
  return `All that was kept is in ${aside}: open it in a text editor, each line holds the text of one edit, the last one is the newest.`;
}

/** What is to be passed to a draft that nobody has shown since others may have changed the file. */
export function stepsToDisk({ log, isUnsaved }: Draft<unknown>, { text, now }: Omit<FileOnDisk, 'path'>): EditStep[] {
  if (text === log.savedText) return [];
  const disk: EditStep = { do: 'disk', text };
  const edit = isUnsaved ? null : editBetween(log.text, text);
  if (edit === null) return [disk];
  return [{ do: 'edit', label: 'Change from outside', at: now, edits: [edit] }, disk];
}
