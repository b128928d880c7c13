/**
 * Manages a workspace's unsaved text: which window shows which file, which steps are accepted, and which windows are
 * notified.
 */
import type { z } from 'zod';
import type { draftContract, draftPushes } from '../../ipc/contracts/draft-contract.ts';
import { type EditStep, takeStep } from '../../ipc/edit-log.ts';
import { type Clock, EngineError, editBetween } from '../../ipc/engine-base.ts';
import type { ResultOf } from '../../ipc/rpc.ts';
import { compactLog } from './compact-log.ts';
import { type FileDraft, loadDraft, stepsToDisk } from './draft.ts';
import { readJournal, readJournalIfThere, removeJournal, setTextAside, writeJournal } from './journal-file.ts';
import { JournalFolder } from './journal-folder.ts';
import type { JournalSync } from './journal-sync.ts';

import type { LocalHistory } from './local-history.ts';
import { isAtOrBelow, movedPath } from './private-folder.ts';

type Params<Name extends keyof typeof draftContract> = z.output<(typeof draftContract)[Name]['args']>[0];
type Result<Name extends keyof typeof draftContract> = ResultOf<(typeof draftContract)[Name]>;

/** A window as a user of unsaved text. */
export interface DraftUser {
  /** Called when another window or program changed a file that it shows. */
  stepped(change: z.output<(typeof draftPushes)['draft.stepped']>): void;
  /** Called when another window renamed a file that it shows, or a folder that contains one. */
  moved(change: z.output<(typeof draftPushes)['draft.moved']>): void;
}

interface DraftWorld {
  /** Folder of the journals. */
  readonly folder: string;
  readonly history: LocalHistory;
  readonly clock: Clock;
  readonly sync: JournalSync;
  /** Called when a file may have become saved or unsaved. */
  onChange(): void;
}

export class WorkspaceDrafts {
  readonly history: LocalHistory;
  readonly #journals: JournalFolder;
  readonly #world: DraftWorld;
  /** Open files by path. */
  readonly #open = new Map<string, FileDraft<DraftUser>>();
  /** Files with unsaved text that exists only in windows. */
  readonly #unkept = new Map<DraftUser, readonly string[]>();

  constructor(world: DraftWorld) {
    this.#world = world;
    this.history = world.history;
    this.#journals = new JournalFolder(world.folder);
  }

  /** See `draft.open` in the contract. */
  open(user: DraftUser, { path, diskText }: Params<'draft.open'>): Result<'draft.open'> {
    const shown = this.#open.get(path);
    if (shown !== undefined) return { ...shown.addUser(user), version: shown.log.version };
    const disk = { path, text: diskText ?? this.#savedTextOf(path), now: this.#world.clock.now() };
    const { draft, notice } = loadDraft<DraftUser>(this.#journals.fileOf(path), disk);
    const { baseText, steps } = draft.addUser(user);
    this.#open.set(path, draft);
    const news = stepsToDisk(draft, disk);
    if (news.length > 0) this.#take(draft, news, 'fact');
    const { version } = draft.log;
    return { baseText, steps: [...steps, ...news], version, ...(notice === undefined ? {} : { notice }) };
  }

  /** See `draft.step` in the contract. */
  step(user: DraftUser, { path, base, steps, attempt }: Params<'draft.step'>): Result<'draft.step'> {
    const draft = this.#open.get(path);
    if (draft === undefined || !draft.users.has(user)) throw notOpen(path);
    const { version } = draft.log;
    if (attempt !== undefined && draft.isOfRefused(user, attempt)) return { accepted: false, version, steps: [] };
    let isTaken = false;
    try {
      const since = draft.stepsSince(base);
      if (since.length > 0) return { accepted: false, version, steps: since };
      this.#take(draft, steps);
      isTaken = true;
    } finally {
      if (!isTaken && attempt !== undefined) draft.refuse(user, attempt);
    }
    this.#tell(draft, { base, steps }, user);
    return { accepted: true, version: draft.log.version };
  }

  /** Called when a window no longer shows the file. @throws the system's error */
  close(user: DraftUser, path: string): void {
    const draft = this.#open.get(path);
    if (draft === undefined) return;
    draft.removeUser(user);
    if (draft.users.size > 0) return;
    this.#open.delete(path);
    draft.rest();
    void this.#world.sync.flush();
  }

  /** Called when a window no longer shows any file. @throws the system's error */
  leave(user: DraftUser): void {
    this.#unkept.delete(user);
    for (const [path, { users }] of [...this.#open]) if (users.has(user)) this.close(user, path);
  }

  /** See `draft.unsaved` in the contract. @throws the system's error */
  unsaved(): Result<'draft.unsaved'>['files'] {
    const all = [...this.#open.values(), ...this.#journals.facts(this.#open.keys())];
    const files = all.filter(({ isUnsaved }) => isUnsaved).map(({ path, at }) => ({ path, at }));
    return files.sort((a, b) => b.at - a.at);
  }

  /** Returns open files with unsaved text, with the windows that show them. */
  unsavedOnScreen(): { readonly path: string; readonly users: ReadonlySet<DraftUser> }[] {
    const kept = [...this.#open.values()].filter(({ isUnsaved }) => isUnsaved);
    const isAskedAbout = (path: string, user: DraftUser): boolean =>
      kept.some((draft) => draft.path === path && draft.users.has(user) && draft.users.size === 1);
    const unkept = [...this.#unkept].flatMap(([user, paths]) =>
      paths.filter((path) => !isAskedAbout(path, user)).map((path) => ({ path, users: new Set([user]) })),
    );
    return [...kept, ...unkept];
  }

  /** See `draft.unkept` in the contract. */
  setUnkept(user: DraftUser, paths: readonly string[]): void {
    if (paths.length > 0) this.#unkept.set(user, paths);
    else this.#unkept.delete(user);
    this.#world.onChange();
  }

  /**
   * Reverts files to their saved text in a step that can be undone. If it cannot be written, the journal keeps the
   * text.
   */
  discard(paths: readonly string[]): void {
    for (const path of paths) {
      const draft = this.#open.get(path);
      const edit = draft === undefined ? null : editBetween(draft.log.text, draft.log.savedText);
      if (draft === undefined || edit === null) continue;
      const base = draft.log.version;
      const at = this.#world.clock.now();
      const steps: EditStep[] = [{ do: 'edit', label: 'Discard unsaved changes', at, edits: [edit] }];
      this.#take(draft, steps, 'fact');
      this.#tell(draft, { base, steps });
    }
  }

  /** See `draft.move` in the contract. @throws the system's error */
  move(user: DraftUser, change: Params<'draft.move'>): Result<'draft.move'> {
    const { from, to } = change;
    if (from === to) return { notices: [] };
    const notices: string[] = [];
    const drafts = [...this.#open.values()].filter(({ path }) => isAtOrBelow(path, from));
    const resting = this.#journals.facts(this.#open.keys()).filter(({ path }) => isAtOrBelow(path, from));
    for (const { path } of [...drafts, ...resting]) this.#refuseTaken(user, movedPath(path, change), from);
    for (const { path } of resting) notices.push(...this.#moveJournal(path, movedPath(path, change)));
    const others = new Set(drafts.flatMap(({ users }) => [...users]));
    for (const draft of drafts) {
      const path = movedPath(draft.path, change);
      this.#open.delete(draft.path);
      if (!this.#open.has(path)) notices.push(...this.#clearPlace(path));
      this.#open.set(path, draft);
      draft.move(this.#journals.fileOf(path), path);
      if (draft.hasJournal) this.#world.sync.note(this.#journals.fileOf(path));
    }
    this.history.move(from, to);
    others.delete(user);
    for (const other of others) other.moved({ from, to });
    return { notices };
  }

  /**
   * Fails if another window shows the file at the new name, because that window's text would no longer be stored.
   * @throws EngineError `draft.in-use`
   */
  #refuseTaken(user: DraftUser, path: string, from: string): void {
    const there = this.#open.get(path);
    const isUsed = there !== undefined && [...there.users].some((other) => other !== user);
    if (!isUsed || isAtOrBelow(path, from)) return;
    throw new EngineError({
      code: 'draft.in-use',
      message: `${path} is open in another window, so nothing can take its place. Close it there and try again.`,
    });
  }

  /** See `draft.forget` in the contract. @throws the system's error */
  forget(path: string): void {
    for (const draft of [...this.#open.values()].filter((one) => isAtOrBelow(one.path, path))) {
      this.#open.delete(draft.path);
      draft.drop();
    }
    for (const resting of this.#journals.facts([])) {
      if (isAtOrBelow(resting.path, path)) removeJournal(this.#journals.fileOf(resting.path));
    }
    this.#world.onChange();
  }

  /** Returns the saved text of a deleted file that has unsaved text. @throws EngineError `draft.nothing-kept` */
  #savedTextOf(path: string): string {
    const stored = readJournalIfThere(this.#journals.fileOf(path));
    if (stored?.path === path && stored.log.text !== stored.log.savedText) return stored.log.savedText;
    throw new EngineError({
      code: 'draft.nothing-kept',
      message: `${path} was deleted, and there is no text of it that was not saved. Look into the trash for it.`,
    });
  }

  #take(draft: FileDraft<DraftUser>, steps: readonly EditStep[], as: 'wish' | 'fact' = 'wish'): void {
    const before = draft.log;
    const isFirst = !draft.hasJournal;
    if (as === 'fact') draft.takeFact(steps);
    else draft.take(steps);
    this.#world.sync.note(this.#journals.fileOf(draft.path));
    draft.at = this.#world.clock.now();
    if (isFirst) this.#keep(draft.path, before.savedText, 'opened');
    let log = before;
    // Most steps only insert a letter, which creates no version.
    if (steps.some(makesVersion)) {
      for (const step of steps) {
        log = takeStep(log, step);
        if (step.do === 'saved') this.#keep(draft.path, log.savedText, 'saved');
        if (step.do === 'disk') this.#keep(draft.path, step.text, 'changed elsewhere');
      }
    }
    this.#world.onChange();
  }

  /** A version that cannot be stored must not prevent saving. */
  #keep(...version: Parameters<LocalHistory['keep']>): void {
    try {
      this.history.keep(...version);
    } catch (error) {
      process.stderr.write(`millrace: a version of ${version[0]} was not kept: ${error}\n`);
    }
  }

  #tell(draft: FileDraft<DraftUser>, change: { base: number; steps: readonly EditStep[] }, author?: DraftUser): void {
    for (const user of draft.users) {
      if (user !== author) user.stepped({ path: draft.path, ...change });
    }
  }

  /**
   * Sets aside a deleted file's unsaved text when another journal takes its name.
   * @returns messages that tell the user where the text is
   */
  #clearPlace(path: string): string[] {
    const file = this.#journals.fileOf(path);
    const stored = readJournalIfThere(file);
    if (stored === undefined || stored.log.text === stored.log.savedText) return [];
    const textFile = setTextAside(file, stored.log.text);
    return [
      `There was text for ${path} that was never saved, of a file that is gone. ${path} is another file now, so that text was put into ${textFile}. Copy it from there with any text editor.`,
    ];
  }

  #moveJournal(from: string, to: string): string[] {
    const file = this.#journals.fileOf(from);
    const stored = readJournal(file);
    if (stored === undefined) return [];
    const notices = this.#clearPlace(to);
    writeJournal(this.#journals.fileOf(to), { path: to, ...compactLog(stored) });
    this.#world.sync.note(this.#journals.fileOf(to));
    removeJournal(file);
    return notices;
  }
}

function makesVersion({ do: kind }: EditStep): boolean {
  return kind === 'saved' || kind === 'disk';
}

function notOpen(path: string): EngineError {
  return new EngineError({
    code: 'draft.not-open',
    message: `${path} is not open in this window, so it cannot be edited from here. Open the file again.`,
  });
}
