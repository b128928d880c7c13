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
