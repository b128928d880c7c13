/**
 * JSON Schema (draft 7) of what a node type gives, for editors: which fields a binding may name.
 */
import { z } from 'zod';
import type { JsonMap } from './json-value.ts';
import type { NodeTypeSpec } from './node-type-spec.ts';

/** The schema of a type's output, as the nodes behind it see it. */
export function outputJsonSchema({ outputSchema }: NodeTypeSpec): JsonMap {
  const converted = z.toJSONSchema(outputSchema, { target: 'draft-7', io: 'output', unrepresentable: 'any' });
  // zod's type allows undefined members; its output is plain JSON.
  return converted as JsonMap;
}
