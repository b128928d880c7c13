/**
 * Compares a value with what a test expects of it.
 */
import { compilePattern } from '../../base/pattern/pattern.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals, textForm } from '../json/json-value.ts';
import { schemaOfJson } from '../schema/schema-of-json.ts';
import { checkAgainst } from '../schema/schema-problems.ts';
import type { MatcherDoc, MatcherName } from './matcher-doc.ts';

/** A condition, and whether it holds. */
export interface MatchedValue {
  readonly matcher: MatcherName;
  /** Its place in the conditions. */
  readonly path: readonly (string | number)[];
  readonly expected: JsonValue;
  readonly isOk: boolean;
  /** The condition in words, after the name of the value: `contains "by Friday"`. */
  readonly label: string;
  /** Why it does not hold, after the name of the value: `does not contain "by Friday"`. */
  readonly problem: string;
}

interface MatcherRule {
  /** The condition in words. */
  readonly label: (expected: JsonValue) => string;
  /** Returns why the condition does not hold; undefined if it does. */
  readonly problem: (value: JsonValue, expected: JsonValue, ignoreCase: boolean) => string | undefined;
}

/** Longest part of a value in a message. In UTF-16 units. */
const longestShown = 120;

/** Formats a value for a message, cut to a line. */
export function shortValue(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/**
 * Evaluates all conditions.
 * @param value undefined if there is none
 */
export function matchValue(matcher: MatcherDoc, value: JsonValue | undefined): readonly MatchedValue[] {
  const { all = [], ignoreCase = false, ...conditions } = matcher;
  const own = Object.entries(conditions).map(([key, wanted]): MatchedValue => {
    const name = key as MatcherName;
    const expected = wanted as JsonValue;
    const problem = problemOf(name, { value, expected, ignoreCase });
    const label = rules[name].label(expected);
    return { matcher: name, path: [name], expected, isOk: problem === undefined, label, problem: problem ?? '' };
  });
  const more = all.flatMap((one, index) =>
    matchValue(one, value).map((found) => ({ ...found, path: ['all', index, ...found.path] })),
  );
  return [...own, ...more];
}

function problemOf(
  name: MatcherName,
  {
    value,
    expected,
    ignoreCase,
  }: { readonly value: JsonValue | undefined; readonly expected: JsonValue; readonly ignoreCase: boolean },
): string | undefined {
  if (name === 'exists') {
    if ((value !== undefined) === expected) return undefined;
    return value === undefined ? 'has no value' : `has the value ${shortValue(value)}`;
  }
  if (value !== undefined) return rules[name].problem(value, expected, ignoreCase);
  // A typo in the name of a value must not satisfy conditions such as `notContains`.
  return 'has no value';
}

const quoted = (expected: JsonValue): string =>
  isJsonList(expected) ? expected.map(shortValue).join(' and ') : shortValue(expected);

const all = (expected: JsonValue): readonly JsonValue[] => (isJsonList(expected) ? expected : [expected]);

const rules: Readonly<Record<MatcherName, MatcherRule>> = {
  equals: {
    label: (expected) => `is ${shortValue(expected)}`,
    problem: (value, expected, ignoreCase) =>
      isEqual(value, expected, ignoreCase) ? undefined : `is ${shortValue(value)}, not ${shortValue(expected)}`,
  },
  notEquals: {
    label: (expected) => `is not ${shortValue(expected)}`,
    problem: (value, expected, ignoreCase) =>
      isEqual(value, expected, ignoreCase) ? `is ${shortValue(value)}` : undefined,
  },
  contains: {
    label: (expected) => `contains ${quoted(expected)}`,
    problem(value, expected, ignoreCase) {
      const missing = all(expected).filter((part) => !hasPart(value, part, ignoreCase));
      return missing.length === 0 ? undefined : `does not contain ${quoted(missing)}`;
    },
  },
  containsAny: {
    label: (expected) => `contains ${all(expected).map(shortValue).join(' or ')}`,
    problem: (value, expected, ignoreCase) =>
      all(expected).some((part) => hasPart(value, part, ignoreCase))
        ? undefined
        : `contains none of ${all(expected).map(shortValue).join(', ')}`,
  },
  notContains: {
    label: (expected) => `does not contain ${all(expected).map(shortValue).join(' or ')}`,
    problem(value, expected, ignoreCase) {
      const found = all(expected).filter((part) => hasPart(value, part, ignoreCase));
      return found.length === 0 ? undefined : `contains ${quoted(found)}`;
    },
  },
  matches: {
    label: (expected) => `matches ${String(expected)}`,
    problem: (value, expected, ignoreCase) =>
      occurs(String(expected), textForm(value), ignoreCase) ? undefined : `does not match ${String(expected)}`,
  },
  notMatches: {
    label: (expected) => `does not match ${String(expected)}`,
    problem: (value, expected, ignoreCase) =>
      occurs(String(expected), textForm(value), ignoreCase) ? `matches ${String(expected)}` : undefined,
  },
  schema: {
    label: () => 'conforms to the schema',
    problem(value, expected) {
      if (typeof expected === 'string') return `cannot be checked, because the schema file ${expected} was not read`;
      const checked = checkAgainst(schemaOfJson(expected as JsonMap | boolean), value);
      if (checked.ok) return undefined;
      if (expected === false) return 'does not conform to the schema, which allows nothing';
      const [first] = checked.problems;
      const where = first === undefined || first.path.length === 0 ? 'it' : `\`${first.path.join('.')}\``;
      return `does not conform to the schema: ${where} ${first?.message ?? 'is not allowed'}`;
    },
  },
  lessThan: ofNumbers('is less than', (value, limit) => value < limit),
  atMost: ofNumbers('is at most', (value, limit) => value <= limit),
  greaterThan: ofNumbers('is greater than', (value, limit) => value > limit),
  atLeast: ofNumbers('is at least', (value, limit) => value >= limit),
  closeTo: {
    label: (expected) => `is within ${distanceOf(expected).within} of ${distanceOf(expected).value}`,
    problem(value, expected) {
      const { value: wanted, within } = distanceOf(expected);
      if (typeof value !== 'number') return `is ${shortValue(value)}, not a number`;
      return Math.abs(value - wanted) <= within ? undefined : `is ${value}, more than ${within} away from ${wanted}`;
    },
  },
  oneOf: {
    label: (expected) => `is one of ${all(expected).map(shortValue).join(', ')}`,
    problem: (value, expected, ignoreCase) =>
      all(expected).some((one) => isEqual(value, one, ignoreCase))
        ? undefined
        : `is ${shortValue(value)}, which is none of ${all(expected).map(shortValue).join(', ')}`,
  },
  exists: { label: (expected) => (expected === true ? 'has a value' : 'has no value'), problem: () => undefined },
  minLength: ofLength('has at least', (length, limit) => length >= limit),
  maxLength: ofLength('has at most', (length, limit) => length <= limit),
  minWords: ofWords('at least', (count, limit) => (count < limit ? 'fewer' : undefined)),
  maxWords: ofWords('at most', (count, limit) => (count > limit ? 'more' : undefined)),
};

/** @param miss returns how the count misses the limit; undefined if it does not */
function ofWords(words: string, miss: (count: number, limit: number) => string | undefined): MatcherRule {
  return {
    label: (expected) => `has ${words} ${String(expected)} words`,
    problem(value, expected) {
      if (typeof value !== 'string') return `is ${shortValue(value)}, not text`;
      const count = wordCount(value);
      const missed = miss(count, Number(expected));
      return missed === undefined ? undefined : `has ${count} words, ${missed} than ${String(expected)}`;
    },
  };
}

function ofNumbers(words: string, holds: (value: number, limit: number) => boolean): MatcherRule {
  return {
    label: (expected) => `${words} ${String(expected)}`,
    problem(value, expected) {
      if (typeof value !== 'number') return `is ${shortValue(value)}, not a number`;
      return holds(value, Number(expected))
        ? undefined
        : `is ${value}; expected: ${words.replace('is ', '')} ${String(expected)}`;
    },
  };
}

function ofLength(words: string, holds: (length: number, limit: number) => boolean): MatcherRule {
  return {
    label: (expected) => `${words} ${String(expected)} characters, items or keys`,
    problem(value, expected) {
      const length = lengthOf(value);
      if (length === undefined) return `is ${shortValue(value)}, which has no length`;
      return holds(length, Number(expected))
        ? undefined
        : `has ${length} ${unitOf(value)}; expected: ${words.replace('has ', '')} ${String(expected)}`;
    },
  };
}

function lengthOf(value: JsonValue): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (isJsonList(value)) return value.length;
  return isJsonMap(value) ? Object.keys(value).length : undefined;
}

function unitOf(value: JsonValue): string {
  if (typeof value === 'string') return 'characters';
  return isJsonList(value) ? 'items' : 'keys';
}

/** Counts words as people do: text between white space with a letter or digit. */
function wordCount(text: string): number {
  return text.split(/\s+/u).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}

function distanceOf(expected: JsonValue): { readonly value: number; readonly within: number } {
  const map = isJsonMap(expected) ? expected : {};
  return { value: Number(map['value']), within: Number(map['within']) };
}

function isEqual(value: JsonValue, expected: JsonValue, ignoreCase: boolean): boolean {
  if (ignoreCase && typeof value === 'string' && typeof expected === 'string')
    return folded(value) === folded(expected);
  return jsonEquals(value, expected);
}

/** Returns whether a text contains a text, a list an item, or a map a key. */
function hasPart(value: JsonValue, part: JsonValue, ignoreCase: boolean): boolean {
  if (isJsonList(value)) return value.some((item) => isEqual(item, part, ignoreCase));
  if (isJsonMap(value)) return typeof part === 'string' && Object.hasOwn(value, part);
  const [whole, wanted] = [textForm(value), textForm(part)];
  return ignoreCase ? folded(whole).includes(folded(wanted)) : whole.includes(wanted);
}

function folded(text: string): string {
  return text.toLocaleLowerCase('en');
}

function occurs(pattern: string, text: string, ignoreCase: boolean): boolean {
  const compiled = compilePattern(pattern, { ignoreCase });
  if (!('matches' in compiled)) return false;
  for (const steps = compiled.matches(text); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
