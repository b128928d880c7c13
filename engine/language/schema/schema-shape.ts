/**
 * Finds the keys that a schema defines at a path: for suggestions, and to distinguish fixed keys from free ones.
 */
import type { z } from 'zod';
import type { ValuePath } from './schema-problems.ts';

/** Returns the keys that a schema defines at a path, across all alternatives; empty if it defines none. */
export function knownKeysAt(schema: z.core.$ZodType, path: ValuePath): readonly string[] {
  let schemas = alternativesOf(schema);
  for (const segment of path)
    schemas = schemas.flatMap((current) => stepInto(current, segment)).flatMap(alternativesOf);
  return [...new Set(schemas.flatMap(({ _zod: { def } }) => (def.type === 'object' ? Object.keys(def.shape) : [])))];
}

/** Returns the schema inside a wrapper (`optional`, `default`, `lazy`, …); undefined for other schemas. */
export function wrappedBy({ _zod: { def } }: z.core.$ZodTypes): z.core.$ZodType | undefined {
  switch (def.type) {
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return def.innerType;
    case 'lazy':
      return def.getter();
    case 'pipe':
      return def.in;
    default:
      return undefined;
  }
}

/** Returns the schema inside its wrappers; for a union, each member. */
function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodTypes[] {
  const known = schema as z.core.$ZodTypes;
  const wrapped = wrappedBy(known);
  if (wrapped !== undefined) return alternativesOf(wrapped);
  const { def } = known._zod;
  return def.type === 'union' ? def.options.flatMap(alternativesOf) : [known];
}

function stepInto(schema: z.core.$ZodTypes, segment: string | number): readonly z.core.$ZodType[] {
  const { def } = schema._zod;
  if (def.type === 'array') return [def.element];
  if (def.type === 'record') return [def.valueType];
  if (def.type !== 'object' || !Object.hasOwn(def.shape, segment)) return [];
  const inner = def.shape[segment];
  return inner === undefined ? [] : [inner];
}
