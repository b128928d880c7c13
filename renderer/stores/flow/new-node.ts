/**
 * What canvas and outline do alike to the nodes of a flow.
 */
import {
  callType,
  type FlowChange,
  type FlowDoc,
  freeId,
  isAgentType,
  type LoopItem,
  type NodeDoc,
  passLoop,
  starterNode,
} from '../../../engine/isomorphic.ts';
import { bindingFlowOf } from './binding-candidates.ts';
import { modelKeyOf, modelOf, type UsedModels, usualModel } from './node-models.ts';
import { nodeTypes, offeredType } from './node-types.ts';
import { toolOfKey } from './tool-offers.ts';
import { createValueSchemas } from './value-schemas.ts';

/** Names of types whose own ones have a meaning in bindings. */
const insteadOfReserved: ReadonlyMap<string, string> = new Map([
  [callType, 'call'],
  ['control.loop', 'repeat'],
]);

/** What people would call a node of the type: `file.read` → `file_read`, `control.switch` → `switch`, `flow` → `call`. */
function nameOf(type: string): string {
  if (isAgentType(type)) return /[^/@]*$/.exec(type.replace(/\.aip$/, ''))?.[0] ?? type;
  return insteadOfReserved.get(type) ?? type.replace(/^control\./, '');
}

/** Ids, and the names that loops give to their items. */
function takenNames({ nodes }: FlowDoc): string[] {
  return nodes.flatMap(({ id, input }) => [id, ...(typeof input['as'] === 'string' ? [input['as']] : [])]);
}

export interface NewNode {
  readonly node: NodeDoc;
  /** For the undo menu. */
  readonly label: string;
}

/** What a new node takes over from where it is put. */
export interface NewNodeSurroundings {
  /** The node whose output it works on; undefined = none. */
  readonly before?: NodeDoc | undefined;
  /** It is for the failure of that node. */
  readonly hasFailed?: boolean;
  /** The loop in whose body it stands; null = none. */
  readonly loopId: string | null;
  /** What is known of the models of the workspace; null = nothing yet. */
  readonly models: UsedModels | null;
}

/**
 * A node that is valid as it is, with an id of its own. One that asks a model asks the usual one.
 * @param key a type, or a variant of one
 * @returns null for a type that nobody knows
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
  return { node: withUsualModel(node, doc, models), label: `Add ${spec.title.toLowerCase()}` };
}

/** Passes of a loop that repeats have no item. */
function itemOf(doc: FlowDoc, loopId: string | null): LoopItem | undefined {
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

/** Disables nodes; enables them when all are disabled. */
export function disablingChange({ nodes }: FlowDoc, ids: ReadonlySet<string>): FlowChange {
  const meant = nodes.filter(({ id }) => ids.has(id));
  const enables = meant.every(({ disabled }) => disabled === true);
  const value = enables ? undefined : true;
  const changes = meant.map(({ id }): FlowChange => ({ do: 'set-node', id, path: ['disabled'], value }));
  const names = meant.length === 1 ? meant[0]?.id : `${meant.length} nodes`;
  return { do: 'all', changes, label: `${enables ? 'Enable' : 'Disable'} ${names}` };
}
