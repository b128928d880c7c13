/**
 * Checks an agent file's scripts and prompts without running them: invalid Lua, unknown `aip` functions, unused data,
 * and invalid templates.
 */
import type { Diagnostic, DiagnosticCode, Severity } from '../findings/diagnostic.ts';
import { didYouMean } from '../findings/nearest.ts';
import { MAX_PROBLEMS } from '../flow/flow-limits.ts';
import type { ScriptName } from './agent-doc.ts';
import { type AgentScan, scanAgent } from './agent-scanner.ts';
import { type LuaToken, readLua } from './lua-tokens.ts';
import { hasPureContract, promptsOf, scriptsOf } from './parse-agent.ts';
import { returnedFields } from './returned-fields.ts';

/** Names below `aip`: a module, or a module and a member. */
type ApiName = readonly [module: string, member?: string];

/** Lua's findings about scripts that it compiles but does not run. */
interface ProbedScripts {
  /** One entry per script: the syntax error with its line; null if the script is valid. */
  readonly syntax: readonly ({ readonly line: number; readonly message: string } | null)[];
  /** One entry per name; null if it exists. */
  readonly names: readonly (MissingName | null)[];
}

/** A nonexistent name: which part of it is missing, and the names that exist at that level. */
interface MissingName {
  readonly part: 'module' | 'member';
  readonly known: readonly string[];
}

/**
 * Compiles scripts and looks up names in an interpreter like the one for scripts. @param isPure whether the agents are
 * pure
 */
export type ProbeScripts = (
  scripts: readonly string[],
  names: readonly ApiName[],
  isPure: boolean,
) => Promise<ProbedScripts>;

/** Returns why a template cannot be filled, with its line from 1; null if no error was found. */
export type ProbeTemplate = (template: string) => { readonly line: number; readonly message: string } | null;

/** Checks the syntax and names in scripts and templates. */
export interface AgentProbes {
  readonly scripts: ProbeScripts;
  /** Checks templates in agent files. */
  readonly template: ProbeTemplate;
}

/**
 * Checks an agent file's scripts and prompts. Problems found by `parseAgent` are not repeated.
 * @returns problems in file order
 * @throws errors from the probes
 */
export async function checkAgent(text: string, probes: AgentProbes): Promise<readonly Diagnostic[]> {
  const scan = scanAgent(text);
  const scripts = Object.values(scriptsOf(scan)).map(({ code }) => code);
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const uses = scripts.flatMap(apiUses).slice(0, MAX_PROBLEMS * 10);
  const elsewhere = [...unreadData(scan), ...brokenTemplates(scan, lines, probes.template)];
  const isPure = hasPureContract(scan);
  const probed = async (asPure: boolean) =>
    scripts.length === 0 ? noScripts : await probes.scripts(scripts, uses.map(nameOf), asPure);
  const { syntax, names } = await probed(false);
  const withheld = isPure ? (await probed(true)).names : [];
  const found = [
    ...syntax.flatMap((problem) => (problem === null ? [] : [syntaxProblem(problem, lines)])),
    ...uses.flatMap((use, index) =>
      names[index] == null && withheld[index] != null ? [withheldProblem(use)] : nameProblem(use, names[index] ?? null),
    ),
    ...elsewhere,
  ];
  return found.sort((left, right) => left.range.line - right.range.line).slice(0, MAX_PROBLEMS);
}

const noScripts: ProbedScripts = { syntax: [], names: [] };

/** Checks prompts and the option texts in their headings. */
function brokenTemplates(scan: AgentScan, lines: readonly string[], probe: ProbeTemplate): Diagnostic[] {
  return promptsOf(scan).flatMap(({ optionText, content, line }) => {
    const inHeading = optionText === null ? null : probe(optionText);
    const inContent = probe(content);
    return [
      ...(inHeading === null ? [] : [templateProblem(inHeading.message, line, lines)]),
      ...(inContent === null ? [] : [templateProblem(inContent.message, line + inContent.line, lines)]),
    ];
  });
}

function templateProblem(message: string, line: number, lines: readonly string[]): Diagnostic {
  return finding('agent.template-syntax', 'error', `Invalid template: ${message}.`, lineSpan(line, lines));
}

interface TextSpan {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

interface ApiUse {
  readonly module: LuaToken;
  readonly member: LuaToken | undefined;
  /** Returns a token's position. */
  readonly placeOf: (token: LuaToken) => TextSpan;
}

/** Functions that old packs call directly on `aipack`, which also has all of `aip`. */
const directives: ReadonlySet<string> = new Set(['skip', 'redo_run', 'before_all_response', 'data_response']);

/** Returns every `aip.module` and `aip.module.member` in a script. Its lines are at their positions in the file. */
function apiUses(code: string): ApiUse[] {
  const tokens = readLua(code).tokens.filter(({ kind }) => kind !== 'comment');
  const placeOf = placesIn(code);
  return tokens.flatMap((token, at): ApiUse[] => {
    const isRoot = token.kind === 'name' && /^(?:aip|utils|aipack)$/.test(token.text);
    const module = fieldBehind(tokens, at);
    if (!isRoot || /^[.:]$/.test(tokens[at - 1]?.text ?? '') || module === undefined) return [];
    if (token.text === 'aipack' && directives.has(module.text)) return [];
    return [{ module, member: fieldBehind(tokens, at + 2), placeOf }];
  });
}

function fieldBehind(tokens: readonly LuaToken[], at: number): LuaToken | undefined {
  const field = tokens[at + 2];
  return tokens[at + 1]?.text === '.' && field?.kind === 'name' ? field : undefined;
}

/** Returns a function that converts offsets in the code to lines and columns, from 1. */
function placesIn(code: string): (token: Pick<LuaToken, 'start' | 'end'>) => TextSpan {
  const starts = [0, ...Array.from(code.matchAll(/\n/g), ({ index }) => index + 1)];
  return ({ start, end }) => {
    const line = starts.findLastIndex((at) => at <= start);
    return { line: line + 1, column: start - (starts[line] ?? 0) + 1, length: end - start };
  };
}

function nameOf({ module, member }: ApiUse): ApiName {
  return member === undefined ? [module.text] : [module.text, member.text];
}

function nameProblem({ module, member, placeOf }: ApiUse, missing: MissingName | null): Diagnostic[] {
  if (missing === null) return [];
  const isMember = missing.part === 'member' && member !== undefined;
  const token = isMember ? member : module;
  const owner = isMember ? `aip.${module.text}` : 'aip';
  const message = `"${token.text}" does not exist in ${owner}.${didYouMean(token.text, missing.known)}`;
  return [finding('agent.unknown-function', 'warning', message, placeOf(token))];
}

/** Reports a function that is only available to other agents. */
function withheldProblem({ module, member, placeOf }: ApiUse): Diagnostic {
  const token = member ?? module;
  const name = ['aip', module.text, ...(member === undefined ? [] : [member.text])].join('.');
  const message = `An agent with contract pure cannot use ${name}, because it can only receive and return data. Pass the data in the params of its step.`;
  return finding('agent.not-for-pure', 'error', message, placeOf(token));
}

function syntaxProblem({ line, message }: { line: number; message: string }, lines: readonly string[]): Diagnostic {
  return finding('agent.lua-syntax', 'error', `Lua syntax error: ${message}.`, lineSpan(line, lines));
}

/** Returns a line's range without its indentation. */
function lineSpan(line: number, lines: readonly string[]): TextSpan {
  const text = lines[line - 1] ?? '';
  return { line, column: text.length - text.trimStart().length + 1, length: Math.max(1, text.trim().length) };
}

/** Reports fields that Data returns but neither a prompt nor Output uses. */
function unreadData(scan: AgentScan): Diagnostic[] {
  const scripts = scriptsOf(scan);
  const prompts = promptsOf(scan).map(({ content, optionText }) => `${optionText ?? ''}\n${content}`);
  if (scripts.data === undefined || prompts.join('').trim() === '') return [];
  const { code } = scripts.data;
  const readers = [...prompts, scripts.output?.code ?? ''].join('\n');
  if (readsWholeData(prompts, scripts)) return [];
  const placeOf = placesIn(code);
  return returnedFields(code, 'data_response').fields.flatMap((field) => {
    if (new RegExp(`\\b${field.name}\\b`).test(readers)) return [];
    const message = `Field "${field.name}" is never used: neither a prompt nor Output refers to it.`;
    return [{ ...finding('agent.unused-data', 'info', message, placeOf(field)), subject: field.name }];
  });
}

/** Whether `data` is passed on as a whole, so that any of its fields may be used. */
function readsWholeData(prompts: readonly string[], scripts: Readonly<Partial<Record<ScriptName, { code: string }>>>) {
  const inPrompts = prompts.some((text) => /\{\{[^{}]*\bdata\b(?!\s*\.)/.test(text));
  const output = readLua(scripts.output?.code ?? '').tokens;
  return inPrompts || output.some(({ text }, at) => text === 'data' && !/^[.[]$/.test(output[at + 1]?.text ?? ''));
}

function finding(code: DiagnosticCode, severity: Severity, message: string, place: TextSpan): Diagnostic {
  const { line, column, length } = place;
  return { code, severity, message, range: { line, column, endLine: line, endColumn: column + length } };
}
