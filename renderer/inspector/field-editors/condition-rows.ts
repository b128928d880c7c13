/**
 * A condition as editable rows: comparisons with their negation, groups of rows, and raw expressions.
 */
import {
  type ComparisonOp,
  isJsonList,
  isJsonMap,
  type JsonValue,
  parseJson,
  type WhenExpr,
} from '../../../engine/isomorphic.ts';
import { text } from './text.ts';
import { typedValue, valueText } from './typed-value.ts';

export interface CompareRow {
  readonly kind: 'compare';
  readonly isNegated: boolean;
  readonly op: ComparisonOp | 'exists';
  readonly path: string;
  /**
   * The value as typed: text without quotes, everything else as JSON. Text that looks like JSON is quoted. Unused by
   * `exists`.
   */
  readonly value: string;
}

export interface GroupRow {
  readonly kind: 'group';
  readonly isNegated: boolean;
  readonly word: 'and' | 'or';
  readonly rows: readonly ConditionRow[];
}

/** An expression that rows cannot represent. Edited as JSON. */
export interface RawRow {
  readonly kind: 'raw';
  readonly value: JsonValue;
}

export type ConditionRow = CompareRow | GroupRow | RawRow;

export const emptyRow: CompareRow = { kind: 'compare', isNegated: false, op: 'equals', path: '', value: '' };

const comparisons: ReadonlySet<string> = new Set<ComparisonOp>(['equals', 'lt', 'lte', 'gt', 'gte', 'contains', 'in']);

/** Converts any value to a row. An invalid condition, or one that rows cannot represent, becomes a raw row. */
export function rowOf(value: JsonValue): ConditionRow {
  const [entry, ...others] = isJsonMap(value) ? Object.entries(value) : [];
  if (entry === undefined || others.length > 0) return { kind: 'raw', value };
  const [key, inner] = entry;
  if (key === 'not') return negated(rowOf(inner)) ?? { kind: 'raw', value };
  if (key === 'and' || key === 'or') {
    if (!isJsonList(inner)) return { kind: 'raw', value };
    return { kind: 'group', isNegated: false, word: key, rows: inner.map(rowOf) };
  }
  if (key === 'exists' && typeof inner === 'string') {
    return { kind: 'compare', isNegated: false, op: 'exists', path: inner, value: '' };
  }
  return compareRow(key, inner) ?? { kind: 'raw', value };
}

function negated(row: ConditionRow): ConditionRow | undefined {
  return row.kind === 'raw' || row.isNegated ? undefined : { ...row, isNegated: true };
}

function compareRow(op: string, comparison: JsonValue): CompareRow | undefined {
  if (!comparisons.has(op) || !isJsonMap(comparison)) return undefined;
  const { var: path, value, ...rest } = comparison;
  if (typeof path !== 'string' || value === undefined || Object.keys(rest).length > 0) return undefined;
  return { kind: 'compare', isNegated: false, op: op as ComparisonOp, path, value: oneLine(value) };
}

/** Returns the condition of a row. Undefined while it is incomplete. */
export function exprOf(row: ConditionRow): WhenExpr | undefined {
  // The value from the file is returned unchanged, valid or not. Validation reports its problems.
  if (row.kind === 'raw') return row.value as unknown as WhenExpr;
  const plain = row.kind === 'group' ? groupExpr(row) : compareExpr(row);
  if (plain === undefined) return undefined;
  return row.isNegated ? { not: plain } : plain;
}

function groupExpr({ word, rows }: GroupRow): WhenExpr | undefined {
  const parts = rows.map(exprOf);
  if (!parts.every((part) => part !== undefined)) return undefined;
  return word === 'and' ? { and: parts } : { or: parts };
}

function compareExpr({ op, path, value }: CompareRow): WhenExpr | undefined {
  if (path.trim() === '') return undefined;
  if (op === 'exists') return { exists: path };
  const parsed = op === 'in' ? listOf(value) : typedValue(value);
  return { [op]: { var: path, value: parsed } } as unknown as WhenExpr;
}

function oneLine(value: JsonValue): string {
  return typeof value === 'string' ? valueText(value) : JSON.stringify(value);
}

function listOf(typed: string): JsonValue {
  const parsed = parseJson(typed);
  if (parsed !== undefined && isJsonList(parsed)) return parsed;
  return typed.split(',').flatMap((part) => (part.trim() === '' ? [] : [typedValue(part.trim())]));
}

/** Summarizes the condition of a node or an edge in a word or two. */
export function conditionNote(value: JsonValue | undefined): string {
  if (value === undefined) return text.condition.alwaysNote;
  const row = rowOf(value);
  if (row.kind !== 'group') return text.condition.oneNote;
  const { allOf, anyOf, notAllOf, noneOf } = text.condition;
  if (row.word === 'and') return row.isNegated ? notAllOf : allOf;
  return row.isNegated ? noneOf : anyOf;
}
