/**
 * What can still be drawn of a document with mistakes, so that a canvas does not go blank while somebody types.
 */
import type { z } from 'zod';
import {
  type EdgeDoc,
  edgeDocSchema,
  type FlowDoc,
  flowHeaderSchema,
  layoutSchema,
  type NodeDoc,
  nodeDocSchema,
} from './flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from './json-value.ts';
import { acceptorOf } from './schema-acceptor.ts';

export interface SalvagedDoc {
  readonly doc: FlowDoc;
  /** For each node of the document, its index in the file. */
  readonly nodeIndexes: readonly number[];
  readonly edgeIndexes: readonly number[];
}

interface Kept<Item> {
  readonly item: Item;
  readonly index: number;
}

/**
 * Keeps every node with an id of its own and a type, every edge with two ends, and of each the keys that are right.
 * Gives null when there is no list of nodes. The result is for drawing: only a document without errors may run.
 */
export function salvageDoc(value: JsonMap): SalvagedDoc | null {
  if (!isJsonList(value['nodes'])) return null;
  const seen = new Set<string>();
  const nodes = keep(value['nodes'], (raw) => {
    const node = salvageNode(raw);
    if (node === undefined || seen.has(node.id)) return undefined;
    seen.add(node.id);
    return node;
  });
  const edges = keep(isJsonList(value['edges']) ? value['edges'] : [], salvageEdge);
  const header = isJsonMap(value['flow']) ? rightKeys(flowHeaderSchema, value['flow']) : {};
  const doc: FlowDoc = {
    ...(isJsonMap(value['layout']) ? { layout: rightKeys(layoutSchema, value['layout']) } : {}),
    flow: { name: '', ...header },
    nodes: nodes.map(({ item }) => item),
    edges: edges.map(({ item }) => item),
  };
  return { doc, nodeIndexes: nodes.map(({ index }) => index), edgeIndexes: edges.map(({ index }) => index) };
}

function salvageNode(raw: JsonValue): NodeDoc | undefined {
  if (!isJsonMap(raw)) return undefined;
  const { id, type } = raw;
  if (typeof id !== 'string' || id === '' || typeof type !== 'string') return undefined;
  const { input = {}, ...others } = rightKeys(nodeDocSchema, raw);
  return { ...others, input: withOlderBody(input, raw), id, type };
}

/** The older form has the body of a loop beside its input, and a canvas draws it all the same. */
function withOlderBody(input: JsonMap, { body }: JsonMap): JsonMap {
  return body === undefined || 'body' in input ? input : { ...input, body };
}

function salvageEdge(raw: JsonValue): EdgeDoc | undefined {
  if (!isJsonMap(raw)) return undefined;
  const { from, to } = raw;
  return typeof from === 'string' && typeof to === 'string'
    ? { ...rightKeys(edgeDocSchema, raw), from, to }
    : undefined;
}

function keep<Item>(list: readonly JsonValue[], salvage: (raw: JsonValue) => Item | undefined): readonly Kept<Item>[] {
  return list.flatMap((raw, index) => {
    const item = salvage(raw);
    return item === undefined ? [] : [{ item, index }];
  });
}

function takes(schema: z.ZodType, value: JsonValue): boolean {
  return acceptorOf(schema)(value) || schema.safeParse(value).success;
}

/** The keys that the schema knows and whose values it takes. */
function rightKeys<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  raw: JsonMap,
): Partial<z.output<z.ZodObject<Shape>>> {
  const right = Object.entries(schema.shape).filter(
    ([key, inner]) => Object.hasOwn(raw, key) && takes(inner as z.ZodType, raw[key] ?? null),
  );
  // Each value was just taken by the schema of its key.
  return Object.fromEntries(right.map(([key]) => [key, raw[key]])) as Partial<z.output<z.ZodObject<Shape>>>;
}
