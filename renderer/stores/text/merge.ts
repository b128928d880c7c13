/**
 * Merges concurrent changes of a text: steps of windows one after the other, and whole texts line by line.
 */
import { diff3Merge } from 'node-diff3';
import { type EditLog, type EditStep, takeStep } from '../../../electron/ipc/edit-log.ts';
import { applyEdits, editBetween, rebaseEdits, type TextEdit } from '../../../engine/isomorphic.ts';

/** Returns the single edit that converts the text of one log to that of another. Empty if they are equal. */
export function wholeChange(before: EditLog, after: EditLog): TextEdit[] {
  const edit = editBetween(before.text, after.text);
  return edit === null ? [] : [edit];
}

function carryStep(step: EditStep, over: readonly TextEdit[], textThen: string): EditStep {
  if (step.do === 'edit') return { ...step, edits: rebaseEdits(step.edits, over) };
  // The saved text is the text at that time, without the edits of others.
  return step.do === 'saved' ? { do: 'saved', text: step.text ?? textThen } : step;
}

/**
 * Returns the edits that convert the text without others' edits to the text with them. Uses the guess if it is correct.
 * It is not if both sides edited the same place, or if an undo has a different effect after others' edits.
 */
function differenceAfter(guess: TextEdit[], without: EditLog, withOthers: EditLog): TextEdit[] {
  const fits = guess.every(({ start, end }) => start <= end && end <= without.text.length);
  return fits && applyEdits(without.text, guess) === withOthers.text ? guess : wholeChange(without, withOthers);
}

/** Rebases `steps`, which were made for the text of `before`, on edits of others that led to `after`. */
export function carryOver(
  steps: readonly EditStep[],
  before: EditLog,
  after: EditLog,
): { log: EditLog; steps: EditStep[] } {
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

export interface MergedText {
  readonly text: string;
  /** Number of places that both sides changed differently. The result contains the text called mine. */
  readonly clashes: number;
}

export interface ThreeTexts {
  /** The common base text. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Returns the lines including their line endings, so that different endings are differences and none is lost. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Merges the changes of `mine` and `theirs` relative to `base`. */
export function mergeTexts({ base, mine, theirs }: ThreeTexts): MergedText {
  const regions = diff3Merge(linesOf(mine), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  const lines = regions.flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? []);
  return { text: lines.join(''), clashes: regions.filter(({ conflict }) => conflict !== undefined).length };
}
