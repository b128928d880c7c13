/**
 * Parses an agent file's text and reports errors and probable mistakes: ignored text, and fences that do not end where
 * they seem to.
 */
import { conflictMessage, findConflict } from '../../base/conflict-markers.ts';
import { cutMessage } from '../../base/cut-text.ts';
import {
  type Diagnostic,
  type DiagnosticCode,
  hasErrors,
  type TextRange,
  worstProblems,
} from '../findings/diagnostic.ts';
import { didYouMean } from '../findings/nearest.ts';
import { MAX_PROBLEMS } from '../flow/flow-limits.ts';
import { otherThanAgent } from '../flow/other-format.ts';
import type { AgentDoc, AgentScript, PromptPart, ScriptName } from './agent-doc.ts';
import { answerSchemaOf } from './agent-node.ts';
import {
  type AgentScan,
  fenceLanguage,
  headingName,
  knownHeadings,
  type Section,
  scanAgent,
  type UnknownHeading,
} from './agent-scanner.ts';
import { placeLines, readOptionBlocks } from './option-blocks.ts';
import { readPromptOptions } from './prompt-options.ts';

/** Result of parsing, which never throws. */
interface ParsedAgent {
  /** Null if the file has an error that prevents running it. */
  readonly doc: AgentDoc | null;
  /** Problems in file order. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses an agent file in linear time. Never throws.
 * @param text lines end in `\n` or `\r\n`; a byte order mark is skipped
 */
export function parseAgent(text: string): ParsedAgent {
  const conflict = findConflict(text);
  if (conflict !== undefined) return { doc: null, diagnostics: [conflictAt(text, conflict)] };
  const scan = scanAgent(text);
  const { diagnostics: ofOptions, ...options } = readOptionBlocks(blocksOf(scan, 'options'));
  const isEmpty = scan.sections.length === 0 && scan.unknownHeadings.length === 0;
  const ofWhole = isEmpty ? noSectionProblem(text) : [];
  const found = worstProblems([...ofWhole, ...ofOptions, ...findScanProblems(scan)], MAX_PROBLEMS);
  const diagnostics = found
    .map((problem) => ({ ...problem, message: cutMessage(problem.message) }))
    .sort((left, right) => left.range.line - right.range.line);
  if (hasErrors(diagnostics)) return { doc: null, diagnostics };
  return { doc: withAnswerSchema({ ...options, scripts: scriptsOf(scan), prompts: promptsOf(scan) }), diagnostics };
}

function conflictAt(text: string, offset: number): Diagnostic {
  const line = text.slice(0, offset).split('\n').length;
  const range = { line, column: 1, endLine: line, endColumn: 8 };
  return { code: 'file.conflict', severity: 'error', message: conflictMessage, range };
}

/** Uses the node's output schema for responses, unless the options set one. */
function withAnswerSchema(doc: AgentDoc): AgentDoc {
  const schema =
    doc.node === undefined || doc.outputSchema !== undefined ? undefined : answerSchemaOf(doc.node, doc.scripts);
  return schema === undefined ? doc : { ...doc, outputSchema: { schema } };
}

const scriptNames: readonly ScriptName[] = ['beforeAll', 'data', 'output', 'afterAll'];

function blocksOf({ sections }: AgentScan, kind: Section['kind']) {
  return sections.flatMap((section) => (section.kind === kind && section.block !== null ? [section.block] : []));
}

/** Whether a file, even with errors elsewhere, is a pure agent. */
export function hasPureContract(scan: AgentScan): boolean {
  return readOptionBlocks(blocksOf(scan, 'options')).pure !== undefined;
}

/** Returns a file's scripts, even with errors elsewhere. */
export function scriptsOf(scan: AgentScan): AgentDoc['scripts'] {
  const scripts: Partial<Record<ScriptName, AgentScript>> = {};
  for (const name of scriptNames) {
    const placed = placeLines(blocksOf(scan, name));
    if (placed !== null) scripts[name] = { code: placed.text, line: placed.line };
  }
  return scripts;
}

/** Returns a file's prompts in order, even with errors elsewhere. */
export function promptsOf({ sections }: AgentScan): PromptPart[] {
  return sections.flatMap(({ kind, optionText, block, line }) => {
    if (kind !== 'system' && kind !== 'user' && kind !== 'assistant') return [];
    const content = (block?.lines ?? []).map((text) => `${text}\n`).join('');
    return [{ role: kind, optionText, content, line }];
  });
}

/** Returns warnings in no particular order. The number per type is limited, because only that many are reported. */
function findScanProblems(scan: AgentScan): Diagnostic[] {
  return [
    ...scan.sections.flatMap(fenceProblems),
    ...scan.sections
      .filter(({ optionText }) => optionText !== null)
      .slice(0, MAX_PROBLEMS)
      .flatMap(promptProblems),
    ...headingProblems(scan.unknownHeadings.slice(0, MAX_PROBLEMS)),
    ...scan.earlyCloses.map(earlyCloseProblem),
    ...(scan.openFence === null ? [] : [openFenceProblem(scan.openFence)]),
  ];
}

/** A file without sections is either an agent that does nothing, or not an agent. */
function noSectionProblem(text: string): Diagnostic[] {
  const range = lineRange(1, /^.*/.exec(text)?.[0] ?? '');
  const other = otherThanAgent(text);
  if (other !== undefined) {
    const rename = other === 'flow' ? ' Rename the file so that its name ends in .flow.yaml.' : '';
    const message = `This looks like a ${other}, not an agent. An agent consists of sections such as "# Instruction".${rename}`;
    return [{ ...warning('agent.other-format', message, range), severity: 'error' }];
  }
  const message =
    'The file has no sections, so running it does nothing. Add a line "# Instruction" and write the prompt below it.';
  return [warning('agent.empty', message, range)];
}

function fenceProblems({ kind, block, heading, line, extraFenceLine }: Section): Diagnostic[] {
  const language = fenceLanguage(kind);
  if (language === null) return [];
  if (block === null) {
    const message = `This section is empty: "${heading.trim()}" needs a fence that starts with \`\`\`${language}.`;
    return [warning('agent.missing-fence', message, lineRange(line, heading))];
  }
  if (extraFenceLine === null) return [];
  const message = `Only the first fence below "${heading.trim()}" is used. Repeat the heading to add this one.`;
  return [warning('agent.extra-fence', message, lineRange(extraFenceLine, `\`\`\`${language}`))];
}

/** A template can be checked only after it is filled. */
function promptProblems({ optionText, line, heading }: Section): Diagnostic[] {
  if (optionText === null || optionText.includes('{{') || readPromptOptions(optionText) !== null) return [];
  const message = `The options of "${heading.trim()}" are invalid, so every input fails. Use \`cache = true\` or \`cache = false\`.`;
  return [warning('agent.bad-prompt-option', message, lineRange(line, heading))];
}

/**
 * Caches the suggestion for each heading, because the same heading often occurs many times and finding similar ones is
 * slow.
 */
function headingProblems(headings: AgentScan['unknownHeadings']): Diagnostic[] {
  const hints = new Map<string, string>();
  return headings.flatMap((unknown) => {
    const name = headingName(unknown.heading);
    const hint = hints.get(name) ?? didYouMean(name, knownHeadings);
    hints.set(name, hint);
    return headingProblem(unknown, hint);
  });
}

function headingProblem({ line, heading, cutPrompt }: UnknownHeading, hint: string): Diagnostic[] {
  const range = lineRange(line, heading);
  if (cutPrompt !== null) {
    const message =
      `The prompt of line ${cutPrompt.line} ends here, and the text from here to the next section is ignored. ` +
      `Write "#${heading}" or put it in a fence to keep it.${hint}`;
    return [warning('agent.prompt-cut', message, range)];
  }
  if (hint === '') return [];
  return [
    warning('agent.unknown-heading', `"${heading.trim()}" is not a section, so its text is ignored.${hint}`, range),
  ];
}

function earlyCloseProblem({ line, text, openedOnLine }: AgentScan['earlyCloses'][number]): Diagnostic {
  const message =
    `This line ends the fence of line ${openedOnLine}: any line that starts with the same number of backticks does. ` +
    'Close that fence before this line, or use four backticks for it and three here.';
  return warning('agent.fence-closed-early', message, lineRange(line, text));
}

function openFenceProblem({ line, text }: { readonly line: number; readonly text: string }): Diagnostic {
  const message =
    'This fence is not closed, so it contains all headings below it. Close it with the same number of backticks.';
  return warning('agent.unclosed-fence', message, lineRange(line, text));
}

function lineRange(line: number, text: string): TextRange {
  return { line, column: 1, endLine: line, endColumn: text.length + 1 };
}

function warning(code: DiagnosticCode, message: string, range: TextRange): Diagnostic {
  return { code, severity: 'warning', message, range };
}
