/**
 * Evaluates a JSONPath query's selectors on one value.
 */
import { type JSONPathQuery, jsonpath } from 'json-p3';
import { isJsonList, isJsonMap, type JsonValue } from '../json-value.ts';

/** One of the comma-separated parts between brackets. */
export type Selector = JSONPathQuery['segments'][number]['selectors'][number];

/** Returns the values that a selector selects; for a filter, its candidates. */
export function chosenBy(selector: Selector, value: JsonValue): Iterable<JsonValue> {
  const { IndexSelector, NameSelector, SliceSelector } = jsonpath.selectors;
  if (selector instanceof NameSelector) {
    const { name } = selector;
    return isJsonMap(value) && Object.hasOwn(value, name) ? present(value[name]) : [];
  }
  if (selector instanceof IndexSelector) return isJsonList(value) ? present(value.at(selector.index)) : [];
  if (selector instanceof SliceSelector) return isJsonList(value) ? sliceOf(selector, value) : [];
  return childrenOf(value);
}

function present(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined ? [] : [value];
}

/** Returns a list's items or a map's values, in order. */
export function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (isJsonList(value)) return value;
  return isJsonMap(value) ? Object.values(value) : [];
}

interface Slice {
  readonly start?: number | undefined;
  readonly stop?: number | undefined;
  readonly step?: number | undefined;
}

function* sliceOf({ start, stop, step = 1 }: Slice, list: readonly JsonValue[]): Iterable<JsonValue> {
  const { length } = list;
  const placed = (index: number): number => (index < 0 ? length + index : index);
  const isForward = step > 0;
  const first = isForward ? Math.max(placed(start ?? 0), 0) : Math.min(placed(start ?? length - 1), length - 1);
  const forwardEnd = Math.min(placed(stop ?? length), length);
  const end = isForward ? forwardEnd : stop === undefined ? -1 : Math.max(placed(stop), -1);
  if (step === 0) return;
  for (let index = first; isForward ? index < end : index > end; index += step) yield* present(list[index]);
}
