/**
 * What a binding or a condition may name: outputs of the nodes before it, inputs of the flow, items of the loops around it.
 */
import {
  bodyOwners,
  type FlowDoc,
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  type NodeTypeCatalog,
  type NodeTypeSpec,
  outputJsonSchema,
  pathText,
} from '../../../engine/isomorphic.ts';
import { fieldsAt, typeText } from './schema-fields.ts';

/** As much of a flow as paths can speak of, whether it was read whole or from unfinished text. */
export interface BindingFlow {
  readonly nodes: readonly BindingNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** Of each node in the body of a loop: that loop. */
  readonly ownerOf: ReadonlyMap<string, string>;
  /** What the inputs of the flow hold at a path below them, with few words on each value. */
  inputsAt(path: readonly string[]): readonly { readonly name: string; readonly detail: string }[];
}

interface BindingNode {
  readonly id: string;
  readonly type: string;
  readonly name: string | undefined;
  /** What a loop calls its item; undefined = as usual. */
  readonly itemName: string | undefined;
}

/** Where a path is written: in a node, in the condition of an edge behind a node, or anywhere in the flow. */
export type BindingPlace = { readonly node: string } | { readonly edgeFrom: string } | null;

/** One step that a path can take. */
export interface PathStep {
  readonly name: string;
  readonly kind: 'node' | 'field' | 'flow' | 'input' | 'item' | 'loop';
  /** The kind of value, or the type of the node. */
  readonly detail: string;
  readonly description: string;
}

export interface Candidate extends Pick<PathStep, 'detail' | 'description'> {
  /** Without braces, for example `fetch.body`. */
  readonly path: string;
}

/** All paths that make sense at a place, the nearest nodes first; of nodes each field, and then the whole output. */
export function bindingCandidates(doc: FlowDoc, place: BindingPlace, catalog: NodeTypeCatalog): readonly Candidate[] {
  const flow = bindingFlowOf(doc);
  const named = (path: readonly string[], steps: readonly PathStep[]): readonly Candidate[] =>
    steps.map(({ name, detail, description }) => ({ path: pathText([...path, name]), detail, description }));
  const below = (...path: readonly string[]): readonly Candidate[] => named(path, stepsBelow(flow, path, catalog));
  return firstSteps(flow, place, catalog).flatMap(({ name, kind, detail, description }): readonly Candidate[] => {
    if (kind === 'flow') return below('flow', 'input');
    if (kind === 'loop') return below('loop');
    // Of a node, the detail is its type.
    return [
      ...(kind === 'node' ? named([name], outputSteps(detail, catalog)) : []),
      { path: name, detail, description },
    ];
  });
}

/** What a path may begin with, the nearest first. */
export function firstSteps(flow: BindingFlow, place: BindingPlace, catalog: NodeTypeCatalog): readonly PathStep[] {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const around = place === null ? [] : loopsAround(flow.ownerOf, nodeOf(place));
  const items = around.map((id): PathStep => {
    const name = nodes.get(id)?.itemName ?? 'item';
    return { name, kind: 'item', detail: 'any value', description: `The item that ${id} works on` };
  });
  const loop: PathStep = { name: 'loop', kind: 'loop', detail: 'loop', description: 'Where the loop around it is' };
  const before = nodesBefore(flow, place).flatMap((id) => nodes.get(id) ?? []);
  return [
    ...items,
    ...(around.length === 0 ? [] : [loop]),
    ...before.map(({ id, type, name }): PathStep => {
      const description = name ?? catalog.get(type)?.title ?? 'Everything that the node gives';
      return { name: id, kind: 'node', detail: type, description };
    }),
    { name: 'flow', kind: 'flow', detail: 'inputs', description: 'Inputs of the run: `flow.input.<key>`' },
  ];
}

/** What may come behind a path that was begun. */
export function stepsBelow(flow: BindingFlow, path: readonly string[], catalog: NodeTypeCatalog): readonly PathStep[] {
  const [root, ...inner] = path;
  if (root === 'flow') return stepsBelowFlow(flow, inner);
  const type = flow.nodes.find(({ id }) => id === root)?.type;
  if (type !== undefined) return outputSteps(type, catalog, inner);
  return root === 'loop' && inner.length === 0
    ? [{ name: 'index', kind: 'field', detail: 'number', description: 'Place of the item in the list, from 0' }]
    : [];
}

/** The fields of what a type of node gives, or of a part of it; none for a type that nobody knows. */
export function outputSteps(type: string, catalog: NodeTypeCatalog, path: readonly string[] = []): readonly PathStep[] {
  const spec = catalog.get(type);
  if (spec === undefined) return [];
  return fieldsAt(outputSchemaOf(spec), path).map(({ name, schema }) => {
    const { description } = schema;
    return {
      name,
      kind: 'field',
      detail: typeText(schema),
      description: typeof description === 'string' ? description : '',
    };
  });
}

/**
 * Ids of the nodes that have ended before a place is reached, by edges, the nearest first; a body also sees what stands
 * before its loop. Without a place, all nodes.
 */
export function nodesBefore({ nodes, edges, ownerOf }: BindingFlow, place: BindingPlace): readonly string[] {
  if (place === null) return nodes.map(({ id }) => id);
  const sources = new Map<string, string[]>();
  for (const { from, to } of edges) if (from !== '') sources.set(to, [...(sources.get(to) ?? []), from]);
  const own = nodeOf(place);
  const starts = [own, ...loopsAround(ownerOf, own)];
  const found = new Set<string>('edgeFrom' in place ? [own] : []);
  const seen = new Set(starts);
  // A set gives what is added to it while it is gone through.
  for (const id of seen) {
    for (const source of sources.get(id) ?? []) {
      if (!starts.includes(source)) found.add(source);
      seen.add(source);
    }
  }
  return [...found];
}

/** The loops around a node, the innermost first. A loop may hold itself in a faulty file. */
function loopsAround(ownerOf: ReadonlyMap<string, string>, nodeId: string): readonly string[] {
  const around = new Set<string>();
  for (let loop = ownerOf.get(nodeId); loop !== undefined && !around.has(loop); loop = ownerOf.get(loop)) {
    around.add(loop);
  }
  return [...around];
}

function nodeOf(place: NonNullable<BindingPlace>): string {
  return 'node' in place ? place.node : place.edgeFrom;
}

function stepsBelowFlow(flow: BindingFlow, [part, ...path]: readonly string[]): readonly PathStep[] {
  if (part === undefined) return [{ name: 'input', kind: 'input', detail: 'inputs', description: 'Inputs of the run' }];
  if (part !== 'input') return [];
  return flow.inputsAt(path).map(({ name, detail }) => ({
    name,
    kind: 'input',
    detail,
    description: path.length === 0 ? 'Input of the flow' : '',
  }));
}

function bindingFlowOf({ nodes, edges, flow }: FlowDoc): BindingFlow {
  return {
    nodes: nodes.map(({ id, type, name, input }) => {
      const as = input['as'];
      return { id, type, name, itemName: typeof as === 'string' ? as : undefined };
    }),
    edges,
    ownerOf: bodyOwners(nodes),
    inputsAt(path) {
      let value: JsonValue | undefined = flow.input;
      for (const step of path) value = isJsonMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
      if (!isJsonMap(value)) return [];
      return Object.entries(value).map(([name, part]) => ({ name, detail: typeText(schemaOf(part)) }));
    },
  };
}

/** An input that is null stands for any value. */
function schemaOf(value: JsonValue): JsonMap {
  if (value === null) return {};
  return { type: isJsonList(value) ? 'array' : typeof value };
}

const outputSchemas = new WeakMap<NodeTypeSpec, JsonMap>();

function outputSchemaOf(spec: NodeTypeSpec): JsonMap {
  const schema = outputSchemas.get(spec) ?? outputJsonSchema(spec);
  outputSchemas.set(spec, schema);
  return schema;
}
