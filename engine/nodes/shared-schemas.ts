/**
 * Schemas that node types share.
 */
import { z } from 'zod';
import { EngineError } from '../base/engine-error.ts';
import { parsePath } from '../flowspec/binding-path.ts';
import { type WhenExpr, whenSchema } from '../flowspec/flow-doc.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { pathsOf } from '../flowspec/when.ts';
import { type JsonSchema, schemaProblems } from '../schema/json-schema.ts';

/**
 * Any value at all; only a missing one is refused. Values come from YAML, JSON or other nodes' outputs and are known to
 * be JSON, and looking through each of them once more would make large ones slow.
 */
export const anyJson: z.ZodType<JsonValue> = z.any();

/** The config of a type that has no settings. */
export const noConfig = z.object({});

/** Tokens that model calls used. */
export const usageSchema = () =>
  z.object({
    promptTokens: z.number(),
    completionTokens: z.number(),
    cachedTokens: z.exactOptional(z.number()),
    cacheCreationTokens: z.exactOptional(z.number()),
    reasoningTokens: z.exactOptional(z.number()),
  });

/**
 * A condition all of whose paths can be read, as those of nodes and edges are checked. Lazy, so that a JSON schema
 * refers to the one condition instead of holding it again.
 */
export const conditionSchema: z.ZodType<WhenExpr> = z
  .lazy(() => whenSchema)
  .superRefine((expr, { addIssue }) => {
    for (const { place, text } of pathsOf(expr)) {
      if (parsePath(text) !== undefined) continue;
      const message = `is "${text}", which is not a path; a path has no braces, for example item.field`;
      addIssue({ code: 'custom', path: [...place], message });
    }
  });

/** A JSON Schema that values can be checked against. */
const jsonSchemaSchema = (): z.ZodType<JsonSchema> =>
  z
    .any()
    .superRefine((schema: JsonValue, { addIssue }) => {
      for (const { path, message } of schemaProblems(schema)) addIssue({ code: 'custom', path: [...path], message });
    })
    .meta({ editor: 'schema' });

/** The two keys with which a config says what a value is to look like. */
export const schemaFields = () => ({
  schema: jsonSchemaSchema().optional().describe('JSON Schema (2020-12) that the value is to fit'),
  schemaFile: z
    .string()
    .min(1)
    .optional()
    .describe('A file with that schema, relative to the flow file; instead of the schema'),
});

interface SchemaConfig {
  readonly schema?: JsonSchema | undefined;
  readonly schemaFile?: string | undefined;
}

/** Refuses both keys at once. */
export function refuseTwoSchemas({ schema, schemaFile }: SchemaConfig, { addIssue }: z.core.$RefinementCtx): void {
  if (schema === undefined || schemaFile === undefined) return;
  addIssue({ code: 'custom', path: ['schemaFile'], message: 'cannot stand beside "schema": keep one of them' });
}

/**
 * The schema of a config; undefined when it has none.
 * @throws EngineError `schema.not-read` when it stands in a file, and whoever started the flow has not read it
 */
export function schemaIn({ schema, schemaFile }: SchemaConfig): JsonSchema | undefined {
  if (schema !== undefined || schemaFile === undefined) return schema;
  throw new EngineError({
    code: 'schema.not-read',
    message: `The schema file ${schemaFile} was not read before the flow started. A program that checks flows itself gives its schemas to checkFlow.`,
  });
}
