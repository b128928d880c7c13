/**
 * Checks changes of flows that come from other programs. The content of nodes and conditions is checked afterwards, in
 * the changed flow.
 */
import { z } from 'zod';

const id = z.string().min(1).max(1_000);
const path = z.array(z.union([z.string(), z.number().int().min(0)])).max(100);
const value = z.json().optional().describe('Absent to remove the value.');
const position = z.strictObject({ x: z.number(), y: z.number() });
const edge = z.strictObject({ id: id.optional(), from: id, to: id, when: z.json().optional() });
const node = z.looseObject({ id, type: id, input: z.record(z.string(), z.json()) });

/** One change; `FlowChange` describes each. Extracting, formatting and nested changes are not included. */
export const flowChangeSchema = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('add'),
    nodes: z.array(node).max(1_000),
    edges: z.array(edge).max(5_000).optional(),
    positions: z.record(z.string(), position).optional(),
    after: id.optional(),
    loopId: id.optional(),
  }),
  z.strictObject({
    do: z.literal('remove'),
    nodes: z.array(id).max(5_000),
    edges: z.array(id).max(5_000).describe('Names of edges, such as a->b.'),
    heal: z.boolean().optional().describe('Connects the nodes before a removed node to those after it.'),
  }),
  z.strictObject({ do: z.literal('rename'), id, to: id }),
  z.strictObject({ do: z.literal('rename-input'), name: id, to: id }),
  z.strictObject({
    do: z.literal('reorder'),
    nodes: z.array(id).max(5_000),
    side: z.enum(['before', 'behind']),
    of: id,
  }),
  z.strictObject({ do: z.literal('set-node'), id, path, value }),
  z.strictObject({ do: z.literal('set-flow'), path, value }),
  z.strictObject({
    do: z.literal('set-trigger'),
    id,
    path: path.describe('Empty for the trigger itself, which is then added, replaced or removed.'),
    value,
  }),
  z.strictObject({ do: z.literal('connect'), edges: z.array(edge).max(5_000) }),
  z.strictObject({
    do: z.literal('set-edge'),
    edge: id,
    change: z.strictObject({
      from: id.optional(),
      to: id.optional(),
      when: z.json().optional().describe('null to remove the condition.'),
    }),
  }),
  z.strictObject({ do: z.literal('splice'), node: id, edge: id }),
  z.strictObject({ do: z.literal('move'), positions: z.record(z.string(), position.nullable()) }),
  z.strictObject({ do: z.literal('set-layout'), path, value }),
]);
