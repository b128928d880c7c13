/**
 * Computes the shortest list of steps that produces the same log. The list replaces a journal and is sent to windows.
 */
import { type EditEntry, type EditLog, type EditStep, redoParts, undoParts } from '../../ipc/edit-log.ts';
import { applyEdits } from '../../ipc/engine-base.ts';

/** A log and its base: the text with all entries undone. */
interface RootedLog {
  readonly baseText: string;
  readonly log: EditLog;
}

export interface DraftLogSource {
  readonly baseText: string;
  readonly steps: readonly EditStep[];
}

/**
 * Returns steps that produce the log's text, saved text, undo, redo and seal from the base text. The version becomes
 * the number of steps.
 */
export function compactLog({ baseText, log }: RootedLog): DraftLogSource {
  const steps: EditStep[] = log.savedText === baseText ? [] : [{ do: 'disk', text: log.savedText }];
  for (const [index, entry] of log.entries.entries()) {
    if (index > 0 && wouldJoin(log.entries[index - 1], entry)) steps.push(seal);
    steps.push(...stepsOf(entry));
  }
  const undos = Array<EditStep>(log.entries.length - log.applied).fill({ do: 'undo' });
  steps.push(...undos);
  if (log.isSealed && steps.at(-1)?.do === 'edit') steps.push(seal);
  return { baseText, steps: joinSteps(steps) };
}

/**
 * Returns the log without its oldest entries. @param limit number of undo entries to keep; redo entries are all kept
 */
export function forgetOldUndo({ baseText, log }: RootedLog, limit: number): RootedLog {
  const first = log.applied - limit;
  if (first <= 0) return { baseText, log };
  return {
    baseText: log.entries.slice(first, log.applied).reduceRight(undone, log.text),
    log: { ...log, entries: log.entries.slice(first), applied: limit },
  };
}

/** With nothing to redo, this step only prevents the next edit from merging with the previous entry. */
const seal: EditStep = { do: 'redo' };

function undone(text: string, entry: EditEntry): string {
  return undoParts(entry).reduce(applyEdits, text);
}

function wouldJoin(before: EditEntry | undefined, { mergeKey }: EditEntry): boolean {
  return mergeKey !== undefined && before?.mergeKey === mergeKey;
}

/** All parts get the time of the last one, so that they merge again. */
function stepsOf(entry: EditEntry): EditStep[] {
  const { label, at, mergeKey } = entry;
  const key = mergeKey === undefined ? {} : { mergeKey };
  return redoParts(entry).map((edits) => ({ do: 'edit', label, at, edits, ...key }));
}

type Edit = Extract<EditStep, { do: 'edit' }>;
type DraftTextEdit = Edit['edits'][number];

/** As in `takeStep`: edits further apart become separate entries. */
const joinMs = 1_000;

/**
 * Merges consecutive steps that would become parts of one entry and continue where the previous one ended. A typed word
 * becomes one step, so that long texts are not rebuilt for every letter.
 * @returns steps that produce the same text, saved text, undo and redo entries, and seal
 */
export function joinSteps(steps: readonly EditStep[]): EditStep[] {
  const joined: EditStep[] = [];
  // Whether the last step is the first part of its entry. Only such steps are merged, because the time of other steps
  // determines which entry they belong to.
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

/**
 * Returns one edit that combines two consecutive edits; undefined if the second does not touch the text written by the
 * first.
 */
function joinEdits({ edits: [first, ...more] }: Edit, { edits: [next, ...others] }: Edit): DraftTextEdit | undefined {
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
