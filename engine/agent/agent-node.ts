/**
 * The table `[node]` below `# Options`, which makes an agent a type of node: how it is read, and what a flow sees of it.
 */
import { z } from 'zod';
import { frozenCopy } from '../flowspec/checked-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { didYouMean } from '../flowspec/nearest.ts';
import { type NodeTypeData, nodeCategories, nodeIcons } from '../flowspec/node-type-spec.ts';
import { schemaOfJson } from '../flowspec/schema-of-json.ts';
import { type JsonSchema, schemaProblems } from '../schema/json-schema.ts';
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

/** Reads the table; either list or node is empty. @param given what stands there */
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
      .map((key) => ({ path: [key], reason: `is not known here.${didYouMean(key, keys)}` })),
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

/** What is wrong with a schema, paths below the table. An input has names, so it is a map. */
function problemsOfSchema(key: 'input' | 'output', schema: JsonValue): readonly OptionProblem[] {
  const found = schemaProblems(schema).map(({ path, message }) => ({
    path: [key, ...path.map(String)],
    reason: `cannot stand so: ${message}`,
  }));
  if (found.length > 0) return found;
  if (key === 'input' && !(isJsonMap(schema) && (schema['type'] ?? 'object') === 'object')) {
    const reason = 'must be the schema of a map (type = "object"): the input of a node has names';
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

/** Where a schema promises what it forbids itself, so that no value or no default could ever fit. */
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
      reason: `asks for "${lost.join('", "')}", which properties does not allow`,
    });
  }
  for (const [least, most] of bounds) {
    const [low, high] = [schema[least], schema[most]];
    if (typeof low === 'number' && typeof high === 'number' && low > high) {
      found.push({ path: [...path, least], reason: `is above ${most}, so nothing fits` });
    }
  }
  if (isJsonList(values) && values.length === 0)
    found.push({ path: [...path, 'enum'], reason: 'allows no value at all' });
  if (otherwise !== undefined && !schemaOfJson({ ...schema }).safeParse(otherwise).success) {
    found.push({ path: [...path, 'default'], reason: 'does not fit the schema it belongs to' });
  }
  const inner = Object.entries(named).flatMap(([name, one]) =>
    isJsonMap(one) ? contradictions(one, [...path, 'properties', name]) : [],
  );
  const ofItems = isJsonMap(items ?? null) ? contradictions(items as JsonMap, [...path, 'items']) : [];
  return [...found, ...inner, ...ofItems];
}

interface TypeName {
  /** As flows write it. */
  readonly type: string;
  /** The heading that lists show it under. */
  readonly group: string;
}

/** An agent as a type of node; undefined for one that is none. */
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
    // Its scripts may do anything that the workspace allows.
    effects: 'external',
    group,
    input: closed(node.input ?? {}),
    output: node.output ?? answer,
  };
}

/** Keywords by which a schema allows or asks for other keys than its `properties`. */
const widening = [
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames', 'dependentSchemas'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref'],
];

/** Who names the fields of an input means these: another key is a slip, as it is in built-in types. */
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

/** The words with which an Output script asks for the answer as a value. */
const asksForValue = /\bai_response\s*(?:\.\s*value\b|\[\s*["']value["']\s*\])/;

/**
 * The schema that answers of the model have to fit where the agent names none: that of its output, unless a script makes the
 * output of something else than the answer's value.
 */
export function answerSchemaOf({ output }: AgentNode, scripts: AgentDoc['scripts']): JsonSchema | undefined {
  const script = scripts.output;
  return script === undefined || asksForValue.test(script.code) ? output : undefined;
}
