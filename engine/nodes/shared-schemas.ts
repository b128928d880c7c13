/**
 * Schemas that node types share.
 */
import { z } from 'zod';
import { parsePath } from '../flowspec/binding-path.ts';
import { type WhenExpr, whenSchema } from '../flowspec/flow-doc.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { ValuePath } from '../flowspec/schema-problems.ts';
import { comparisonOf } from '../flowspec/when.ts';
import { type JsonSchema, schemaProblems } from '../schema/json-schema.ts';

/**
 * Any value at all; only a missing one is refused. Values come from YAML, JSON or other nodes' outputs and are known to
 * be JSON, and looking through each of them once more would make large ones slow.
 */
export const anyJson: z.ZodType<JsonValue> = z.any();

/** The config of a type that has no settings. */
export const noConfig = z.object({});

/** Tokens that model calls used. */
export const usageSchema = z.object({
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
    for (const { place, text } of pathsIn(expr, [])) {
      if (parsePath(text) !== undefined) continue;
      const message = `is "${text}", which is not a path; a path has no braces, for example item.field`;
      addIssue({ code: 'custom', path: [...place], message });
    }
  });

interface PathText {
  /** Where in the condition it stands. */
  readonly place: ValuePath;
  readonly text: string;
}

function pathsIn(expr: WhenExpr, place: ValuePath): readonly PathText[] {
  if ('not' in expr) return pathsIn(expr.not, [...place, 'not']);
  if ('and' in expr) return expr.and.flatMap((part, index) => pathsIn(part, [...place, 'and', index]));
  if ('or' in expr) return expr.or.flatMap((part, index) => pathsIn(part, [...place, 'or', index]));
  if ('exists' in expr) return [{ place: [...place, 'exists'], text: expr.exists }];
  const [op, comparison] = comparisonOf(expr);
  return [{ place: [...place, op, 'var'], text: comparison.var }];
}

/** A JSON Schema that values can be checked against. */
export const jsonSchemaSchema: z.ZodType<JsonSchema> = z.any().superRefine((schema: JsonValue, { addIssue }) => {
  for (const { path, message } of schemaProblems(schema)) addIssue({ code: 'custom', path: [...path], message });
});
