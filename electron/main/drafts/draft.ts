/**
 * Manages the unsaved text of one file that windows show: its log, and the journal that stores it on disk.
 */

import { existsSync, statSync } from 'node:fs';
import { maxDraftLength } from '../../ipc/contracts/draft-contract.ts';
import { type EditLog, type EditStep, newEditLog, takeStep } from '../../ipc/edit-log.ts';
import { EngineError, editBetween } from '../../ipc/engine-base.ts';
import { compactLog, type DraftLogSource, forgetOldUndo } from './compact-log.ts';
import {
  appendToJournal,
  mendJournal,
  readJournal,
  removeJournal,
  type StoredDraft,
  setJournalAside,
  writeJournal,
} from './journal-file.ts';

/** Number of undo entries that remain after a long journal is compacted. */
const undoEntriesKept = 200;
/** Number of recent steps kept for windows that have not received them yet. */
const recentStepsKept = 2_000;
/** A journal may exceed four times the size of the text by this many bytes before it is compacted. */
const spareBytes = 1024 * 1024;

/** @typeParam User type of a user that shows the file, such as a window */
export class FileDraft<User> {
  path: string;
  /** Time of the last change, in epoch milliseconds. */
  at: number;
  readonly #users = new Set<User>();
  /** Each user's latest failed attempt. */
  readonly #refused = new Map<User, number>();
  #file: string;
  /** The text with all entries undone. */
  #baseText: string;
  #log: EditLog;
  #recent: EditStep[] = [];
  /** Size of the journal in bytes; 0 if there is none yet. */
  #sizeBytes: number;
  /**
   * Size of the journal after it was last rewritten, in bytes. A journal that only contains necessary edits cannot be
   * compacted further.
   */
  #leastBytes = 0;
  /** Set after a failed write, when the content at the end of the journal is unknown. */
  #mustRewrite = false;

  /**
   * @param file path of the journal, which may not exist yet
   * @param stored content of the journal; the initial content if there is no journal
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

  /** The users that show the file. */
  get users(): ReadonlySet<User> {
    return this.#users;
  }

  removeUser(user: User): void {
    this.#users.delete(user);
    this.#refused.delete(user);
  }

  /** Returns whether a user's message depends on rejected steps; see `draft.step` in the contract. */
  isOfRefused(user: User, attempt: number): boolean {
    return attempt <= (this.#refused.get(user) ?? -1);
  }

  /** Records that a message of this attempt was not accepted. */
  refuse(user: User, attempt: number): void {
    this.#refused.set(user, attempt);
  }

  /** Adds a user. @returns the log to start from, with the version of the draft */
  addUser(user: User): DraftLogSource {
    const source = this.#sourceOf(this.#log);
    if (this.#users.size === 0) {
      // No user has a log of the old version, so the version can restart at the number of steps.
      this.#log = { ...this.#log, version: source.steps.length };
      this.#recent = [];
    }
    this.#users.add(user);
    this.#refused.delete(user);
    return source;
  }

  /**
   * Returns the steps taken since a version. @throws EngineError `draft.out-of-step` if they are no longer available
   */
  stepsSince(base: number): EditStep[] {
    const missing = this.#log.version - base;
    if (missing >= 0 && missing <= this.#recent.length) return this.#recent.slice(this.#recent.length - missing);
    throw new EngineError({
      code: 'draft.out-of-step',
      message: `The window and the program disagree about the edits of ${this.path}. Close the file's tab and open it again.`,
    });
  }

  /**
   * Takes all steps or none, and writes them to the journal first.
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

  /**
   * Like `take`, but for steps that have already happened. They are accepted even if they cannot be written, and are
   * written with the next successful write.
   */
  takeFact(steps: readonly EditStep[]): void {
    const next = this.#after(steps);
    try {
      this.#write(next, steps);
    } catch {
      this.#mustRewrite = true;
    }
    this.#accept(next, steps);
  }

  /** Moves the draft and its journal to another name. @throws the system's error */
  move(file: string, path: string): void {
    if (this.hasJournal) {
      this.#sizeBytes = writeJournal(file, { path, ...this.#sourceOf(this.#log) });
      removeJournal(this.#file);
    }
    this.#file = file;
    this.path = path;
  }

  /**
   * Called when no user shows the file: deletes an empty journal and compacts a long one. @throws the system's error if
   * it cannot be deleted
   */
  rest(): void {
    if (this.#log.entries.length === 0 && !this.isUnsaved) this.drop();
    else this.#shortenAtRest();
  }

  /** Deletes the journal. @throws the system's error */
  drop(): void {
    removeJournal(this.#file);
    this.#sizeBytes = 0;
  }

  #sourceOf(log: EditLog): DraftLogSource {
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

  #rewrite(source: DraftLogSource): void {
    this.#sizeBytes = writeJournal(this.#file, { path: this.path, ...source });
    this.#leastBytes = this.#sizeBytes;
    this.#mustRewrite = false;
  }

  /** Only allowed while no window has a copy of the log, because dropped entries must be gone everywhere. */
  #shortenAtRest(): void {
    if (!this.#mustRewrite && this.#sizeBytes <= longest(this.#log)) return;
    const kept = forgetOldUndo({ baseText: this.#baseText, log: this.#log }, undoEntriesKept);
    [this.#baseText, this.#log] = [kept.baseText, kept.log];
    try {
      this.#rewrite(compactLog(kept));
    } catch {
      // The longer journal is still complete, and compacting is retried with the next step.
      this.#mustRewrite = true;
    }
  }
}

/** Returns the size in bytes at which a journal is compacted. */
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
  /** Path inside the workspace. */
  readonly path: string;
  readonly text: string;
  /** Current time in epoch milliseconds. */
  readonly now: number;
}

interface LoadedDraft<User> {
  readonly draft: FileDraft<User>;
  /** Message for the user about unreadable edits. */
  readonly notice: string | undefined;
}

/**
 * Reads the draft of a file from its journal, or creates a new one.
 * @param journal path of the journal, which need not exist
 * @throws the system's error if a journal can be neither read nor moved away
 */
export function loadDraft<User>(journal: string, { path, text, now }: FileOnDisk): LoadedDraft<User> {
  const fresh: StoredDraft = { path, baseText: text, log: newEditLog(text), sizeBytes: 0, at: now, isDamaged: false };
  if (!existsSync(journal)) return { draft: new FileDraft<User>(journal, fresh), notice: undefined };
  const stored = readJournal(journal);
  if (stored === undefined || stored.path !== path) {
    const aside = setJournalAside(journal);
    const notice = `The edits of ${path} that were not saved could not be read. You see the file as it was saved. ${howToRead(aside)}`;
    return { draft: new FileDraft<User>(journal, fresh), notice };
  }
  if (stored.isDamaged) {
    const aside = setJournalAside(journal);
    const notice = `The latest edits of ${path} could not be read, only those before them. ${howToRead(aside)}`;
    return { draft: new FileDraft<User>(journal, stored), notice };
  }
  if (statSync(journal).size > stored.sizeBytes) mendJournal(journal, stored.sizeBytes);
  return { draft: new FileDraft<User>(journal, stored), notice: undefined };
}

function howToRead(aside: string): string {
  return `All that was kept is in ${aside}: open it in a text editor, each line holds the text of one edit, the last one is the newest.`;
}

/** Returns the steps that update a draft for a file that may have changed while no window showed it. */
export function stepsToDisk(
  { log, isUnsaved }: FileDraft<unknown>,
  { text, now }: Omit<FileOnDisk, 'path'>,
): EditStep[] {
  if (text === log.savedText) return [];
  const disk: EditStep = { do: 'disk', text };
  const edit = isUnsaved ? null : editBetween(log.text, text);
  if (edit === null) return [disk];
  return [{ do: 'edit', label: 'Change from outside', at: now, edits: [edit] }, disk];
}
