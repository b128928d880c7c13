/**
 * Converts conditions of n8n nodes: the list with operators of newer versions, and the lists by type of older ones.
 */
import type { WhenExpr } from '../../flow/flow-doc.ts';
import type { JsonMap, JsonValue } from '../../json/json-value.ts';
import { at, entryOf, mapAt, mapsAt, textAt } from '../read-json.ts';

/** Returns the path that an n8n field reads; undefined if it computes. */
export type PathOf = (field: string) => string | undefined;

/** A comparison by n8n. */
interface N8nComparison {
  readonly left: JsonValue;
  readonly operation: string;
  readonly right: JsonValue;
  /** Type that both sides are converted to. */
  readonly type: string;
}

/** Returns the condition of an If, Filter or Switch node; undefined if it compares anything but a value with a literal. */
export function conditionOf(settings: JsonMap, pathOf: PathOf): WhenExpr | undefined {
  const conditions = mapAt(settings, 'conditions');
  const list = mapsAt(conditions, 'conditions');
  const comparisons = list.length > 0 ? list.map(comparisonOf) : olderComparisons(conditions);
  const whens = comparisons.map((comparison) => whenOf(comparison, pathOf));
  if (whens.length === 0 || !whens.every((when) => when !== undefined)) return undefined;
  const [only] = whens;
  if (whens.length === 1) return only;
  const isAny = textAt(conditions, 'combinator') === 'or' || textAt(settings, 'combineOperation') === 'any';
  return isAny ? { or: whens } : { and: whens };
}

function comparisonOf(condition: JsonMap): N8nComparison {
  const operator = mapAt(condition, 'operator');
  return {
    left: at(condition, 'leftValue') ?? null,
    operation: textAt(operator, 'operation'),
    right: at(condition, 'rightValue') ?? null,
    type: textAt(operator, 'type'),
  };
}

function olderComparisons(conditions: JsonMap): readonly N8nComparison[] {
  return ['string', 'number', 'boolean'].flatMap((type) =>
    mapsAt(conditions, type).map((condition) => ({
      left: at(condition, 'value1') ?? null,
      operation: textAt(condition, 'operation') || (type === 'number' ? 'smaller' : 'equal'),
      right: at(condition, 'value2') ?? (type === 'boolean' ? false : null),
      type,
    })),
  );
}

/** Returns the condition of a rule of an older Switch node, which compares one value. */
export function olderRule(left: JsonValue, rule: JsonMap, pathOf: PathOf): WhenExpr | undefined {
  const right = at(rule, 'value2') ?? null;
  const type = typeof right === 'number' ? 'number' : 'string';
  return whenOf({ left, operation: textAt(rule, 'operation') || 'equal', right, type }, pathOf);
}

/** Conditions by the name of an n8n operation, without its negation. */
const operations: Readonly<Record<string, (path: string, value: JsonValue) => WhenExpr>> = {
  equals: (path, value) => ({ equals: { var: path, value } }),
  equal: (path, value) => ({ equals: { var: path, value } }),
  contains: (path, value) => ({ contains: { var: path, value } }),
  gt: (path, value) => ({ gt: { var: path, value } }),
  larger: (path, value) => ({ gt: { var: path, value } }),
  gte: (path, value) => ({ gte: { var: path, value } }),
  largerEqual: (path, value) => ({ gte: { var: path, value } }),
  lt: (path, value) => ({ lt: { var: path, value } }),
  smaller: (path, value) => ({ lt: { var: path, value } }),
  lte: (path, value) => ({ lte: { var: path, value } }),
  smallerEqual: (path, value) => ({ lte: { var: path, value } }),
  exists: (path) => ({ exists: path }),
  true: (path) => ({ equals: { var: path, value: true } }),
  false: (path) => ({ equals: { var: path, value: false } }),
  empty: (path) => ({ or: [{ not: { exists: path } }, { in: { var: path, value: ['', []] } }] }),
  isEmpty: (path) => ({ or: [{ not: { exists: path } }, { in: { var: path, value: ['', []] } }] }),
};

const negated: Readonly<Record<string, string>> = {
  notEquals: 'equals',
  notEqual: 'equal',
  notContains: 'contains',
  notExists: 'exists',
  notEmpty: 'empty',
  isNotEmpty: 'isEmpty',
};

function whenOf({ left, operation, right, type }: N8nComparison, pathOf: PathOf): WhenExpr | undefined {
  const path = typeof left === 'string' ? pathOf(left) : undefined;
  const opposite = entryOf(negated, operation);
  const create = entryOf(operations, opposite ?? operation);
  const value = literalOf(right, type);
  if (path === undefined || create === undefined || value === undefined) return undefined;
  const when = create(path, value);
  return opposite === undefined ? when : { not: when };
}

/** Returns the value that an n8n field contains; undefined if it is an expression. */
function literalOf(value: JsonValue, type: string): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  const literal = /^=\s*\{\{\s*(-?\d+(?:\.\d+)?|true|false)\s*\}\}\s*$/.exec(value)?.[1] ?? value;
  if (literal.startsWith('=')) return literal.includes('{{') ? undefined : literal.slice(1);
  if (type === 'number' && literal.trim() !== '') {
    const number = Number(literal);
    return Number.isFinite(number) ? number : undefined;
  }
  return type === 'boolean' ? literal === 'true' : literal;
}
