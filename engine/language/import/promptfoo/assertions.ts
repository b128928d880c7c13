/**
 * Converts the assertions of a test of promptfoo to expectations.
 */
import type { ExpectDoc, JudgeDoc } from '../../cases/case-doc.ts';
import { matcherMapSchema } from '../../cases/matcher-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { checkAgainst } from '../../schema/schema-problems.ts';
import { type AssertedCondition, conditionOf } from './conditions.ts';
import { type JudgeSettings, judgeOf } from './judges.ts';
import type { Findings, FoundAt, LineParts } from './remarks.ts';
import { type TemplateFilling, textOf } from './templates.ts';

/** An assertion, and what of its surroundings is lost. */
export interface SourceAssertion {
  readonly assertion: JsonValue;
  readonly lost: readonly string[];
}

/** What the assertions of a test need. */
export interface AssertionSurroundings extends JudgeSettings {
  readonly filling: TemplateFilling;
  readonly findings: Findings;
  readonly at: FoundAt;
}

interface Converted {
  readonly condition?: AssertedCondition;
  readonly judge?: JudgeDoc;
  readonly maxUsd?: number;
  /** What was lost, as sentences. */
  readonly lost: readonly string[];
}

/** Converts the assertions of a test, and reports what became of each. */
export function convertAssertions(
  assertions: readonly SourceAssertion[],
  surroundings: AssertionSurroundings,
): ExpectDoc {
  const outputs = new Map<string, JsonMap>();
  const judges: JudgeDoc[] = [];
  const limits: number[] = [];
  for (const one of assertions.flatMap(withSets)) {
    const { condition, judge, maxUsd } = convert(one, surroundings) ?? {};
    if (condition !== undefined)
      outputs.set(condition.binding, mergedMatcher(outputs.get(condition.binding) ?? {}, condition.matcher));
    if (judge !== undefined) judges.push(judge);
    if (maxUsd !== undefined) limits.push(maxUsd);
  }
  const [only] = judges;
  return {
    ...(limits.length === 0 ? {} : { maxUsd: Math.min(...limits) }),
    ...(outputs.size === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
    ...(only === undefined ? {} : { judge: judges.length === 1 ? only : judges }),
  };
}

/** An `assert-set` contains other assertions. */
function withSets({ assertion, lost }: SourceAssertion): readonly SourceAssertion[] {
  const set = isJsonMap(assertion) && assertion['type'] === 'assert-set' ? assertion : undefined;
  const inner = set?.['assert'];
  if (set === undefined || !isJsonList(inner)) return [{ assertion, lost }];
  const { threshold } = set;
  const others = Object.keys(set).filter((key) => !['type', 'assert', 'threshold'].includes(key));
  const ofSet = [
    ...lost,
    ...(threshold === undefined
      ? []
      : [`The threshold ${textOf(threshold)} of its assert-set is not used: all checks of the set must hold.`]),
    ...(others.length === 0 ? [] : [`Not used of its assert-set: ${others.join(', ')}.`]),
  ];
  return inner.flatMap((one) => withSets({ assertion: one, lost: ofSet }));
}

function convert({ assertion, lost }: SourceAssertion, surroundings: AssertionSurroundings): Converted | undefined {
  const { findings, at } = surroundings;
  const type = isJsonMap(assertion) ? textOf(assertion['type']) : '';
  const about = aboutOf(assertion);
  if (!isJsonMap(assertion) || type === '') {
    findings.line({ about, type: 'assert', ...missing('It is not an assertion.') }, at);
    return undefined;
  }
  const unread = new Set<string>();
  const value = filledValue(assertion['value'], surroundings.filling, unread);
  const converted = convertedBy(assertion, value, surroundings);
  if (converted === undefined || !isValid(converted)) {
    findings.line({ about, type, ...missing(whyNot(assertion, converted)) }, at);
    return undefined;
  }
  const all = [...converted.lost, ...unread, ...lost, ...lostSettings(assertion, converted)];
  const became = converted.judge === undefined ? 'a condition' : 'a judge';
  findings.line({ about, type, status: all.length > 0 ? 'partly' : 'mapped', became, lost: all }, at);
  return converted;
}

function convertedBy(assertion: JsonMap, value: JsonValue | undefined, settings: JudgeSettings): Converted | undefined {
  const type = String(assertion['type']);
  const { threshold } = assertion;
  if (type === 'cost') return typeof threshold === 'number' ? { maxUsd: threshold, lost: [] } : undefined;
  // A file that was not read is not the expected text.
  if (typeof value === 'string' && value.startsWith('file://')) return undefined;
  const condition = conditionOf(type, value);
  if (condition !== undefined) return { condition, lost: condition.lost ?? [] };
  return judgeOf(assertion, value, settings);
}

/** Fills in templates, also in lists and maps. */
function filledValue(value: JsonValue | undefined, filling: TemplateFilling, lost: Set<string>): JsonValue | undefined {
  if (typeof value === 'string') return filling.text(value, lost);
  if (isJsonList(value)) return value.map((one) => filledValue(one, filling, lost) ?? null);
  if (!isJsonMap(value ?? null)) return value;
  const entries = Object.entries(value as JsonMap).map(([key, one]) => [key, filledValue(one, filling, lost)]);
  return Object.fromEntries(entries) as JsonMap;
}

/** Adds conditions. Those of a kind that is already there are added to `all`. */
function mergedMatcher(matcher: JsonMap, more: JsonMap): JsonMap {
  const isFree =
    Object.keys(more).every((key) => !Object.hasOwn(matcher, key)) && !('ignoreCase' in { ...matcher, ...more });
  if (Object.keys(matcher).length === 0 || isFree) return { ...matcher, ...more };
  const all = matcher['all'];
  return { ...matcher, all: [...(isJsonList(all) ? all : []), more] };
}

let matcherForm: ReturnType<typeof matcherMapSchema> | undefined;

/** Whether the result is valid in a test file: a pattern, for example, may be one that is not supported. */
function isValid({ condition, maxUsd = 1 }: Converted): boolean {
  if (condition === undefined) return maxUsd > 0;
  matcherForm ??= matcherMapSchema();
  return checkAgainst(matcherForm, condition.matcher).ok;
}

function missing(why: string): Omit<LineParts, 'about' | 'type'> {
  return { status: 'missing', became: 'nothing', lost: [why] };
}

const code = /^(?:not-)?(?:javascript|python|ruby|webhook)$/;

function whyNot({ type, value, threshold }: JsonMap, converted: Converted | undefined): string {
  const name = textOf(type);
  if (converted !== undefined) return 'Its value is not supported, such as a pattern with look-around.';
  if (code.test(name)) return "Tests can't run code. Use another condition or a judge.";
  if (typeof value === 'string' && value.startsWith('file://'))
    return `The file ${value.slice('file://'.length)} was not read.`;
  if (/^(?:not-)?latency$/.test(name)) return "Tests replay recordings, so they can't check times.";
  if (name === 'select-best' || name === 'max-score')
    return 'Tests check each result by itself. To compare prompts or models, use a dataset in the window.';
  const limit = typeof threshold === 'number' ? ` with a threshold (${threshold})` : '';
  return `Tests have no condition like "${name}"${limit}${name.startsWith('not-') ? '' : '. Use a judge'}.`;
}

const usedKeys: ReadonlySet<string> = new Set(['type', 'value', 'rubricPrompt', 'provider']);

function lostSettings(assertion: JsonMap, { judge, maxUsd }: Converted): readonly string[] {
  const usesThreshold = judge !== undefined || maxUsd !== undefined;
  const keys = Object.keys(assertion).filter((key) => !usedKeys.has(key) && !(key === 'threshold' && usesThreshold));
  const lost = keys.filter((key) => key !== 'transform' && !(key === 'weight' && assertion['weight'] === 0));
  return [
    ...(lost.length === 0 ? [] : [`Not used: ${lost.join(', ')}.`]),
    ...(assertion['weight'] === 0 ? ["With the weight 0, it can't fail in promptfoo. Here, it must hold."] : []),
    ...(keys.includes('transform') ? [untransformed] : []),
  ];
}

/** What is lost without a `transform`. */
export const untransformed = '`transform` is not applied: the check is about the whole text of the model.';

const longestAbout = 60;

/** Describes an assertion in short. The report shows its type as well. */
function aboutOf(assertion: JsonValue): string {
  const value = isJsonMap(assertion) ? assertion['value'] : assertion;
  if (value === undefined || value === null || value === '') return '';
  const text = JSON.stringify(value);
  return text.length > longestAbout ? `${text.slice(0, longestAbout)}…` : text;
}
