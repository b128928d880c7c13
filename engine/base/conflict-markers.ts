/**
 * Finds git merge conflicts in text.
 */

const conflict = /^<{7}(?: [^\n]*)?\r?\n(?:[^\n]*\n)*?={7}\r?\n(?:[^\n]*\n)*?>{7}(?: [^\n]*)?(?:\r?\n|$)/m;
/** Prompts and code that demonstrate edits use these labels after the markers. */
const exampleLabel = /^<{7} (?:SEARCH|ORIGINAL)\b/;

/** Returns the offset of the first conflict with all three markers at line starts; undefined if there is none. */
export function findConflict(text: string): number | undefined {
  if (!text.includes('<<<<<<<')) return undefined;
  const found = conflict.exec(text);
  return found === null || exampleLabel.test(found[0]) ? undefined : found.index;
}

/** Without a final period, so that messages can continue after it. */
export const conflictReason =
  'Git has left a merge conflict here. Keep one of the two sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>';
export const conflictMessage = `${conflictReason}.`;

/** The text of one side of a merge. */
export interface ConflictSide {
  /** Name of the side as git wrote it, such as a branch. May be empty. */
  readonly name: string;
  readonly text: string;
}

/** Both sides of a merge. */
export interface ConflictSides {
  readonly ours: ConflictSide;
  readonly theirs: ConflictSide;
  /** The text that both sides changed. Null unless all conflicts have it, as in the style `diff3`. */
  readonly base: string | null;
}

/**
 * Returns the text that each side of a merge has, from a text with conflicts. Undefined if the text has no conflict, or
 * if its markers do not form complete conflicts.
 */
export function conflictSides(text: string): ConflictSides | undefined {
  if (findConflict(text) === undefined) return undefined;
  const lines = { ours: [] as string[], base: [] as string[], theirs: [] as string[] };
  const names = { ours: '', theirs: '' };
  const counts = { ours: 0, base: 0, theirs: 0 };
  let side: keyof typeof lines | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = markIn(line, side);
    if (mark === undefined) {
      for (const one of linesFor(side)) lines[one].push(line);
      continue;
    }
    if (!mark.from.includes(side)) return undefined;
    side = mark.to;
    if (side !== undefined) counts[side] += 1;
    if (mark.side !== undefined) names[mark.side] ||= line.slice(8).trim();
  }
  if (side !== undefined) return undefined;
  return {
    ours: { name: names.ours, text: lines.ours.join('') },
    theirs: { name: names.theirs, text: lines.theirs.join('') },
    base: counts.base === counts.ours ? lines.base.join('') : null,
  };
}

/** A conflict in a text. Offsets in UTF-16 units; the end is after the last marker's line. */
export interface ConflictPlace {
  readonly start: number;
  readonly end: number;
  /** The lines of each side. */
  readonly ours: string;
  readonly theirs: string;
}

/** Returns the conflicts of a text, in order. Empty if its markers do not form complete conflicts. */
export function conflictPlaces(text: string): readonly ConflictPlace[] {
  if (conflictSides(text) === undefined) return [];
  const places: ConflictPlace[] = [];
  let lines = { ours: '', base: '', theirs: '' };
  let side: ConflictSection;
  let [start, offset] = [0, 0];
  for (const line of text.split(/(?<=\n)/)) {
    const mark = markIn(line, side);
    if (mark === undefined && side !== undefined) lines[side] += line;
    if (mark?.to === 'ours') {
      start = offset;
      lines = { ours: '', base: '', theirs: '' };
    }
    offset += line.length;
    if (mark !== undefined && mark.to === undefined) {
      const { ours, theirs } = lines;
      places.push({ start, end: offset, ours, theirs });
    }
    if (mark !== undefined) side = mark.to;
  }
  return places;
}

type ConflictSection = 'ours' | 'base' | 'theirs' | undefined;

interface Mark {
  /** The sections in which the marker may appear; undefined for the text outside conflicts. */
  readonly from: readonly ConflictSection[];
  readonly to: ConflictSection;
  /** Whether the line is ordinary text elsewhere, such as the line below a heading. */
  readonly isAlsoText?: true;
  /** The side that the marker names. */
  readonly side?: 'ours' | 'theirs';
}

/** Returns the marker that a line is in a section; undefined for ordinary text. */
function markIn(line: string, side: ConflictSection): Mark | undefined {
  const mark = markOf(line);
  return mark?.isAlsoText === true && !mark.from.includes(side) ? undefined : mark;
}

function markOf(line: string): Mark | undefined {
  const [marker] = /^(?:<{7}(?= |\r?$)|\|{7}(?= |\r?$)|={7}(?=\r?$)|>{7}(?= |\r?$))/m.exec(line) ?? [];
  switch (marker?.[0]) {
    case '<':
      return { from: [undefined], to: 'ours', side: 'ours' };
    case '|':
      return { from: ['ours'], to: 'base', isAlsoText: true };
    case '=':
      return { from: ['ours', 'base'], to: 'theirs', isAlsoText: true };
    case '>':
      return { from: ['theirs'], to: undefined, side: 'theirs' };
    default:
      return undefined;
  }
}

function linesFor(side: ConflictSection): readonly ('ours' | 'base' | 'theirs')[] {
  return side === undefined ? ['ours', 'base', 'theirs'] : [side];
}
