/**
 * Keeps the parts of a document with errors that can be drawn, so that a canvas does not go blank while a user is
 * typing.
 */
import type { z } from 'zod';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { acceptorOf } from '../schema/schema-acceptor.ts';
import {
  type EdgeDoc,
  edgeDocSchema,
  type FlowDoc,
  flowHeaderSchema,
  layoutSchema,
  type NodeDoc,
  nodeDocSchema,
} from './flow-doc.ts';

export interface SalvagedDoc {
  readonly doc: FlowDoc;
  /** The file index of each node in the document. */
  readonly nodeIndexes: readonly number[];
  readonly edgeIndexes: readonly number[];
}

interface SalvagedItem<Item> {
  readonly item: Item;
  readonly index: number;
}

/**
 * Keeps every node with a unique ID and a type, every edge with two ends, and the valid keys of each. Returns null if
 * there is no list of nodes. The result is only for drawing, because only a document without errors may run.
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

/** In the older format, a loop's body is beside its input. It is also drawn. */
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

function keep<Item>(
  list: readonly JsonValue[],
  salvage: (raw: JsonValue) => Item | undefined,
): readonly SalvagedItem<Item>[] {
  return list.flatMap((raw, index) => {
    const item = salvage(raw);
    return item === undefined ? [] : [{ item, index }];
  });
}

function takes(schema: z.ZodType, value: JsonValue): boolean {
  return acceptorOf(schema)(value) || schema.safeParse(value).success;
}

/** Returns the keys that the schema knows, if their values are valid. */
function rightKeys<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  raw: JsonMap,
): Partial<z.output<z.ZodObject<Shape>>> {
  const right = Object.entries(schema.shape).filter(
    ([key, inner]) => Object.hasOwn(raw, key) && takes(inner as z.ZodType, raw[key] ?? null),
  );
  // Each value was validated by the schema of its key above.
  return Object.fromEntries(right.map(([key]) => [key, raw[key]])) as Partial<z.output<z.ZodObject<Shape>>>;
}
