/**
 * Defines the interface of slot types, and helpers that parse raw values.
 */
import { isJsonList, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';

/** Settings of a slot in addition to its type. `slotParams` returns those that apply to a type. */
export interface SlotParams {
  /** Minimum number of entries; 1 if absent. */
  readonly min?: number | undefined;
  /** The key that every entity must have; `name` if absent. */
  readonly part?: string | undefined;
  readonly options?: readonly string[] | undefined;
  /** Whether only one option can be chosen, which is the default; otherwise a list of options. */
  readonly exclusive?: boolean | undefined;
  /** Minimum number for the slot to count as filled. */
  readonly threshold?: number | undefined;
  /** Whether the slot counts as filled below `threshold` instead. */
  readonly inverse?: boolean | undefined;
  /** Keys that all need a value. */
  readonly keys?: readonly string[] | undefined;
}

/** The new value of a slot, or the problem as a sentence without the slot's name: `must be a number, not "many".` */
export type TakenValue = { readonly value: JsonValue } | { readonly problem: string };

export interface SlotKind {
  readonly params: readonly (keyof SlotParams)[];
  /** @param current current value of the slot, already of this type */
  take(raw: JsonValue, params: SlotParams, current: JsonValue | undefined): TakenValue;
  isFilled(value: JsonValue, params: SlotParams): boolean;
  /** Returns the JSON Schema of complete values that `take` accepts. */
  schema(params: SlotParams): JsonMap;
}

/** Returns true for blank text, and for lists and maps without entries. */
export function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** @param hint a sentence that follows, starting with a space */
export function problem(text: string, hint = ''): TakenValue {
  return { problem: `${text}.${hint}` };
}

export function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

export function isScalar(value: JsonValue): value is string | number | boolean {
  return typeof value !== 'object';
}

export function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  // Longer numbers would be rounded.
  return typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value) ? Number(value) : undefined;
}

export function listOf(raw: JsonValue): readonly JsonValue[] {
  return isJsonList(raw) ? raw : [raw];
}
