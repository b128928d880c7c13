/**
 * Evaluates JSONPath queries (RFC 9535) with a bounded amount of work, yielding to other work. The library only parses
 * the query. Its evaluation can neither be stopped nor limited, so it is implemented here.
 */
import { JSONPathEnvironment, type JSONPathQuery, jsonpath } from 'json-p3';
import { EngineError } from '../../../base/engine-error.ts';
import { compilePattern, type Pattern } from '../../../base/pattern/pattern.ts';
import { isJsonList, type JsonValue } from '../json-value.ts';
import { childrenOf, chosenBy, type Selector } from './chosen-values.ts';

export interface QueryLimits {
  /** Maximum number of matches at any time, including duplicates: `[0,0]` matches a value twice. */
  readonly mostMatches: number;
  /** Maximum number of visited values, each about 100 ns. */
  readonly mostSteps: number;
}

const usualLimits: QueryLimits = { mostMatches: 1_000_000, mostSteps: 10_000_000 };

/** Deeper values are rejected, because recursive code would fail on them later. */
const maxDepth = 1000;

const longestPath = 10_000;
const stepsPerYield = 500;
const charactersPerStep = 100;

let environment: JSONPathEnvironment | undefined;

/** Compiles a standard path, without the library's own extensions. The library is set up on first use. */
function compile(path: string): JSONPathQuery {
  environment ??= new JSONPathEnvironment({ keysPattern: /(?!)/y });
  return environment.compile(path);
}

/** @returns the path's error; undefined if the path is valid */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith('$')) return 'must start with $, which represents the whole value';
  if (path.length > longestPath) return 'is longer than 10,000 characters';
  try {
    compile(path);
    return undefined;
  } catch (error) {
    return `is not a valid JSONPath: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Evaluates a path. Returns all matches as a list; for a path with at most one match, its value or null. Yields
 * regularly, so that other work can run.
 * @throws EngineError `json.too-deep` | `json.too-many-matches` | `json.too-much-work`
 */
export function* queryJson(path: string, value: JsonValue, limits = usualLimits): Generator<void, JsonValue> {
  const query = compile(path);
  try {
    const matches = yield* new Search(path, value, limits).find(query, value);
    return query.singularQuery() ? (matches[0] ?? null) : matches;
  } catch (error) {
    if (error instanceof RangeError) throw failure('json.too-deep', path, 'has filters that are nested too deeply.');
    throw error;
  }
}

type Steps<T> = Generator<void, T>;
type JsonPathSegment = JSONPathQuery['segments'][number];
type Expression = InstanceType<typeof jsonpath.expressions.LogicalExpression>['expression'];

/** The value, in a comparison, of a path without a match. */
const nothing = Symbol('nothing');
type Operand = JsonValue | typeof nothing;

class Search {
  readonly #path: string;
  readonly #root: JsonValue;
  readonly #limits: QueryLimits;
  readonly #patterns = new Map<string, Pattern | undefined>();
  #steps = 0;
  #unsaid = 0;

  constructor(path: string, root: JsonValue, limits: QueryLimits) {
    this.#path = path;
    this.#root = root;
    this.#limits = limits;
  }

  *find(query: JSONPathQuery, from: JsonValue): Steps<readonly JsonValue[]> {
    let found: readonly JsonValue[] = [from];
    for (const segment of query.segments) found = yield* this.#segment(segment, found);
    return found;
  }

  *#segment(segment: JsonPathSegment, from: readonly JsonValue[]): Steps<readonly JsonValue[]> {
    const found: JsonValue[] = [];
    // Only a descendant segment has this method. The library does not export its classes.
    const isDescent = 'visit' in segment;
    for (const value of from) {
      const places = isDescent ? this.#descend(value) : [value];
      for (const place of places) {
        yield* this.#spend(1);
        for (const selector of segment.selectors) yield* this.#select(selector, place, found);
      }
    }
    return found;
  }

  /** Yields the value and everything in it, in pre-order. */
  *#descend(from: JsonValue): Iterable<JsonValue> {
    const open: Iterator<JsonValue>[] = [[from].values()];
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      const next = inner.next();
      if (next.done === true) {
        open.pop();
        continue;
      }
      yield next.value;
      if (typeof next.value !== 'object' || next.value === null) continue;
      if (open.length >= maxDepth) {
        const problem = `found lists and maps nested more than ${maxDepth} levels deep. Write the full path instead of searching with "..".`;
        throw failure('json.too-deep', this.#path, problem);
      }
      open.push(childrenOf(next.value).values());
    }
  }

  *#select(selector: Selector, value: JsonValue, found: JsonValue[]): Steps<void> {
    const { FilterSelector } = jsonpath.selectors;
    for (const child of chosenBy(selector, value)) {
      yield* this.#spend(1);
      const isKept = !(selector instanceof FilterSelector) || (yield* this.#holds(selector.expression, child));
      if (isKept) this.#add(found, child);
    }
  }

  #add(found: JsonValue[], value: JsonValue | undefined): void {
    if (value === undefined) return;
    const { mostMatches } = this.#limits;
    if (found.length >= mostMatches) {
      const problem = `has more than ${mostMatches.toLocaleString('en')} matches. Narrow the query or the value that it searches.`;
      throw failure('json.too-many-matches', this.#path, problem);
    }
    found.push(value);
  }

  *#spend(steps: number): Steps<void> {
    this.#steps += steps;
    this.#unsaid += steps;
    if (this.#steps > this.#limits.mostSteps) {
      const problem = 'visits too many values. Narrow the query or the value that it searches.';
      throw failure('json.too-much-work', this.#path, problem);
    }
    if (this.#unsaid < stepsPerYield) return;
    this.#unsaid = 0;
    yield;
  }

  *#holds(expression: Expression, current: JsonValue): Steps<boolean> {
    const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } =
      jsonpath.expressions;
    yield* this.#spend(1);
    if (expression instanceof LogicalExpression) return yield* this.#holds(expression.expression, current);
    if (expression instanceof PrefixExpression) return !(yield* this.#holds(expression.right, current));
    if (expression instanceof FilterQuery) return (yield* this.#nodes(expression, current)).length > 0;
    if (expression instanceof FunctionExtension) return (yield* this.#call(expression, current)) === true;
    if (!(expression instanceof InfixExpression)) throw new TypeError('Unknown expression');
    const { left, operator, right } = expression;
    if (operator === '&&') return (yield* this.#holds(left, current)) && (yield* this.#holds(right, current));
    if (operator === '||') return (yield* this.#holds(left, current)) || (yield* this.#holds(right, current));
    return yield* this.#compare(yield* this.#operand(left, current), operator, yield* this.#operand(right, current));
  }

  *#nodes(expression: Expression, current: JsonValue): Steps<readonly JsonValue[]> {
    const { FilterQuery, RootQuery } = jsonpath.expressions;
    if (!(expression instanceof FilterQuery)) return [];
    return yield* this.find(expression.path, expression instanceof RootQuery ? this.#root : current);
  }

  *#operand(expression: Expression, current: JsonValue): Steps<Operand> {
    const { BooleanLiteral, FilterQuery, FunctionExtension, NullLiteral, NumberLiteral, StringLiteral } =
      jsonpath.expressions;
    if (expression instanceof NullLiteral) return null;
    if (
      expression instanceof BooleanLiteral ||
      expression instanceof NumberLiteral ||
      expression instanceof StringLiteral
    ) {
      return expression.value;
    }
    if (expression instanceof FunctionExtension) return yield* this.#call(expression, current);
    if (expression instanceof FilterQuery) {
      const [first = nothing] = yield* this.#nodes(expression, current);
      return first;
    }
    return yield* this.#holds(expression, current);
  }

  *#call(
    { name, args: [first, second] }: InstanceType<typeof jsonpath.expressions.FunctionExtension>,
    current: JsonValue,
  ): Steps<Operand> {
    if (first === undefined) return nothing;
    if (name === 'count') return (yield* this.#nodes(first, current)).length;
    if (name === 'value') {
      const nodes = yield* this.#nodes(first, current);
      return nodes.length === 1 ? (nodes[0] ?? null) : nothing;
    }
    const value = yield* this.#operand(first, current);
    if (name === 'length') return lengthOf(value);
    const source = second === undefined ? nothing : yield* this.#operand(second, current);
    if (typeof value !== 'string' || typeof source !== 'string') return false;
    const pattern = yield* this.#patternOf(source);
    if (pattern === undefined) return false;
    return yield* this.#matches(pattern, value, name === 'match' ? 'whole' : undefined);
  }

  /** Returns undefined for an invalid pattern, which matches nothing. */
  *#patternOf(source: string): Steps<Pattern | undefined> {
    if (this.#patterns.has(source)) return this.#patterns.get(source);
    // Patterns may come from the value, with a different one for each item.
    yield* this.#spend(1000 + source.length);
    const compiled = compilePattern(source, { lineEnds: '\\n\\r' });
    const pattern = 'problem' in compiled ? undefined : compiled;
    if (this.#patterns.size >= 100) this.#patterns.clear();
    this.#patterns.set(source, pattern);
    return pattern;
  }

  *#matches(pattern: Pattern, text: string, whole: 'whole' | undefined): Steps<boolean> {
    const work = pattern.matches(text, whole);
    yield* this.#spend(1 + text.length / charactersPerStep);
    for (let next = work.next(); ; next = work.next()) {
      if (next.done === true) return next.value;
      yield* this.#spend(next.value / 5);
    }
  }

  *#compare(left: Operand, operator: string, right: Operand): Steps<boolean> {
    switch (operator) {
      case '==':
        return yield* this.#isEqual(left, right);
      case '!=':
        return !(yield* this.#isEqual(left, right));
      case '<':
        return isLess(left, right);
      case '>':
        return isLess(right, left);
      case '<=':
        return isLess(left, right) || (yield* this.#isEqual(left, right));
      default:
        return isLess(right, left) || (yield* this.#isEqual(left, right));
    }
  }

  *#isEqual(left: Operand, right: Operand): Steps<boolean> {
    yield* this.#spend(1);
    if (left === right) return true;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    // A list's keys are its indexes.
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      if (!(yield* this.#isEqual(Reflect.get(left, key), Reflect.get(right, key)))) return false;
    }
    return true;
  }
}

function isLess(left: Operand, right: Operand): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left < right;
  return typeof left === 'number' && typeof right === 'number' && left < right;
}

function lengthOf(value: Operand): Operand {
  if (typeof value === 'string' || isJsonList(value as JsonValue))
    return (value as string | readonly JsonValue[]).length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : nothing;
}

function failure(code: string, path: string, problem: string): EngineError {
  const shown = path.length <= 200 ? path : `${path.slice(0, 199)}…`;
  return new EngineError({ code, message: `The query "${shown}" ${problem}` });
}
