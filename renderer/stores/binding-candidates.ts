/**
 * What a binding at a node may name: outputs of the nodes before it, inputs of the flow, items of the loops around it.
 */
import {
  bodyOwners,
  type FlowDoc,
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  type NodeDoc,
  type NodeTypeCatalog,
  outputJsonSchema,
} from '../../engine/isomorphic.ts';

export interface Candidate {
  /** Without braces, for example `fetch.body`. */
  readonly path: string;
  /** The kind of value, or the type of the node. */
  readonly detail: string;
  readonly description: string;
  readonly kind: 'node' | 'field' | 'flow-input' | 'item';
}

/**
 * All paths that make sense at a node, the nearest nodes first.
 * @param nodeId null = anywhere in the flow, so all nodes count as standing before it
 */
export function bindingCandidates(doc: FlowDoc, nodeId: string | null, catalog: NodeTypeCatalog): readonly Candidate[] {
  const owners = bodyOwners(doc.nodes);
  const around = nodeId === null ? [] : loopsOf(nodeId, owners);
  const nodes = new Map(doc.nodes.map((node) => [node.id, node]));
  const before = nodeId === null ? doc.nodes.map(({ id }) => id) : upstreamOf(doc, [nodeId, ...around]);
  return [
    ...around.flatMap((loop) => itemCandidates(nodes.get(loop))),
    ...before.flatMap((id) => nodeCandidates(nodes.get(id), catalog)),
    ...inputCandidates(doc.flow.input ?? {}),
  ];
}

/** The loops around a node, the innermost first. A loop may hold itself in a faulty file. */
function loopsOf(nodeId: string, owners: ReadonlyMap<string, string>): readonly string[] {
  const around = new Set<string>();
  for (let loop = owners.get(nodeId); loop !== undefined && !around.has(loop); loop = owners.get(loop)) {
    around.add(loop);
  }
  return [...around];
}

/** Everything that has ended before one of these starts, by edges; a body also sees what stands before its loop. */
function upstreamOf({ edges }: FlowDoc, starts: readonly string[]): readonly string[] {
  const sources = new Map<string, string[]>();
  for (const { from, to } of edges) sources.set(to, [...(sources.get(to) ?? []), from]);
  const found = new Set<string>();
  const open = [...starts];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    for (const source of sources.get(id) ?? []) {
      if (found.has(source) || starts.includes(source)) continue;
      found.add(source);
      open.push(source);
    }
  }
  return [...found];
}

function itemCandidates(loop: NodeDoc | undefined): readonly Candidate[] {
  if (loop === undefined) return [];
  const name = loop.input['as'] ?? 'item';
  const item = typeof name === 'string' ? name : 'item';
  return [
    { path: item, detail: 'any value', description: `The item that ${loop.id} works on`, kind: 'item' },
    { path: 'loop.index', detail: 'number', description: `Place of the item in the list of ${loop.id}`, kind: 'item' },
  ];
}

function nodeCandidates(node: NodeDoc | undefined, catalog: NodeTypeCatalog): readonly Candidate[] {
  if (node === undefined) return [];
  const spec = catalog.get(node.type);
  const whole: Candidate = {
    path: node.id,
    detail: node.type,
    description: node.name ?? spec?.title ?? 'Everything that the node gives',
    kind: 'node',
  };
  if (spec === undefined) return [whole];
  const fields = fieldsOf(outputJsonSchema(spec)).map(([key, schema]): Candidate => {
    return { path: `${node.id}.${key}`, detail: typeText(schema), description: descriptionOf(schema), kind: 'field' };
  });
  return [...fields, whole];
}

function inputCandidates(input: JsonMap): readonly Candidate[] {
  return Object.entries(input).map(([key, value]) => ({
    path: `flow.input.${key}`,
    detail: valueType(value),
    description: 'Input of the flow',
    kind: 'flow-input',
  }));
}

/** Named fields of a schema; of alternatives all that any of them has. */
function fieldsOf(schema: JsonMap): readonly (readonly [key: string, schema: JsonMap])[] {
  const fields = new Map<string, JsonMap>();
  const alternatives = [schema, ...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  for (const { properties } of alternatives) {
    if (!isJsonMap(properties)) continue;
    for (const [key, part] of Object.entries(properties)) {
      if (isJsonMap(part) && !fields.has(key)) fields.set(key, part);
    }
  }
  return [...fields];
}

function listAt(schema: JsonMap, key: string): readonly JsonMap[] {
  const list = schema[key];
  return isJsonList(list) ? list.filter(isJsonMap) : [];
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'yes or no',
  array: 'list',
  object: 'map',
  null: 'nothing',
};

function typeText(schema: JsonMap): string {
  const { type } = schema;
  if (typeof type === 'string') return typeWords[type] ?? type;
  const words = new Set([...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].map(typeText));
  return words.size === 0 ? 'any value' : [...words].join(' or ');
}

function descriptionOf({ description }: JsonMap): string {
  return typeof description === 'string' ? description : '';
}

function valueType(value: JsonValue): string {
  if (value === null) return 'any value';
  if (isJsonList(value)) return 'list';
  return typeWords[typeof value] ?? 'any value';
}
