/**
 * The shortest list of steps that leads to the same log: what a journal is replaced by, and what a window is handed.
 */
import { type EditEntry, type EditLog, type EditStep, redoParts, undoParts } from '../../ipc/edit-log.ts';
import { applyEdits } from '../../ipc/engine-base.ts';
import { joinSteps } from './join-steps.ts';

/** Where a log begins: its text with all entries undone. */
interface RootedLog {
  readonly baseText: string;
  readonly log: EditLog;
}

export interface LogSource {
  readonly baseText: string;
  readonly steps: readonly EditStep[];
}

/** Steps on the base text that give the same text, saved text, undo, redo and seal as the log; its version becomes their number. */
export function compactLog({ baseText, log }: RootedLog): LogSource {
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

/** The same log without its oldest entries. @param limit how many stay that can be undone; what can be redone stays as a whole */
export function forgetOldUndo({ baseText, log }: RootedLog, limit: number): RootedLog {
  const first = log.applied - limit;
  if (first <= 0) return { baseText, log };
  return {
    baseText: log.entries.slice(first, log.applied).reduceRight(undone, log.text),
    log: { ...log, entries: log.entries.slice(first), applied: limit },
  };
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
