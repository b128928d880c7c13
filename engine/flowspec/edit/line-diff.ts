/**
 * Changes of a text by lines, as people read them.
 */
import { alignLists } from './align-lists.ts';

/** The lines that went, with `-` before them, and those that came, with `+`, by their places. */
export function diffLines(before: string, after: string): readonly string[] {
  const old = before.split('\n');
  const now = after.split('\n');
  const origins = alignLists(old, now, () => false);
  const lines: string[] = [];
  let came: string[] = [];
  let next = 0;
  const goTo = (origin: number): void => {
    lines.push(...old.slice(next, origin).map((gone) => `-${gone}`), ...came);
    came = [];
    next = origin + 1;
  };
  for (const [index, line] of now.entries()) {
    const origin = origins[index];
    if (origin === undefined) came.push(`+${line}`);
    else goTo(origin);
  }
  goTo(old.length);
  return lines;
}
