/**
 * Finds comparisons in a run that failed only because of white space, letter case or the type of a value.
 */
import {
  baseNodeId,
  evaluateWhen,
  isInBody,
  isJsonList,
  isJsonMap,
  type JsonValue,
  type NodeState,
  type WhenTrace,
} from '../../engine/isomorphic.ts';
import type { FactSentence } from '../stores/assistant/talk.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { compareItems, grouped } from './explain-items.ts';
import { itemList, quoted, sentence } from './fact-sentence.ts';
import { text } from './text.ts';

const words = text.facts;

/** Items in a sentence. They are the ones to correct. */
const mostItems = 12;
/** Sentences about such values. */
const mostPairs = 4;

/** The cases of a switch that has run are valid. */
type CaseCondition = Parameters<typeof evaluateWhen>[0];

type Difference = keyof typeof words.differences;

interface LookAlike {
  readonly state: NodeState;
  readonly actual: JsonValue;
  readonly value: JsonValue;
  readonly difference: Difference;
}

/** Removes white space, and characters without a width. */
function withoutSpace(value: string): string {
  return value.replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, '');
}

/** Returns the only difference between two values that are not equal. Undefined if they differ in more. */
function differenceOf(actual: JsonValue, value: JsonValue): Difference | undefined {
  if (typeof actual !== 'string' || typeof value !== 'string') {
    const isSimple = [actual, value].every((one) => one !== null && typeof one !== 'object');
    return isSimple && typeof actual !== typeof value && String(actual) === String(value) ? 'type' : undefined;
  }
  if (actual === value || withoutSpace(actual) === '') return undefined;
  if (withoutSpace(actual) === withoutSpace(value)) return 'space';
  if (actual.toLowerCase() === value.toLowerCase()) return 'letters';
  return withoutSpace(actual).toLowerCase() === withoutSpace(value).toLowerCase() ? 'both' : undefined;
}

type ValueComparison = Extract<WhenTrace, { value: JsonValue }>;

/** Returns the comparisons for equality in a condition. */
function comparedIn(trace: WhenTrace): readonly ValueComparison[] {
  if ('of' in trace) return trace.of.flatMap(comparedIn);
  return trace.op === 'equals' || trace.op === 'in' ? [trace] : [];
}

/** Returns the conditions that a node has evaluated, or that have decided about it. */
function tracesOf({ skip, status, nodeType, input }: NodeState): readonly WhenTrace[] {
  if (skip?.detail !== undefined) return [skip.detail];
  if (status !== 'completed' || nodeType !== 'control.switch') return [];
  if (!isJsonMap(input) || !isJsonList(input['cases'])) return [];
  const seen = new Map([['value', input['value'] ?? null]]);
  return input['cases'].flatMap((one) =>
    isJsonMap(one) && isJsonMap(one['when']) ? [evaluateWhen(one['when'] as CaseCondition, seen)] : [],
  );
}

/** Returns the comparisons of a node with similar values, unless another of its comparisons found an equal one. */
function lookAlikesOf(state: NodeState): readonly LookAlike[] {
  const compared = tracesOf(state).flatMap(comparedIn);
  const found = new Set(compared.filter(({ result }) => result).map((trace) => trace.var));
  return compared
    .filter((trace) => !trace.result && !found.has(trace.var))
    .flatMap(({ op, actual, value }) =>
      (op === 'in' && isJsonList(value) ? value : [value]).flatMap((one) => {
        const difference = actual === undefined ? undefined : differenceOf(actual, one);
        return actual === undefined || difference === undefined ? [] : [{ state, actual, value: one, difference }];
      }),
    );
}

/** Explains comparisons that failed although the values look alike, with the items in which they did. */
export function lookAlikes({ state }: LiveRun): readonly FactSentence[] {
  const all = [...state.nodes.values()].flatMap(lookAlikesOf);
  const keyOf = ({ state: { nodeId }, actual, value }: LookAlike) =>
    JSON.stringify([baseNodeId(nodeId), actual, value]);
  const groups = [...grouped(all, keyOf).values()].toSorted((left, right) => right.length - left.length);
  return groups.slice(0, mostPairs).flatMap((alike) => {
    const [first] = alike;
    return first === undefined ? [] : [lookAlikeSentence(first, alike)];
  });
}

function lookAlikeSentence({ state, actual, value, difference }: LookAlike, alike: readonly LookAlike[]): FactSentence {
  return sentence((link) => {
    const node = link(baseNodeId(state.nodeId));
    const pair = { node, actual: quoted(JSON.stringify(actual)), value: quoted(JSON.stringify(value)) };
    const states = alike.map((one) => one.state).filter(({ nodeId }) => isInBody(nodeId));
    const told = { ...pair, difference: words.differences[difference] };
    return states.length === 0
      ? words.alike(told)
      : words.alikeItems({ ...told, items: itemList(states.toSorted(compareItems), link, mostItems) });
  });
}
