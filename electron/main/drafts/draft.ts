/**
 * The unsaved text of one file that windows show: its log, and the journal that holds the same on disk.
 */

import { existsSync, statSync } from 'node:fs';
import { maxDraftLength } from '../../ipc/draft-contract.ts';
import { type EditLog, type EditStep, newEditLog, takeStep } from '../../ipc/edit-log.ts';
import { EngineError, editBetween } from '../../ipc/engine-base.ts';
import { compactLog, forgetOldUndo, type LogSource } from './compact-log.ts';
import {
  appendToJournal,
  mendJournal,
  readJournal,
  removeJournal,
  type StoredDraft,
  setJournalAside,
  writeJournal,
} from './journal-file.ts';

/** How many entries can still be undone after a long journal was shortened. */
const undoEntriesKept = 200;
/** How many of the latest steps a window may not have received yet. */
const recentStepsKept = 2_000;
/** A journal may be four times the text and this much more before it is shortened. */
const spareBytes = 1024 * 1024;

/** @typeParam User who shows it: a window */
export class Draft<User> {
  path: string;
  /** When it was last changed, epoch milliseconds. */
  at: number;
  readonly #users = new Set<User>();
  /** The latest attempt of a user that did not succeed. */
  readonly #refused = new Map<User, number>();
  #file: string;
  /** The text with all entries undone. */
  #baseText: string;
  #log: EditLog;
  #recent: EditStep[] = [];
  /** 0 = there is no journal yet. */
  #sizeBytes: number;
  /** Of the journal right after it was written as a whole; what is only edits cannot be made shorter. */
  #leastBytes = 0;
  /** A write failed: what is at the journal's end is unknown. */
  #mustRewrite = false;

  /**
   * @param file where its journal is, or will be
   * @param stored what the journal holds, or what there is without one
   */
  constructor(file: string, stored: StoredDraft) {
    this.path = stored.path;
    this.at = stored.at;
    this.#file = file;
    this.#baseText = stored.baseText;
    this.#log = stored.log;
    this.#sizeBytes = stored.sizeBytes;
    this.#mustRewrite = stored.isDamaged;
    if (stored.sizeBytes > 0) this.#shortenAtRest();
  }

  get log(): EditLog {
    return this.#log;
  }

  get hasJournal(): boolean {
    return this.#sizeBytes > 0;
  }

  get isUnsaved(): boolean {
    return this.#log.text !== this.#log.savedText;
  }

  /** Those who show the file. */
  get users(): ReadonlySet<User> {
    return this.#users;
  }

  removeUser(user: User): void {
    this.#users.delete(user);
    this.#refused.delete(user);
  }

  /** Whether what a user sends counts on something that was refused; see `draft.step` of the contract. */
  isOfRefused(user: User, attempt: number): boolean {
    return attempt <= (this.#refused.get(user) ?? -1);
  }

  /** Notes that something of this attempt was not taken. */
  refuse(user: User, attempt: number): void {
    this.#refused.set(user, attempt);
  }

  /** Makes somebody a user. @returns what to start from; its log has the draft's version */
  addUser(user: User): LogSource {
    const source = this.#sourceOf(this.#log);
    if (this.#users.size === 0) {
      // Nobody has a log by the old count, so version and number of steps can be the same.
      this.#log = { ...this.#log, version: source.steps.length };
      this.#recent = [];
    }
    this.#users.add(user);
    this.#refused.delete(user);
    return source;
  }

  /** The steps taken since a version. @throws EngineError `draft.out-of-step` when they are not known (any more) */
  stepsSince(base: number): EditStep[] {
    const missing = this.#log.version - base;
    if (missing >= 0 && missing <= this.#recent.length) return this.#recent.slice(this.#recent.length - missing);
    throw new EngineError({
      code: 'draft.out-of-step',
      message: `The window and the program disagree about the edits of ${this.path}. Close the file's tab and open it again.`,
    });
  }

  /**
   * Takes all steps, in the journal first, or none.
   * @throws EngineError `draft.bad-step` | `draft.not-written`
   */
  take(steps: readonly EditStep[]): void {
    const next = this.#after(steps);
    try {
      this.#write(next, steps);
    } catch (error) {
      this.#mustRewrite = true;
      throw notWritten(this.path, error);
    }
    this.#accept(next, steps);
  }

  /** As `take`, but for steps that are so whether they can be written or not; they are written with the next that can. */
  takeFact(steps: readonly EditStep[]): void {
    const next = this.#after(steps);
    try {
      this.#write(next, steps);
    } catch {
      this.#mustRewrite = true;
    }
    this.#accept(next, steps);
  }

  /** The file has another name, and its journal another place. @throws the system's error */
  move(file: string, path: string): void {
    if (this.hasJournal) {
      this.#sizeBytes = writeJournal(file, { path, ...this.#sourceOf(this.#log) });
      removeJournal(this.#file);
    }
    this.#file = file;
    this.path = path;
  }

  /** Nobody shows the file any more: a journal that holds nothing goes, a long one is shortened. @throws the system's error when it cannot go */
  rest(): void {
    if (this.#log.entries.length === 0 && !this.isUnsaved) this.drop();
    else this.#shortenAtRest();
  }

  /** Takes the journal away. @throws the system's error */
  drop(): void {
    removeJournal(this.#file);
    this.#sizeBytes = 0;
  }

  #sourceOf(log: EditLog): LogSource {
    return compactLog({ baseText: this.#baseText, log });
  }

  #after(steps: readonly EditStep[]): EditLog {
    try {
      const next = steps.reduce(takeStep, this.#log);
      if (next.text.length <= maxDraftLength) return next;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw badStep(`An edit lies outside the text of ${this.path}. Close the file's tab and open it again.`);
    }
    throw badStep(`${this.path} would become longer than 16 Mi characters, which is the most that can be edited here.`);
  }

  #accept(next: EditLog, steps: readonly EditStep[]): void {
    this.#log = next;
    this.#recent = [...this.#recent, ...steps].slice(-recentStepsKept);
  }

  #write(next: EditLog, steps: readonly EditStep[]): void {
    const isTooLong = this.#sizeBytes > Math.max(longest(next), 2 * this.#leastBytes);
    if (!this.hasJournal || this.#mustRewrite || isTooLong) this.#rewrite(this.#sourceOf(next));
    else this.#sizeBytes += appendToJournal(this.#file, steps);
  }

  #rewrite(source: LogSource): void {
    this.#sizeBytes = writeJournal(this.#file, { path: this.path, ...source });
    this.#leastBytes = this.#sizeBytes;
    this.#mustRewrite = false;
  }

  /** Only while no window has a log of its own: entries that are let go of must be gone everywhere. */
  #shortenAtRest(): void {
    if (!this.#mustRewrite && this.#sizeBytes <= longest(this.#log)) return;
    const kept = forgetOldUndo({ baseText: this.#baseText, log: this.#log }, undoEntriesKept);
    [this.#baseText, this.#log] = [kept.baseText, kept.log];
    try {
      this.#rewrite(compactLog(kept));
    } catch {
      // The longer journal still holds everything; with the next step this is tried again.
      this.#mustRewrite = true;
    }
  }
}

/** How many bytes a journal may have before it is shortened. */
function longest({ text }: EditLog): number {
  return 4 * text.length + spareBytes;
}

function badStep(message: string): EngineError {
  return new EngineError({ code: 'draft.bad-step', message });
}

function notWritten(path: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'draft.not-written',
    message: `The edit of ${path} could not be put in safety: ${reason}. Make room on the disk of your user folder and try again.`,
    recoverable: true,
    cause,
  });
}

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

/**
 * Reads the draft of a file from its journal, or makes a new one.
 * @param journal its file, which need not exist
 * @throws the system's error when one can be neither read nor moved away
 */
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
