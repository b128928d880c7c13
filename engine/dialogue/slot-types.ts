/**
 * The sixteen types of slots as data: what each takes, when it counts as filled, and what forms and models are told of it.
 * A value is plain JSON; one that its type does not take never gets into a slot.
 */
import { isJsonList, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
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

/** A slot of a type of flow. */
export interface SlotDef {
  readonly name: string;
  /** As the catalogue says it: one of the sixteen or one of its own. */
  readonly typeName: string;
  readonly type: SlotTypeName;
  readonly params: SlotParams;
  readonly priority: SlotPriority;
  readonly description: string;
  /** What a person is asked for it; empty = a question is made of the description, type and name. */
  readonly question: string;
  /** Of optional ones: what the policy is given when nobody has said anything. */
  readonly fallbackValue: JsonValue | undefined;
}

/** Characters of a value as JSON, and entries of a list. */
const longestValue = 64 * 1024;
const mostEntries = 500;

/** Takes a value for a slot: coerced where nothing is lost by it, and joined with a part that is there already. */
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

/** Whether a value of the type is enough. */
export function isEnough(type: SlotTypeName, params: SlotParams, value: JsonValue | undefined): boolean {
  return value !== undefined && slotKinds[type].isFilled(value, params);
}

/** What a catalogue may say of slots of the type. */
export function slotParams(type: SlotTypeName): readonly (keyof SlotParams)[] {
  return slotKinds[type].params;
}

/** JSON Schema of the values, for forms and models. */
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
    words: 'a whole number from 0 on',
    fits: (number) => Number.isSafeInteger(number) && number >= 0,
    isEnough: (number, { threshold = 0, inverse = false }) => (inverse ? number < threshold : number >= threshold),
    schema: { type: 'integer', minimum: 0 },
  }),
};
