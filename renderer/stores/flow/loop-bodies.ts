/**
 * Determines which loop body each node is in, and how nodes join or leave a body: by pointer on the canvas, or by name
 * in the outline.
 */
import { bodyOwners, edgeRefusal, type FlowChange, type FlowDoc, nameEdges } from '../../../engine/isomorphic.ts';

export interface LoopBodyNesting {
  /** The loop of each node in a body. Never cyclic: a loop that would contain itself counts as outside. */
  readonly ownerOf: ReadonlyMap<string, string>;
  /** The direct members of each loop's body, in file order. */
  readonly bodyOf: ReadonlyMap<string, readonly string[]>;
}

/** No loops. A single object, so that flows without loops compare equal. */
export const noNesting: LoopBodyNesting = { ownerOf: new Map(), bodyOf: new Map() };

/** Reads the nesting from a document, which may contain any errors that can be parsed. */
export function loopNesting({ nodes }: FlowDoc): LoopBodyNesting {
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

/** Returns the loops around a node, outermost first. */
export function loopsAround({ ownerOf }: LoopBodyNesting, id: string): readonly string[] {
  const loops: string[] = [];
  for (let owner = ownerOf.get(id); owner !== undefined; owner = ownerOf.get(owner)) loops.unshift(owner);
  return loops;
}

export interface BodyMove {
  /** Nodes that move. Members of loops among them stay in those loops. */
  readonly ids: ReadonlySet<string>;
  /** The loop that contained them, or null. */
  readonly from: string | null;
  /** The loop that they move into, or null. */
  readonly to: string | null;
}

/** Returns the changes of the loops' bodies. Null if a body is not a list that can be edited. */
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

/** Returns why nodes cannot be moved, for users: an edge would cross a border. Null if they can. */
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
