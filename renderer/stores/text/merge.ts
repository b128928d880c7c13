/**
 * Changes that two made to one text at the same time, brought together: steps of windows right behind each other, and whole
 * texts line by line.
 */
import { diff3Merge } from 'node-diff3';
import { type EditLog, type EditStep, takeStep } from '../../../electron/ipc/edit-log.ts';
import { applyEdits, editBetween, rebaseEdits, type TextEdit } from '../../../engine/isomorphic.ts';

/** The one edit that leads from the text of a log to that of another; none when they are alike. */
export function wholeChange(before: EditLog, after: EditLog): TextEdit[] {
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

interface MergedText {
  readonly text: string;
  /** Places that both changed, each in its own way; there the text is the one called mine. */
  readonly clashes: number;
}

interface ThreeTexts {
  /** What both began with. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Lines with their ends, so that a different line ending is a difference and none is lost. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Merges what `mine` and `theirs` made of `base`. */
export function mergeTexts({ base, mine, theirs }: ThreeTexts): MergedText {
  const regions = diff3Merge(linesOf(mine), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  const lines = regions.flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? []);
  return { text: lines.join(''), clashes: regions.filter(({ conflict }) => conflict !== undefined).length };
}
