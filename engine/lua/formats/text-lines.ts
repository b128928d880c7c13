/**
 * Lines as scripts mean them.
 */

/** The lines without their ends (`\n` or `\r\n`). An end of the last line begins no further, empty one. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The lines, each with its end as it stands in the text: joined, they give the text. */
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

/** The lines again as text, each ended by `\n`. */
export function textOfLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
