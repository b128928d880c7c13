/**
 * Nodes as they are added: valid at once, and working on what the node before gives; and which types suit the node before.
 */
import type { z } from 'zod';
import { pathText } from '../flowspec/binding-path.ts';
import { parseTemplate } from '../flowspec/binding-template.ts';
import { type NodeDoc, nodeIdPattern, reservedNodeIds } from '../flowspec/flow-doc.ts';
import { formJsonSchema, outputJsonSchema } from '../flowspec/json-schemas.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { NodeStart, NodeTypeSpec, StartSource } from '../flowspec/node-type-spec.ts';

/** A field of what a node gives. */
interface OutputField {
  /** Empty = the output as a whole, of which no fields are known. */
  readonly name: string;
  readonly type: JsonValue | undefined;
  readonly isSure: boolean;
  /** What is known of it. */
  readonly schema?: JsonMap;
}

/** Fields that are what a node is there for, the likeliest first. */
const mainNames = ['text', 'value', 'body', 'items', 'outputs', 'stdout'];

/** The node before a new one. */
export interface NodeBefore {
  readonly id: string;
  /** Undefined for a type that nobody knows. */
  readonly spec: NodeTypeSpec | undefined;
  readonly input?: JsonMap;
  readonly config?: JsonMap;
  /** The new node is for its failure, and takes that up. */
  readonly hasFailed?: boolean;
}

/** The item of the loop that a new node stands in. */
export interface LoopItem {
  /** As bindings name it. */
  readonly name: string;
  /** JSON schema of it; `{}` = nobody knows. */
  readonly schema: JsonMap;
}

/**
 * A node to begin with, which the check of a flow accepts as it is.
 * @param before the node whose output it takes up; null = there is none
 * @param item what it works on when no node before it gives anything; without it, it has values of its own
 */
export function starterNode(spec: NodeTypeSpec, id: string, before: NodeBefore | null, item?: LoopItem): NodeDoc {
  const fields = before === null ? [] : givenFields(before);
  const given = before?.hasFailed === true ? failureSource(before.id) : sourceOf(before?.id ?? '', fields);
  const source = fields.length === 0 && item !== undefined && before?.hasFailed !== true ? itemSource(item) : given;
  const { input, config } = spec.start?.(source) ?? startOfSchemas(spec, source);
  return { id, type: spec.type, input, ...(config === undefined ? {} : { config }) };
}

/** The setting of a type that names a model; undefined = it has none. */
export function modelSettingOf({ configSchema }: NodeTypeSpec): string | undefined {
  const { properties } = formJsonSchema(configSchema);
  const fields = isJsonMap(properties) ? Object.entries(properties) : [];
  return fields.find(([, field]) => isJsonMap(field) && field['editor'] === 'model')?.[0];
}

/**
 * An id that a new node may bear: made of a node type or of a name for people.
 * @param takenIds those of the nodes that are there, and other names that bindings begin with
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
      // The output of code becomes text, or JSON, where text is wanted.
      const isText = main.name === '' || (main.type === 'string' && main.isSure);
      // Only text may stand alone: a lone binding keeps the type of its value.
      return `${isText ? words : words || 'Result: '}${bindingTo(main)}`;
    },
    list(otherwise) {
      if (list !== undefined) return bindingTo(list);
      return main === undefined ? otherwise : [bindingTo(main)];
    },
    any: (otherwise) => (main === undefined ? otherwise : bindingTo(main)),
  };
}

/** The first text with known values in what a node gives, or one level below. */
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

/** The texts of a list of choices; none where other values can be chosen. */
export function textChoices(schema: JsonValue | undefined): readonly string[] {
  const choices = schema !== undefined && isJsonMap(schema) ? schema['enum'] : undefined;
  if (!isJsonList(choices)) return [];
  const texts = choices.filter((choice) => typeof choice === 'string' && choice !== '');
  return texts.length === choices.length ? ([...new Set(texts)] as string[]) : [];
}

/** Fields of an item that are most likely what is to be worked on, the likeliest first. */
const itemTexts = ['text', 'content', 'body', 'message', 'title', 'name'];

function itemSource({ name, schema }: LoopItem): StartSource {
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
      // Only text may stand alone: a lone binding keeps the type of its value.
      return `${words || 'Item: '}${whole}`;
    },
    list: () => (list === undefined ? [whole] : list === '' ? whole : fieldOf(list)),
    any: () => whole,
  };
}

/** What the node before gives, as far as its type and its input say. */
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

/** Whether a type gives whatever its node makes, as code does. */
function isAnything(spec: NodeTypeSpec): boolean {
  const { $schema: _, description: __, ...says } = outputJsonSchema(spec);
  return Object.keys(says).length === 0;
}

/** As JSON schemas name it. */
function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return isJsonList(value) ? 'array' : typeof value;
}

/** Fields of an output, of a choice of outputs those that all have. */
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

/** For types that say nothing of how they begin: what their schemas ask for, and nothing else. */
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

/** 2: it needs what the node before gives, 1: it takes that as well, or anything, 0: neither. */
export type NodeFit = 0 | 1 | 2;

const sourceId = 'before';

/** How well a new node of a type works on the output of another: judged by the input that it would begin with. */
export function nodeFit(spec: NodeTypeSpec, before: Omit<NodeBefore, 'id'>): NodeFit {
  const given = new Map(givenFields(before).map(({ name, type }) => [name, type]));
  const { input } = starterNode(spec, 'new', { ...before, id: sourceId });
  const { properties, required } = formJsonSchema(spec.inputSchema);
  let best: NodeFit = 0;
  for (const [name, value] of Object.entries(input)) {
    const field = typeof value === 'string' ? boundField(value) : undefined;
    if (field === undefined) continue;
    const schema = isJsonMap(properties) ? properties[name] : undefined;
    // Of keys of which none is required by itself, one is needed all the same.
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
  /** Types in the schemas; undefined = any. */
  readonly wanted: JsonValue | undefined;
  readonly given: JsonValue | undefined;
  readonly isNeeded: boolean;
}

function fitOf({ wanted, given, isNeeded }: Meeting): NodeFit {
  if (wanted === undefined || given === undefined) return 1;
  if (wanted !== given) return 0;
  return isNeeded ? 2 : 1;
}
