/**
 * Letters typed one by one as one edit each word: the same undo entries with far fewer steps, so that a long text need not be
 * put together anew for every letter.
 */
import type { EditStep } from '../../ipc/edit-log.ts';

type Edit = Extract<EditStep, { do: 'edit' }>;
type TextEdit = Edit['edits'][number];

/** As in `takeStep`: further apart, edits are entries of their own. */
const joinMs = 1_000;

/**
 * Joins steps that would become parts of one entry anyway and of which each goes on where the one before it left off.
 * @returns steps that give the same text, saved text, entries to undo and redo, and seal
 */
export function joinSteps(steps: readonly EditStep[]): EditStep[] {
  const joined: EditStep[] = [];
  // Whether the last one stands at the start of its entry. Others keep their time: it decides what they belong to.
  let startsEntry = false;
  let before: EditStep | undefined;
  for (const step of steps) {
    const last = joined.at(-1);
    const belongs = belongsTo(before, step);
    const edit =
      startsEntry && belongs && last?.do === 'edit' && step.do === 'edit' ? joinEdits(last, step) : undefined;
    if (edit !== undefined && last?.do === 'edit' && step.do === 'edit') {
      joined[joined.length - 1] = { ...last, at: step.at, edits: [edit] };
    } else {
      joined.push(step);
      startsEntry = step.do === 'edit' && !belongs;
    }
    before = step;
  }
  return joined;
}

function belongsTo(before: EditStep | undefined, step: EditStep): boolean {
  if (before?.do !== 'edit' || step.do !== 'edit') return false;
  return step.mergeKey !== undefined && before.mergeKey === step.mergeKey && step.at - before.at <= joinMs;
}

/** One edit that does what two do after each other; undefined where the second does not touch what the first wrote. */
function joinEdits({ edits: [first, ...more] }: Edit, { edits: [next, ...others] }: Edit): TextEdit | undefined {
  if (first === undefined || next === undefined || more.length > 0 || others.length > 0) return undefined;
  const writtenEnd = first.start + first.text.length;
  if (next.start > writtenEnd || next.end < first.start) return undefined;
  const kept = first.text.slice(0, Math.max(0, next.start - first.start));
  const rest = first.text.slice(next.end - first.start);
  return {
    start: Math.min(first.start, next.start),
    end: first.end + Math.max(0, next.end - writtenEnd),
    text: kept + next.text + rest,
  };
}
