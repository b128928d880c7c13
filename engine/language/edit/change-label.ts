/**
 * Change labels for the undo menu.
 */
import { assertNever } from '../../base/assert-never.ts';
import type { ChangePath, FlowChange } from './flow-change.ts';

/** Returns a short description of a change: `Move 3 nodes`, `Connect fetch to parse`. */
export function labelOf(change: FlowChange): string {
  switch (change.do) {
    case 'add':
      return `Add ${addedParts(change)}`;
    case 'remove':
      return `Delete ${removedParts(change)}`;
    case 'rename':
      return `Rename ${change.id} to ${change.to}`;
    case 'rename-input':
      return `Rename input ${change.name} to ${change.to}`;
    case 'reorder':
      return `Move ${counted(change.nodes, 'node')} ${change.side} ${change.of}`;
    case 'set-node':
      return settingLabel(change, change.id);
    case 'set-flow':
      return settingLabel(change, 'the flow');
    case 'set-trigger':
      return triggerLabel(change);
    case 'connect':
      return connectLabel(change);
    case 'set-edge':
      return edgeLabel(change);
    case 'splice':
      return `Insert ${change.node} into ${change.edge}`;
    case 'move':
      return moveLabel(change);
    case 'set-layout':
      return layoutLabel(change);
    case 'format':
      return formatLabel(change);
    case 'extract':
      return `Extract ${counted(change.nodes, 'node')} to ${change.file}`;
    case 'all':
      return change.label;
    default:
      return assertNever(change);
  }
}

type LabeledChangeOf<Do extends FlowChange['do']> = Extract<FlowChange, { do: Do }>;

function formatLabel({ node, lines }: LabeledChangeOf<'format'>): string {
  if (node !== undefined) return `Format ${node}`;
  if (lines === undefined) return 'Format file';
  return lines.first === lines.last ? `Format line ${lines.first}` : `Format lines ${lines.first} to ${lines.last}`;
}

/** Returns the only name, or the number of names. */
function counted(names: readonly string[], what: string): string {
  return names.length === 1 ? (names[0] ?? what) : `${names.length} ${what}s`;
}

function addedParts({ nodes, notes = {} }: LabeledChangeOf<'add'>): string {
  if (nodes.length > 0)
    return counted(
      nodes.map(({ type }) => type),
      'node',
    );
  return Object.keys(notes).length === 1 ? 'a note' : 'notes';
}

function removedParts({ nodes, edges }: LabeledChangeOf<'remove'>): string {
  if (edges.length === 0) return counted(nodes, 'node');
  if (nodes.length === 0) return edges.length === 1 ? `edge ${edges[0]}` : `${edges.length} edges`;
  return `${counted(nodes, 'node')} and ${edges.length === 1 ? '1 edge' : `${edges.length} edges`}`;
}

function settingLabel({ path, value }: { readonly path: ChangePath; readonly value: unknown }, owner: string): string {
  // An index means little, so the list is named instead.
  const key = path.findLast((segment) => typeof segment === 'string') ?? 'value';
  return `${value === undefined ? 'Remove' : 'Set'} ${key} of ${owner}`;
}

function triggerLabel({ id, path, value }: LabeledChangeOf<'set-trigger'>): string {
  if (path.length > 0) return settingLabel({ path, value }, `trigger ${id}`);
  return `${value === undefined ? 'Delete' : 'Set'} trigger ${id}`;
}

function connectLabel({ edges }: LabeledChangeOf<'connect'>): string {
  const [edge] = edges;
  return edges.length === 1 && edge !== undefined
    ? `Connect ${edge.from} to ${edge.to}`
    : `Connect ${edges.length} edges`;
}

function edgeLabel({ edge, change: { from, to, when } }: LabeledChangeOf<'set-edge'>): string {
  if (from !== undefined || to !== undefined) return `Reconnect ${edge}`;
  return when === null ? `Remove condition of ${edge}` : `Set condition of ${edge}`;
}

function moveLabel({ positions }: LabeledChangeOf<'move'>): string {
  const isAutomatic = Object.values(positions).every((position) => position === null);
  const nodes = counted(Object.keys(positions), 'node');
  return isAutomatic ? `Place ${nodes} automatically` : `Move ${nodes}`;
}

function layoutLabel({ path, value }: LabeledChangeOf<'set-layout'>): string {
  const [part, , ...inside] = path;
  const things: Readonly<Record<string, string>> = { notes: 'note', groups: 'group', nodes: 'position of a node' };
  const thing = things[String(part)] ?? String(part ?? 'layout');
  if (value === undefined && inside.length === 0) return `Delete ${thing}`;
  return inside.length === 0 ? `Set ${thing}` : `Change ${thing}`;
}
