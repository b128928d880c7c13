/**
 * Defines the sixteen slot types as data: which values they accept, when they count as filled, and how they are
 * described to forms and models. Values are plain JSON. Invalid values are never stored in a slot.
 */
import { isJsonList, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { category, checklist, entities, listKind, proposal } from './list-slots.ts';
import { dictionary, numberKind, range } from './single-slots.ts';
import {
  isEmptyValue,
  isScalar,
  problem,
  type SlotKind,
  type SlotParams,
  shown,
  type TakenValue,
  textOf,
} from './slot-kind.ts';

export const slotTypeNames = [
  'base',
  'group',
  'source',
  'target',
  'removal',
  'free_text',
  'checklist',
  'proposal',
  'level',
  'position',
  'probability',
  'score',
  'category',
  'exact',
  'dictionary',
  'range',
] as const;

export type SlotTypeName = (typeof slotTypeNames)[number];

export type SlotPriority = 'required' | 'elective' | 'optional';

/** A slot of a flow type. */
export interface SlotDef {
  readonly name: string;
  /** Name of the type in the catalog: one of the sixteen slot types, or a custom type. */
  readonly typeName: string;
  readonly type: SlotTypeName;
  readonly params: SlotParams;
  readonly priority: SlotPriority;
  readonly description: string;
  /** Question that asks for the slot's value; if empty, it is derived from the description, type and name. */
  readonly question: string;
  /** For optional slots: the value passed to the policy if the slot is empty. */
  readonly fallbackValue: JsonValue | undefined;
}

/** Maximum number of characters of a value as JSON, and maximum number of entries in a list. */
const longestValue = 64 * 1024;
const mostEntries = 500;

/** Parses a value for a slot. Converts the value if this is lossless, and merges it with a partial value. */
export function takeValue(
  type: SlotTypeName,
  params: SlotParams,
  { raw, current }: { readonly raw: JsonValue; readonly current?: JsonValue | undefined },
): TakenValue {
  const taken = slotKinds[type].take(raw, params, current);
  if ('problem' in taken) return taken;
  if (isJsonList(taken.value) && taken.value.length > mostEntries)
    return problem(`must have at most ${mostEntries} entries`);
  return JSON.stringify(taken.value).length > longestValue ? problem('is too long') : taken;
}

/** Returns whether a value of the type is sufficient. */
export function isEnough(type: SlotTypeName, params: SlotParams, value: JsonValue | undefined): boolean {
  return value !== undefined && slotKinds[type].isFilled(value, params);
}

/** Returns the settings that apply to slots of the type. */
export function slotParams(type: SlotTypeName): readonly (keyof SlotParams)[] {
  return slotKinds[type].params;
}

/** Returns the JSON Schema of the values, for forms and models. */
export function slotSchema(type: SlotTypeName, params: SlotParams): JsonMap {
  return slotKinds[type].schema(params);
}

const slotKinds: Readonly<Record<SlotTypeName, SlotKind>> = {
  base: {
    params: [],
    take: (raw) =>
      isScalar(raw) && !isEmptyValue(raw) ? { value: raw } : problem(`must be a single value, not ${shown(raw)}`),
    isFilled: (value) => !isEmptyValue(value),
    schema: () => ({ type: ['string', 'number', 'boolean'] }),
  },
  exact: {
    params: [],
    take(raw) {
      const text = textOf(raw);
      return text === undefined ? problem(`must be text, not ${shown(raw)}`) : { value: text };
    },
    isFilled: (value) => !isEmptyValue(value),
    schema: () => ({ type: 'string', minLength: 1 }),
  },
  group: listKind(['min'], {
    read: (raw) => (isScalar(raw) && !isEmptyValue(raw) ? raw : undefined),
    words: () => 'single values',
    schema: () => ({ type: ['string', 'number', 'boolean'] }),
  }),
  free_text: listKind([], {
    read: (raw) => (typeof raw === 'string' && !isEmptyValue(raw) ? raw : undefined),
    words: () => 'texts',
    schema: () => ({ type: 'string' }),
  }),
  source: entities,
  target: entities,
  removal: entities,
  checklist,
  proposal,
  category,
  dictionary,
  range,
  level: numberKind(['threshold'], {
    words: 'a number',
    fits: () => true,
    isEnough: (number, { threshold = 0 }) => number >= threshold,
    schema: { type: 'number' },
  }),
  score: numberKind(['threshold'], {
    words: 'a number',
    fits: () => true,
    isEnough: (number, { threshold }) => threshold === undefined || number >= threshold,
    schema: { type: 'number' },
  }),
  probability: numberKind(['threshold'], {
    words: 'a number from 0 to 1',
    fits: (number) => number >= 0 && number <= 1,
    isEnough: (number, { threshold = 0.95 }) => number >= threshold,
    schema: { type: 'number', minimum: 0, maximum: 1 },
  }),
  position: numberKind(['threshold', 'inverse'], {
    words: 'a whole number of at least 0',
    fits: (number) => Number.isSafeInteger(number) && number >= 0,
    isEnough: (number, { threshold = 0, inverse = false }) => (inverse ? number < threshold : number >= threshold),
    schema: { type: 'integer', minimum: 0 },
  }),
};
