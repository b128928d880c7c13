/**
 * Creates new nodes that are valid immediately and use the previous node's output, and determines which types fit the
 * previous node.
 */
import type { z } from 'zod';
import { pathText } from '../../language/bindings/binding-path.ts';
import { parseTemplate } from '../../language/bindings/binding-template.ts';
import { type NodeDoc, nodeIdPattern, reservedNodeIds } from '../../language/flow/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { formJsonSchema, outputJsonSchema } from '../../language/schema/json-schemas.ts';
import type { NodeStart, NodeTypeSpec, StartSource } from '../../language/types/node-type-spec.ts';

/** A field of a node's output. */
interface OutputField {
  /** Empty for the entire output if no fields are known. */
  readonly name: string;
  readonly type: JsonValue | undefined;
  readonly isSure: boolean;
  /** The field's schema, insofar as it is known. */
  readonly schema?: JsonMap;
}

/** Names of main output fields, most likely first. */
const mainNames = ['text', 'value', 'body', 'items', 'outputs', 'stdout'];

/** The node before a new node. */
export interface NodeBefore {
  readonly id: string;
  /** Undefined for an unknown type. */
  readonly spec: NodeTypeSpec | undefined;
  readonly input?: JsonMap;
  readonly config?: JsonMap;
  /** Whether the new node handles this one's failure and uses its error. */
  readonly hasFailed?: boolean;
}

/** The loop item that a new node processes. */
export interface StarterLoopItem {
  /** The item's name in bindings. */
  readonly name: string;
  /** JSON Schema of the item; `{}` if unknown. */
  readonly schema: JsonMap;
}

/**
 * Creates a node that validates without changes.
 * @param before the node whose output to use; null if there is none
 * @param item used if no previous node has output; without it, the node gets literal values
 */
export function starterNode(
  spec: NodeTypeSpec,
  id: string,
  before: NodeBefore | null,
  item?: StarterLoopItem,
): NodeDoc {
  const fields = before === null ? [] : givenFields(before);
  const given = before?.hasFailed === true ? failureSource(before.id) : sourceOf(before?.id ?? '', fields);
  const source = fields.length === 0 && item !== undefined && before?.hasFailed !== true ? itemSource(item) : given;
  const { input, config } = spec.start?.(source) ?? startOfSchemas(spec, source);
  return { id, type: spec.type, input, ...(config === undefined ? {} : { config }) };
}

/** Returns the type's model setting; undefined if it has none. */
export function modelSettingOf({ configSchema }: NodeTypeSpec): string | undefined {
  const { properties } = formJsonSchema(configSchema);
  const fields = isJsonMap(properties) ? Object.entries(properties) : [];
  return fields.find(([, field]) => isJsonMap(field) && field['editor'] === 'model')?.[0];
}

/**
 * Returns a valid, unused node ID derived from a node type or display name.
 * @param takenIds IDs of existing nodes and other binding roots
 */
export function freeId(name: string, takenIds: Iterable<string>): string {
  const taken = new Set(takenIds);
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 60);
  const stem = nodeIdPattern.test(plain) ? plain : `node${plain === '' ? '' : `_${plain}`}`;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}_${number}`;
    if (!taken.has(id) && !reservedNodeIds.has(id)) return id;
  }
}

function failureSource(id: string): StartSource {
  return sourceOf(`${id}.error`, [{ name: 'message', type: 'string', isSure: true }]);
}

function sourceOf(id: string, fields: readonly OutputField[]): StartSource {
  const [first] = fields;
  const mains = mainNames.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const main = mains.find(({ isSure }) => isSure) ?? mains[0] ?? first;
  const list = fields.find(({ type, isSure }) => type === 'array' && isSure);
  const bindingTo = ({ name, isSure }: OutputField): string =>
    `{{${isSure ? '' : '?'}${name === '' ? id : `${id}.${name}`}}}`;
  const choice = choiceIn(id, fields);
  return {
    ...(choice === undefined ? {} : { choice }),
    text(otherwise, words = '') {
      if (main === undefined) return otherwise;
      // Where text is required, code output is converted to text or JSON.
      const isText = main.name === '' || (main.type === 'string' && main.isSure);
      // Only text may be a lone binding, because a lone binding keeps its value's type.
      return `${isText ? words : words || 'Result: '}${bindingTo(main)}`;
    },
    list(otherwise) {
      if (list !== undefined) return bindingTo(list);
      return main === undefined ? otherwise : [bindingTo(main)];
    },
    any: (otherwise) => (main === undefined ? otherwise : bindingTo(main)),
  };
}

/** Returns the first text with known values in a node's output, or one level below. */
function choiceIn(id: string, fields: readonly OutputField[]): StartSource['choice'] {
  for (const { name, schema } of fields) {
    const own = textChoices(schema);
    if (own.length > 0) return { binding: `{{${pathText([id, name])}}}`, values: own };
    const part = fieldsOfShape(schema ?? {}).find((one) => textChoices(one.schema).length > 0);
    if (part === undefined) continue;
    const path = pathText([id, name, part.name]);
    return { binding: `{{${part.isSure ? '' : '?'}${path}}}`, values: textChoices(part.schema) };
  }
  return undefined;
}

/** Returns an enum's strings; none if it allows other values. */
export function textChoices(schema: JsonValue | undefined): readonly string[] {
  const choices = schema !== undefined && isJsonMap(schema) ? schema['enum'] : undefined;
  if (!isJsonList(choices)) return [];
  const texts = choices.filter((choice) => typeof choice === 'string' && choice !== '');
  return texts.length === choices.length ? ([...new Set(texts)] as string[]) : [];
}

/** Item fields most likely to be the content, most likely first. */
const itemTexts = ['text', 'content', 'body', 'message', 'title', 'name'];

function itemSource({ name, schema }: StarterLoopItem): StartSource {
  const fields = fieldsOfShape(schema);
  const texts = fields.filter(({ type }) => type === 'string');
  const main = itemTexts.flatMap((known) => texts.find((field) => field.name === known) ?? [])[0] ?? texts[0];
  const list = schema['type'] === 'array' ? '' : fields.find(({ type }) => type === 'array')?.name;
  const whole = `{{${name}}}`;
  const fieldOf = (field: string): string => `{{${name}.${field}}}`;
  return {
    text(_, words = '') {
      if (schema['type'] === 'string') return words + whole;
      if (main !== undefined) return words + fieldOf(main.name);
      // Only text may be a lone binding, because a lone binding keeps its value's type.
      return `${words || 'Item: '}${whole}`;
    },
    list: () => (list === undefined ? [whole] : list === '' ? whole : fieldOf(list)),
    any: () => whole,
  };
}

/** Returns the previous node's output fields, insofar as its type and input determine them. */
function givenFields({ spec, input, config = {} }: Omit<NodeBefore, 'id'>): readonly OutputField[] {
  if (spec === undefined) return [];
  const known = Object.entries(spec.given?.(input ?? {}) ?? {}).map(
    ([name, value]): OutputField => ({ name, type: typeOf(value), isSure: true }),
  );
  const others = fieldsOf(spec.outputSchema).filter(({ name }) => known.every((field) => field.name !== name));
  const schemas = input === undefined ? {} : (spec.givenSchemas?.({ input, config }, () => ({})) ?? {});
  const given = [...known, ...others].flatMap((field): OutputField[] => {
    const schema = schemas[field.name];
    return schema === false ? [] : [schema === undefined ? field : { ...field, schema }];
  });
  return given.length === 0 && isAnything(spec) ? [{ name: '', type: undefined, isSure: true }] : given;
}

/** Whether a type's output depends on the node, as for code. */
function isAnything(spec: NodeTypeSpec): boolean {
  const { $schema: _, description: __, ...says } = outputJsonSchema(spec);
  return Object.keys(says).length === 0;
}

/** Returns the type name in JSON Schema. */
function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return isJsonList(value) ? 'array' : typeof value;
}

/** Returns an output's fields; for a union of outputs, the fields that all of them have. */
function fieldsOf(schema: z.ZodType): readonly OutputField[] {
  const { anyOf, ...whole } = outputJsonSchema({ outputSchema: schema });
  const [first = whole, ...others] = isJsonList(anyOf) ? anyOf.filter((one) => isJsonMap(one)) : [whole];
  return fieldsOfShape(first).filter(({ name }) =>
    others.every((other) => fieldsOfShape(other).some((field) => field.name === name)),
  );
}

function fieldsOfShape({ properties, required }: JsonMap): readonly OutputField[] {
  return Object.entries(isJsonMap(properties) ? properties : {}).map(([name, field]) => ({
    name,
    type: isJsonMap(field) ? field['type'] : undefined,
    isSure: isJsonList(required) && required.includes(name),
    ...(isJsonMap(field) ? { schema: field } : {}),
  }));
}

/** Returns the initial values of types that declare none: only those that their schemas require. */
function startOfSchemas({ inputSchema, configSchema }: NodeTypeSpec, source: StartSource): NodeStart {
  const config = valuesOf(configSchema, noSource);
  return {
    input: valuesOf(inputSchema, source),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

const noSource = sourceOf('', []);

function valuesOf(schema: z.ZodType, source: StartSource): JsonMap {
  const { properties, required } = formJsonSchema(schema);
  if (!(isJsonMap(properties) && isJsonList(required))) return {};
  const names = required.filter((name) => typeof name === 'string');
  return Object.fromEntries(names.map((name) => [name, valueFor(properties[name], source)]));
}

function valueFor(schema: JsonValue | undefined, source: StartSource): JsonValue {
  const shape = isJsonMap(schema) ? schema : {};
  const choices = shape['enum'];
  if (isJsonList(choices)) return choices[0] ?? null;
  if (shape['const'] !== undefined) return shape['const'];
  switch (shape['type']) {
    case 'string':
      return source.text('text');
    case 'number':
    case 'integer':
      return typeof shape['minimum'] === 'number' ? Math.max(shape['minimum'], 0) : 0;
    case 'boolean':
      return false;
    case 'array':
      return source.list([]);
    case 'object':
      return {};
    default:
      return source.any('value');
  }
}

/** 2: requires output like the previous node's; 1: also accepts such output, or accepts anything; 0: neither. */
export type NodeFit = 0 | 1 | 2;

const sourceId = 'before';

/** Returns how well a new node of a type fits another node's output, judging by its initial input. */
export function nodeFit(spec: NodeTypeSpec, before: Omit<NodeBefore, 'id'>): NodeFit {
  const given = new Map(givenFields(before).map(({ name, type }) => [name, type]));
  const { input } = starterNode(spec, 'new', { ...before, id: sourceId });
  const { properties, required } = formJsonSchema(spec.inputSchema);
  let best: NodeFit = 0;
  for (const [name, value] of Object.entries(input)) {
    const field = typeof value === 'string' ? boundField(value) : undefined;
    if (field === undefined) continue;
    const schema = isJsonMap(properties) ? properties[name] : undefined;
    // If no single key is required, at least one of them is.
    const isNeeded = !isJsonList(required) || required.length === 0 || required.includes(name);
    const fit = fitOf({ wanted: isJsonMap(schema) ? schema['type'] : undefined, given: given.get(field), isNeeded });
    if (fit > best) best = fit;
  }
  return best;
}

function boundField(text: string): string | undefined {
  for (const part of parseTemplate(text).parts) {
    if (typeof part !== 'string' && part.path[0] === sourceId) return part.path[1] ?? '';
  }
  return undefined;
}

interface Meeting {
  /** Types in the schema; undefined for any type. */
  readonly wanted: JsonValue | undefined;
  readonly given: JsonValue | undefined;
  readonly isNeeded: boolean;
}

function fitOf({ wanted, given, isNeeded }: Meeting): NodeFit {
  if (wanted === undefined || given === undefined) return 1;
  if (wanted !== given) return 0;
  return isNeeded ? 2 : 1;
}
