/**
 * Fenced blocks of markdown, as packs use them: a fence is three or four backticks at the begin of a line. `~~~` and
 * indented fences are none.
 */
import { linesOf, textOfLines } from './text-lines.ts';

/** Inside of no fence, of one with three, of one with four backticks. */
export type FenceState = 'out' | 'in3' | 'in4';

/**
 * The state after a line. A fence of three closes at any line that begins with three, but not four backticks; one of
 * four at any that begins with four.
 */
export function afterLine(state: FenceState, line: string): FenceState {
  if (!line.startsWith('```')) return state;
  const kind: FenceState = line.startsWith('````') ? 'in4' : 'in3';
  if (state === 'out') return kind;
  return state === kind ? 'out' : state;
}

/** What stands behind the backticks of an opening line, for example `lua`. */
function fenceLabel(line: string): string {
  let from = 0;
  while (line[from] === '`') from++;
  return line.slice(from).trim();
}

/** A block without its fences; every line of the content ends with `\n`. */
export type MdBlock = {
  readonly _type: 'MdBlock';
  /** What stands behind the opening backticks; empty when nothing does. */
  readonly lang: string;
  readonly content: string;
};

interface MarkdownPart {
  /** Undefined for text outside of blocks, and for a block that is never closed. */
  readonly block: MdBlock | undefined;
  readonly isWithFour: boolean;
  /** The lines as they stand, with the fences. */
  readonly lines: readonly string[];
}

function blockPart(lines: readonly string[]): MarkdownPart {
  const opening = lines[0] ?? '';
  const block: MdBlock = { _type: 'MdBlock', lang: fenceLabel(opening), content: textOfLines(lines.slice(1, -1)) };
  return { block, isWithFour: opening.startsWith('````'), lines };
}

/** A markdown text as blocks and what stands between them, in its order. */
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
 * The blocks of a markdown text, and the text without them, each line ended by `\n`.
 * @param lang only blocks with exactly this label; `''` = those without one; absent = all
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
 * What stands between the first and the last line that begin with a fence, when the text begins with one (white space
 * aside); else the text as it is. Meant for answers that are wrapped in one block, whatever is in it.
 */
export function outerBlockContent(text: string): string {
  const lines = linesOf(text.trim());
  const last = lines.findLastIndex((line) => line.startsWith('```'));
  return lines[0]?.startsWith('```') && last > 0 ? textOfLines(lines.slice(1, last)) : text;
}
