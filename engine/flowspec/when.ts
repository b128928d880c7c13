/**
 * Conditions: what they give, and why.
 */
import { type BindingContext, lookUp, parsePath } from './binding-path.ts';
import type { WhenExpr } from './flow-doc.ts';
import { type JsonValue, jsonEquals } from './json-value.ts';
import { isValueHandle, type ValueHandle } from './value-handle.ts';
import type { WhenTrace } from './when-trace.ts';

/**
 * Evaluates a condition and keeps what it saw. Nothing is cut short, so the trace tells of every part.
 * A path that is missing makes its `equals` false; an empty `and` is true, an empty `or` false. Never throws.
 */
export function evaluateWhen(expr: WhenExpr, context: BindingContext): WhenTrace {
  if ('equals' in expr) return evaluateEquals(expr.equals, context);
  if ('not' in expr) {
    const inner = evaluateWhen(expr.not, context);
    return { op: 'not', of: [inner], result: !inner.result };
  }
  if ('and' in expr) {
    const parts = expr.and.map((part) => evaluateWhen(part, context));
    return { op: 'and', of: parts, result: parts.every(({ result }) => result) };
  }
  const parts = expr.or.map((part) => evaluateWhen(part, context));
  return { op: 'or', of: parts, result: parts.some(({ result }) => result) };
}

/** The condition with the values it saw, as one line for people: `check.value is false, not true`. */
export function explainWhen(trace: WhenTrace): string {
  if (trace.op === 'equals') return explainEquals(trace);
  if (trace.op === 'not') return `not (${trace.of.map(explainWhen).join('')})`;
  if (trace.of.length === 0) return `an empty "${trace.op}", which is always ${trace.result}`;
  return trace.of.map((part) => explainPart(part, trace.of.length)).join(` ${trace.op} `);
}

function evaluateEquals(equals: { var: string; value: JsonValue }, context: BindingContext): WhenTrace {
  const path = parsePath(equals.var);
  const actual = path === undefined ? undefined : lookUp(path, context);
  const seen = { op: 'equals', var: equals.var, value: equals.value } as const;
  return actual === undefined
    ? { ...seen, result: false }
    : { ...seen, actual, result: jsonEquals(actual, equals.value) };
}

function explainEquals(trace: Extract<WhenTrace, { op: 'equals' }>): string {
  const actual = trace.actual === undefined ? 'missing' : brief(trace.actual);
  return trace.result ? `${trace.var} is ${actual}` : `${trace.var} is ${actual}, not ${brief(trace.value)}`;
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

/** Of a value that is kept elsewhere: what JSON text of it begins with. */
function beginning({ type, preview }: ValueHandle): string {
  return type === 'string' ? JSON.stringify(preview).slice(0, -1) : preview;
}
