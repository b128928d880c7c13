/**
 * Schemas shared by several node types.
 */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { parsePath } from '../../language/bindings/binding-path.ts';
import { pathsOf } from '../../language/bindings/when.ts';
import { type WhenExpr, whenSchema } from '../../language/flow/flow-doc.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { type JsonSchema, schemaProblems } from '../../language/schema/json-schema.ts';

/**
 * Any value except a missing one. Values come from YAML, JSON or other nodes' outputs and are known to be JSON;
 * validating large ones again would be slow.
 */
export const anyJson: z.ZodType<JsonValue> = z.any();

/** Config of a type without settings. */
export const noConfig = z.object({});

/** Token usage of model calls. */
export const usageSchema = () =>
  z.object({
    promptTokens: z.number(),
    completionTokens: z.number(),
    cachedTokens: z.exactOptional(z.number()),
    cacheCreationTokens: z.exactOptional(z.number()),
    reasoningTokens: z.exactOptional(z.number()),
  });

/**
 * A condition in which all paths are valid, as in nodes and edges. Lazy, so that the JSON Schema contains a single
 * definition and refers to it.
 */
export const conditionSchema: z.ZodType<WhenExpr> = z
  .lazy(() => whenSchema)
  .superRefine((expr, { addIssue }) => {
    for (const { place, text } of pathsOf(expr)) {
      if (parsePath(text) !== undefined) continue;
      const message = `is "${text}", which is not a path; write a path without braces, for example item.field`;
      addIssue({ code: 'custom', path: [...place], message });
    }
  });

/** A valid JSON Schema. */
const jsonSchemaSchema = (): z.ZodType<JsonSchema> =>
  z
    .any()
    .superRefine((schema: JsonValue, { addIssue }) => {
      for (const { path, message } of schemaProblems(schema)) addIssue({ code: 'custom', path: [...path], message });
    })
    .meta({ editor: 'schema' });

/** The two config keys for the schema of a value. */
export const schemaFields = () => ({
  schema: jsonSchemaSchema().optional().describe('JSON Schema (2020-12) for the value'),
  schemaFile: z
    .string()
    .min(1)
    .optional()
    .describe('File with the schema, relative to the flow file; use it instead of schema'),
});

interface SchemaConfig {
  readonly schema?: JsonSchema | undefined;
  readonly schemaFile?: string | undefined;
}

/** Rejects a config with both keys. */
export function refuseTwoSchemas({ schema, schemaFile }: SchemaConfig, { addIssue }: z.core.$RefinementCtx): void {
  if (schema === undefined || schemaFile === undefined) return;
  addIssue({ code: 'custom', path: ['schemaFile'], message: 'cannot be combined with "schema": keep one of them' });
}

/**
 * Returns a config's schema; undefined if it has none.
 * @throws EngineError `schema.not-read` if the schema is in a file that the caller has not read
 */
export function schemaIn({ schema, schemaFile }: SchemaConfig): JsonSchema | undefined {
  if (schema !== undefined || schemaFile === undefined) return schema;
  throw new EngineError({
    code: 'schema.not-read',
    message: `The schema file ${schemaFile} was not read before the flow started. A program that validates flows itself must pass the schemas to checkFlow.`,
  });
}
