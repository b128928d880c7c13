/**
 * The logs of open files' edits: what a person does shows at once, and main, which keeps it in the file's journal, is sent it right
 * behind. Where another window was faster, ours is carried over its edits.
 */

import { type EditLog, type EditStep, newEditLog, partsOfStep, takeStep } from '../../../electron/ipc/edit-log.ts';
import { EngineError, type TextEdit } from '../../../engine/isomorphic.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { DocumentCheck } from './check.ts';
import { carryOver, wholeChange } from './merge.ts';
import { isAtOrBelow, movedPath } from './paths.ts';

/** Edits to be made one after the other. */
export type EditParts = readonly (readonly TextEdit[])[];

interface ForeignSteps {
  readonly base: number;
  readonly steps: readonly EditStep[];
}

interface FileLogListener {
  /** Others changed the text. */
  onForeign(log: EditLog, parts: EditParts): void;
  /** Edits are not kept from now on; called once, until they are again. */
  onTrouble(error: unknown): void;
}

/** In one message; main takes a thousand, and 16 Mi characters. */
const mostSteps = 500;
const mostLength = 8 * 1024 * 1024;

function lengthOf(step: EditStep): number {
  if (step.do === 'edit') return step.edits.reduce((sum, { text }) => sum + text.length, 0);
  return step.do === 'saved' || step.do === 'disk' ? (step.text?.length ?? 0) : 0;
}

/** As many of the steps as go into one message; at least one. */
function firstOf(steps: readonly EditStep[]): readonly EditStep[] {
  let length = 0;
  const end = steps.slice(0, mostSteps).findIndex((step, index) => {
    length += lengthOf(step);
    return index > 0 && length > mostLength;
  });
  return steps.slice(0, end === -1 ? mostSteps : end);
}

function outOfStep(): EngineError {
  return new EngineError({ code: 'draft.out-of-step', message: 'The journal of the file has other edits.' });
}

/** The log of one open file, in step with main. */
export class FileLog {
  readonly #main: MainClient | null;
  readonly #listener: FileLogListener;
  /** By which main knows the file; changes when it is renamed. */
  path: string;
  #confirmed: EditLog;
  #log: EditLog;
  #pending: readonly EditStep[] = [];
  /** Steps of others that came while ours were on their way. */
  #early: readonly ForeignSteps[] = [];
  /** Null = nothing is on its way. */
  #sending: Promise<void> | null = null;
  #isAlone: boolean;
  #isInTrouble = false;

  /**
   * @param log as main has it
   * @param main null = main keeps nothing of this file
   */
  constructor(path: string, log: EditLog, main: MainClient | null, listener: FileLogListener) {
    this.path = path;
    this.#confirmed = log;
    this.#log = log;
    this.#main = main;
    this.#listener = listener;
    this.#isAlone = main === null;
  }

  /** With what main has not confirmed yet. */
  get log(): EditLog {
    return this.#log;
  }

  /** Whether there is unsaved text that main could not be given. */
  get isUnkept(): boolean {
    const isCutOff = this.#isAlone || this.#isInTrouble;
    return isCutOff && this.#pending.length > 0 && this.#log.text !== this.#log.savedText;
  }

  /** Takes a step, and sends it to main. Gives what it did to the text. @throws RangeError for edits that do not fit */
  take(step: EditStep): EditParts {
    const parts = partsOfStep(this.#log, step);
    this.#log = takeStep(this.#log, step);
    this.#pending = [...this.#pending, step];
    this.#startSending();
    return parts;
  }

  /** Takes over steps that main accepted from others. */
  receive(foreign: ForeignSteps): void {
    this.#early = [...this.#early, foreign];
    if (this.#sending === null) this.#takeEarly();
  }

  /** Resolves when main has all there is, or cannot be reached. */
  async whenSent(): Promise<void> {
    while (this.#sending !== null) await this.#sending;
  }

  #startSending(): void {
    const isThere = this.#main !== null && !this.#isAlone;
    if (this.#sending !== null || !isThere || this.#pending.length === 0) return;
    this.#sending = this.#sendAll().then((isDone) => {
      this.#sending = null;
      this.#takeEarly();
      if (isDone) this.#startSending();
    });
  }

  /** Gives whether all was sent: what failed is tried again with the next edit. */
  async #sendAll(): Promise<boolean> {
    while (this.#pending.length > 0) {
      if (!(await this.#sendPending())) return false;
      this.#takeEarly();
    }
    return true;
  }

  async #sendPending(): Promise<boolean> {
    const steps = firstOf(this.#pending);
    try {
      const answer = await this.#main?.call('draft.step', { path: this.path, base: this.#confirmed.version, steps });
      this.#isInTrouble = false;
      if (answer?.accepted) {
        this.#confirmed = steps.reduce(takeStep, this.#confirmed);
        this.#pending = this.#pending.slice(steps.length);
      } else if (answer !== undefined) {
        if (answer.steps.length === 0) throw outOfStep();
        this.#takeForeign(answer.steps);
      }
      return true;
    } catch (error) {
      // A full disk may have room again.
      this.#isAlone = !(EngineError.is(error) && error.code === 'draft.not-written');
      if (!this.#isInTrouble) this.#listener.onTrouble(error);
      this.#isInTrouble = true;
      return false;
    }
  }

  /** What an answer to ours has brought already has another base, and is left out. */
  #takeEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const { base, steps } of early) if (base === this.#confirmed.version) this.#takeForeign(steps);
  }

  #takeForeign(steps: readonly EditStep[]): void {
    const before = this.#log;
    const after = steps.reduce(takeStep, this.#confirmed);
    const carried = carryOver(this.#pending, this.#confirmed, after);
    this.#confirmed = after;
    this.#log = carried.log;
    this.#pending = carried.steps;
    const change = wholeChange(before, this.#log);
    this.#listener.onForeign(this.#log, change.length === 0 ? [] : [change]);
  }
}

/** Who changed the text: the person in the text editor, who sees it there already; something else in this window; others. */
export type EditOrigin = 'typed' | 'here' | 'elsewhere';

interface LogChange {
  readonly path: string;
  readonly log: EditLog;
  readonly parts: EditParts;
  readonly origin: EditOrigin;
  /** Of the text that the change led to, where it was checked before it was made. */
  readonly check?: DocumentCheck | undefined;
}

interface OpenedLog {
  readonly log: EditLog;
  /** Others changed the file since its unsaved edits were made. */
  readonly isConflict: boolean;
  /** What could not be read of the journal, in a sentence. */
  readonly notice?: string | undefined;
}

export interface FileLogs {
  /**
   * Begins to follow a file. With a journal from before, the log has its edits. Where main keeps none, the file can be
   * edited all the same, and `onTrouble` is called. A file that is followed already keeps its log.
   * @param isKept whether main is to keep its edits at all
   */
  open(path: string, diskText: string, isKept: boolean): Promise<OpenedLog>;
  /** Begins to follow a file that was deleted; null when nothing unsaved of it is kept. */
  openGone(path: string): Promise<OpenedLog | null>;
  close(path: string): void;
  /** Follows the files at `from`, or below it, by their new names. Main knows of them already. */
  rename(from: string, to: string): void;
  logOf(path: string): EditLog | undefined;
  /** Takes a step in an open file. @throws RangeError for edits that do not fit its text */
  take(path: string, step: EditStep, origin?: EditOrigin, check?: DocumentCheck): void;
  subscribe(listener: (change: LogChange) => void): () => void;
  /** Ends following main. */
  end(): void;
}

/** @param diskText null = the file was deleted */
async function readJournal(main: MainClient, path: string, diskText: string | null): Promise<OpenedLog> {
  const { baseText, steps, version, notice } = await main.call('draft.open', { path, diskText });
  const log = { ...steps.reduce(takeStep, newEditLog(baseText)), version };
  return { log, isConflict: steps.at(-1)?.do === 'disk' && log.text !== log.savedText, notice };
}

/** Main asks about files that it could not keep before the window ends. */
function createUnkeptReport(main: MainClient, logs: ReadonlyMap<string, FileLog>): () => void {
  let reported = '';
  return () => {
    const paths = [...logs.values()].filter(({ isUnkept }) => isUnkept).map(({ path }) => path);
    if (paths.join('\n') === reported) return;
    reported = paths.join('\n');
    main.call('draft.unkept', { paths }).catch(() => undefined);
  };
}

async function closeInMain(main: MainClient, fileLog: FileLog): Promise<void> {
  const { path } = fileLog;
  await fileLog.whenSent();
  // Main learns of it anyway when the window ends.
  await main.call('draft.close', { path }).catch(() => undefined);
}

export function createFileLogs(main: MainClient, onTrouble: (error: unknown) => void): FileLogs {
  const logs = new Map<string, FileLog>();
  const listeners = new Set<(change: LogChange) => void>();
  /** Of files that are about to be closed in main. */
  const closing = new Map<string, Promise<unknown>>();
  const notify = (change: LogChange): void => {
    for (const listener of listeners) listener(change);
  };
  const follow = (path: string, opened: OpenedLog, isKept: boolean): OpenedLog => {
    const known = logs.get(path);
    if (known !== undefined) return { ...opened, log: known.log };
    const fileLog = new FileLog(path, opened.log, isKept ? main : null, {
      onForeign: (log, parts) => notify({ path: fileLog.path, log, parts, origin: 'elsewhere' }),
      onTrouble,
    });
    logs.set(path, fileLog);
    return opened;
  };

  const reportUnkept = createUnkeptReport(main, logs);

  return {
    async open(path, diskText, isKept) {
      await closing.get(path);
      const reading = isKept
        ? readJournal(main, path, diskText).catch((error: unknown) => void onTrouble(error))
        : undefined;
      const journaled = await reading;
      return follow(path, journaled ?? { log: newEditLog(diskText), isConflict: false }, journaled !== undefined);
    },
    async openGone(path) {
      await closing.get(path);
      const journaled = await readJournal(main, path, null).catch(() => null);
      return journaled === null ? null : follow(path, journaled, true);
    },
    close(path) {
      const fileLog = logs.get(path);
      if (fileLog === undefined) return;
      logs.delete(path);
      reportUnkept();
      const done = closeInMain(main, fileLog);
      closing.set(path, done);
      void done.then(() => closing.get(path) === done && closing.delete(path));
    },
    rename(from, to) {
      for (const fileLog of [...logs.values()].filter(({ path }) => isAtOrBelow(path, from))) {
        logs.delete(fileLog.path);
        fileLog.path = movedPath(fileLog.path, from, to);
        logs.set(fileLog.path, fileLog);
      }
    },
    logOf: (path) => logs.get(path)?.log,
    take(path, step, origin = 'here', check) {
      const fileLog = logs.get(path);
      if (fileLog === undefined) return;
      const parts = fileLog.take(step);
      notify({ path, log: fileLog.log, parts, origin, check });
      void fileLog.whenSent().then(reportUnkept);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end: main.onPush({ 'draft.stepped': ({ path, ...foreign }) => logs.get(path)?.receive(foreign) }),
  };
}
