/**
 * One file's line to main: what a person does shows at once, and main, which keeps it in a journal, hears of it right
 * behind. Where another window was faster, ours is carried over its edits.
 */
import { applyEdits, EngineError, editBetween, rebaseEdits, type TextEdit } from '../../../engine/isomorphic.ts';
import { type EditLog, type EditStep, redoParts, takeStep, undoParts } from '../../bridge/edit-log.ts';
import type { MainClient } from '../../bridge/main-client.ts';

/** Edits to be made one after the other. */
export type EditParts = readonly (readonly TextEdit[])[];

interface ForeignSteps {
  readonly base: number;
  readonly steps: readonly EditStep[];
}

export interface DraftLineParts {
  readonly path: string;
  /** As main has it. */
  readonly log: EditLog;
  /** Null = main keeps nothing of this file. */
  readonly main: MainClient | null;
  /** Hears what others did to the text. */
  readonly onForeign: (log: EditLog, parts: EditParts) => void;
  /** Hears why edits are not kept from now on; once, until they are again. */
  readonly onTrouble: (error: unknown) => void;
}

/** What a log's next step does to its text. */
function partsOfStep(log: EditLog, step: EditStep): EditParts {
  if (step.do === 'edit') return [step.edits];
  if (step.do !== 'undo' && step.do !== 'redo') return [];
  const entry = log.entries[step.do === 'undo' ? log.applied - 1 : log.applied];
  if (entry === undefined) return [];
  return step.do === 'undo' ? undoParts(entry) : redoParts(entry);
}

function wholeChange(before: EditLog, after: EditLog): TextEdit[] {
  const edit = editBetween(before.text, after.text);
  return edit === null ? [] : [edit];
}

function carryStep(step: EditStep, over: readonly TextEdit[], textThen: string): EditStep {
  if (step.do === 'edit') return { ...step, edits: rebaseEdits(step.edits, over) };
  // What was saved is the text as it was then, without the others' edits.
  return step.do === 'saved' ? { do: 'saved', text: step.text ?? textThen } : step;
}

/**
 * What leads from a text without others' edits to that with them: the guess, where it does. It does not where both edited
 * the same place, or where an undo means something else behind others' edits.
 */
function differenceAfter(guess: TextEdit[], without: EditLog, withOthers: EditLog): TextEdit[] {
  const fits = guess.every(({ start, end }) => start <= end && end <= without.text.length);
  return fits && applyEdits(without.text, guess) === withOthers.text ? guess : wholeChange(without, withOthers);
}

/** Takes `steps`, which were meant for the text of `before`, behind others that led to `after`. */
function carryOver(steps: readonly EditStep[], before: EditLog, after: EditLog): { log: EditLog; steps: EditStep[] } {
  let over = wholeChange(before, after);
  let original = before;
  let log = after;
  const carried: EditStep[] = [];
  for (const step of steps) {
    const next = takeStep(original, step);
    const moved = carryStep(step, over, next.text);
    log = takeStep(log, moved);
    over = differenceAfter(rebaseEdits(over, wholeChange(original, next)), next, log);
    original = next;
    carried.push(moved);
  }
  return { log, steps: carried };
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

export class DraftLine {
  readonly #parts: DraftLineParts;
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

  constructor(parts: DraftLineParts) {
    this.#parts = parts;
    this.path = parts.path;
    this.#confirmed = parts.log;
    this.#log = parts.log;
    this.#isAlone = parts.main === null;
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

  /** Takes a step, and tells main. Gives what it did to the text. @throws RangeError for edits that do not fit */
  take(step: EditStep): EditParts {
    const parts = partsOfStep(this.#log, step);
    this.#log = takeStep(this.#log, step);
    this.#pending = [...this.#pending, step];
    this.#startSending();
    return parts;
  }

  /** Hears steps that main took from others. */
  hear(foreign: ForeignSteps): void {
    this.#early = [...this.#early, foreign];
    if (this.#sending === null) this.#takeEarly();
  }

  /** Resolves when main has all there is, or cannot be reached. */
  async whenSent(): Promise<void> {
    while (this.#sending !== null) await this.#sending;
  }

  #startSending(): void {
    const isThere = this.#parts.main !== null && !this.#isAlone;
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
    const { main } = this.#parts;
    const steps = firstOf(this.#pending);
    try {
      const answer = await main?.call('draft.step', { path: this.path, base: this.#confirmed.version, steps });
      this.#isInTrouble = false;
      if (answer?.accepted) {
        this.#confirmed = steps.reduce(takeStep, this.#confirmed);
        this.#pending = this.#pending.slice(steps.length);
      } else if (answer !== undefined) {
        this.#takeMissed(answer.steps);
      }
      return true;
    } catch (error) {
      // A full disk may have room again.
      this.#isAlone = !(EngineError.is(error) && error.code === 'draft.not-written');
      if (!this.#isInTrouble) this.#parts.onTrouble(error);
      this.#isInTrouble = true;
      return false;
    }
  }

  #takeMissed(steps: readonly EditStep[]): void {
    if (steps.length === 0) {
      throw new EngineError({ code: 'draft.out-of-step', message: 'The journal of the file has other edits.' });
    }
    this.#takeForeign(steps);
  }

  /** What an answer to ours has told already has another base, and is left out. */
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
    this.#parts.onForeign(this.#log, change.length === 0 ? [] : [change]);
  }
}
