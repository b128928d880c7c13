/**
 * Reads n8n workflows: a list of nodes, and connections by node name, type and output.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { at, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import type { SourceEdge, SourceFlow, SourceNode } from '../source-flow.ts';
import { withLoopBodies } from './n8n-loops.ts';

/** Whether a file is an n8n workflow. */
export function isN8n(file: JsonMap): boolean {
  return isJsonList(file['nodes']) && isJsonMap(at(file, 'connections'));
}

/** Nodes of n8n are smaller than cards. */
const scale = { x: 1.5, y: 1.25 };

/** Reads the graph of an n8n workflow. */
export function readN8n(file: JsonMap, otherwise: string): readonly SourceFlow[] {
  const remarks: string[] = [];
  const nodes = readNodes(file['nodes'] ?? null, remarks);
  const keys = new Set(nodes.map(({ key }) => key));
  const edges = readConnections(mapAt(file, 'connections')).filter((edge) => {
    if (keys.has(edge.from) && keys.has(edge.to)) return true;
    remarks.push(`The connection from "${edge.from}" to "${edge.to}" leads to a node that does not exist.`);
    return false;
  });
  if (Object.keys(mapAt(file, 'pinData')).length > 0) remarks.push('Pinned data was not imported.');
  const timeZone = textAt(mapAt(file, 'settings'), 'timezone');
  const head = { key: 'workflow', name: textAt(file, 'name') || otherwise, ...(timeZone === '' ? {} : { timeZone }) };
  return [withLoopBodies({ ...head, nodes, edges, remarks })];
}

/** Connections name nodes, so the name is the key. A later node with the same name is never connected. */
function readNodes(list: JsonValue, remarks: string[]): readonly SourceNode[] {
  const nodes = new Map<string, SourceNode>();
  for (const [place, value] of (isJsonList(list) ? list : []).entries()) {
    const name = textAt(value, 'name');
    const key = name !== '' && !nodes.has(name) ? name : `${name}#${place}`;
    if (isJsonMap(value)) nodes.set(key, { key, name, ...nodeOf(value) });
    else remarks.push(`Entry ${place + 1} of the nodes is not a node.`);
  }
  return [...nodes.values()];
}

function nodeOf(value: JsonMap): Omit<SourceNode, 'key' | 'name'> {
  const [x, y] = isJsonList(value['position']) ? value['position'] : [];
  const notes = textAt(value, 'notes').trim();
  return {
    type: textAt(value, 'type'),
    ...(notes === '' ? {} : { description: notes }),
    settings: value,
    ...(typeof x === 'number' && typeof y === 'number' ? { position: scaled(x, y) } : {}),
    isDisabled: value['disabled'] === true,
    original: value,
  };
}

function scaled(x: number, y: number): { x: number; y: number } {
  return { x: Math.round(x * scale.x), y: Math.round(y * scale.y) };
}

function readConnections(connections: JsonMap): readonly SourceEdge[] {
  return Object.entries(connections).flatMap(([from, byKind]) =>
    Object.entries(isJsonMap(byKind) ? byKind : {}).flatMap(([kind, outputs]) =>
      (isJsonList(outputs) ? outputs : []).flatMap((targets, output) =>
        mapsAt({ targets }, 'targets').map((target) => ({
          from,
          fromPort: kind === 'main' ? String(output) : kind,
          to: textAt(target, 'node'),
          toPort: kind === 'main' ? String(numberAt(target, 'index') ?? 0) : kind,
        })),
      ),
    ),
  );
}
