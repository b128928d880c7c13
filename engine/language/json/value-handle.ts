/**
 * The placeholder in an event for a value over 16 KiB, which the store keeps only once, under its hash.
 */
import { isJsonMap, type JsonValue } from './json-value.ts';

/** Identifies a value and contains enough of it for display. */
export interface ValueHandle {
  /** SHA-256 of the value's JSON text, in hex. */
  readonly $value: string;
  readonly bytes: number;
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  /** The first characters of its text form. */
  readonly preview: string;
}

/** Whether the value is a large value's handle. */
export function isValueHandle(value: JsonValue | undefined): value is JsonValue & ValueHandle {
  return (
    isJsonMap(value) &&
    typeof value['$value'] === 'string' &&
    typeof value['bytes'] === 'number' &&
    typeof value['preview'] === 'string'
  );
}
