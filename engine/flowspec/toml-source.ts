/**
 * TOML files that people write, and what to say about one that is not TOML.
 */
import { parse, TomlError } from 'smol-toml';
import { conflictReason, findConflict } from '../base/conflict-markers.ts';

/** Where a text stops being TOML, and why. Line and column count from 1. */
export interface TomlProblem {
  readonly line: number;
  readonly column: number;
  /** Without the place and without a period at its end. */
  readonly reason: string;
}

export type ReadToml = { readonly table: Readonly<Record<string, unknown>> } | { readonly problem: TomlProblem };

const longestReason = 200;

/** Reads a TOML text, with or without a byte order mark. */
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
