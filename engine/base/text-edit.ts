/**
 * Represents text changes as data: small replacements that can be applied, inverted, and rebased onto other changes.
 */

/** Replaces the characters from `start` to `end` (offsets in UTF-16 units, exclusive end) with `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies edits with offsets relative to the original text.
 * @param edits sorted by `start`, not overlapping; several insertions at one offset keep their order
 * @throws RangeError if they overlap, are out of order or outside the text
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let last = 0;
  for (const { start, end, text: inserted } of edits) {
    if (start < last || end < start || end > text.length) {
      throw new RangeError(`No edit from ${start} to ${end} in a text of ${text.length} after place ${last}`);
    }
    pieces.push(text.slice(last, start), inserted);
    last = end;
  }
  pieces.push(text.slice(last));
  return pieces.join('');
}

/** Returns the edits that undo `edits`. Applied to `applyEdits(text, edits)`, they restore `text`. */
export function invertEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0;
  return edits.map(({ start, end, text: inserted }) => {
    const place = start + shift;
    shift += inserted.length - (end - start);
    return { start: place, end: place + inserted.length, text: text.slice(start, end) };
  });
}

/**
 * Maps an offset in the old text to an offset in the new text. An offset inside replaced text is mapped to the end of
 * the replacement.
 * @param bias whether an offset at an insertion stays `before` it or moves `after` it
 */
export function mapOffset(offset: number, edits: readonly TextEdit[], bias: 'before' | 'after'): number {
  let shift = 0;
  for (const { start, end, text } of edits) {
    if (offset < start || (offset === start && bias === 'before')) break;
    if (offset < end) return start + shift + text.length;
    shift += text.length - (end - start);
  }
  return offset + shift;
}

/**
 * Rebases edits onto others that were applied to the same text first, so that they have the same effect after `over`.
 * Text that both replace is replaced again.
 */
export function rebaseEdits(edits: readonly TextEdit[], over: readonly TextEdit[]): TextEdit[] {
  let last = 0;
  return edits.map(({ start, end, text }) => {
    const newStart = Math.max(last, mapOffset(start, over, 'after'));
    const newEnd = Math.max(newStart, start === end ? newStart : mapOffset(end, over, 'before'));
    last = newEnd;
    return { start: newStart, end: newEnd, text };
  });
}

/**
 * Returns the single edit that turns one text into another by replacing the part between their common start and end;
 * null if they are equal.
 */
export function editBetween(before: string, after: string): TextEdit | null {
  if (before === after) return null;
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < least - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}
