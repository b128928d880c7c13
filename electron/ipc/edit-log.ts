/**
 * The edits of one file since it was opened, as a list that can be replayed: the text on screen, undo and redo, and what
 * the file holds follow from it. Window and main each keep one and take the same steps, and main writes them to a journal.
 */
import { z } from 'zod';
import { applyEdits, invertEdits, type TextEdit } from '../../engine/base/text-edit.ts';

const offset = z.number().int().min(0);
const textEdit = z.strictObject({ start: offset, end: offset, text: z.string() });

export const editStep = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('edit'),
    /** For the undo menu: "Move 3 nodes". */
    label: z.string().max(200),
    /** Epoch milliseconds. */
    at: z.number(),
    edits: z.array(textEdit).max(100_000).readonly(),
    /** Joins the entry before it when that has the same key and is at most a second old: the letters of a word. */
    mergeKey: z.exactOptional(z.string().max(200)),
  }),
  z.strictObject({ do: z.literal('undo') }),
  z.strictObject({ do: z.literal('redo') }),
  /** The person saved the file: it holds the text on screen now, or that from before they typed on. */
  z.strictObject({ do: z.literal('saved'), text: z.exactOptional(z.string()) }),
  /** Others changed the file: it holds this text now. The text on screen stays. */
  z.strictObject({ do: z.literal('disk'), text: z.string() }),
]);

/** One step of a file's edits. */
export type EditStep = z.output<typeof editStep>;

interface EditPart {
  readonly edits: readonly TextEdit[];
  readonly inverse: readonly TextEdit[];
}

/** What one undo takes back. */
export interface EditEntry {
  readonly label: string;
  /** Of its last part, epoch milliseconds. */
  readonly at: number;
  readonly mergeKey: string | undefined;
  /** In the order in which they were made, each to the text that the one before it gave. */
  readonly parts: readonly EditPart[];
}

export interface EditLog {
  /** The text on screen. */
  readonly text: string;
  /** What the file held when it was last read or written. */
  readonly savedText: string;
  /** The first `applied` of them are in the text, the others can be redone. */
  readonly entries: readonly EditEntry[];
  readonly applied: number;
  /** How many steps were taken. */
  readonly version: number;
  /** Whether the next edit must not join the entry before it. */
  readonly isSealed: boolean;
}

/** Edits closer together than this may be one entry. */
const joinMs = 1_000;

/** A file as it was read, with no edits yet. */
export function newEditLog(text: string): EditLog {
  return { text, savedText: text, entries: [], applied: 0, version: 0, isSealed: true };
}

/**
 * The log after one more step. A step that changes nothing, such as an undo with nothing to undo, counts all the same.
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

/** The edits that undo an entry, to be made one after the other. */
export function undoParts({ parts }: EditEntry): (readonly TextEdit[])[] {
  return parts.map(({ inverse }) => inverse).reverse();
}

/** The edits that do an entry again, to be made one after the other. */
export function redoParts({ parts }: EditEntry): (readonly TextEdit[])[] {
  return parts.map(({ edits }) => edits);
}

/** What the next step of a log does to its text: edits to be made one after the other. */
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
