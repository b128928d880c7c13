/**
 * JSON Schema (draft 7) of what a file may give a node type, for forms: with defaults, limits and the wished editor.
 */
import { z } from 'zod';
import type { JsonMap } from './json-value.ts';

/**
 * What a schema says by `.meta({ editor })` where its shape does not say how people edit a value: text over several
 * lines, a prompt, code, the name of a model or an agent, a file or a pattern of files, ids of nodes, a condition.
 */
export type FieldEditor =
  | 'long-text'
  | 'prompt'
  | 'code'
  | 'model'
  | 'agent'
  | 'file'
  | 'glob'
  | 'nodes'
  | 'condition'
  | 'duration';

const known = new WeakMap<z.ZodType, JsonMap>();

/** The schema of a type's input or config as a file writes it; the same object each time. */
export function formJsonSchema(schema: z.ZodType): JsonMap {
  let converted = known.get(schema);
  if (converted === undefined) {
    // zod's type allows undefined members; its output is plain JSON.
    converted = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonMap;
    known.set(schema, converted);
  }
  return converted;
}
