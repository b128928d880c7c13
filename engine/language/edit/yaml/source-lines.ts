/**
 * Finds lines in text by offset. Lines end with LF or CRLF.
 */

/** Returns the start of the line at an offset. */
export function lineStart(source: string, offset: number): number {
  return offset === 0 ? 0 : source.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the end of the line at an offset, before its line break. */
export function lineEnd(source: string, offset: number): number {
  const end = source.indexOf('\n', offset);
  if (end === -1) return source.length;
  return end > offset && source[end - 1] === '\r' ? end - 1 : end;
}

/** Returns the start of the line after an offset; undefined for the last line. */
export function nextLine(source: string, offset: number): number | undefined {
  const end = source.indexOf('\n', offset);
  return end === -1 ? undefined : end + 1;
}

/** Returns the number of characters before an offset in its line. */
export function columnOf(source: string, offset: number): number {
  return offset - lineStart(source, offset);
}

/** Whether only spaces precede an offset on its line. */
export function isFirstInLine(source: string, offset: number): boolean {
  return source.slice(lineStart(source, offset), offset).trim() === '';
}

/** Describes the content of the line that starts at `start`. `indent` is the number of leading spaces. */
export function classifyLine(
  source: string,
  start: number,
): { readonly kind: 'blank' | 'comment' | 'content'; readonly indent: number } {
  let indent = 0;
  while (source[start + indent] === ' ' || source[start + indent] === '\t') indent++;
  const first = source[start + indent];
  if (first === undefined || first === '\n' || first === '\r') return { kind: 'blank', indent };
  return { kind: first === '#' ? 'comment' : 'content', indent };
}

/** Returns the line break for a new line after an offset: its line's, otherwise the previous line's, otherwise LF. */
export function lineEndingAt(source: string, offset: number): string {
  let end = source.indexOf('\n', offset);
  if (end === -1) end = source.lastIndexOf('\n');
  return end > 0 && source[end - 1] === '\r' ? '\r\n' : '\n';
}
