/**
 * A file's edits since it was opened, as a list that can be replayed. It determines the text on screen, undo and redo,
 * and the content of the file. Window and main each have a copy and apply the same steps, and main writes them to a
 * journal.
 */
import { z } from 'zod';
import { applyEdits, invertEdits, type TextEdit } from '../../engine/base/text-edit.ts';

const offset = z.number().int().min(0);
const textEdit = z.strictObject({ start: offset, end: offset, text: z.string() });

export const editStep = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('edit'),
    /** Label in the undo menu, such as "Move 3 nodes". */
    label: z.string().max(200),
    /** Epoch milliseconds. */
    at: z.number(),
    edits: z.array(textEdit).max(100_000).readonly(),
    /**
     * Merges the edit into the previous entry if that entry has the same key and is at most a second old, for example
     * while the user types a word.
     */
    mergeKey: z.exactOptional(z.string().max(200)),
  }),
  z.strictObject({ do: z.literal('undo') }),
  z.strictObject({ do: z.literal('redo') }),
  /**
   * The user saved the file. It now contains `text`, which can differ from the text on screen because the user may have
   * kept typing. If absent, it contains the text on screen.
   */
  z.strictObject({ do: z.literal('saved'), text: z.exactOptional(z.string()) }),
  /** Another program changed the file, which now contains `text`. The text on screen does not change. */
  z.strictObject({ do: z.literal('disk'), text: z.string() }),
]);

/** One step of a file's edits. */
export type EditStep = z.output<typeof editStep>;

interface EditPart {
  readonly edits: readonly TextEdit[];
  readonly inverse: readonly TextEdit[];
}

/** A change that is undone as one unit. */
export interface EditEntry {
  readonly label: string;
  /** Time of the last part, in epoch milliseconds. */
  readonly at: number;
  readonly mergeKey: string | undefined;
  /** Edits in order, each applied to the result of the previous one. */
  readonly parts: readonly EditPart[];
}

export interface EditLog {
  /** The text on screen. */
  readonly text: string;
  /** Content of the file when it was last read or written. */
  readonly savedText: string;
  /** The first `applied` entries are part of the text; the others can be redone. */
  readonly entries: readonly EditEntry[];
  readonly applied: number;
  /** Number of steps taken. */
  readonly version: number;
  /** Whether the next edit must start a new entry. */
  readonly isSealed: boolean;
}

/** Maximum time in milliseconds between edits that are merged into one entry. */
const joinMs = 1_000;

/** Returns the log of a newly read file without edits. */
export function newEditLog(text: string): EditLog {
  return { text, savedText: text, entries: [], applied: 0, version: 0, isSealed: true };
}

/**
 * Returns the log after one more step. A step without effect, such as an undo when there is nothing to undo, also
 * increments the version.
 * @throws RangeError for edits that do not fit the text
 */
export function takeStep(log: EditLog, step: EditStep): EditLog {
  const next = { ...log, version: log.version + 1, isSealed: true };
  switch (step.do) {
    case 'edit':
      return withEdit(log, step);
    case 'undo': {
      const entry = log.entries[log.applied - 1];
      if (entry === undefined) return next;
      return { ...next, text: replay(log.text, undoParts(entry)), applied: log.applied - 1 };
    }
    case 'redo': {
      const entry = log.entries[log.applied];
      if (entry === undefined) return next;
      return { ...next, text: replay(log.text, redoParts(entry)), applied: log.applied + 1 };
    }
    case 'saved':
      return { ...next, savedText: step.text ?? log.text };
    case 'disk':
      return { ...next, savedText: step.text };
  }
}

/** Returns the edits that undo an entry, to be applied in order. */
export function undoParts({ parts }: EditEntry): (readonly TextEdit[])[] {
  return parts.map(({ inverse }) => inverse).reverse();
}

/** Returns the edits that redo an entry, to be applied in order. */
export function redoParts({ parts }: EditEntry): (readonly TextEdit[])[] {
  return parts.map(({ edits }) => edits);
}

/** Returns the edits that a log's next step makes to its text, to be applied in order. */
export function partsOfStep(log: EditLog, step: EditStep): readonly (readonly TextEdit[])[] {
  if (step.do === 'edit') return [step.edits];
  if (step.do !== 'undo' && step.do !== 'redo') return [];
  const entry = log.entries[step.do === 'undo' ? log.applied - 1 : log.applied];
  if (entry === undefined) return [];
  return step.do === 'undo' ? undoParts(entry) : redoParts(entry);
}

function replay(text: string, parts: readonly (readonly TextEdit[])[]): string {
  return parts.reduce(applyEdits, text);
}

function withEdit(log: EditLog, { label, at, edits, mergeKey }: Extract<EditStep, { do: 'edit' }>): EditLog {
  const part: EditPart = { edits, inverse: invertEdits(log.text, edits) };
  const kept = log.entries.slice(0, log.applied);
  const last = kept.at(-1);
  const joins =
    last !== undefined &&
    !log.isSealed &&
    mergeKey !== undefined &&
    last.mergeKey === mergeKey &&
    at - last.at <= joinMs;
  const entry = joins ? { ...last, at, parts: [...last.parts, part] } : { label, at, mergeKey, parts: [part] };
  const entries = [...(joins ? kept.slice(0, -1) : kept), entry];
  return {
    ...log,
    text: applyEdits(log.text, edits),
    entries,
    applied: entries.length,
    version: log.version + 1,
    isSealed: false,
  };
}
