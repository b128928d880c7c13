/**
 * Evaluates conditions and explains the result.
 */

import { failedNodeIn } from '../flow/failure-way.ts';
import type { Comparison, WhenExpr } from '../flow/flow-doc.ts';
import { isJsonList, type JsonMap, type JsonValue, jsonEquals } from '../json/json-value.ts';
import { isValueHandle, type ValueHandle } from '../json/value-handle.ts';
import {
  type AbsentNode,
  absentNodeOn,
  type BindingContext,
  missingValueText,
  parsePath,
  resolveBindingPath,
  suggestionOn,
} from './binding-path.ts';
import { isErrorMarker } from './markers.ts';

/** Operators that compare the value at a path with another value. */
export type ComparisonOp = 'equals' | 'lt' | 'lte' | 'gt' | 'gte' | 'contains' | 'in';

/** A condition together with its values, to explain why a node did not run. */
export type WhenTrace =
  | {
      readonly op: ComparisonOp;
      readonly var: string;
      readonly value: JsonValue;
      /** The value at the path; absent if it was missing. */
      readonly actual?: JsonValue;
      /** The node that caused the value to be missing, if any. */
      readonly absent?: AbsentNode;
      /** The condition checks for a failure, but the field is part of the node's output. */
      readonly isOnlyData?: true;
      /** The path is missing below a suggestion, so its value is unknown. */
      readonly isSuggested?: true;
      readonly result: boolean;
    }
  | {
      readonly op: 'exists';
      readonly var: string;
      readonly actual?: JsonValue;
      readonly absent?: AbsentNode;
      readonly isOnlyData?: true;
      readonly isSuggested?: true;
      readonly result: boolean;
    }
  | { readonly op: 'not' | 'and' | 'or'; readonly of: readonly WhenTrace[]; readonly result: boolean };

/**
 * Whether a condition is false because its value is unknown: it depends on the output of a node that was only
 * suggested. The negation is also false.
 */
export function isUndecided(trace: WhenTrace): boolean {
  if (trace.result) return false;
  if (!('of' in trace)) return trace.isSuggested === true;
  // A condition that is false regardless of the unknown part is known to be false.
  if (trace.op === 'and' && trace.of.some((part) => !part.result && !isUndecided(part))) return false;
  return trace.of.some(isUndecided);
}

/**
 * Evaluates a condition and records the values in it. Does not short-circuit, so the trace has every part. A missing
 * path makes its comparison false; below a suggestion, the negation is also false. An empty `and` is true, an empty
 * `or` false. Never throws.
 */
export function evaluateWhen(expr: WhenExpr, context: BindingContext): WhenTrace {
  if ('not' in expr) {
    const inner = evaluateWhen(expr.not, context);
    return { op: 'not', of: [inner], result: !inner.result && !isUndecided(inner) };
  }
  if ('and' in expr) {
    const parts = expr.and.map((part) => evaluateWhen(part, context));
    return { op: 'and', of: parts, result: parts.every(({ result }) => result) };
  }
  if ('or' in expr) {
    const parts = expr.or.map((part) => evaluateWhen(part, context));
    return { op: 'or', of: parts, result: parts.some(({ result }) => result) };
  }
  return evaluateLeaf(expr, context);
}

function evaluateLeaf(expr: ComparisonExpr | { readonly exists: string }, context: BindingContext): WhenTrace {
  const seen = 'exists' in expr ? ({ op: 'exists', var: expr.exists } as const) : seenBy(expr);
  const path = parsePath(seen.var);
  const actual = path === undefined ? undefined : resolveBindingPath(path, context);
  if (actual === undefined) {
    const absent = absentNodeOn(path ?? [], context);
    const isSuggested = path !== undefined && suggestionOn(path, context) !== undefined;
    const known = { ...(absent === undefined ? {} : { absent }), ...(isSuggested ? { isSuggested } : {}) } as const;
    return { ...seen, ...known, result: false };
  }
  const failed = failedNodeIn(expr, path);
  const isOnlyData =
    failed !== undefined && context.keepsFailure?.(failed) === true && !isErrorMarker(context.get(failed));
  if (isOnlyData) return { ...seen, actual, isOnlyData, result: false };
  return { ...seen, actual, result: seen.op === 'exists' || comparisons[seen.op](actual, seen.value) };
}

function seenBy(expr: ComparisonExpr): Pick<ComparisonTrace, 'op' | 'var' | 'value'> {
  const [op, { var: path, value }] = comparisonOf(expr);
  return { op, var: path, value };
}

/** Formats a condition with its values as one line for display: `check.value is false, not true`. */
export function explainWhen(trace: WhenTrace): string {
  if (trace.op === 'exists') return explainExists(trace);
  if (trace.op === 'not') return `not (${trace.of.map(explainWhen).join('')})`;
  if (!('of' in trace)) return explainComparison(trace);
  if (trace.of.length === 0) return `an empty "${trace.op}", which is always ${trace.result}`;
  return trace.of.map((part) => explainPart(part, trace.of.length)).join(` ${trace.op} `);
}

/** A condition that compares the value at a path with another value. */
export type ComparisonExpr = Exclude<
  WhenExpr,
  { not: unknown } | { and: unknown } | { or: unknown } | { exists: unknown }
>;

/** Returns a comparison's only key, and its value. */
export function comparisonOf(expr: ComparisonExpr): [op: ComparisonOp, comparison: Comparison] {
  for (const key in expr) return [key as ComparisonOp, expr[key as keyof ComparisonExpr]];
  throw new TypeError('The condition has no key');
}

/** Returns the paths in a condition, each with its location in the condition. */
export function pathsOf(
  expr: WhenExpr,
  place: readonly (string | number)[] = [],
): readonly { readonly place: readonly (string | number)[]; readonly text: string }[] {
  if ('not' in expr) return pathsOf(expr.not, [...place, 'not']);
  if ('and' in expr) return expr.and.flatMap((part, index) => pathsOf(part, [...place, 'and', index]));
  if ('or' in expr) return expr.or.flatMap((part, index) => pathsOf(part, [...place, 'or', index]));
  if ('exists' in expr) return [{ place: [...place, 'exists'], text: expr.exists }];
  const [op, comparison] = comparisonOf(expr);
  return [{ place: [...place, op, 'var'], text: comparison.var }];
}

/**
 * What a condition in a node's input can read: the same values as the node, or the nodes of its body and the values
 * that they can read.
 */
export type ConditionScope = 'node' | 'body';

const conditionFields: Readonly<Record<string, Readonly<Record<string, ConditionScope>>>> = {
  'control.if': { condition: 'node' },
  'control.loop': { until: 'body', while: 'body' },
};

/** Returns the input keys of a type that contain flow conditions, with the values that those can read. */
export function conditionSightsOf(type: string): Readonly<Record<string, ConditionScope>> {
  return Object.hasOwn(conditionFields, type) ? (conditionFields[type] ?? {}) : {};
}

/** Returns the flow conditions in a node's input, as written. */
export function inputConditions({
  type,
  input,
}: {
  readonly type: string;
  readonly input: JsonMap;
}): readonly { readonly key: string; readonly sees: ConditionScope; readonly condition: JsonValue }[] {
  return Object.entries(conditionSightsOf(type)).flatMap(([key, sees]) => {
    const condition = input[key];
    return condition === undefined ? [] : [{ key, sees, condition }];
  });
}

const comparisons: Readonly<Record<ComparisonOp, (actual: JsonValue, value: JsonValue) => boolean>> = {
  equals: jsonEquals,
  lt: (actual, value) => orderOf(actual, value) < 0,
  lte: (actual, value) => orderOf(actual, value) <= 0,
  gt: (actual, value) => orderOf(actual, value) > 0,
  gte: (actual, value) => orderOf(actual, value) >= 0,
  contains: (actual, value) => {
    if (isJsonList(actual)) return actual.some((member) => jsonEquals(member, value));
    return typeof actual === 'string' && typeof value === 'string' && actual.includes(value);
  },
  in: (actual, value) => isJsonList(value) && value.some((member) => jsonEquals(actual, member)),
};

/**
 * Returns a value below, equal to or above 0, or NaN, which makes every comparison false, if the two cannot be
 * compared. Compares text by code units.
 */
function orderOf(actual: JsonValue, value: JsonValue): number {
  if (typeof actual === 'number' && typeof value === 'number') return actual - value;
  if (typeof actual !== 'string' || typeof value !== 'string') return Number.NaN;
  if (actual === value) return 0;
  return actual < value ? -1 : 1;
}

type ComparisonTrace = Extract<WhenTrace, { op: ComparisonOp }>;

const phrases: Readonly<Record<Exclude<ComparisonOp, 'equals'>, readonly [isTrue: string, isFalse: string]>> = {
  lt: ['which is less than', 'which is not less than'],
  lte: ['which is at most', 'which is not at most'],
  gt: ['which is greater than', 'which is not greater than'],
  gte: ['which is at least', 'which is not at least'],
  contains: ['which contains', 'which does not contain'],
  in: ['which is one of', 'which is not one of'],
};

function explainComparison(trace: ComparisonTrace): string {
  if (trace.isOnlyData === true) return onlyDataWords(trace);
  const actual = trace.actual === undefined ? missingWords(trace) : brief(trace.actual);
  const start = `${trace.var} is ${actual}`;
  if (trace.op === 'equals') return trace.result ? start : `${start}, not ${brief(trace.value)}`;
  const [isTrue, isFalse] = phrases[trace.op];
  return `${start}, ${trace.result ? isTrue : isFalse} ${brief(trace.value)}`;
}

/** A field of that name may exist, but not a failure. */
function onlyDataWords({ var: path }: { readonly var: string }): string {
  return `${path} is an ordinary output field: "${parsePath(path)?.[0]}" did not fail`;
}

function explainExists(trace: Extract<WhenTrace, { op: 'exists' }>): string {
  if (trace.isOnlyData === true) return onlyDataWords(trace);
  return `${trace.var} is ${trace.actual === undefined ? missingWords(trace) : brief(trace.actual)}`;
}

function missingWords({ absent }: { readonly absent?: AbsentNode }): string {
  return absent === undefined ? 'missing' : `missing (${missingValueText(absent)})`;
}

function explainPart(part: WhenTrace, siblings: number): string {
  const isGroup = (part.op === 'and' || part.op === 'or') && part.of.length > 1;
  return isGroup && siblings > 1 ? `(${explainWhen(part)})` : explainWhen(part);
}

const longestBrief = 60;

function brief(value: JsonValue): string {
  if (isValueHandle(value)) return `${beginning(value).slice(0, longestBrief - 3)}...`;
  const text = JSON.stringify(value);
  return text.length <= longestBrief ? text : `${text.slice(0, longestBrief - 3)}...`;
}

/** Returns the start of the JSON text of a value that is stored separately. */
function beginning({ type, preview }: ValueHandle): string {
  return type === 'string' ? JSON.stringify(preview).slice(0, -1) : preview;
}
