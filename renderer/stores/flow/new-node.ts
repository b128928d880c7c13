/**
 * What canvas and outline do alike to the nodes of a flow.
 */
import { type FlowChange, type FlowDoc, freeId, type NodeDoc, starterNode } from '../../../engine/isomorphic.ts';
import { nodeTypes } from './node-types.ts';

/** What people would call a node of the type: `file.read` → `file_read`, `control.switch` → `switch`. */
function nameOf(type: string): string {
  return type.replace(/^control\./, '');
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

/**
 * A node that is valid as it is, with an id of its own.
 * @param before the node whose output it works on; undefined = none
 * @returns null for a type that nobody knows
 */
export function newNode(doc: FlowDoc, type: string, before: NodeDoc | undefined): NewNode | null {
  const spec = nodeTypes.get(type);
  if (spec === undefined) return null;
  const id = freeId(nameOf(type), takenNames(doc));
  const source = before === undefined ? null : { id: before.id, spec: nodeTypes.get(before.type), input: before.input };
  return { node: starterNode(spec, id, source), label: `Add ${spec.title.toLowerCase()}` };
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
