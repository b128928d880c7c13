/**
 * Converts the assertions of promptfoo to expectations. Their types:
 * https://www.promptfoo.dev/docs/configuration/expected-outputs/
 */
import type { ExpectDoc, JudgeDoc } from '../../cases/case-doc.ts';
import { parseCases } from '../../cases/parse-cases.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import type { ImportLine } from '../report.ts';

/** Node of the imported flow, and the binding of its text. */
export const promptNode = 'answer';
const output = `${promptNode}.text`;

/** What assertions become, with what is not converted. */
export interface ConvertedAssertions {
  readonly expect: ExpectDoc;
  readonly lines: readonly ImportLine[];
}

interface Converted {
  readonly matcher?: JsonMap;
  readonly judge?: JudgeDoc;
  readonly expect?: Partial<ExpectDoc>;
  /** What was lost, as sentences. */
  readonly lost?: readonly string[];
}

const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '');
const list = (value: JsonValue | undefined): readonly JsonValue[] =>
  isJsonList(value)
    ? value
    : text(value)
        .split(',')
        .map((part) => part.trim());
const escaped = (value: JsonValue | undefined): string => text(value).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Assertions that compare the text. `not-` in front of a name means the opposite. */
const matchers: Readonly<Record<string, (value: JsonValue | undefined) => Converted>> = {
  equals: (value) => ({ matcher: { equals: text(value) } }),
  'not-equals': (value) => ({ matcher: { notEquals: text(value) } }),
  contains: (value) => ({ matcher: { contains: text(value) } }),
  'not-contains': (value) => ({ matcher: { notContains: text(value) } }),
  icontains: (value) => ({ matcher: { contains: text(value), ignoreCase: true } }),
  'not-icontains': (value) => ({ matcher: { notContains: text(value), ignoreCase: true } }),
  'contains-all': (value) => ({ matcher: { contains: list(value) } }),
  'icontains-all': (value) => ({ matcher: { contains: list(value), ignoreCase: true } }),
  'contains-any': (value) => ({ matcher: { containsAny: list(value) } }),
  'not-contains-any': (value) => ({ matcher: { notContains: list(value) } }),
  'icontains-any': (value) => ({ matcher: { containsAny: list(value), ignoreCase: true } }),
  'not-icontains-any': (value) => ({ matcher: { notContains: list(value), ignoreCase: true } }),
  regex: (value) => ({ matcher: { matches: text(value) } }),
  'not-regex': (value) => ({ matcher: { notMatches: text(value) } }),
  'starts-with': (value) => ({ matcher: { matches: `^${escaped(value)}` } }),
  'not-starts-with': (value) => ({ matcher: { notMatches: `^${escaped(value)}` } }),
};

/** Assertions in which a model grades the text. */
const judged = new Set(['llm-rubric', 'model-graded-closedqa', 'model-graded-factuality', 'factuality', 'g-eval']);

/** Scores of judges in tests are from 0 to 5, and those of promptfoo from 0 to 1. */
const maxScore = 5;

function convert(assertion: JsonMap): Converted | undefined {
  const { type = '', value, threshold } = assertion;
  const name = String(type);
  const matcher = matchers[name];
  if (matcher !== undefined) return matcher(value);
  if (judged.has(name)) return judge(assertion);
  if (name === 'cost' && typeof threshold === 'number') return { expect: { maxUsd: threshold } };
  if (name === 'word-count' && isJsonMap(value ?? null) && typeof (value as JsonMap)['max'] === 'number')
    return { matcher: { maxWords: (value as JsonMap)['max'] as number } };
  return undefined;
}

function judge({ value, threshold, provider }: JsonMap): Converted {
  const rubric = isJsonList(value) ? value.map(text).join('\n') : text(value);
  const score = typeof threshold === 'number' ? { passIf: { atLeast: threshold * maxScore } } : {};
  return {
    judge: { prompt: `Does the text meet this criterion?\n\n${rubric}\n\nText:\n{{${output}}}`, ...score },
    ...(provider === undefined ? {} : { lost: ['Its own provider is not used: set `model` of the judge.'] }),
  };
}

/** Converts the assertions of a case. @param where name of the case, for the report */
export function convertAssertions(assertions: readonly JsonValue[], where: string): ConvertedAssertions {
  const found: FoundParts = { matcher: {}, others: [], judges: [], lines: [] };
  for (const assertion of assertions.flatMap(withSets)) take(assertion, where, found);
  const { matcher, others, judges, lines } = found;
  return {
    expect: {
      ...Object.assign({}, ...others),
      ...(Object.keys(matcher).length === 0 ? {} : { outputs: { [output]: matcher } }),
      ...(judges.length === 0 ? {} : { judge: judges.length === 1 ? (judges[0] as JudgeDoc) : judges }),
    },
    lines,
  };
}

interface FoundParts {
  matcher: JsonMap;
  readonly others: ExpectDoc[];
  readonly judges: JudgeDoc[];
  readonly lines: ImportLine[];
}

function take(assertion: JsonValue, where: string, found: FoundParts): void {
  const type = isJsonMap(assertion) ? String(assertion['type'] ?? '') : '';
  const name = `${where}: ${type}`;
  const converted = isJsonMap(assertion) ? convert(assertion) : undefined;
  if (converted === undefined || !isValid(converted)) {
    const lost = [whyNot(type, converted)];
    found.lines.push({ name, type, status: 'placeholder', became: 'nothing', lost });
    return;
  }
  found.matcher = mergedMatcher(found.matcher, converted.matcher ?? {});
  if (converted.judge !== undefined) found.judges.push(converted.judge);
  if (converted.expect !== undefined) found.others.push(converted.expect);
  const lost = [...(converted.lost ?? []), ...lostSettings(assertion as JsonMap)];
  const became = converted.judge === undefined ? 'a condition' : 'a judge';
  found.lines.push({ name, type, status: lost.length > 0 ? 'partly' : 'mapped', became, lost });
}

/** An `assert-set` contains other assertions. */
function withSets(assertion: JsonValue): readonly JsonValue[] {
  const inner = isJsonMap(assertion) && assertion['type'] === 'assert-set' ? assertion['assert'] : undefined;
  return isJsonList(inner) ? inner : [assertion];
}

/** Adds conditions. Those of a kind that is already there are added to `all`. */
function mergedMatcher(matcher: JsonMap, more: JsonMap): JsonMap {
  if (Object.keys(more).length === 0) return matcher;
  const isFree =
    Object.keys(more).every((key) => !Object.hasOwn(matcher, key)) && !('ignoreCase' in { ...matcher, ...more });
  if (Object.keys(matcher).length === 0 || isFree) return { ...matcher, ...more };
  const all = matcher['all'];
  return { ...matcher, all: [...(isJsonList(all) ? all : []), more] };
}

/** Whether the result is valid in a test file: a pattern, for example, may be one that is not supported. */
function isValid({ matcher, judge: verdict, expect }: Converted): boolean {
  const expected = { ...expect, ...(matcher && { outputs: { x: matcher } }), ...(verdict && { judge: verdict }) };
  return parseCases(JSON.stringify({ target: 'x', cases: [{ name: 'x', expect: expected }] })).diagnostics.length === 0;
}

function whyNot(type: string, converted: Converted | undefined): string {
  if (type === '') return 'It is not an assertion.';
  if (converted === undefined) return `Tests have no condition like "${type}".`;
  return 'Its value is not supported, such as a pattern with look-around.';
}

function lostSettings(assertion: JsonMap): readonly string[] {
  const lost = ['weight', 'metric', 'transform', 'config'].filter((key) => Object.hasOwn(assertion, key));
  return lost.length === 0 ? [] : [`Not used: ${lost.join(', ')}.`];
}
