/**
 * The `[node]` table below `# Options`, which makes an agent a node type: parses it and describes the type to flows.
 */
import { z } from 'zod';
import { didYouMean } from '../findings/nearest.ts';
import { frozenCopy } from '../json/checked-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { type JsonSchema, schemaProblems } from '../schema/json-schema.ts';
import { schemaOfJson } from '../schema/schema-of-json.ts';
import { type NodeTypeData, nodeCategories, nodeIcons } from '../types/node-type-spec.ts';
import type { AgentDoc, AgentNode } from './agent-doc.ts';
import { nodeOption, type OptionProblem } from './agent-options.ts';

const text = z.string({ error: 'must be text' }).refine((value) => value.trim() !== '', 'must not be empty');

const wordsTable = z.object({
  title: z.exactOptional(text),
  description: z.exactOptional(text),
  icon: z.exactOptional(z.enum(nodeIcons, { error: `must be one of ${nodeIcons.join(', ')}` })),
  category: z.exactOptional(z.enum(nodeCategories, { error: `must be one of ${nodeCategories.join(', ')}` })),
});

const schemaKeys = ['input', 'output'] as const;
const keys = [...Object.keys(wordsTable.shape), ...schemaKeys];

interface ReadNode {
  readonly node?: AgentNode;
  readonly problems: readonly OptionProblem[];
}

/** Reads the table. Returns either problems or a node. @param given the table's value */
export function readAgentNode(given: unknown): ReadNode {
  const copy = typeof given === 'object' ? frozenCopy(given) : undefined;
  if (copy?.ok !== true || !isJsonMap(copy.value)) {
    return { problems: [{ path: [nodeOption], reason: 'must be a table such as [node] with title and input' }] };
  }
  const table = copy.value;
  const words = wordsTable.safeParse(table);
  const problems = [
    ...(words.error?.issues ?? []).map(({ path, message }) => ({ path: path.map(String), reason: message })),
    ...Object.keys(table)
      .filter((key) => !keys.includes(key))
      .map((key) => ({ path: [key], reason: `is not allowed here.${didYouMean(key, keys)}` })),
    ...schemaKeys.flatMap((key) => (table[key] === undefined ? [] : problemsOfSchema(key, table[key]))),
  ];
  if (problems.length > 0 || words.data === undefined) {
    return { problems: problems.map(({ path, reason }) => ({ path: [nodeOption, ...path], reason })) };
  }
  const { input, output } = table;
  return {
    node: {
      ...words.data,
      ...(input === undefined ? {} : { input: input as JsonMap }),
      ...(output === undefined ? {} : { output: output as JsonSchema }),
    },
    problems: [],
  };
}

/**
 * Returns a schema's problems, with paths below the table. An input has named fields, so its schema must describe a
 * map.
 */
function problemsOfSchema(key: 'input' | 'output', schema: JsonValue): readonly OptionProblem[] {
  const found = schemaProblems(schema).map(({ path, message }) => ({
    path: [key, ...path.map(String)],
    reason: `is not valid: ${message}`,
  }));
  if (found.length > 0) return found;
  if (key === 'input' && !(isJsonMap(schema) && (schema['type'] ?? 'object') === 'object')) {
    const reason = 'must be the schema of a map (type = "object"), because the input of a node has named fields';
    return [{ path: isJsonMap(schema) ? [key, 'type'] : [key], reason }];
  }
  return isJsonMap(schema) ? contradictions(schema, [key]) : [];
}

const bounds = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Finds contradictions in a schema, such as required fields or defaults that it also forbids. */
function contradictions(schema: JsonMap, path: readonly string[]): readonly OptionProblem[] {
  const { properties, required, additionalProperties, items, enum: values, default: otherwise } = schema;
  const named = isJsonMap(properties ?? null) ? (properties as JsonMap) : {};
  const lost = (isJsonList(required) ? required : []).filter(
    (name) => typeof name === 'string' && !Object.hasOwn(named, name),
  );
  const found: OptionProblem[] = [];
  if (additionalProperties === false && lost.length > 0) {
    found.push({
      path: [...path, 'required'],
      reason: `requires "${lost.join('", "')}", which properties does not allow`,
    });
  }
  for (const [least, most] of bounds) {
    const [low, high] = [schema[least], schema[most]];
    if (typeof low === 'number' && typeof high === 'number' && low > high) {
      found.push({ path: [...path, least], reason: `is greater than ${most}, so no value is valid` });
    }
  }
  if (isJsonList(values) && values.length === 0) found.push({ path: [...path, 'enum'], reason: 'allows no values' });
  if (otherwise !== undefined && !schemaOfJson({ ...schema }).safeParse(otherwise).success) {
    found.push({ path: [...path, 'default'], reason: 'does not match its own schema' });
  }
  const inner = Object.entries(named).flatMap(([name, one]) =>
    isJsonMap(one) ? contradictions(one, [...path, 'properties', name]) : [],
  );
  const ofItems = isJsonMap(items ?? null) ? contradictions(items as JsonMap, [...path, 'items']) : [];
  return [...found, ...inner, ...ofItems];
}

interface TypeName {
  /** The type's name in flows. */
  readonly type: string;
  /** Heading of the group in which lists show the type. */
  readonly group: string;
}

/** Describes an agent as a node type; undefined if it does not define one. */
export function agentTypeData({ node, outputSchema }: AgentDoc, { type, group }: TypeName): NodeTypeData | undefined {
  if (node === undefined) return undefined;
  const answer = outputSchema !== undefined && 'schema' in outputSchema ? outputSchema.schema : true;
  const title = node.title ?? titleOf(type);
  return {
    type,
    title,
    description: node.description ?? `Runs the agent ${type}.`,
    category: node.category ?? 'agent',
    icon: node.icon ?? 'bot',
    // The agent's scripts may do anything the workspace allows.
    effects: 'external',
    group,
    input: closed(node.input ?? {}),
    output: node.output ?? answer,
  };
}

/** Keywords by which a schema allows or requires keys not listed in `properties`. */
const widening = [
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames', 'dependentSchemas'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref'],
];

/** Rejects keys that the schema does not name, as built-in types do, because they are probably typos. */
function closed(input: JsonMap): JsonMap {
  const isOpen = input['properties'] === undefined || widening.some((key) => input[key] !== undefined);
  return { ...input, type: 'object', ...(isOpen ? {} : { additionalProperties: false }) };
}

/** `./agents/code-review.aip` → `Code review`. */
function titleOf(type: string): string {
  const name = type.slice(type.lastIndexOf('/') + 1).replace(/\.aip$/, '');
  const words = name.slice(name.lastIndexOf('@') + 1).replaceAll(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Matches an Output script that uses the response as a value. */
const asksForValue = /\bai_response\s*(?:\.\s*value\b|\[\s*["']value["']\s*\])/;

/**
 * Returns the schema that responses must satisfy if the agent specifies none: its output schema, unless a script
 * creates the output from something other than the response's value.
 */
export function answerSchemaOf({ output }: AgentNode, scripts: AgentDoc['scripts']): JsonSchema | undefined {
  const script = scripts.output;
  return script === undefined || asksForValue.test(script.code) ? output : undefined;
}
