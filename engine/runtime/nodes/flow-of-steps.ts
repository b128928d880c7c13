/**
 * Builds a flow from its steps' types: a chain of nodes, each bound to the previous node's output.
 */
import { EngineError } from '../../base/engine-error.ts';
import { type FlowDoc, type NodeDoc, nodeIdPattern, reservedNodeIds } from '../../language/flow/flow-doc.ts';
import { isLoop, passLoop } from '../../language/flow/loops.ts';
import type { NodeTypeCatalog, NodeTypeSpec } from '../../language/types/node-type-spec.ts';
import { freeId, modelSettingOf, type NodeBefore, starterNode } from './starter-node.ts';

/** A node in the chain; without an ID, one is derived from its type. */
interface ChainStep {
  readonly type: string;
  readonly id?: string;
  /** Model to use, for types with a model setting. */
  readonly model?: string;
}

/**
 * Returns the document of a new flow that can be run without changes. A loop gets a node to run for each item.
 * @param name display name
 * @throws EngineError `node.unknown-type` | `node.bad-id`, also for a duplicate ID
 */
export function flowOfSteps(name: string, steps: readonly ChainStep[], catalog: NodeTypeCatalog): FlowDoc {
  const taken = new Set<string>();
  for (const { id } of steps) if (id !== undefined) takeId(id, taken);
  const nodes: NodeDoc[] = [];
  const edges: FlowDoc['edges'][number][] = [];
  const packs = new Set<string>();
  let before: NodeBefore | null = null;
  for (const step of steps) {
    const spec = specOf(step.type, catalog);
    const id = step.id ?? newId(step.type, taken);
    if (spec.pack !== undefined) packs.add(spec.pack);
    if (before !== null) edges.push({ from: before.id, to: id });
    const node = withModel(starterNode(spec, id, before), spec, step.model);
    nodes.push(...withBody(node, taken));
    before = { id, spec, input: node.input, config: node.config ?? {} };
  }
  const nodePacks = packs.size === 0 ? {} : { nodePacks: [...packs] };
  return { flow: { name: name.replace(/\s+/g, ' ').trim() || 'New flow', version: 1, ...nodePacks }, nodes, edges };
}

function specOf(type: string, catalog: NodeTypeCatalog): NodeTypeSpec {
  const spec = catalog.get(type);
  if (spec !== undefined) return spec;
  throw new EngineError({
    code: 'node.unknown-type',
    message: `Node type "${type}" does not exist. Choose one of: ${catalog
      .list()
      .map((known) => known.type)
      .join(', ')}.`,
  });
}

function takeId(id: string, taken: Set<string>): void {
  if (!nodeIdPattern.test(id) || reservedNodeIds.has(id) || taken.has(id)) {
    throw new EngineError({
      code: 'node.bad-id',
      message: `${JSON.stringify(id)} cannot be the ID of a step. Use only ASCII letters, digits and _, start with a letter or _, and use each ID once.`,
    });
  }
  taken.add(id);
}

function newId(name: string, taken: Set<string>): string {
  const id = freeId(name, taken);
  taken.add(id);
  return id;
}

function withModel(node: NodeDoc, spec: NodeTypeSpec, model: string | undefined): NodeDoc {
  const key = modelSettingOf(spec);
  return model === undefined || key === undefined ? node : { ...node, config: { ...node.config, [key]: model } };
}

/** A loop without a body does nothing. */
function withBody(node: NodeDoc, taken: Set<string>): readonly NodeDoc[] {
  if (!isLoop(node.type)) return [node];
  const id = newId(`${node.id}_item`, taken);
  return [
    { ...node, input: { ...node.input, body: [id] } },
    { id, type: 'echo', input: { text: node.type === passLoop ? '{{loop.index}}' : '{{item}}' } },
  ];
}
