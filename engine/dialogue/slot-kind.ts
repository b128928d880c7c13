/**
 * What a type of slots is made of, and how raw values are read.
 */
import { isJsonList, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';

/** What a catalogue may say of a slot beside its type; which ones a type knows is told by `slotParams`. */
export interface SlotParams {
  /** Entries that are needed; 1 when absent. */
  readonly min?: number | undefined;
  /** The key that every entity must have; `name` when absent. */
  readonly part?: string | undefined;
  readonly options?: readonly string[] | undefined;
  /** One option only, which is so when absent; else a list of them. */
  readonly exclusive?: boolean | undefined;
  /** From which number on the slot counts as filled. */
  readonly threshold?: number | undefined;
  /** Below `threshold` instead of from it on. */
  readonly inverse?: boolean | undefined;
  /** Those that all need a value. */
  readonly keys?: readonly string[] | undefined;
}

/** A slot's new value, or what is wrong, as a sentence without the name of the slot: `must be a number, not "many".` */
export type TakenValue = { readonly value: JsonValue } | { readonly problem: string };

export interface SlotKind {
  readonly params: readonly (keyof SlotParams)[];
  /** @param current what the slot holds, already of this type */
  take(raw: JsonValue, params: SlotParams, current: JsonValue | undefined): TakenValue;
  isFilled(value: JsonValue, params: SlotParams): boolean;
  /** JSON Schema of what `take` takes in full. */
  schema(params: SlotParams): JsonMap;
}

/** Text of blanks, and lists and maps without entries, say nothing. */
export function isEmptyValue(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** @param hint a sentence behind it, which begins with a blank */
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
  // Longer ones would be rounded.
  return typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value) ? Number(value) : undefined;
}

export function listOf(raw: JsonValue): readonly JsonValue[] {
  return isJsonList(raw) ? raw : [raw];
}
