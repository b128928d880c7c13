/**
 * Parses TOML files written by people, and explains syntax errors.
 */
import { parse, TomlError } from 'smol-toml';
import { conflictReason, findConflict } from '../../base/conflict-markers.ts';

/** A syntax error's position and reason. Line and column start at 1. */
export interface TomlProblem {
  readonly line: number;
  readonly column: number;
  /** The reason without the position and without a trailing period. */
  readonly reason: string;
}

export type ReadToml = { readonly table: Readonly<Record<string, unknown>> } | { readonly problem: TomlProblem };

const longestReason = 200;

/** Parses a TOML text, with or without a byte order mark. */
export function readToml(text: string): ReadToml {
  const content = text.replace(/^\uFEFF/, '');
  const conflict = findConflict(content);
  if (conflict !== undefined) {
    const line = content.slice(0, conflict).split('\n').length;
    return { problem: { line, column: 1, reason: conflictReason } };
  }
  try {
    return { table: parse(content) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    return { problem: { line: error.line, column: error.column, reason: reason.slice(0, longestReason) } };
  }
}
