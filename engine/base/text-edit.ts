/**
 * Changes of a text as data: small replacements that can be applied, taken back, and carried over other changes.
 */

/** Replaces the characters from `start` to `end` (offsets in UTF-16 units, end exclusive) by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies edits, whose offsets all belong to the text as it was before any of them.
 * @param edits by `start`, not overlapping; several insertions at one place stand in their order
 * @throws RangeError when they overlap, are out of order or outside the text
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

/** The edits that take `edits` back: applied to what `applyEdits(text, edits)` gives, they give `text` again. */
export function invertEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0;
  return edits.map(({ start, end, text: inserted }) => {
    const place = start + shift;
    shift += inserted.length - (end - start);
    return { start: place, end: place + inserted.length, text: text.slice(start, end) };
  });
}

/**
 * Where an offset of the old text lies in the new one. Inside of what was replaced it becomes the end of the replacement.
 * @param bias at the place of an insertion: stay `before` it or go `after` it
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
 * Carries edits over others that were made to the same text first: applied after `over`, they do what they meant. What both
 * replaced is replaced once more.
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

/** The one edit that leads from a text to another: what differs between their common start and end; null = nothing. */
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
