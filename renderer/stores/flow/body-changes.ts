/**
 * Nodes that join the body of a loop, or leave one: by the pointer on the canvas, by name in the outline.
 */
import { edgeRefusal, type FlowChange, type FlowDoc, nameEdges } from '../../../engine/isomorphic.ts';

export interface BodyMove {
  /** Nodes that change sides; what stands in the bodies of loops among them stays there. */
  readonly ids: ReadonlySet<string>;
  /** The loop that loses them; null = they stood in none. */
  readonly from: string | null;
  /** The loop that gets them; null = none does. */
  readonly to: string | null;
}

/** The change of the loops' bodies; null when a body is no list that could be changed. */
export function bodyChanges(doc: FlowDoc, { ids, from, to }: BodyMove): readonly FlowChange[] | null {
  const left = from === null ? [] : bodyIn(doc, from);
  const joined = to === null ? [] : bodyIn(doc, to);
  if (left === null || joined === null) return null;
  const path = ['input', 'body'];
  return [
    ...(from === null ? [] : [{ do: 'set-node', id: from, path, value: left.filter((id) => !ids.has(id)) } as const]),
    ...(to === null ? [] : [{ do: 'set-node', id: to, path, value: [...joined, ...ids] } as const]),
  ];
}

/** Why nodes may not change sides, for people: an edge, and that it would cross a border. Null when they may. */
export function bodyRefusal(doc: FlowDoc, changes: readonly FlowChange[], { ids }: BodyMove): string | null {
  const bodies = new Map(changes.flatMap((change) => (change.do === 'set-node' ? [[change.id, change.value]] : [])));
  const nodes = doc.nodes.map((node) => {
    const body = bodies.get(node.id);
    return body === undefined ? node : { ...node, input: { ...node.input, body } };
  });
  const next: FlowDoc = { ...doc, nodes };
  const names = nameEdges(doc.edges);
  for (const [index, edge] of doc.edges.entries()) {
    if (!ids.has(edge.from) && !ids.has(edge.to)) continue;
    const refusal = edgeRefusal(next, edge, names[index]?.id);
    if (refusal !== null) return `${edge.from} → ${edge.to}: ${refusal}`;
  }
  return null;
}

function bodyIn({ nodes }: FlowDoc, loopId: string): readonly string[] | null {
  const body = nodes.find(({ id }) => id === loopId)?.input['body'] ?? [];
  return Array.isArray(body) && body.every((id) => typeof id === 'string') ? body : null;
}
