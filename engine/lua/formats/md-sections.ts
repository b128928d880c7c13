/**
 * Markdown cut at its headings, for `aip.file.load_md_sections` and `load_md_split_first`.
 */
import { scriptError } from '../script-error.ts';
import { afterLine, type FenceState } from './md-blocks.ts';
import { linesOf, rawLinesOf, textOfLines } from './text-lines.ts';

/** A heading and what follows it. Without a heading (text before the first one) its texts are empty and its level 0. */
export type MdSection = {
  readonly _type: 'MdSection';
  /** Without the heading; every line ends with `\n`. */
  readonly content: string;
  /** The line of the heading with `\n`. */
  readonly heading_raw: string;
  readonly heading_content: string;
  /** 1 to 6. */
  readonly heading_level: number;
  readonly heading_name: string;
};

type MdSplit = {
  /** Always empty: text before the first heading counts as the first section. */
  readonly before: string;
  /** Absent for an empty text. */
  readonly first?: MdSection;
  /** All from the second section on, as it stands. */
  readonly after: string;
};

interface Heading {
  readonly level: number;
  readonly name: string;
}

interface Piece {
  readonly line: string | undefined;
  readonly heading: Heading | undefined;
  readonly content: string[];
}

/** `#` to `######`, then white space or nothing; undefined = no heading. */
function headingOf(line: string): Heading | undefined {
  let level = 0;
  while (line[level] === '#') level++;
  const rest = line.slice(level);
  if (level === 0 || level > 6 || (rest !== '' && rest.trimStart() === rest)) return undefined;
  return { level, name: rest.trim() };
}

/** The text cut at every heading outside of code fences; the first piece may have none. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let fence: FenceState = 'out';
  for (const line of linesOf(text)) {
    fence = afterLine(fence, line);
    const heading = fence === 'out' ? headingOf(line) : undefined;
    if (heading !== undefined) pieces.push({ line, heading, content: [] });
    else if (pieces.length === 0) pieces.push({ line: undefined, heading: undefined, content: [line] });
    else pieces.at(-1)?.content.push(line);
  }
  return pieces;
}

function sectionOf({ line, heading, content }: Piece): MdSection {
  return {
    _type: 'MdSection',
    content: textOfLines(content),
    heading_raw: line === undefined ? '' : `${line}\n`,
    heading_content: line ?? '',
    heading_level: heading?.level ?? 0,
    heading_name: heading?.name ?? '',
  };
}

/** `''` stands for the text before the first heading, as level 0. */
function wantedOf(heading: string): Heading {
  if (heading === '') return { level: 0, name: '' };
  const wanted = headingOf(heading);
  if (wanted === undefined) throw scriptError(`read_md_section - ref '${heading}' is not a valid markdown heading`);
  return wanted;
}

/**
 * The sections of a markdown text, in its order.
 * @param headings which ones, as whole headings (`# Intro`, `## API`), level and name exact; `''` = the text before the
 * first heading. A section that was asked for holds all that stands below it, up to a heading of its level or a higher
 * one. Absent or empty = all of them, each up to the next heading.
 * @throws EngineError `lua.refused-argument` when one of `headings` is none
 */
export function mdSections(text: string, headings: readonly string[] = []): MdSection[] {
  const pieces = piecesOf(text);
  if (headings.length === 0) return pieces.map(sectionOf);
  const wanted = headings.map(wantedOf);
  const found: Piece[] = [];
  let open: Piece | undefined;
  for (const piece of pieces) {
    const { level, name } = piece.heading ?? { level: 0, name: '' };
    if (open?.heading !== undefined && level > open.heading.level) {
      open.content.push(piece.line ?? '');
      for (const line of piece.content) open.content.push(line);
      continue;
    }
    open = wanted.some((one) => one.level === level && one.name === name) ? piece : undefined;
    if (open !== undefined) found.push(open);
  }
  return found.map(sectionOf);
}

/** The first section, and what stands behind it. */
export function mdSplitFirst(text: string): MdSplit {
  const first = piecesOf(text)[0];
  if (first === undefined) return { before: '', after: '' };
  const taken = first.content.length + (first.line === undefined ? 0 : 1);
  return { before: '', first: sectionOf(first), after: rawLinesOf(text).slice(taken).join('') };
}
