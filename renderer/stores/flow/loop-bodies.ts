/**
 * Which nodes of a flow stand in the bodies of which loops, and how nodes join a body or leave one: by the pointer on the canvas,
 * by name in the outline.
 */
import { bodyOwners, edgeRefusal, type FlowChange, type FlowDoc, nameEdges } from '../../../engine/isomorphic.ts';

export interface LoopNesting {
  /** Of each node in a body: its loop. Never a circle: a loop that would hold itself counts as standing outside. */
  readonly ownerOf: ReadonlyMap<string, string>;
  /** Of each loop: the nodes right in its body, in the order of the file. */
  readonly bodyOf: ReadonlyMap<string, readonly string[]>;
}

/** No loops. One object, so that flows without loops stay equal. */
export const noNesting: LoopNesting = { ownerOf: new Map(), bodyOf: new Map() };

/** Reads the nesting from a document, which may be wrong in any way that can be read. */
export function loopNesting({ nodes }: FlowDoc): LoopNesting {
  const claimed = bodyOwners(nodes);
  if (claimed.size === 0) return noNesting;
  const ownerOf = new Map<string, string>();
  const bodyOf = new Map<string, string[]>();
  for (const { id } of nodes) {
    const owner = claimed.get(id);
    if (owner === undefined || closesCircle(ownerOf, id, owner)) continue;
    ownerOf.set(id, owner);
    const body = bodyOf.get(owner);
    if (body === undefined) bodyOf.set(owner, [id]);
    else body.push(id);
  }
  return { ownerOf, bodyOf };
}

function closesCircle(ownerOf: ReadonlyMap<string, string>, id: string, owner: string): boolean {
  for (let around: string | undefined = owner; around !== undefined; around = ownerOf.get(around)) {
    if (around === id) return true;
  }
  return false;
}

/** The loops around a node, the outermost first. */
export function loopsAround({ ownerOf }: LoopNesting, id: string): readonly string[] {
  const loops: string[] = [];
  for (let owner = ownerOf.get(id); owner !== undefined; owner = ownerOf.get(owner)) loops.unshift(owner);
  return loops;
}

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
