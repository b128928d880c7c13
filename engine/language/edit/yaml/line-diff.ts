/**
 * Line-based diff of two texts, for display.
 */
import { alignLists } from './align-lists.ts';

/** Returns removed lines with a `-` prefix and added lines with a `+` prefix, in order. */
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
