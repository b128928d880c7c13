/**
 * The shortest list of steps that leads to the same log: what a journal is replaced by, and what a window is handed.
 */
import { type EditEntry, type EditLog, type EditStep, redoParts, undoParts } from '../../ipc/edit-log.ts';
import { applyEdits } from '../../ipc/engine-base.ts';

export interface LogSource {
  readonly baseText: string;
  readonly steps: readonly EditStep[];
}

/**
 * A base text and steps that give the same text, saved text, entries and seal as the log; its version becomes their number.
 * @param undoLimit how many entries that can be undone are kept, the latest ones; what can be redone is kept as a whole
 */
export function compactLog(log: EditLog, undoLimit = Number.POSITIVE_INFINITY): LogSource {
  const first = Math.max(0, log.applied - undoLimit);
  const kept = log.entries.slice(first);
  const baseText = log.entries.slice(first, log.applied).reduceRight(undone, log.text);
  const undos = Array<EditStep>(log.entries.length - log.applied).fill({ do: 'undo' });
  const steps: EditStep[] = log.savedText === baseText ? [] : [{ do: 'disk', text: log.savedText }];
  for (const [index, entry] of kept.entries()) {
    if (index > 0 && wouldJoin(kept[index - 1], entry)) steps.push(seal);
    steps.push(...stepsOf(entry));
  }
  steps.push(...undos);
  if (log.isSealed && steps.at(-1)?.do === 'edit') steps.push(seal);
  return { baseText, steps };
}

/** With nothing to redo this only keeps the next edit from joining the entry before it. */
const seal: EditStep = { do: 'redo' };

function undone(text: string, entry: EditEntry): string {
  return undoParts(entry).reduce(applyEdits, text);
}

function wouldJoin(before: EditEntry | undefined, { mergeKey }: EditEntry): boolean {
  return mergeKey !== undefined && before?.mergeKey === mergeKey;
}

/** All parts have the time of the last one, so they join again. */
function stepsOf(entry: EditEntry): EditStep[] {
  const { label, at, mergeKey } = entry;
  const key = mergeKey === undefined ? {} : { mergeKey };
  return redoParts(entry).map((edits) => ({ do: 'edit', label, at, edits, ...key }));
}
