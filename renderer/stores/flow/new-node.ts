/**
 * Edits of nodes that are shared by canvas and outline.
 */
import {
  callType,
  type FlowChange,
  type FlowDoc,
  freeId,
  isAgentType,
  type NodeDoc,
  passLoop,
  type StarterLoopItem,
  starterNode,
} from '../../../engine/isomorphic.ts';
import { bindingFlowOf } from './binding-candidates.ts';
import { modelKeyOf, modelOf, type UsedModels, usualModel } from './node-models.ts';
import { nodeTypes, offeredType } from './node-types.ts';
import { text } from './text.ts';
import { toolOfKey } from './tool-offers.ts';
import { createValueSchemas } from './value-schemas.ts';

/** Replacements for type names that are reserved in bindings. */
const insteadOfReserved: ReadonlyMap<string, string> = new Map([
  [callType, 'call'],
  ['control.loop', 'repeat'],
]);

/**
 * Returns a natural name for a node of the type: `file.read` → `file_read`, `control.switch` → `switch`, `flow` →
 * `call`.
 */
function nameOf(type: string): string {
  if (isAgentType(type)) return /[^/@]*$/.exec(type.replace(/\.aip$/, ''))?.[0] ?? type;
  return insteadOfReserved.get(type) ?? type.replace(/^control\./, '');
}

/** Returns the IDs, and the names that loops give to their items. */
function takenNames({ nodes }: FlowDoc): string[] {
  return nodes.flatMap(({ id, input }) => [id, ...(typeof input['as'] === 'string' ? [input['as']] : [])]);
}

export interface NewNode {
  readonly node: NodeDoc;
  /** Label in the undo menu. */
  readonly label: string;
}

/** What a new node takes from its surroundings. */
export interface NewNodeSurroundings {
  /** The node that provides its input, or undefined. */
  readonly before?: NodeDoc | undefined;
  /** Whether it handles the failure of that node. */
  readonly hasFailed?: boolean;
  /** The loop that contains it, or null. */
  readonly loopId: string | null;
  /** Information about the models of the workspace. Null if nothing is known yet. */
  readonly models: UsedModels | null;
}

/**
 * Creates a valid node with a new ID. A node that prompts a model gets the usual one.
 * @param key a type, or a variant of one
 * @returns null for an unknown type
 */
export function newNode(doc: FlowDoc, key: string, surroundings: NewNodeSurroundings): NewNode | null {
  const { before, hasFailed = false, loopId, models } = surroundings;
  const spec = offeredType(key);
  if (spec === undefined) return null;
  const id = freeId(toolOfKey(key)?.replace(/^.*\./, '') ?? nameOf(spec.type), takenNames(doc));
  const { input, config = {} } = before ?? {};
  const source =
    before === undefined || input === undefined
      ? null
      : { id: before.id, spec: nodeTypes.get(before.type), input, config, hasFailed };
  const node = starterNode(spec, id, source, itemOf(doc, loopId));
  return { node: withUsualModel(node, doc, models), label: text.edits.add(spec) };
}

/** Iterations of a repeating loop have no item. */
function itemOf(doc: FlowDoc, loopId: string | null): StarterLoopItem | undefined {
  const loop = doc.nodes.find(({ id }) => id === loopId);
  if (loopId === null || loop?.type === passLoop) return undefined;
  const as = loop?.input['as'];
  const schema = createValueSchemas(bindingFlowOf(doc), nodeTypes).itemOf(loopId);
  return { name: typeof as === 'string' ? as : 'item', schema };
}

function withUsualModel(node: NodeDoc, doc: FlowDoc, models: NewNodeSurroundings['models']): NodeDoc {
  const key = modelKeyOf(node.type);
  if (key === undefined) return node;
  const asked = doc.nodes.map(modelOf).filter((model) => model !== undefined);
  const model = usualModel(asked, models);
  return model === undefined ? node : { ...node, config: { ...node.config, [key]: model } };
}

/** Disables nodes, or enables them if all are disabled. */
export function disablingChange({ nodes }: FlowDoc, ids: ReadonlySet<string>): FlowChange {
  const meant = nodes.filter(({ id }) => ids.has(id));
  const enables = meant.every(({ disabled }) => disabled === true);
  const value = enables ? undefined : true;
  const changes = meant.map(({ id }): FlowChange => ({ do: 'set-node', id, path: ['disabled'], value }));
  const { enable, enableAll, disable, disableAll } = text.edits;
  const [first] = meant;
  const isSingle = first !== undefined && meant.length === 1;
  const counted = { count: meant.length };
  if (enables) return { do: 'all', changes, label: isSingle ? enable(first) : enableAll(counted) };
  return { do: 'all', changes, label: isSingle ? disable(first) : disableAll(counted) };
}
