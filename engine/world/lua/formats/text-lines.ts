/**
 * Splits text into lines and joins them, by the rules that scripts see.
 */

/**
 * Returns the lines without their ends (`\n` or `\r\n`). A line end after the last line does not start another (empty)
 * line.
 */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns the lines with their original ends; joined, they are the text. */
export function rawLinesOf(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(from, next));
    from = next;
  }
  return lines;
}

/** Joins lines into text, each ending with `\n`. */
export function textOfLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
