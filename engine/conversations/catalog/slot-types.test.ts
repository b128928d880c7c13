import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { SlotParams } from './slot-kind.ts';
import { isEnough, type SlotTypeName, slotSchema, slotTypeNames, takeValue } from './slot-types.ts';

const take = (type: SlotTypeName, params: SlotParams, raw: JsonValue, current?: JsonValue) =>
  takeValue(type, params, { raw, current });

interface Case {
  readonly type: SlotTypeName;
  readonly params?: SlotParams;
  readonly current?: JsonValue;
  readonly raw: JsonValue;
  readonly value: JsonValue;
  readonly isFilled: boolean;
}

const steps = [
  { name: 'pack', description: '', checked: false },
  { name: 'send', description: 'by post', checked: true },
];
const ab = ['red', 'blue'];

const taken: readonly Case[] = [
  { type: 'base', raw: 'x', value: 'x', isFilled: true },
  { type: 'base', raw: false, value: false, isFilled: true },
  { type: 'exact', raw: ' AB-12 ', value: 'AB-12', isFilled: true },
  { type: 'exact', raw: 12, value: '12', isFilled: true },
  { type: 'group', raw: 'x', value: ['x'], isFilled: true },
  { type: 'group', params: { min: 2 }, raw: ['x'], value: ['x'], isFilled: false },
  { type: 'group', params: { min: 2 }, current: ['x'], raw: ['y', 'x'], value: ['x', 'y'], isFilled: true },
  { type: 'group', current: ['x'], raw: ['y'], value: ['y'], isFilled: true },
  { type: 'source', raw: 'inbox', value: [{ name: 'inbox' }], isFilled: true },
  {
    type: 'source',
    params: { part: 'tab' },
    raw: { tab: 'May', ver: true },
    value: [{ tab: 'May', ver: true }],
    isFilled: true,
  },
  { type: 'target', params: { min: 2 }, raw: ['a', 'a'], value: [{ name: 'a' }], isFilled: false },
  { type: 'removal', raw: ['a', 'b'], value: [{ name: 'a' }, { name: 'b' }], isFilled: true },
  { type: 'free_text', raw: ['one', 'two'], value: ['one', 'two'], isFilled: true },
  { type: 'checklist', raw: ['pack', steps[1]!], value: steps, isFilled: true },
  { type: 'checklist', params: { min: 3 }, raw: 'pack', value: [steps[0]!], isFilled: false },
  {
    type: 'checklist',
    current: steps,
    raw: { name: 'pack', checked: true },
    value: [{ ...steps[0], checked: true }, steps[1]!],
    isFilled: true,
  },
  { type: 'proposal', params: { options: ab }, raw: 'Blue', value: { options: ab, chosen: ['blue'] }, isFilled: true },
  { type: 'proposal', raw: { options: ab }, value: { options: ab, chosen: [] }, isFilled: false },
  {
    type: 'proposal',
    current: { options: ab, chosen: [] },
    raw: 'red',
    value: { options: ab, chosen: ['red'] },
    isFilled: true,
  },
  {
    type: 'proposal',
    current: { options: ab, chosen: ['red'] },
    raw: { options: ['x', 'y'] },
    value: { options: ['x', 'y'], chosen: [] },
    isFilled: false,
  },
  {
    type: 'proposal',
    raw: { options: ['x'], chosen: ['x'] },
    value: { options: ['x'], chosen: ['x'] },
    isFilled: false,
  },
  { type: 'level', params: { threshold: 3 }, raw: '2.5', value: 2.5, isFilled: false },
  { type: 'level', params: { threshold: 3 }, raw: 3, value: 3, isFilled: true },
  { type: 'level', raw: -1, value: -1, isFilled: false },
  { type: 'position', raw: 0, value: 0, isFilled: true },
  { type: 'position', params: { threshold: 2 }, raw: 1, value: 1, isFilled: false },
  { type: 'position', params: { threshold: 2, inverse: true }, raw: 1, value: 1, isFilled: true },
  { type: 'position', params: { threshold: 2, inverse: true }, raw: 2, value: 2, isFilled: false },
  { type: 'probability', raw: 0.94, value: 0.94, isFilled: false },
  { type: 'probability', raw: 0.95, value: 0.95, isFilled: true },
  { type: 'probability', params: { threshold: 0.5 }, raw: 0.5, value: 0.5, isFilled: true },
  { type: 'score', raw: -7, value: -7, isFilled: true },
  { type: 'score', params: { threshold: 1 }, raw: 0, value: 0, isFilled: false },
  { type: 'category', params: { options: ab }, raw: 'RED', value: 'red', isFilled: true },
  {
    type: 'category',
    params: { options: ab, exclusive: false },
    raw: ['red', 'blue', 'red'],
    value: ab,
    isFilled: true,
  },
  {
    type: 'dictionary',
    params: { keys: ['to', 'cc'] },
    raw: { to: 'x', cc: ' ' },
    value: { to: 'x' },
    isFilled: false,
  },
  {
    type: 'dictionary',
    params: { keys: ['to', 'cc'] },
    current: { to: 'x' },
    raw: { cc: 'y' },
    value: { to: 'x', cc: 'y' },
    isFilled: true,
  },
  { type: 'dictionary', raw: { any: 1 }, value: { any: 1 }, isFilled: true },
  { type: 'range', raw: { start: 1 }, value: { start: 1 }, isFilled: false },
  { type: 'range', current: { start: 1 }, raw: { stop: 1 }, value: { start: 1, stop: 1 }, isFilled: true },
  { type: 'range', raw: { unit: 'days', length: 3 }, value: { unit: 'days', length: 3 }, isFilled: true },
  { type: 'range', raw: { unit: 'days' }, value: { unit: 'days' }, isFilled: false },
];

const refused: readonly (readonly [SlotTypeName, SlotParams, JsonValue, string])[] = [
  ['base', {}, ['x'], 'must be a single value, not ["x"].'],
  ['exact', {}, { a: 1 }, 'must be text, not {"a":1}.'],
  ['exact', {}, true, 'must be text, not true.'],
  ['group', {}, ['x', null], 'must contain single values, not null.'],
  ['source', {}, { tab: 'x' }, 'must contain maps with the key name, not {"tab":"x"}.'],
  ['removal', { part: 'tab' }, [{ tab: '' }], 'must contain maps with the key tab, not {"tab":""}.'],
  ['free_text', {}, [1], 'must contain texts, not 1.'],
  ['checklist', {}, [{ checked: true }], 'must contain steps with a name, not {"checked":true}.'],
  ['checklist', {}, [{ name: 'x', checked: 'yes' }], 'must have true or false as checked, not "yes".'],
  ['proposal', { options: ab }, 'green', 'must be one of red, blue, not "green".'],
  ['proposal', {}, { options: [null] }, 'must have options that are strings.'],
  ['level', {}, 'many', 'must be a number, not "many".'],
  ['level', {}, '1'.repeat(400), `must be a number, not "${'1'.repeat(56)}....`],
  ['position', {}, -1, 'must be a whole number of at least 0, not -1.'],
  ['position', {}, 1.5, 'must be a whole number of at least 0, not 1.5.'],
  ['probability', {}, 1.1, 'must be a number from 0 to 1, not 1.1.'],
  ['category', { options: ab }, 'bleu', 'must be one of red, blue, not "bleu". Did you mean "blue"?'],
  ['category', { options: ab }, ab, 'must be only one of red, blue.'],
  ['dictionary', { keys: ['to'] }, { too: 1 }, 'has an unknown key too. Did you mean "to"?'],
  ['dictionary', {}, 'x', 'must be a map, not "x".'],
  ['range', {}, 'May', 'must have start and stop, or unit and length, not "May".'],
  ['range', {}, { from: 1 }, 'has an unknown key from; use start and stop, or unit and length.'],
  ['range', {}, { start: 3, stop: 1 }, 'must not start at 3, after its end 1.'],
  ['range', {}, { unit: 'days', length: 'some' }, 'must have a number as its length.'],
  ['range', {}, { start: { day: 1 } }, 'must have strings or numbers as start and stop.'],
  ['group', {}, Array.from({ length: 501 }, (_, index) => index), 'must have at most 500 entries.'],
  ['exact', {}, 'x'.repeat(70_000), 'is too long.'],
];

describe('a slot', () => {
  test.each(taken)(
    'of the type $type converts $raw to $value',
    ({ type, params = {}, current, raw, value, isFilled }) => {
      expect(take(type, params, raw, current)).toEqual({ value });
      expect(isEnough(type, params, value)).toBe(isFilled);
    },
  );

  test.each(refused)('of the type %s with %j rejects an invalid value', (type, params, raw, problem) => {
    expect(take(type, params, raw)).toEqual({ problem });
  });

  test('is not filled by an empty value, whatever its type', () => {
    for (const type of slotTypeNames) expect(isEnough(type, {}, undefined)).toBe(false);
    expect(slotTypeNames).toHaveLength(16);
  });

  test('is described to models and forms by a JSON Schema', () => {
    expect(slotSchema('category', { options: ab })).toEqual({ type: 'string', enum: ab });
    expect(slotSchema('source', { part: 'tab', min: 2 })).toMatchObject({ minItems: 2, items: { required: ['tab'] } });
    for (const type of slotTypeNames) expect(slotSchema(type, {})).toHaveProperty('type');
  });
});
