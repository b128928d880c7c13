/**
 * Lists a workspace's journals of files that no window has open: the files they belong to, and whether they have
 * unsaved text.
 */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { readJournal, removeJournal, type StoredDraft } from './journal-file.ts';
import { nameFor } from './private-folder.ts';

interface JournalFacts {
  /** Path of the edited file inside its workspace; null if the journal cannot be read. */
  readonly path: string | null;
  readonly isUnsaved: boolean;
  /** Time of the last write, in epoch milliseconds. */
  readonly at: number;
}

const ending = '.jsonl';

export class JournalFolder {
  readonly folder: string;
  /** Cache of journal contents by file name, because most journals do not change between calls. */
  readonly #known = new Map<string, JournalFacts & { readonly sizeBytes: number }>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the path of a file's journal, whether or not it exists. */
  fileOf(draftPath: string): string {
    return path.join(this.folder, `${nameFor(draftPath)}${ending}`);
  }

  /** Returns facts about all readable journals, except those of open files. @throws the system's error */
  facts(openPaths: Iterable<string>): (JournalFacts & { readonly path: string })[] {
    const open = new Set([...openPaths].map((draftPath) => this.fileOf(draftPath)));
    return this.#files().flatMap((file) => {
      const facts = open.has(file) ? undefined : this.#factsOf(file);
      return facts === undefined || facts.path === null ? [] : [{ ...facts, path: facts.path }];
    });
  }

  /**
   * Deletes journals without unsaved text that were last written before a time (epoch milliseconds). @throws the
   * system's error
   */
  removeIdle(before: number): void {
    const old = this.#files().filter((file) => statSync(file).mtimeMs < before);
    for (const file of old) {
      const { path: draftPath, isUnsaved } = this.#factsOf(file);
      if (draftPath !== null && !isUnsaved) removeJournal(file);
    }
  }

  #files(): string[] {
    try {
      const names = readdirSync(this.folder).filter((name) => name.endsWith(ending));
      return names.map((name) => path.join(this.folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #factsOf(file: string): JournalFacts {
    const { mtimeMs: at, size: sizeBytes } = statSync(file);
    const known = this.#known.get(file);
    if (known?.at === at && known.sizeBytes === sizeBytes) return known;
    const facts = { ...factsOf(readOrNothing(file), at), sizeBytes };
    this.#known.set(file, facts);
    return facts;
  }
}

function factsOf(stored: StoredDraft | undefined, at: number): JournalFacts {
  if (stored === undefined) return { path: null, isUnsaved: false, at };
  return { path: stored.path, isUnsaved: stored.log.text !== stored.log.savedText, at };
}

/** A journal that cannot be read must not hide the others. */
function readOrNothing(file: string): StoredDraft | undefined {
  try {
    return readJournal(file);
  } catch {
    return undefined;
  }
}
