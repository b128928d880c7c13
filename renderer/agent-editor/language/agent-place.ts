/**
 * Determines which part of an agent file a position belongs to.
 */
import { returnedFields, type Section, type SectionKind, scanAgent } from '../../../engine/isomorphic.ts';

/** A position in the text. Offsets refer to text with the line end `\n`. */
export interface AgentTextContext {
  /** `prose`: text that is not read, or a line of a section outside its fence. */
  readonly kind: 'heading' | 'lua' | 'toml' | 'prompt' | 'prose';
  /** Stage of the section around the position; null if there is none. */
  readonly stage: SectionKind | null;
  /** The script, options or prompt around the position, and its offset in the text; otherwise the line. */
  readonly code: string;
  readonly codeStart: number;
  /** The line up to the position. */
  readonly before: string;
}

/** Describes the position at an offset. Never fails and runs in linear time. */
export function placeAt(text: string, offset: number): AgentTextContext {
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

/** Returns the fields that the scripts of a stage return, which `data.` and `before_all.` can refer to. */
export function fieldsOfStage(text: string, stage: 'data' | 'beforeAll'): readonly string[] {
  const blocks = scanAgent(text).sections.flatMap(({ kind, block }) =>
    kind === stage && block !== null ? [block] : [],
  );
  const code = blocks.map(({ lines }) => lines.join('\n')).join('\n');
  const response = stage === 'data' ? 'data_response' : 'before_all_response';
  return returnedFields(code, response).fields.map(({ name }) => name);
}

/** Returns the offset of a line (from 1). */
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

/**
 * A prompt, and a fence that is never closed, extend to the next heading. The empty last line of the file belongs to
 * them too.
 */
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
