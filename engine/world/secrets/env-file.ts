/**
 * Parses and edits `.env` files, with the syntax of `node --env-file`
 * (https://nodejs.org/api/util.html#utilparseenvcontent).
 */
import { parseEnv } from 'node:util';
import { conflictMessage, findConflict } from '../../base/conflict-markers.ts';
import { EngineError } from '../../base/engine-error.ts';

/** Returns the values in a text by name. Lines without an assignment are ignored. */
export function readEnvText(text: string): ReadonlyMap<string, string> {
  const entries = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')));
  return new Map(entries.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])));
}

/** A line that may not have its intended meaning. */
export interface EnvProblem {
  /** Line number, from 1. */
  readonly line: number;
  /** A sentence that does not contain the value. */
  readonly message: string;
}

const assignment = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/;

/**
 * Finds merge conflict markers, lines without an assignment, and values that end earlier or later than they appear to.
 */
export function envProblems(text: string): readonly EnvProblem[] {
  const conflict = findConflict(text);
  if (conflict !== undefined) return [{ line: text.slice(0, conflict).split('\n').length, message: conflictMessage }];
  if (text.includes('\0')) return [{ line: 1, message: 'The file is not UTF-8 text. Save it as UTF-8.' }];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const problems: EnvProblem[] = [];
  for (let index = 0; index < lines.length; index++) {
    const { message, last = index } = lookAt(lines, index);
    if (message !== undefined) problems.push({ line: index + 1, message });
    index = last;
  }
  return problems;
}

/** @returns `last`: for a value over several lines, the index of the last one */
function lookAt(lines: readonly string[], index: number): { readonly message?: string; readonly last?: number } {
  const line = lines[index] ?? '';
  if (/^\s*(?:#|$)/.test(line)) return {};
  const [, name, value = ''] = assignment.exec(line) ?? [];
  if (name === undefined) return { message: 'The line is not NAME=value, so it is ignored.' };
  const [quote = ''] = value;
  if (!/["'`]/.test(quote)) {
    if (!value.includes('#')) return {};
    return {
      message: `The value of ${name} ends before #, which starts a comment. If # is part of the value, put the value in quotes.`,
    };
  }
  if (value.slice(1).includes(quote)) return {};
  const last = lines.findIndex((later, at) => at > index && later.includes(quote));
  if (last !== -1) return { last };
  return {
    message: `The value of ${name} begins with ${quote}, but no other ${quote} follows. Close the quote; otherwise the value is not what it appears to be.`,
  };
}

/**
 * Sets or removes one value in the text; all other lines are unchanged.
 * @param value undefined to remove it
 * @throws EngineError `secret.not-writable` for a value that the format cannot represent, or if another value would be
 * lost
 */
export function setInEnvText(text: string, name: string, value: string | undefined): string {
  const kept = withoutName(text, name);
  // A value over several lines may contain a line that looks like this name.
  if (!hasSameOthers(kept, text, name))
    throw notWritable(name, 'another value in the file would be lost; edit the file manually');
  if (value === undefined) return kept;
  const before = kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`;
  for (const quote of quotesFor(value)) {
    const changed: string = `${before}${name}=${quote}${value}${quote}\n`;
    if (readEnvText(changed).get(name) === value && hasSameOthers(changed, text, name)) return changed;
  }
  throw notWritable(
    name,
    `it contains every type of quotation mark; set the environment variable MILLRACE_SECRET_${name} instead`,
  );
}

function notWritable(name: string, reason: string): EngineError {
  return new EngineError({
    code: 'secret.not-writable',
    message: `The value of ${name} cannot be written to the .env file: ${reason}.`,
  });
}

function quotesFor(value: string): readonly string[] {
  return /^[\w./:@+=-]+$/.test(value) ? ['', "'", '`', '"'] : ["'", '`', '"'];
}

/** Whether a changed text has the same values as before for all other names. */
function hasSameOthers(changed: string, former: string, name: string): boolean {
  const values = readEnvText(changed);
  return [...readEnvText(former)].every(([one, value]) => one === name || values.get(one) === value);
}

/** A quoted value may span several lines. */
function withoutName(text: string, name: string): string {
  const assignment = new RegExp(
    `^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*(?:"[^"]*"|'[^']*'|\`[^\`]*\`|[^\\n]*)[^\\n]*(?:\\n|$)`,
    'gm',
  );
  return text.replace(assignment, '');
}
