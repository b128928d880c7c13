/**
 * Defines the slot types with a single number or map.
 */

import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonMap, type JsonMap } from '../../language/json/json-value.ts';
import { isEmptyValue, isScalar, numberOf, problem, type SlotKind, type SlotParams, shown } from './slot-kind.ts';

export function numberKind(
  params: readonly (keyof SlotParams)[],
  rule: {
    readonly words: string;
    readonly fits: (number: number) => boolean;
    readonly isEnough: (number: number, params: SlotParams) => boolean;
    readonly schema: JsonMap;
  },
): SlotKind {
  return {
    params,
    take(raw) {
      const number = numberOf(raw);
      return number !== undefined && rule.fits(number)
        ? { value: number }
        : problem(`must be ${rule.words}, not ${shown(raw)}`);
    },
    isFilled: (value, given) => typeof value === 'number' && rule.isEnough(value, given),
    schema: () => rule.schema,
  };
}

export const dictionary: SlotKind = {
  params: ['keys'],
  take(raw, { keys }, current) {
    if (!isJsonMap(raw)) return problem(`must be a map, not ${shown(raw)}`);
    const unknown = Object.keys(raw).find((key) => keys !== undefined && !keys.includes(key));
    if (unknown !== undefined) return problem(`has an unknown key ${unknown}`, didYouMean(unknown, keys ?? []));
    const given = Object.entries(raw).filter(([, value]) => !isEmptyValue(value));
    return { value: { ...(isJsonMap(current) ? current : {}), ...Object.fromEntries(given) } };
  },
  isFilled(value, { keys }) {
    if (!isJsonMap(value)) return false;
    return (keys ?? Object.keys(value)).every((key) => !isEmptyValue(value[key])) && !isEmptyValue(value);
  },
  schema: ({ keys }) => ({
    type: 'object',
    ...(keys === undefined
      ? {}
      : { properties: Object.fromEntries(keys.map((key) => [key, {}])), additionalProperties: false }),
  }),
};

const rangeKeys = ['start', 'stop', 'unit', 'length'];

export const range: SlotKind = {
  params: [],
  take(raw, _params, current) {
    if (!isJsonMap(raw)) return problem(`must have start and stop, or unit and length, not ${shown(raw)}`);
    const unknown = Object.keys(raw).find((key) => !rangeKeys.includes(key));
    if (unknown !== undefined) return problem(`has an unknown key ${unknown}; use start and stop, or unit and length`);
    const given = Object.entries(raw).filter(([, value]) => !isEmptyValue(value));
    if (!given.every(([, value]) => isScalar(value))) return problem('must have strings or numbers as start and stop');
    const value: JsonMap = { ...(isJsonMap(current) ? current : {}), ...Object.fromEntries(given) };
    const { start, stop, length } = value;
    if (typeof start === 'number' && typeof stop === 'number' && start > stop)
      return problem(`must not start at ${start}, after its end ${stop}`);
    if (length !== undefined && !((numberOf(length) ?? -1) >= 0)) return problem(`must have a number as its length`);
    return { value };
  },
  isFilled: (value) =>
    isJsonMap(value) &&
    [
      ['start', 'stop'],
      ['unit', 'length'],
    ].some((ends) => ends.every((end) => !isEmptyValue(value[end]))),
  schema: () => ({
    type: 'object',
    properties: Object.fromEntries(rangeKeys.map((key) => [key, { type: ['string', 'number'] }])),
    additionalProperties: false,
  }),
};
