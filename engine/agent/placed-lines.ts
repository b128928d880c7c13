/**
 * Parts of a file put together so that each line keeps its number: whoever reads the result and names a line, names a
 * line of the file.
 */
import type { LineBlock } from './agent-scanner.ts';

export interface PlacedLines {
  /** Blank lines stand for what is left out; each line ends in a line feed. */
  readonly text: string;
  /** Line of the file, from 1, on which the first line of the first block stands. */
  readonly line: number;
}

/** Puts blocks that follow each other in a file together; null when they have no line at all. */
export function placeLines(blocks: readonly LineBlock[]): PlacedLines | null {
  const pieces: string[] = [];
  let line: number | undefined;
  let next = 1;
  for (const { firstLine, lines } of blocks) {
    if (lines.length === 0) continue;
    line ??= firstLine;
    pieces.push('\n'.repeat(firstLine - next), lines.join('\n'), '\n');
    next = firstLine + lines.length;
  }
  return line === undefined ? null : { text: pieces.join(''), line };
}
