/**
 * Merge conflicts that git has left in a text.
 */

const conflict = /^<{7}(?: [^\n]*)?\r?\n(?:[^\n]*\n)*?={7}\r?\n(?:[^\n]*\n)*?>{7}(?: [^\n]*)?(?:\r?\n|$)/m;
/** Prompts and code that show how a text is to be changed have these words behind their marks. */
const exampleLabel = /^<{7} (?:SEARCH|ORIGINAL)\b/;

/** Where the first conflict begins, all three of its marks at the beginnings of lines; undefined without one. */
export function findConflict(text: string): number | undefined {
  if (!text.includes('<<<<<<<')) return undefined;
  const found = conflict.exec(text);
  return found === null || exampleLabel.test(found[0]) ? undefined : found.index;
}

/** Without a period at its end, for messages that continue. */
export const conflictReason =
  'Git has left a merge conflict here. Keep one of the two sides, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>';
export const conflictMessage = `${conflictReason}.`;
