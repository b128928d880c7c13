/**
 * The log of one open file's edits, in step with main: what a person does shows at once, and main, which keeps it in the file's
 * journal, is sent it right away. Where another window was faster, ours is carried over its edits.
 */

import { type EditLog, type EditStep, partsOfStep, takeStep } from '../../../electron/ipc/edit-log.ts';
import { EngineError, type TextEdit } from '../../../engine/isomorphic.ts';
import type { MainClient, StepAnswer } from '../../bridge/main-client.ts';
import { carryOver, wholeChange } from './merge.ts';

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
/** Steps on their way at once; more wait for an answer, because main knows so many of the latest at least. */
const mostOnTheWay = 1_000;

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

function lengthOfAll(steps: readonly EditStep[]): number {
  return steps.reduce((sum, step) => sum + lengthOf(step), 0);
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
  /** Messages on their way, the oldest first, with the first of `#pending`; one behind the other, none waits for an answer. */
  #onTheWay: readonly (readonly EditStep[])[] = [];
  /** Goes up when main did not take a message: what it says of others of that attempt is of no interest then. */
  #attempt = 0;
  /** Resolves when the message sent last was answered. */
  #lastAnswer: Promise<void> = Promise.resolve();
  /** Steps of others that came while ours were on their way. */
  #early: readonly ForeignSteps[] = [];
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
    this.#send();
    return parts;
  }

  /** Takes over steps that main accepted from others. */
  receive(foreign: ForeignSteps): void {
    this.#early = [...this.#early, foreign];
    if (this.#onTheWay.length === 0) this.#takeEarly();
  }

  /** Resolves when main has all there is, or cannot be reached. */
  async whenSent(): Promise<void> {
    while (this.#onTheWay.length > 0) await this.#lastAnswer;
  }

  /** Sends what main was not sent yet, behind what is on its way. */
  #send(): void {
    const main = this.#main;
    // What would be sent before the steps of others are taken over would only be refused.
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

  /** Others were faster: all of ours is carried over theirs, and is to be sent anew. */
  #takeBack(theirs: readonly EditStep[]): void {
    this.#onTheWay = [];
    this.#takeForeign(theirs);
    this.#attempt += 1;
  }

  /** What failed is tried again with the next edit. */
  #fail(error: unknown): void {
    this.#attempt += 1;
    this.#onTheWay = [];
    // A full disk may have room again.
    this.#isAlone = !(EngineError.is(error) && error.code === 'draft.not-written');
    if (!this.#isInTrouble) this.#listener.onTrouble(error);
    this.#isInTrouble = true;
    this.#takeEarly();
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
