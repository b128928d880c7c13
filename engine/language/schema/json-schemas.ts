/**
 * JSON Schemas (draft 7) for editors: of a flow file, for completion, hovers and validation while typing; of the input
 * and config of a node type, for forms, with defaults, limits and preferred editors; and of a node type's output.
 */
import { z } from 'zod';
import { flowDocSchema } from '../flow/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { inputRequestSchema } from '../steps/input-request.ts';
import { stepFlowSchema } from '../steps/step-flow-doc.ts';
import type { NodeTypeCatalog, NodeTypeSpec } from '../types/node-type-spec.ts';
import { jsonSourceOf } from './schema-of-json.ts';

/**
 * Returns a flow file's schema for the node types in `catalog`, each with its own input and config. It accepts more
 * than `validateFlow`: values that cause only warnings or that a binding could make valid pass.
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

/** Returns the part that applies to nodes of one type. */
function schemaOfType(spec: NodeTypeSpec, definitions: Record<string, JsonValue>): JsonMap {
  const part = (schema: z.ZodType, boundValues: BoundValues): JsonMap =>
    loosenSchema(toJsonSchema(schema, definitions), boundValues);
  return {
    if: { properties: { type: { const: spec.type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own key; this value is never awaited.
    then: { properties: { input: part(spec.inputSchema, 'allowed'), config: part(spec.configSchema, 'refused') } },
  };
}

/** Moves named parts to the `definitions` of the entire schema, where their references point. */
function toJsonSchema(schema: z.ZodType, definitions: Record<string, JsonValue>): JsonMap {
  const source = jsonSourceOf(schema);
  // Its references would point into a different schema.
  if (source !== undefined && !JSON.stringify(source).includes('"$ref"')) return source;
  const converted = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) jsonSchema.patternProperties = { '^x-': {} };
      // Only used in Millrace's forms; other editors do not know these keywords. `.meta({ isAdvanced: true })` marks a
      // field that most flows do not need.
      delete jsonSchema['editor'];
      delete jsonSchema['sees'];
      delete jsonSchema['isAdvanced'];
    },
  });
  // zod's type allows undefined members, but its output is plain JSON.
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

/**
 * Set with `.meta({ editor })` if the schema does not determine how people edit a value: multi-line text, a prompt, a
 * template, code in a language, a model or agent name, a flow file, a tool name, inputs of a flow, a file or a file
 * pattern, node IDs, a condition, a JSON Schema, a URL.
 */
export type FieldEditor =
  | 'long-text'
  | 'prompt'
  | 'code'
  | 'javascript'
  | 'lua'
  | 'model'
  | 'agent'
  | 'flow'
  | 'tool'
  | 'call'
  | 'file'
  | 'glob'
  | 'nodes'
  | 'condition'
  | 'duration'
  | 'schema'
  | 'url';

/**
 * Set with `.meta({ sees })` if expressions in the value read something other than the flow: each item of the input
 * `items` as `item`; the input `value` as `value`; the whole input, in a Handlebars template; or the values and outputs
 * of nodes in the node's body.
 */
export type FieldScope = 'item' | 'value' | 'input' | 'body';

const known = new WeakMap<z.ZodType, JsonMap>();

/** Returns the schema of a type's input or config as written in a file; always the same object. */
export function formJsonSchema(schema: z.ZodType): JsonMap {
  let converted = jsonSourceOf(schema) ?? known.get(schema);
  if (converted === undefined) {
    // zod's type allows undefined members, but its output is plain JSON.
    converted = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonMap;
    known.set(schema, converted);
  }
  return converted;
}

const knownOutputs = new WeakMap<z.ZodType, JsonMap>();

/** Returns the schema of a type's output for later nodes; always the same object. */
export function outputJsonSchema({ outputSchema }: Pick<NodeTypeSpec, 'outputSchema'>): JsonMap {
  let converted = jsonSourceOf(outputSchema) ?? knownOutputs.get(outputSchema);
  if (converted === undefined) {
    // zod's type allows undefined members, but its output is plain JSON.
    converted = z.toJSONSchema(outputSchema, { target: 'draft-7', io: 'output', unrepresentable: 'any' }) as JsonMap;
    knownOutputs.set(outputSchema, converted);
  }
  return converted;
}

/** Whether text with a binding is accepted for any value. */
type BoundValues = 'allowed' | 'refused';

const textWithBinding: JsonMap = { type: 'string', pattern: '\\{\\{' };
const unquotedText: JsonMap = { type: ['number', 'boolean'] };
const notes: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

/** Accepts unknown keys and, for every value in the map, unquoted text and, if allowed, bindings. */
function loosenSchema(schema: JsonMap, boundValues: BoundValues): JsonMap {
  const entries = Object.entries(schema).map(([key, part]): [string, JsonValue] => {
    if (key === 'properties' && isJsonMap(part)) return [key, mapEach(part, (value) => widen(value, boundValues))];
    if (key === 'items' || key === 'additionalProperties') return [key, widen(part, boundValues)];
    if (isJsonList(part) && ['anyOf', 'oneOf', 'allOf'].includes(key)) {
      return [key, part.map((option) => (isJsonMap(option) ? loosenSchema(option, boundValues) : option))];
    }
    return [key, part];
  });
  const isClosed = schema['additionalProperties'] === false;
  return Object.fromEntries(
    isClosed ? entries.filter(([key]) => key !== 'additionalProperties' && key !== 'patternProperties') : entries,
  );
}

function widen(schema: JsonValue, boundValues: BoundValues): JsonValue {
  if (!isJsonMap(schema)) return schema;
  const loose = Object.entries(loosenSchema(schema, boundValues));
  const rule = Object.fromEntries(loose.filter(([key]) => !notes.has(key)));
  const alternatives = [
    ...(rule['type'] === 'string' ? [unquotedText] : []),
    ...(boundValues === 'allowed' ? [textWithBinding] : []),
  ];
  if (Object.keys(rule).length === 0 || alternatives.length === 0) return Object.fromEntries(loose);
  return { ...Object.fromEntries(loose.filter(([key]) => notes.has(key))), anyOf: [rule, ...alternatives] };
}

function mapEach(map: JsonMap, change: (value: JsonValue) => JsonValue): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

/** Returns the schema of a step flow file, including the keys that each step type requires. */
export function stepsJsonSchema(): JsonMap {
  const { $schema: _, ...file } = z.toJSONSchema(stepFlowSchema(), { target: 'draft-7', io: 'input' }) as JsonMap;
  const needs: readonly (readonly [type: string, then: JsonMap])[] = [
    ['agent', { required: ['agent'] }],
    ['plan_proposal', { required: ['agent'] }],
    ['tool', { required: ['tool'] }],
    [
      'user_input',
      { required: ['params'], properties: { params: loosenSchema(formJsonSchema(inputRequestSchema()), 'allowed') } },
    ],
  ];
  const schema = replaceAt(file, ['properties', 'steps', 'items'], (step) => ({
    ...step,
    allOf: needs.map(([type, then]) => ({
      if: { properties: { type: { const: type } }, required: ['type'] },
      then,
    })),
  }));
  const named = { anyOf: [{ required: ['id'] }, { required: ['name'] }] };
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Step flow', ...schema, ...named };
}
