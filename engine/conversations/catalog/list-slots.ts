/**
 * Defines the slot types with several values, or with a choice of several options.
 */

import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import {
  isEmptyValue,
  listOf,
  problem,
  type SlotKind,
  type SlotParams,
  shown,
  type TakenValue,
  textOf,
} from './slot-kind.ts';

function isAlike(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  const holds = (list: readonly JsonValue[], item: JsonValue) => list.some((other) => jsonEquals(other, item));
  return left.length === right.length && left.every((item) => holds(right, item));
}

/** Extends an incomplete list and replaces a complete one. Removes duplicates. */
function joined(current: JsonValue | undefined, items: readonly JsonValue[], isFull: boolean): TakenValue {
  const held = isJsonList(current) ? current : [];
  const all = (isFull ? items : [...held, ...items]).filter(
    (item, index, list) => list.findIndex((other) => jsonEquals(other, item)) === index,
  );
  return { value: isAlike(held, all) ? held : all };
}

/** Creates a list type from `read`, which parses one entry and returns undefined if it is invalid. */
export function listKind(
  params: readonly (keyof SlotParams)[],
  entry: {
    readonly read: (raw: JsonValue, params: SlotParams) => JsonValue | undefined;
    readonly words: (params: SlotParams) => string;
    readonly schema: (params: SlotParams) => JsonMap;
  },
): SlotKind {
  const isFilled = (value: JsonValue, { min = 1 }: SlotParams) => isJsonList(value) && value.length >= min;
  return {
    params,
    take(raw, given, current) {
      const items: JsonValue[] = [];
      for (const one of listOf(raw)) {
        const item = entry.read(one, given);
        if (item === undefined) return problem(`must contain ${entry.words(given)}, not ${shown(one)}`);
        items.push(item);
      }
      return joined(current, items, isFilled(current ?? null, given));
    },
    isFilled,
    schema: (given) => ({ type: 'array', items: entry.schema(given), minItems: given.min ?? 1 }),
  };
}

export const entities = listKind(['min', 'part'], {
  read(raw, { part = 'name' }) {
    const text = textOf(raw);
    if (text !== undefined) return { [part]: text };
    return isJsonMap(raw) && !isEmptyValue(raw[part]) ? raw : undefined;
  },
  words: ({ part = 'name' }) => `maps with the key ${part}`,
  schema: ({ part = 'name' }) => ({
    type: 'object',
    properties: { [part]: { type: 'string' }, ver: { type: 'boolean' } },
    required: [part],
  }),
});

function optionOf(raw: JsonValue, options: readonly string[]): string | undefined {
  const text = textOf(raw)?.toLowerCase();
  return options.find((option) => option.toLowerCase() === text);
}

function noOption(raw: JsonValue, options: readonly string[]): TakenValue {
  const hint = typeof raw === 'string' ? didYouMean(raw, options) : '';
  return problem(`must be one of ${options.join(', ')}, not ${shown(raw)}`, hint);
}

/** Returns the chosen options, or the problem with the first invalid one. */
function chosenOf(raw: JsonValue, options: readonly string[]): TakenValue {
  const chosen: string[] = [];
  for (const one of listOf(raw)) {
    const option = optionOf(one, options);
    if (option === undefined) return noOption(one, options);
    if (!chosen.includes(option)) chosen.push(option);
  }
  return { value: chosen };
}

export const proposal: SlotKind = {
  params: ['options'],
  take(raw, { options: fixed = [] }, current) {
    const given = isJsonMap(raw) ? raw : { chosen: raw };
    const held = isJsonMap(current) ? current : {};
    const offered = (isJsonList(given['options']) ? given['options'] : (held['options'] ?? fixed)) as JsonValue;
    const options = listOf(offered).map(textOf);
    if (options.includes(undefined)) return problem('must have options that are strings');
    const names = options.filter((option) => option !== undefined);
    // A choice among earlier options is not valid for new ones.
    const kept = isJsonList(given['options']) ? [] : (held['chosen'] ?? []);
    const chosen = chosenOf(given['chosen'] ?? kept, names);
    return 'problem' in chosen ? chosen : { value: { options: names, chosen: chosen.value } };
  },
  isFilled: (value) =>
    isJsonMap(value) && listOf(value['options'] ?? []).length >= 2 && listOf(value['chosen'] ?? []).length >= 1,
  schema: ({ options }) => ({
    type: 'array',
    items: options === undefined ? { type: 'string' } : { type: 'string', enum: options },
    minItems: 1,
  }),
};

export const category: SlotKind = {
  params: ['options', 'exclusive'],
  take(raw, { options = [], exclusive = true }) {
    const chosen = chosenOf(raw, options);
    if ('problem' in chosen || !exclusive) return chosen;
    const [one, ...more] = listOf(chosen.value);
    return one === undefined || more.length > 0 ? problem(`must be only one of ${options.join(', ')}`) : { value: one };
  },
  isFilled: (value, { options = [] }) =>
    !isEmptyValue(value) && listOf(value).every((one) => options.some((option) => option === one)),
  schema({ options = [], exclusive = true }) {
    const one = { type: 'string', enum: options };
    return exclusive ? one : { type: 'array', items: one, minItems: 1, uniqueItems: true };
  },
};

/** Steps by name. An existing step is updated with new values. */
export const checklist: SlotKind = {
  params: ['min'],
  take(raw, _params, current) {
    const steps = new Map<string, JsonMap>();
    for (const one of [...listOf(current ?? []), ...listOf(raw)]) {
      const step = isJsonMap(one) ? one : { name: one };
      const name = textOf(step['name'] ?? null);
      if (name === undefined) return problem(`must contain steps with a name, not ${shown(one)}`);
      const { description = '', checked = false } = { ...steps.get(name), ...step };
      if (typeof checked !== 'boolean') return problem(`must have true or false as checked, not ${shown(checked)}`);
      steps.set(name, { name, description, checked });
    }
    return { value: [...steps.values()] };
  },
  isFilled: (value, { min = 1 }) => isJsonList(value) && value.length >= min,
  schema: ({ min = 1 }) => ({
    type: 'array',
    minItems: min,
    items: {
      type: 'object',
      properties: { name: { type: 'string' }, description: { type: 'string' }, checked: { type: 'boolean' } },
      required: ['name'],
    },
  }),
};
