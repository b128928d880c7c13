/**
 * A condition as one line for people: `route.kind is "minor"`.
 */
import type { JsonValue, WhenExpr } from '../../engine/isomorphic.ts';

/** Writes a condition in words; groups inside of groups get brackets. */
export function whenText(expr: WhenExpr): string {
  if ('equals' in expr) return equalsText(expr.equals, 'is');
  if ('and' in expr) return joinParts(expr.and, 'and', 'always');
  if ('or' in expr) return joinParts(expr.or, 'or', 'never');
  if ('equals' in expr.not) return equalsText(expr.not.equals, 'is not');
  return `not (${whenText(expr.not)})`;
}

function equalsText(equals: { readonly var: string; readonly value: JsonValue }, verb: string): string {
  return `${equals.var} ${verb} ${JSON.stringify(equals.value)}`;
}

function joinParts(parts: readonly WhenExpr[], word: 'and' | 'or', whenEmpty: string): string {
  if (parts.length === 0) return whenEmpty;
  return parts.map((part) => partText(part, parts.length)).join(` ${word} `);
}

function partText(part: WhenExpr, siblings: number): string {
  const isGroup = siblings > 1 && ('and' in part || 'or' in part);
  return isGroup ? `(${whenText(part)})` : whenText(part);
}
