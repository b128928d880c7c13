/**
 * Builds a flow from a graph of another program.
 */
import { isDeeperThan } from '../../base/json-limits.ts';
import type { FlowDoc, NodeDoc, NodePosition, NoteDoc } from '../flow/flow-doc.ts';
import type { InputDoc } from '../flow/flow-interface.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';
import type { TriggerDoc } from '../triggers/trigger-doc.ts';
import type { Mapped, MappedNode, SourceFormat } from './mapping.ts';
import { newEdges } from './new-edges.ts';
import type { ImportLine } from './report.ts';
import type { SourceEdge, SourceNode } from './source-flow.ts';
import type { SourceGraph } from './source-graph.ts';

/** A flow that is not checked yet. */
export interface BuiltFlow {
  readonly doc: FlowDoc;
  /** Originals that belong to no node of the flow. */
  readonly kept: readonly JsonValue[];
  readonly lines: readonly ImportLine[];
  /** Nodes that cannot be imported and were not known to be: the flow must be built again. */
  readonly refused: ReadonlyMap<string, string>;
  /** Key of the source node for each node ID, input, output and trigger, such as `flow.inputs.city`. */
  readonly keys: ReadonlyMap<string, string>;
}

interface OpenFlow {
  readonly nodes: NodeDoc[];
  readonly inputs: Map<string, InputDoc>;
  readonly outputs: Map<string, JsonValue>;
  readonly triggers: TriggerDoc[];
  readonly positions: Map<string, NodePosition>;
  readonly notes: Map<string, NoteDoc>;
  readonly kept: JsonValue[];
  readonly lines: ImportLine[];
  readonly keys: Map<string, string>;
  readonly branching: Set<string>;
}

/** Builds a flow, and the report of what became of each node. */
export function buildFlow(graph: SourceGraph, format: SourceFormat): BuiltFlow {
  const open: OpenFlow = {
    nodes: [],
    inputs: new Map(),
    outputs: new Map(),
    triggers: [],
    positions: new Map(),
    notes: new Map(),
    kept: [],
    lines: [],
    keys: new Map(),
    branching: new Set(),
  };
  const refused = new Map<string, string>();
  for (const node of graph.flow.nodes) {
    const mapped = withoutUnwritable(graph.mappingOf(node).map(node, graph));
    if (mapped.as === 'placeholder') refused.set(node.key, mapped.why);
    addMapped(open, { node, mapped, graph, format });
  }
  const { edges, cyclic } = newEdges(graph, format, open.branching);
  for (const { from, to } of cyclic) {
    const target = graph.node(to)?.name ?? to;
    addLost(
      open.lines,
      graph,
      from,
      `The connection back to ${target} is missing, because edges can't form cycles. Use a control.loop.`,
    );
  }
  reportLostEdges(open.lines, graph, format);
  const { nodes, inputs, outputs, triggers, positions, notes, lines, kept, keys } = open;
  const { name, description } = graph.flow;
  const doc: FlowDoc = {
    flow: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(declaresInputs(open) ? { inputs: Object.fromEntries(inputs) } : {}),
      ...(outputs.size === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
      ...(triggers.length === 0 ? {} : { triggers }),
    },
    nodes,
    edges,
    layout: {
      ...(positions.size === 0 ? {} : { nodes: Object.fromEntries(positions) }),
      ...(notes.size === 0 ? {} : { notes: Object.fromEntries(notes) }),
    },
  };
  return { doc, kept, lines, refused, keys };
}

const inputPattern = /\bflow\.input(?:\.([\w-]+)|\[)/g;

/** With declarations, a flow accepts no other inputs, so it has none if it reads others or a trigger passes others. */
function declaresInputs({ inputs, nodes, triggers }: OpenFlow): boolean {
  const read = [...JSON.stringify(nodes.map(({ input, config = {} }) => [input, config])).matchAll(inputPattern)];
  const isDeclared = (name: string | undefined): boolean => name !== undefined && inputs.has(name);
  return inputs.size > 0 && triggers.length === 0 && read.every(([, name]) => isDeclared(name));
}

/** A node can become several triggers. */
function triggerIdOf({ triggers }: OpenFlow, wanted: string): string {
  let id = wanted;
  for (let number = 2; triggers.some((one) => one.id === id); number += 1) id = `${wanted}_${number}`;
  return id;
}

interface FlowAddition {
  readonly node: SourceNode;
  readonly mapped: Mapped;
  readonly graph: SourceGraph;
  readonly format: SourceFormat;
}

function addMapped(open: OpenFlow, addition: FlowAddition): void {
  const { node, mapped, graph } = addition;
  switch (mapped.as) {
    case 'node':
      addNode(open, addition, mapped);
      break;
    case 'placeholder':
      addPlaceholder(open, addition, mapped.why);
      break;
    case 'inputs':
      for (const [name, doc] of Object.entries(mapped.inputs)) {
        open.inputs.set(name, doc);
        open.keys.set(`flow.inputs.${name}`, node.key);
      }
      for (const trigger of mapped.triggers ?? []) {
        open.keys.set(`flow.triggers.${open.triggers.length}`, node.key);
        open.triggers.push({ id: triggerIdOf(open, graph.idOf(node)), ...trigger });
      }
      addPart(open, node, {
        became: mapped.triggers === undefined ? 'inputs of the flow' : 'trigger of the flow',
        lost: mapped.lost,
      });
      break;
    case 'output':
      open.outputs.set(mapped.name, mapped.value);
      open.keys.set(`flow.outputs.${mapped.name}`, node.key);
      addPart(open, node, { became: 'output of the flow', lost: mapped.lost });
      break;
    case 'note':
      addNote(open, node, mapped, graph.idOf(node));
      break;
    case 'part':
      addPart(open, node, { became: `part of ${mapped.of}`, lost: mapped.lost });
      break;
  }
}

function headOf({ name, description }: SourceNode, id: string): Pick<NodeDoc, 'name' | 'description'> {
  return {
    ...(name === id || name === '' ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
}

function addNode(open: OpenFlow, { node, graph, format }: FlowAddition, mapped: MappedNode): void {
  const { type, input, config, policy, lost = [] } = mapped;
  const id = graph.idOf(node);
  const written: NodeDoc & JsonMap = {
    id,
    type,
    ...headOf(node, id),
    ...(node.isDisabled ? { disabled: true } : {}),
    input,
    ...(config === undefined || Object.keys(config).length === 0 ? {} : { config }),
    ...(policy === undefined ? {} : { policy: policy as unknown as JsonMap }),
    ...(lost.length === 0 ? {} : { [format.key]: keepable(node.original) }),
  };
  open.nodes.push(written);
  addPlace(open, node, id);
  open.lines.push(lineOf(node, { status: lost.length === 0 ? 'mapped' : 'partly', became: type, id, lost }));
}

function addPlaceholder(open: OpenFlow, { node, graph, format }: FlowAddition, why: string): void {
  const id = graph.idOf(node);
  const written: NodeDoc & JsonMap = {
    id,
    type: 'control.noop',
    ...headOf(node, id),
    disabled: true,
    input: {},
    [format.key]: keepable(node.original),
  };
  open.nodes.push(written);
  const ports = new Set(
    graph
      .from(node)
      .filter(format.isOrder)
      .map(({ fromPort }) => fromPort),
  );
  if (format.typeOf(node)?.when !== undefined || ports.size > 1) open.branching.add(node.key);
  addPlace(open, node, id);
  open.lines.push(lineOf(node, { status: 'placeholder', became: 'control.noop', id, lost: [why] }));
}

function addPlace({ keys, positions }: OpenFlow, { key, position }: SourceNode, id: string): void {
  keys.set(id, key);
  if (position !== undefined) positions.set(id, position);
}

function addPart(
  { lines, kept }: OpenFlow,
  node: SourceNode,
  { became, lost = [] }: { became: string; lost: readonly string[] | undefined },
): void {
  kept.push(keepable(node.original));
  lines.push(lineOf(node, { status: lost.length === 0 ? 'mapped' : 'partly', became, lost }));
}

function addNote({ notes, lines }: OpenFlow, node: SourceNode, note: Mapped & { as: 'note' }, id: string): void {
  const { x, y } = node.position ?? { x: 0, y: 0 };
  notes.set(id, { x, y, width: note.width, height: note.height, text: note.text });
  lines.push(lineOf(node, { status: 'mapped', became: 'note', lost: [] }));
}

function lineOf({ name, type }: SourceNode, rest: Omit<ImportLine, 'name' | 'type'>): ImportLine {
  return { name, type, ...rest };
}

/** Reports connections that are neither edges of the flow nor values of its nodes. */
function reportLostEdges(lines: ImportLine[], graph: SourceGraph, format: SourceFormat): void {
  for (const edge of graph.flow.edges) {
    const { from, fromPort, to, toPort } = edge;
    const [source, target] = [graph.node(from), graph.node(to)];
    if (source === undefined || target === undefined) continue;
    const isValue = format.isValue(edge) && !graph.isNode(source);
    if (!format.isOrder(edge) && areNodes(graph, edge)) {
      addLost(
        lines,
        graph,
        from,
        `The connection ${fromPort} to ${target.name} is missing: it is not an edge of a flow.`,
      );
    } else if (isValue && graph.isRefused(target)) {
      addLost(lines, graph, to, `Its input "${toPort}" was the value "${fromPort}" of ${source.name}.`);
    }
  }
}

/** Whether both ends of a connection are nodes of the flow, so that neither contains the other. */
function areNodes(graph: SourceGraph, { from, to }: SourceEdge): boolean {
  const ends = [graph.node(from), graph.node(to)];
  return ends.every((node) => node !== undefined && graph.isNode(node));
}

/** Adds what was lost to the line of a node. */
function addLost(lines: ImportLine[], graph: SourceGraph, from: string, sentence: string): void {
  const place = graph.flow.nodes.findIndex(({ key }) => key === from);
  const line = lines[place];
  if (line === undefined) return;
  lines[place] = {
    ...line,
    status: line.status === 'mapped' ? 'partly' : line.status,
    lost: [...line.lost, sentence],
  };
}

/** Replaces a node that a flow file cannot contain. */
function withoutUnwritable(mapped: Mapped): Mapped {
  if (mapped.as === 'note' || mapped.as === 'part' || isWritable(mapped as unknown as JsonValue)) return mapped;
  return { as: 'placeholder', why: 'Its settings are nested too deeply, or contain a key that is not allowed.' };
}

const deepestWritten = 60;
const forbiddenKey = /"__proto__":/;

function isWritable(value: JsonValue): boolean {
  const text = JSON.stringify(value);
  return !isDeeperThan(text, deepestWritten) && !forbiddenKey.test(text);
}

/** Returns an original as it can be kept in a flow file: as JSON text if its structure is not allowed there. */
function keepable(original: JsonValue): JsonValue {
  return isWritable(original) ? original : JSON.stringify(original);
}
