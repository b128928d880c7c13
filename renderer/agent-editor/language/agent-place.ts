/**
 * What a place in the text of an agent file is part of.
 */
import { returnedFields, type Section, type SectionKind, scanAgent } from '../../../engine/isomorphic.ts';

/** Where somebody writes. Offsets are those of the text, whose lines end in `\n`. */
export interface AgentPlace {
  /** `prose`: text that nothing reads, or a line of a section that its fence does not hold. */
  readonly kind: 'heading' | 'lua' | 'toml' | 'prompt' | 'prose';
  /** Of the section around the place; null = none. */
  readonly stage: SectionKind | null;
  /** The script, options or prompt around the place, and where it begins in the text; else the line. */
  readonly code: string;
  readonly codeStart: number;
  /** The line up to the place. */
  readonly before: string;
}

/** Never fails; takes time in proportion to the text. */
export function placeAt(text: string, offset: number): AgentPlace {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const line = countLines(text, lineStart);
  const before = text.slice(lineStart, offset);
  const { sections, unknownHeadings, openFence } = scanAgent(text);
  const section = sections.findLast((one) => one.line <= line);
  const cut = unknownHeadings.findLast((one) => one.line <= line);
  const isCut = cut !== undefined && cut.line > (section?.line ?? 0);
  const stage = section === undefined || isCut ? null : section.kind;
  const ofLine = { stage, before, code: wholeLine(text, lineStart), codeStart: lineStart };
  if (section?.line === line || cut?.line === line) return { kind: 'heading', ...ofLine };
  const block = section === undefined || isCut ? null : blockAround(section, line, openFence !== null);
  if (block === null) return { kind: 'prose', ...ofLine };
  const codeStart = offsetOfLine(text, block.firstLine);
  const code = block.lines.join('\n');
  return { kind: kindOf(section), stage, before, code, codeStart };
}

/** Fields that the scripts of a stage are seen to return: what `data.` and `before_all.` may name. */
export function fieldsOfStage(text: string, stage: 'data' | 'beforeAll'): readonly string[] {
  const blocks = scanAgent(text).sections.flatMap(({ kind, block }) =>
    kind === stage && block !== null ? [block] : [],
  );
  const code = blocks.map(({ lines }) => lines.join('\n')).join('\n');
  const response = stage === 'data' ? 'data_response' : 'before_all_response';
  return returnedFields(code, response).fields.map(({ name }) => name);
}

/** Where a line (from 1) begins. */
function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', offset);
    if (next === -1) return text.length;
    offset = next + 1;
  }
  return offset;
}

function kindOf(section: Section | undefined): 'lua' | 'toml' | 'prompt' {
  if (section?.kind === 'options') return 'toml';
  return section?.kind === 'system' || section?.kind === 'user' || section?.kind === 'assistant' ? 'prompt' : 'lua';
}

/** A prompt, and a fence without an end, go on to the next heading; the file's last, empty line is theirs as well. */
function blockAround({ kind, block }: Section, line: number, isOpen: boolean): Section['block'] {
  if (block === null || line < block.firstLine) return null;
  const isPrompt = kind === 'system' || kind === 'user' || kind === 'assistant';
  return isPrompt || isOpen || line < block.firstLine + block.lines.length ? block : null;
}

function countLines(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function wholeLine(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}
