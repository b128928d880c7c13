/**
 * Reads Flowise agentflows: nodes and edges of a canvas.
 */
import { isJsonList, isJsonMap, type JsonMap } from '../../json/json-value.ts';
import { at, deepAt, mapAt, mapsAt, numberAt, textAt } from '../read-json.ts';
import type { SourceEdge, SourceFlow, SourceNode } from '../source-flow.ts';

/** Whether a file is a Flowise agentflow or chatflow. */
export function isFlowise(file: JsonMap): boolean {
  return isJsonList(file['nodes']) && isJsonList(file['edges']);
}

/** Reads the graph of an agentflow. */
export function readFlowise(file: JsonMap, otherwise: string): readonly SourceFlow[] {
  const written = mapsAt(file, 'nodes');
  const places = new Map(written.map((node) => [textAt(node, 'id'), mapAt(node, 'position')]));
  const nodes = new Map<string, SourceNode>();
  for (const [place, value] of written.entries()) {
    const id = textAt(value, 'id');
    const key = id !== '' && !nodes.has(id) ? id : `${id}#${place}`;
    const data = mapAt(value, 'data');
    const parent = textAt(value, 'parentNode');
    const name = textAt(data, 'label') || textAt(data, 'name') || id;
    nodes.set(key, {
      key,
      type: textAt(data, 'name') || textAt(value, 'type'),
      name,
      settings: mapAt(data, 'inputs'),
      position: placeOf(mapAt(value, 'position'), places.get(parent)),
      isDisabled: false,
      ...(places.has(parent) && parent !== key ? { parent } : {}),
      original: originalOf(value, data),
    });
  }
  const remarks: string[] = [];
  const count = isJsonList(file['nodes']) ? file['nodes'].length : 0;
  if (count > written.length) remarks.push(`${count - written.length} entries of the nodes are not nodes.`);
  const edges = mapsAt(file, 'edges').map(edgeOf);
  const known = edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  if (known.length < edges.length)
    remarks.push(`${edges.length - known.length} edges lead to nodes that do not exist.`);
  const description = textAt(file, 'description');
  return [
    {
      key: 'agentflow',
      name: textAt(file, 'name') || otherwise,
      ...(description === '' ? {} : { description }),
      nodes: [...nodes.values()],
      edges: [...known, ...edgesPastTemplates(known, nodes)],
      remarks,
    },
  ];
}

/** A value of a prompt template also is a value of the chain that uses the template. */
function edgesPastTemplates(
  edges: readonly SourceEdge[],
  nodes: ReadonlyMap<string, SourceNode>,
): readonly SourceEdge[] {
  const outgoing = edges.filter(({ from }) => /promptTemplate$/i.test(nodes.get(from)?.type ?? ''));
  return edges.flatMap((edge) => outgoing.filter(({ from }) => from === edge.to).map(({ to }) => ({ ...edge, to })));
}

/** Nodes in an iteration have positions relative to it. */
function placeOf(own: JsonMap, parent: JsonMap | undefined): { x: number; y: number } {
  const sum = (axis: string): number => (numberAt(own, axis) ?? 0) + (numberAt(parent, axis) ?? 0);
  return { x: Math.round(sum('x') * 1.5), y: Math.round(sum('y') * 1.25) };
}

function edgeOf(edge: JsonMap): SourceEdge {
  const [handle, input] = [textAt(edge, 'sourceHandle'), textAt(edge, 'targetHandle')];
  return {
    from: textAt(edge, 'source'),
    // Without the classes of the value, such as `-ChatOpenAI|BaseChatModel`.
    fromPort: /-output-(.+?)(?:-[A-Z][\w| ]*)?$/.exec(handle)?.[1] ?? handle,
    to: textAt(edge, 'target'),
    toPort: /-input-(.+)$/.exec(input)?.[1] ?? input,
  };
}

/** A node without the descriptions of its form, which are the same in every node of a type. */
function originalOf(node: JsonMap, data: JsonMap): JsonMap {
  const kept = ['id', 'label', 'name', 'type', 'version', 'inputs', 'outputs'];
  const settings = Object.fromEntries(
    kept.flatMap((key) => {
      const value = at(data, key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  return isJsonMap(deepAt(node, 'data')) ? { id: textAt(node, 'id'), data: settings } : node;
}
