/**
 * Removes, replaces and extracts lines of text, and normalizes line ends.
 */
import { linesOf } from '../formats/text-lines.ts';
import { scriptError } from '../script-error.ts';

/** Removes the first `count` lines. Returns an empty text if there are fewer line ends. */
export function removeFirstLines(text: string, count: number): string {
  let from = 0;
  for (let left = count; left > 0; left--) {
    const newline = text.indexOf('\n', from);
    if (newline === -1) return '';
    from = newline + 1;
  }
  return text.slice(from);
}

/** Removes the last `count` lines and the line end before them. Returns an empty text if there are fewer line ends. */
export function removeLastLines(text: string, count: number): string {
  let end = text.length;
  for (let left = count; left > 0; left--) {
    const newline = end === 0 ? -1 : text.lastIndexOf('\n', end - 1);
    if (newline === -1) return '';
    end = newline;
  }
  return text.slice(0, end);
}

/** Ends the text with exactly one `\n`. */
export function withSingleNewline(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end--;
  return `${text.slice(0, end)}\n`;
}

const startMarker = '<<START>>';
const endMarker = '<<END>>';

/**
 * Replaces each region from a line with `<<START>>` to a line with `<<END>>`, inclusive, with a section.
 * @throws EngineError `lua.refused-argument` if a marker has no counterpart or there are fewer sections than regions
 */
export function replaceMarkers(text: string, sections: readonly string[]): string {
  const kept: string[] = [];
  let used = 0;
  let isInside = false;
  for (const line of linesOf(text)) {
    const marker = markerIn(line);
    if (marker !== undefined) checkMarker(marker, isInside);
    if (marker === endMarker) kept.push(sectionAt(sections, used++));
    if (marker === undefined && !isInside) kept.push(line);
    if (marker !== undefined) isInside = marker === startMarker;
  }
  if (isInside) throw markerError(startMarker, `without a line with ${endMarker}`);
  return kept.join('\n') + (text.endsWith('\n') ? '\n' : '');
}

function markerIn(line: string): string | undefined {
  return [startMarker, endMarker].find((marker) => line.includes(marker));
}

function checkMarker(marker: string, isInside: boolean): void {
  if (marker === startMarker && isInside)
    throw markerError(marker, `when previous section not closed with ${endMarker}`);
  if (marker === endMarker && !isInside) throw markerError(marker, `when not having open with a ${startMarker}`);
}

function markerError(marker: string, problem: string): Error {
  const kind = marker === startMarker ? 'start' : 'close';
  return scriptError(`replace_markers - Cannot have ${kind} marker ${marker} ${problem}`);
}

function sectionAt(sections: readonly string[], at: number): string {
  const section = sections[at];
  if (section === undefined) throw scriptError('replace_markers - Not enough matching sections');
  return section;
}

/** Adjacent lines with the same prefix, and the text without them. Each line ends with `\n`. */
interface LineBlocks {
  readonly blocks: readonly string[];
  readonly rest: string;
}

/** @param limit maximum number of blocks to extract; later ones remain in the text */
export function extractLineBlocks(text: string, prefix: string, limit = Number.POSITIVE_INFINITY): LineBlocks {
  const blocks: string[][] = [];
  const rest: string[] = [];
  let isInBlock = false;
  for (const line of linesOf(text)) {
    const belongs: boolean = line.startsWith(prefix) && (isInBlock || blocks.length < limit);
    if (belongs && !isInBlock) blocks.push([]);
    (belongs ? blocks.at(-1) : rest)?.push(`${line}\n`);
    isInBlock = belongs;
  }
  return { blocks: blocks.map((lines) => lines.join('')), rest: rest.join('') };
}
