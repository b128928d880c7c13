/**
 * Formats a condition as one line for display: `route.kind is "minor"`.
 */
import { type WhenExpr, whenSchema } from '../flow/flow-doc.ts';
import type { JsonValue } from '../json/json-value.ts';
import { type ComparisonOp, comparisonOf } from './when.ts';

/** Words between a path and the value with which it is compared. */
const comparisonWords: Readonly<Record<ComparisonOp, string>> = {
  equals: 'is',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  contains: 'contains',
  in: 'in',
};

/** Formats a condition from a file; returns undefined for an invalid or incomplete one. */
export function conditionText(condition: JsonValue | undefined): string | undefined {
  const read = whenSchema.safeParse(condition);
  return read.success ? whenText(read.data) : undefined;
}

/** Formats a condition as text, with brackets around nested groups. */
export function whenText(expr: WhenExpr): string {
  if ('and' in expr) return joinParts(expr.and, 'and', 'always');
  if ('or' in expr) return joinParts(expr.or, 'or', 'never');
  if ('exists' in expr) return `${expr.exists} exists`;
  if ('not' in expr) return negationText(expr.not);
  const [op, { var: path, value }] = comparisonOf(expr);
  return `${path} ${comparisonWords[op]} ${JSON.stringify(value)}`;
}

function negationText(expr: WhenExpr): string {
  if ('equals' in expr) return `${expr.equals.var} is not ${JSON.stringify(expr.equals.value)}`;
  if ('exists' in expr) return `${expr.exists} is missing`;
  return `not (${whenText(expr)})`;
}

function joinParts(parts: readonly WhenExpr[], word: 'and' | 'or', whenEmpty: string): string {
  if (parts.length === 0) return whenEmpty;
  return parts.map((part) => partText(part, parts.length)).join(` ${word} `);
}

function partText(part: WhenExpr, siblings: number): string {
  const isGroup = siblings > 1 && ('and' in part || 'or' in part);
  return isGroup ? `(${whenText(part)})` : whenText(part);
}
