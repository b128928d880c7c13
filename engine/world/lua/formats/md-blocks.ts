/**
 * Fenced code blocks of markdown as packs use them. A fence is three or four backticks at the start of a line; `~~~`
 * and indented fences are not supported.
 */
import { linesOf, textOfLines } from './text-lines.ts';

/** Outside a fence, or inside a fence of three or four backticks. */
export type FenceState = 'out' | 'in3' | 'in4';

/**
 * Returns the state after a line. A fence of three backticks closes at any line that begins with three but not four; a
 * fence of four closes at any line that begins with four.
 */
export function afterLine(state: FenceState, line: string): FenceState {
  if (!line.startsWith('```')) return state;
  const kind: FenceState = line.startsWith('````') ? 'in4' : 'in3';
  if (state === 'out') return kind;
  return state === kind ? 'out' : state;
}

/** Returns the text after the backticks of an opening line, for example `lua`. */
function fenceLabel(line: string): string {
  let from = 0;
  while (line[from] === '`') from++;
  return line.slice(from).trim();
}

/** A code block without its fences. Every line of the content ends with `\n`. */
export type MdBlock = {
  readonly _type: 'MdBlock';
  /** Text after the opening backticks; empty if there is none. */
  readonly lang: string;
  readonly content: string;
};

interface MarkdownPart {
  /** Undefined for text outside blocks and for a block that is never closed. */
  readonly block: MdBlock | undefined;
  readonly isWithFour: boolean;
  /** The original lines, including the fences. */
  readonly lines: readonly string[];
}

function blockPart(lines: readonly string[]): MarkdownPart {
  const opening = lines[0] ?? '';
  const block: MdBlock = { _type: 'MdBlock', lang: fenceLabel(opening), content: textOfLines(lines.slice(1, -1)) };
  return { block, isWithFour: opening.startsWith('````'), lines };
}

/** Splits markdown text into blocks and the text between them, in order. */
export function markdownParts(text: string): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let state: FenceState = 'out';
  let lines: string[] = [];
  const takeText = (): void => {
    if (lines.length > 0) parts.push({ block: undefined, isWithFour: false, lines });
    lines = [];
  };
  for (const line of linesOf(text)) {
    const next = afterLine(state, line);
    if (state === 'out' && next !== 'out') takeText();
    lines.push(line);
    if (state !== 'out' && next === 'out') {
      parts.push(blockPart(lines));
      lines = [];
    }
    state = next;
  }
  takeText();
  return parts;
}

/**
 * Returns the blocks of a markdown text and the text without them, with each line ended by `\n`.
 * @param lang only blocks with exactly this label; `''` for blocks without one; absent for all
 */
export function extractBlocks(text: string, lang?: string): { readonly blocks: MdBlock[]; readonly rest: string } {
  const blocks: MdBlock[] = [];
  const rest: string[] = [];
  for (const { block, lines } of markdownParts(text)) {
    if (block !== undefined && (lang === undefined || block.lang === lang)) blocks.push(block);
    else rest.push(textOfLines(lines));
  }
  return { blocks, rest: rest.join('') };
}

/**
 * Returns the text between the first and the last line that begin with a fence if the text begins with one (after
 * whitespace); otherwise the text unchanged. Intended for responses that are wrapped in one block, whatever the block
 * contains.
 */
export function outerBlockContent(text: string): string {
  const lines = linesOf(text.trim());
  const last = lines.findLastIndex((line) => line.startsWith('```'));
  return lines[0]?.startsWith('```') && last > 0 ? textOfLines(lines.slice(1, last)) : text;
}
