/**
 * Splits an agent file into sections and the lines that each section captures. The rules are those of the format, not
 * of Markdown: headings count only at column 0 and outside fences, and a fence is three or four backticks at column 0.
 */
import type { PromptPart, ScriptName } from './agent-doc.ts';

type PromptRole = PromptPart['role'];

/** The section type of a level-1 heading. */
export type SectionKind = 'options' | ScriptName | PromptRole;

/** Consecutive lines of the file. */
export interface LineBlock {
  /** File line, from 1, of the first of these lines, or where it would be. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** A known heading and the lines it captures. */
export interface Section {
  readonly kind: SectionKind;
  /** File line of the heading, from 1. */
  readonly line: number;
  /** The heading as written. */
  readonly heading: string;
  /** Text between its first pair of backticks, in lowercase; null if there is none. Only for prompts. */
  readonly optionText: string | null;
  /**
   * For a prompt: all lines up to the next heading. Otherwise: the lines of the first matching fence; null if there is
   * none.
   */
  readonly block: LineBlock | null;
  /** Line of a second matching fence, which is ignored. */
  readonly extraFenceLine: number | null;
}

/** A level-1 heading that does not start a known section, and ends the capture. */
export interface UnknownHeading {
  readonly line: number;
  readonly heading: string;
  /** The prompt that it cuts off; null if no prompt was being captured. */
  readonly cutPrompt: Section | null;
}

/** A fence closed by a line that looks like the start of another fence. */
interface EarlyClose {
  readonly line: number;
  readonly text: string;
  readonly openedOnLine: number;
}

/** Result of scanning all lines once. */
export interface AgentScan {
  /** Sections in file order. */
  readonly sections: readonly Section[];
  readonly unknownHeadings: readonly UnknownHeading[];
  readonly earlyCloses: readonly EarlyClose[];
  /** The fence that is still open at the end of the file. */
  readonly openFence: { readonly line: number; readonly text: string } | null;
}

const promptKinds = new Map<string, PromptRole>([
  ['system', 'system'],
  ['instruction', 'user'],
  ['user', 'user'],
  ['inst', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['mind trick', 'assistant'],
  ['jedi trick', 'assistant'],
]);

const fencedKinds = new Map<string, 'options' | ScriptName>([
  ['options', 'options'],
  ['before all', 'beforeAll'],
  ['data', 'data'],
  ['output', 'output'],
  ['after all', 'afterAll'],
]);

/** All headings that start a section, in lowercase. */
export const knownHeadings: readonly string[] = [...fencedKinds.keys(), ...promptKinds.keys()];

/** Normalizes a heading for comparison: without `#`, trimmed, in lowercase. */
export function headingName(heading: string): string {
  return heading.slice(1).trim().toLowerCase();
}

/** Returns the section type of a level-1 heading; null if it is unknown. */
export function headingKind(heading: string): SectionKind | null {
  return openSection(heading, 0)?.kind ?? null;
}

/** Returns the language with which such a section's fence must start; null for a prompt. */
export function fenceLanguage(kind: SectionKind): 'toml' | 'lua' | null {
  if (kind === 'options') return 'toml';
  return kind === 'system' || kind === 'user' || kind === 'assistant' ? null : 'lua';
}

/**
 * Finds the sections of an agent file in linear time. Never throws.
 * @param text lines end in `\n` or `\r\n`; a byte order mark is skipped
 */
export function scanAgent(text: string): AgentScan {
  const scanner = new AgentScanner();
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) scanner.read(line.endsWith('\r') ? line.slice(0, -1) : line);
  return scanner.end();
}

interface OpenFence {
  /** Whether the fence has four or more backticks. Only a fence of the same width closes it. */
  readonly isWide: boolean;
  readonly line: number;
  readonly text: string;
}

interface OpenSection extends Section {
  block: { firstLine: number; lines: string[] } | null;
  extraFenceLine: number | null;
}

class AgentScanner {
  readonly #sections: OpenSection[] = [];
  readonly #unknownHeadings: UnknownHeading[] = [];
  readonly #earlyCloses: EarlyClose[] = [];
  #line = 0;
  #fence: OpenFence | null = null;
  #section: OpenSection | null = null;
  /** Whether the open fence is the one captured by the section. */
  #isCapturing = false;

  read(text: string): void {
    this.#line += 1;
    if (this.#fence === null && text.startsWith('#') && !text.startsWith('##')) {
      this.#readHeading(text);
      return;
    }
    const wasOpen = this.#fence !== null;
    this.#moveFence(text);
    if (this.#section !== null) this.#capture(this.#section, text, wasOpen);
  }

  end(): AgentScan {
    return {
      sections: this.#sections,
      unknownHeadings: this.#unknownHeadings,
      earlyCloses: this.#earlyCloses,
      openFence: this.#fence,
    };
  }

  #readHeading(heading: string): void {
    const opened = openSection(heading, this.#line);
    if (opened === null) {
      const isPrompt = this.#section !== null && fenceLanguage(this.#section.kind) === null;
      this.#unknownHeadings.push({ line: this.#line, heading, cutPrompt: isPrompt ? this.#section : null });
    } else {
      this.#sections.push(opened);
    }
    this.#section = opened;
    this.#isCapturing = false;
  }

  #moveFence(text: string): void {
    if (!text.startsWith('```')) return;
    const isWide = text.startsWith('````');
    if (this.#fence === null) {
      this.#fence = { isWide, line: this.#line, text };
    } else if (this.#fence.isWide === isWide) {
      if (/[^`\s]/.test(text)) this.#earlyCloses.push({ line: this.#line, text, openedOnLine: this.#fence.line });
      this.#fence = null;
    }
  }

  #capture(section: OpenSection, text: string, wasOpen: boolean): void {
    const language = fenceLanguage(section.kind);
    if (language === null) section.block?.lines.push(text);
    else if (!wasOpen) this.#enterFence(section, text, language);
    else if (this.#fence === null) this.#isCapturing = false;
    else if (this.#isCapturing) section.block?.lines.push(text);
  }

  #enterFence(section: OpenSection, text: string, language: string): void {
    if (!text.startsWith(`\`\`\`${language}`) && !text.startsWith(`\`\`\`\`${language}`)) return;
    if (section.block === null) {
      section.block = { firstLine: this.#line + 1, lines: [] };
      this.#isCapturing = true;
    } else {
      section.extraFenceLine ??= this.#line;
    }
  }
}

/** Returns the section that a heading opens; null if the heading is unknown. */
function openSection(heading: string, line: number): OpenSection | null {
  const name = headingName(heading);
  const fenced = fencedKinds.get(name);
  if (fenced !== undefined) {
    return { kind: fenced, line, heading, optionText: null, block: null, extraFenceLine: null };
  }
  const [title, optionText] = splitOptionText(name);
  const role = promptKinds.get(title);
  if (role === undefined) return null;
  return { kind: role, line, heading, optionText, block: { firstLine: line + 1, lines: [] }, extraFenceLine: null };
}

/**
 * Splits ``user `cache = true` `` into `user` and `cache = true`. Without a pair of backticks, the entire text is the
 * title.
 */
function splitOptionText(name: string): readonly [title: string, optionText: string | null] {
  const start = name.indexOf('`');
  const end = start === -1 ? -1 : name.indexOf('`', start + 1);
  if (end === -1) return [name, null];
  const optionText = name.slice(start + 1, end).trim();
  return [name.slice(0, start).trim(), optionText === '' ? null : optionText];
}
