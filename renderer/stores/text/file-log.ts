/**
 * The edit log of an open file, synchronized with main. The user's edits appear at once and are sent right away to
 * main, which stores them in the file's journal. If another window was faster, these edits are rebased on its edits.
 */

import { type EditLog, type EditStep, partsOfStep, takeStep } from '../../../electron/ipc/edit-log.ts';
import { EngineError, type TextEdit } from '../../../engine/isomorphic.ts';
import type { MainClient, StepAnswer } from '../../bridge/main-client.ts';
import { carryOver, wholeChange } from './merge.ts';
import { text as words } from './text.ts';

/** Groups of edits to apply one after the other. */
export type EditParts = readonly (readonly TextEdit[])[];

interface ForeignSteps {
  readonly base: number;
  readonly steps: readonly EditStep[];
}

interface FileLogListener {
  /** Called when others have changed the text. */
  onForeign(log: EditLog, parts: EditParts): void;
  /** Called when edits can no longer be stored, but only once until they can be stored again. */
  onTrouble(error: unknown): void;
}

/** Maximum number of steps per message. Main accepts a thousand steps and 16 Mi characters. */
const mostSteps = 500;
const mostLength = 8 * 1024 * 1024;
/** Maximum number of unconfirmed steps. Further steps wait, because main remembers at least this many of the latest. */
const mostOnTheWay = 1_000;

function lengthOf(step: EditStep): number {
  if (step.do === 'edit') return step.edits.reduce((sum, { text }) => sum + text.length, 0);
  return step.do === 'saved' || step.do === 'disk' ? (step.text?.length ?? 0) : 0;
}

/** Returns the steps that fit in one message, at least one. */
function firstOf(steps: readonly EditStep[]): readonly EditStep[] {
  let length = 0;
  const end = steps.slice(0, mostSteps).findIndex((step, index) => {
    length += lengthOf(step);
    return index > 0 && length > mostLength;
  });
  return steps.slice(0, end === -1 ? mostSteps : end);
}

function lengthOfAll(steps: readonly EditStep[]): number {
  return steps.reduce((sum, step) => sum + lengthOf(step), 0);
}

function outOfStep(): EngineError {
  return new EngineError({ code: 'draft.out-of-step', message: words.files.journalDiffers });
}

/** The edit log of an open file, synchronized with main. */
export class FileLog {
  readonly #main: MainClient | null;
  readonly #listener: FileLogListener;
  /** Identifies the file in main. Changes when the file is renamed. */
  path: string;
  #confirmed: EditLog;
  #log: EditLog;
  #pending: readonly EditStep[] = [];
  /**
   * Sent messages that are not confirmed yet, oldest first, starting with the first of `#pending`. They are pipelined
   * without waiting for responses.
   */
  #onTheWay: readonly (readonly EditStep[])[] = [];
  /** Incremented when main rejects a message. Responses to earlier attempts are then ignored. */
  #attempt = 0;
  /** Resolves when the last message was answered. */
  #lastAnswer: Promise<void> = Promise.resolve();
  /** Steps of others that arrived before our own steps were confirmed. */
  #early: readonly ForeignSteps[] = [];
  #isAlone: boolean;
  #isInTrouble = false;

  /**
   * @param log log as stored in main
   * @param main null if main stores nothing for this file
   */
  constructor(path: string, log: EditLog, main: MainClient | null, listener: FileLogListener) {
    this.path = path;
    this.#confirmed = log;
    this.#log = log;
    this.#main = main;
    this.#listener = listener;
    this.#isAlone = main === null;
  }

  /** The log including steps that main has not confirmed yet. */
  get log(): EditLog {
    return this.#log;
  }

  /** Whether there is unsaved text that could not be sent to main. */
  get isUnkept(): boolean {
    const isCutOff = this.#isAlone || this.#isInTrouble;
    return isCutOff && this.#pending.length > 0 && this.#log.text !== this.#log.savedText;
  }

  /**
   * Applies a step and sends it to main. Returns the resulting edits of the text. @throws RangeError for edits that do
   * not fit
   */
  take(step: EditStep): EditParts {
    const parts = partsOfStep(this.#log, step);
    this.#log = takeStep(this.#log, step);
    this.#pending = [...this.#pending, step];
    this.#send();
    return parts;
  }

  /** Applies steps of others that main accepted. */
  receive(foreign: ForeignSteps): void {
    this.#early = [...this.#early, foreign];
    if (this.#onTheWay.length === 0) this.#takeEarly();
  }

  /** Resolves when main has everything or cannot be reached. */
  async whenSent(): Promise<void> {
    while (this.#onTheWay.length > 0) await this.#lastAnswer;
  }

  /** Sends the steps that have not been sent yet, after those in transit. */
  #send(): void {
    const main = this.#main;
    // Anything sent before the steps of others are applied would be rejected.
    while (main !== null && !this.#isAlone && (this.#early.length === 0 || this.#onTheWay.length === 0)) {
      const sent = this.#onTheWay.flat();
      const steps = firstOf(this.#pending.slice(sent.length, sent.length + mostSteps));
      const isTooMuch = sent.length + steps.length > mostOnTheWay || lengthOfAll([...sent, ...steps]) > mostLength;
      if (steps.length === 0 || (isTooMuch && sent.length > 0)) return;
      this.#onTheWay = [...this.#onTheWay, steps];
      const base = this.#confirmed.version + sent.length;
      this.#lastAnswer = this.#follow(main, { base, steps, attempt: this.#attempt });
    }
  }

  async #follow(
    main: MainClient,
    message: { base: number; steps: readonly EditStep[]; attempt: number },
  ): Promise<void> {
    const { steps, attempt } = message;
    try {
      const answer = await main.call('draft.step', { path: this.path, ...message });
      if (attempt === this.#attempt) this.#takeAnswer(answer, steps);
    } catch (error) {
      if (attempt === this.#attempt) this.#fail(error);
    }
  }

  #takeAnswer(answer: StepAnswer, steps: readonly EditStep[]): void {
    if (answer.accepted) this.#confirm(steps);
    else if (answer.steps.length === 0) throw outOfStep();
    else this.#takeBack(answer.steps);
    this.#isInTrouble = false;
    if (this.#onTheWay.length === 0) this.#takeEarly();
    this.#send();
  }

  #confirm(steps: readonly EditStep[]): void {
    this.#confirmed = steps.reduce(takeStep, this.#confirmed);
    this.#pending = this.#pending.slice(steps.length);
    this.#onTheWay = this.#onTheWay.slice(1);
  }

  /** Handles steps of others that were faster: rebases all of ours on them and sends them again. */
  #takeBack(theirs: readonly EditStep[]): void {
    this.#onTheWay = [];
    this.#takeForeign(theirs);
    this.#attempt += 1;
  }

  /** Retries failed steps with the next edit. */
  #fail(error: unknown): void {
    this.#attempt += 1;
    this.#onTheWay = [];
    // There may be space on a full disk later.
    this.#isAlone = !(EngineError.is(error) && error.code === 'draft.not-written');
    if (!this.#isInTrouble) this.#listener.onTrouble(error);
    this.#isInTrouble = true;
    this.#takeEarly();
  }

  /** Steps that a response to ours has already brought have an older base, and are skipped. */
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
