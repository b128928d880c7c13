/**
 * JSON Schema (draft 7) of a flow file, for editors: completion, hovers and the first checks while typing.
 */
import { z } from 'zod';
import { flowDocSchema } from './flow-doc.ts';
import { isJsonMap, type JsonMap, type JsonValue } from './json-value.ts';
import { type BoundValues, loosenSchema } from './loosen-schema.ts';
import type { NodeTypeCatalog, NodeTypeSpec } from './node-type-spec.ts';

/**
 * The schema of a flow file whose nodes have the types of `catalog`, each with its own input and config.
 * It is a little wider than `validateFlow`: what is only a warning there, and what a binding could mend, passes.
 */
export function flowJsonSchema(catalog: NodeTypeCatalog): JsonMap {
  const types = catalog.list();
  const definitions: Record<string, JsonValue> = {};
  const file = toJsonSchema(flowDocSchema, definitions);
  const schema = replaceAt(file, ['properties', 'nodes', 'items'], (node) => ({
    ...replaceAt(node, ['properties', 'type'], (type) => ({ ...type, anyOf: types.map(choiceOf) })),
    allOf: types.map((spec) => schemaOfType(spec, definitions)),
  }));
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Flow', ...schema, definitions };
}

function choiceOf({ type, title, description }: NodeTypeSpec): JsonMap {
  return { const: type, title, description };
}

/** Binds nodes of one type only. */
function schemaOfType(spec: NodeTypeSpec, definitions: Record<string, JsonValue>): JsonMap {
  const part = (schema: z.ZodType, boundValues: BoundValues): JsonMap =>
    loosenSchema(toJsonSchema(schema, definitions), boundValues);
  return {
    if: { properties: { type: { const: spec.type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own key; nobody awaits this value.
    then: { properties: { input: part(spec.inputSchema, 'allowed'), config: part(spec.configSchema, 'refused') } },
  };
}

/** Named parts go to the `definitions` of the whole, where their references point. */
function toJsonSchema(schema: z.ZodType, definitions: Record<string, JsonValue>): JsonMap {
  const converted = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) jsonSchema.patternProperties = { '^x-': {} };
      // For our own forms only; other editors know no such word.
      delete jsonSchema['editor'];
    },
  });
  // zod's type allows undefined members; its output is plain JSON.
  const { $schema: _, definitions: named, ...rest } = converted as JsonMap;
  if (isJsonMap(named)) Object.assign(definitions, named);
  return rest;
}

function replaceAt(schema: JsonMap, path: readonly string[], change: (part: JsonMap) => JsonMap): JsonMap {
  const [key, ...rest] = path;
  if (key === undefined) return change(schema);
  const inner = schema[key];
  return { ...schema, [key]: replaceAt(isJsonMap(inner) ? inner : {}, rest, change) };
}
