/**
 * What readers of TOML and YAML give, as values that scripts can have.
 */
import type { JsonValue } from '../../flowspec/json-value.ts';

/** Dates become text, bytes base64, sets lists; maps become objects. @throws TypeError for what has no such form */
export function plainValue(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object') return value as JsonValue;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value) || value instanceof Set) return [...value].map(plainValue);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), plainValue(item)]));
}

/** The first lines of what a reader says: it may quote a line of any length. */
export function causeText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.length <= 500 ? message.trimEnd() : `${message.slice(0, 500)}…`;
}
