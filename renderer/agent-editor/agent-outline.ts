/**
 * Lists an agent file by its stages: a summary of each, its problems, and missing stages.
 */
import {
  type Diagnostic,
  parseAgent,
  type Section,
  type SectionKind,
  scanAgent,
  type TextEdit,
} from '../../engine/isomorphic.ts';
import { type Stage, skeletonOf, stages } from './language/stages.ts';
import { text } from './text.ts';
import { estimateTokens } from './token-estimate.ts';

/** A section of the file, or a stage that it lacks. */
export interface OutlineEntry {
  /** Identifies the entry among the others. */
  readonly key: string;
  readonly stage: Stage;
  /** Line of its heading; null if the file has no such section. */
  readonly line: number | null;
  /** Last line that belongs to it. */
  readonly endLine: number | null;
  /** For example `Lua, 6 lines`; empty for a missing stage. */
  readonly summary: string;
  readonly problems: readonly Diagnostic[];
}

/** Returns the entries in the order in which stages run. Several sections of the same stage are adjacent. */
export function agentOutline(agent: string, diagnostics: readonly Diagnostic[] = []): readonly OutlineEntry[] {
  const { sections, unknownHeadings } = scanAgent(agent);
  const starts = [...sections, ...unknownHeadings].map(({ line }) => line).sort((left, right) => left - right);
  const lineCount = agent.split('\n').length;
  const options = optionWords(agent);
  return stages.flatMap((stage): OutlineEntry[] => {
    const own = sections.filter(({ kind }) => kind === stage.kind);
    if (own.length === 0) return [missing(stage)];
    return own.map((section) => {
      const { line } = section;
      const endLine = (starts.find((start) => start > line) ?? lineCount + 1) - 1;
      const problems = diagnostics.filter(({ range }) => range.line >= line && range.line <= endLine);
      const summary = stage.kind === 'options' && options !== '' ? options : summaryOf(section);
      return { key: `${stage.kind}:${line}`, stage, line, endLine, summary, problems };
    });
  });
}

/** Returns the section that contains a line; undefined before the first one. */
export function stageAtLine(entries: readonly OutlineEntry[], at: number): OutlineEntry | undefined {
  return entries.find(({ line, endLine }) => line !== null && endLine !== null && line <= at && at <= endLine);
}

function missing(stage: Stage): OutlineEntry {
  return { key: stage.kind, stage, line: null, endLine: null, summary: '', problems: [] };
}

function summaryOf({ kind, block }: Section): string {
  if (block === null) return text.summary.notRead;
  const { lines } = block;
  if (kind === 'system' || kind === 'user' || kind === 'assistant') return promptWords(lines.join('\n'));
  const count = lines.filter((line) => line.trim() !== '').length;
  return text.summary.code({ language: kind === 'options' ? 'TOML' : 'Lua', count });
}

function promptWords(prompt: string): string {
  const bindings = prompt.match(/\{\{(?!\s*(?:\/|else\b|!))/g)?.length ?? 0;
  return bindings > 0
    ? text.summary.bindings({ count: bindings })
    : text.summary.tokens({ count: estimateTokens(prompt) });
}

function optionWords(agent: string): string {
  const { model, temperature, input_concurrency: count } = parseAgent(agent).doc?.options ?? {};
  const words = [model, temperature, count === undefined ? undefined : text.summary.atATime({ count })];
  return words.filter((word) => word !== undefined && word !== '').join(', ');
}

/** Returns the model in the options; undefined if there is none or the options are invalid. */
export function modelOfText(agent: string): string | undefined {
  return parseAgent(agent).doc?.options.model;
}

/** Returns the edit that adds a stage at its position among the others, and the resulting line of its heading. */
export function addStage(agent: string, kind: SectionKind): { readonly edit: TextEdit; readonly line: number } {
  const index = stages.findIndex((stage) => stage.kind === kind);
  const stage = stages[index];
  if (stage === undefined) throw new Error(`There is no stage ${kind}.`);
  const later = new Set(stages.slice(index + 1).map((one) => one.kind));
  const eol = agent.includes('\r\n') ? '\r\n' : '\n';
  const skeleton = skeletonOf(stage).replaceAll('\n', eol);
  const next = scanAgent(agent).sections.find((section) => later.has(section.kind));
  if (next !== undefined) {
    const start = startOfLine(agent, next.line);
    return { edit: { start, end: start, text: `${skeleton}${eol}` }, line: next.line };
  }
  const gap = gapBefore(agent, eol);
  const at = agent.length;
  return { edit: { start: at, end: at, text: `${gap}${skeleton}` }, line: `${agent}${gap}`.split('\n').length };
}

/** Returns what separates an added section from the text before it, so that there is one blank line in total. */
function gapBefore(agent: string, eol: string): string {
  if (agent.trim() === '') return '';
  if (!agent.endsWith('\n')) return eol + eol;
  return /\n\r?\n$/.test(agent) ? '' : eol;
}

function startOfLine(agent: string, line: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) start = agent.indexOf('\n', start) + 1;
  return start;
}
