/**
 * A short cut through schemas: values that evidently fit simple schemas are read without the schema library's machinery,
 * which costs many times what they are worth. Everything else takes the long way, with the same result.
 */
import type { z } from 'zod';

/** Gives what the schema would give for the value, or `undecided`. */
type QuickReader = (value: unknown) => unknown;

/** The value needs the schema itself. */
export const undecided: unique symbol = Symbol('undecided');

const readers = new WeakMap<z.core.$ZodType, QuickReader>();

/** What `schema` gives for `value`, when that is evident; else `undecided`. Never gives a value that the schema refuses. */
export function quickRead(schema: z.core.$ZodType, value: unknown): unknown {
  let reader = readers.get(schema);
  if (reader === undefined) {
    reader = readerOf(schema as z.core.$ZodTypes) ?? leaveUndecided;
    readers.set(schema, reader);
  }
  return reader(value);
}

const leaveUndecided: QuickReader = () => undecided;

/** Undefined for a schema that is not simple: one with checks, transforms, alternatives or wrappers of its own. */
function readerOf({ _zod: { def } }: z.core.$ZodTypes): QuickReader | undefined {
  if ((def.checks?.length ?? 0) > 0) return undefined;
  switch (def.type) {
    case 'string':
      return 'format' in def || def.coerce === true
        ? undefined
        : (value) => (typeof value === 'string' ? value : undecided);
    case 'boolean':
      return def.coerce === true ? undefined : (value) => (typeof value === 'boolean' ? value : undecided);
    case 'number':
      return 'format' in def || def.coerce === true
        ? undefined
        : (value) => (Number.isFinite(value) ? value : undecided);
    case 'any':
      return (value) => (value === undefined ? undecided : value);
    case 'object':
      return objectReader(def);
    default:
      return undefined;
  }
}

/** A map with exactly the keys of the schema, all of which it must have. */
function objectReader({ shape, catchall }: z.core.$ZodObjectDef): QuickReader | undefined {
  const keys = Object.keys(shape);
  const inner = keys.map((key) => readerOf(shape[key] as z.core.$ZodTypes));
  const fields = keys.map((key, index) => ({ key, read: inner[index] ?? leaveUndecided }));
  if (catchall !== undefined || keys.includes('__proto__') || inner.includes(undefined)) return undefined;
  return (value) => {
    if (!isMap(value)) return undecided;
    const result: Record<string, unknown> = {};
    for (const { key, read } of fields) {
      if (!Object.hasOwn(value, key)) return undecided;
      const item = read(value[key]);
      if (item === undecided) return undecided;
      result[key] = item;
    }
    for (const key in value) if (!Object.hasOwn(result, key)) return undecided;
    return result;
  };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
