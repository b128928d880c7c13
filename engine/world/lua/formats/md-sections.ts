/**
 * Splits markdown at its headings, for `aip.file.load_md_sections` and `load_md_split_first`.
 */
import { scriptError } from '../script-error.ts';
import { afterLine, type FenceState } from './md-blocks.ts';
import { linesOf, rawLinesOf, textOfLines } from './text-lines.ts';

/**
 * A heading and the text after it. For text before the first heading, the heading fields are empty and the level is 0.
 */
export type MdSection = {
  readonly _type: 'MdSection';
  /** The text without the heading; every line ends with `\n`. */
  readonly content: string;
  /** The heading line with `\n`. */
  readonly heading_raw: string;
  readonly heading_content: string;
  /** Heading level, 1 to 6. */
  readonly heading_level: number;
  readonly heading_name: string;
};

type MdSplit = {
  /** Always empty, because text before the first heading counts as the first section. */
  readonly before: string;
  /** Absent for an empty text. */
  readonly first?: MdSection;
  /** The original text from the second section on. */
  readonly after: string;
};

interface Heading {
  readonly level: number;
  readonly name: string;
}

interface MarkdownSectionPart {
  readonly line: string | undefined;
  readonly heading: Heading | undefined;
  readonly content: string[];
}

/** Parses `#` to `######` followed by whitespace or the line end; undefined if the line is not a heading. */
function headingOf(line: string): Heading | undefined {
  let level = 0;
  while (line[level] === '#') level++;
  const rest = line.slice(level);
  if (level === 0 || level > 6 || (rest !== '' && rest.trimStart() === rest)) return undefined;
  return { level, name: rest.trim() };
}

/** Splits the text at every heading outside code fences. The first piece may have no heading. */
function piecesOf(text: string): MarkdownSectionPart[] {
  const pieces: MarkdownSectionPart[] = [];
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

function sectionOf({ line, heading, content }: MarkdownSectionPart): MdSection {
  return {
    _type: 'MdSection',
    content: textOfLines(content),
    heading_raw: line === undefined ? '' : `${line}\n`,
    heading_content: line ?? '',
    heading_level: heading?.level ?? 0,
    heading_name: heading?.name ?? '',
  };
}

/** `''` selects the text before the first heading, as level 0. */
function wantedOf(heading: string): Heading {
  if (heading === '') return { level: 0, name: '' };
  const wanted = headingOf(heading);
  if (wanted === undefined) throw scriptError(`read_md_section - ref '${heading}' is not a valid markdown heading`);
  return wanted;
}

/**
 * Returns the sections of a markdown text in order.
 * @param headings the sections to return, as whole headings (`# Intro`, `## API`) that must match in level and name;
 * `''` for the text before the first heading. A requested section includes its subsections, up to a heading of the same
 * or a higher level. If absent or empty, all sections are returned, each up to the next heading.
 * @throws EngineError `lua.refused-argument` if one of `headings` is not a heading
 */
export function mdSections(text: string, headings: readonly string[] = []): MdSection[] {
  const pieces = piecesOf(text);
  if (headings.length === 0) return pieces.map(sectionOf);
  const wanted = headings.map(wantedOf);
  const found: MarkdownSectionPart[] = [];
  let open: MarkdownSectionPart | undefined;
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

/** Returns the first section and the text after it. */
export function mdSplitFirst(text: string): MdSplit {
  const first = piecesOf(text)[0];
  if (first === undefined) return { before: '', after: '' };
  const taken = first.content.length + (first.line === undefined ? 0 : 1);
  return { before: '', first: sectionOf(first), after: rawLinesOf(text).slice(taken).join('') };
}
