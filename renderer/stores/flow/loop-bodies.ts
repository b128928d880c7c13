/**
 * Which nodes of a flow stand in the bodies of which loops.
 */
import { bodyOwners, type FlowDoc } from '../../../engine/isomorphic.ts';

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
