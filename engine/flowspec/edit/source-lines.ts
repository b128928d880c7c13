/**
 * Lines of a text by the offsets of what stands in them. Lines end with LF or CRLF.
 */

/** Where the line of an offset begins. */
export function lineStart(source: string, offset: number): number {
  return offset === 0 ? 0 : source.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line of an offset ends, before its line ending. */
export function lineEnd(source: string, offset: number): number {
  const end = source.indexOf('\n', offset);
  if (end === -1) return source.length;
  return end > offset && source[end - 1] === '\r' ? end - 1 : end;
}

/** Where the line after that of an offset begins; undefined in the last one. */
export function nextLine(source: string, offset: number): number | undefined {
  const end = source.indexOf('\n', offset);
  return end === -1 ? undefined : end + 1;
}

/** How many signs stand before an offset in its line. */
export function columnOf(source: string, offset: number): number {
  return offset - lineStart(source, offset);
}

/** True when only blanks stand before an offset in its line. */
export function isFirstInLine(source: string, offset: number): boolean {
  return source.slice(lineStart(source, offset), offset).trim() === '';
}

/** The line that begins at `start`, as to what it holds. `indent` = its blanks at the start. */
export function lookAtLine(
  source: string,
  start: number,
): { readonly kind: 'blank' | 'comment' | 'content'; readonly indent: number } {
  let indent = 0;
  while (source[start + indent] === ' ' || source[start + indent] === '\t') indent++;
  const first = source[start + indent];
  if (first === undefined || first === '\n' || first === '\r') return { kind: 'blank', indent };
  return { kind: first === '#' ? 'comment' : 'content', indent };
}

/** The line ending that a new line behind an offset takes: that of its line, else that of the line before, else LF. */
export function lineEndingAt(source: string, offset: number): string {
  let end = source.indexOf('\n', offset);
  if (end === -1) end = source.lastIndexOf('\n');
  return end > 0 && source[end - 1] === '\r' ? '\r\n' : '\n';
}
