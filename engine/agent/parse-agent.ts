/**
 * The text of an agent file → its document, and what is wrong with it.
 */
import { type Diagnostic, hasErrors, worstProblems } from '../flowspec/diagnostic.ts';
import { MAX_PROBLEMS } from '../flowspec/flow-limits.ts';
import type { AgentDoc, AgentScript, PromptPart, ScriptName } from './agent-doc.ts';
import { findScanProblems } from './agent-findings.ts';
import { type AgentScan, type Section, scanAgent } from './agent-scanner.ts';
import { readOptionBlocks } from './option-blocks.ts';
import { placeLines } from './placed-lines.ts';

/** What parsing gives: never an exception. */
export interface ParsedAgent {
  /** Null when an error forbids to run it. */
  readonly doc: AgentDoc | null;
  /** In the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads an agent file. Never throws; takes time in proportion to the text.
 * @param text lines end in `\n` or `\r\n`; a byte order mark is passed over
 */
export function parseAgent(text: string): ParsedAgent {
  const scan = scanAgent(text);
  const { options, diagnostics: ofOptions } = readOptionBlocks(blocksOf(scan, 'options'));
  const found = worstProblems([...ofOptions, ...findScanProblems(scan)], MAX_PROBLEMS);
  const diagnostics = [...found].sort((left, right) => left.range.line - right.range.line);
  if (hasErrors(diagnostics)) return { doc: null, diagnostics };
  return { doc: { options, scripts: scriptsOf(scan), prompts: promptsOf(scan) }, diagnostics };
}

const scriptNames: readonly ScriptName[] = ['beforeAll', 'data', 'output', 'afterAll'];

function blocksOf({ sections }: AgentScan, kind: Section['kind']) {
  return sections.flatMap((section) => (section.kind === kind && section.block !== null ? [section.block] : []));
}

/** The scripts of a file that may have errors elsewhere. */
export function scriptsOf(scan: AgentScan): AgentDoc['scripts'] {
  const scripts: Partial<Record<ScriptName, AgentScript>> = {};
  for (const name of scriptNames) {
    const placed = placeLines(blocksOf(scan, name));
    if (placed !== null) scripts[name] = { code: placed.text, line: placed.line };
  }
  return scripts;
}

/** The prompts of a file that may have errors elsewhere, in its order. */
export function promptsOf({ sections }: AgentScan): PromptPart[] {
  return sections.flatMap(({ kind, optionText, block, line }) => {
    if (kind !== 'system' && kind !== 'user' && kind !== 'assistant') return [];
    const content = (block?.lines ?? []).map((text) => `${text}\n`).join('');
    return [{ role: kind, optionText, content, line }];
  });
}
