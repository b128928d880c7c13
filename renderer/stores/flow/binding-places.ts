/**
 * Determines which nodes and loops come before a place in a flow.
 */

/**
 * Where a path is written: in a node, in the condition of an edge that leaves a node, in a condition tested after a
 * loop's body, or anywhere in the flow.
 */
export type BindingPlace =
  | { readonly node: string }
  | { readonly edgeFrom: string }
  | { readonly bodyOf: string }
  | null;

interface BindingGraph {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** The loop of each node in a body. */
  readonly ownerOf: ReadonlyMap<string, string>;
}

/**
 * Returns the IDs of the nodes that have ended before a place is reached, following edges, nearest first. In a body,
 * includes nodes before its loop. Without a place, returns all nodes.
 */
export function nodesBefore({ nodes, edges, ownerOf }: BindingGraph, place: BindingPlace): readonly string[] {
  if (place === null) return nodes.map(({ id }) => id);
  const sources = new Map<string, string[]>();
  for (const { from, to } of edges) if (from !== '') sources.set(to, [...(sources.get(to) ?? []), from]);
  const own = nodeOf(place);
  const starts = [own, ...loopsAround(ownerOf, own)];
  const body = 'bodyOf' in place ? nodes.filter(({ id }) => ownerOf.get(id) === own).map(({ id }) => id) : [];
  const found = new Set<string>('edgeFrom' in place ? [own] : body.reverse());
  const seen = new Set(starts);
  // Iterating a set also visits elements added during the iteration.
  for (const id of seen) {
    for (const source of sources.get(id) ?? []) {
      if (!starts.includes(source)) found.add(source);
      seen.add(source);
    }
  }
  return [...found];
}

/**
 * Returns the loops around a node, innermost first. In an invalid file, a loop may be one of its own enclosing loops.
 */
function loopsAround(ownerOf: ReadonlyMap<string, string>, nodeId: string): readonly string[] {
  const around = new Set<string>();
  for (let loop = ownerOf.get(nodeId); loop !== undefined && !around.has(loop); loop = ownerOf.get(loop)) {
    around.add(loop);
  }
  return [...around];
}

/** Returns the node that the place belongs to. */
export function nodeOf(place: NonNullable<BindingPlace>): string {
  if ('bodyOf' in place) return place.bodyOf;
  return 'node' in place ? place.node : place.edgeFrom;
}

/** Returns the loops around a place, innermost first. */
export function loopsAroundPlace(
  ownerOf: ReadonlyMap<string, string>,
  place: NonNullable<BindingPlace>,
): readonly string[] {
  const around = loopsAround(ownerOf, nodeOf(place));
  return 'bodyOf' in place ? [place.bodyOf, ...around] : around;
}
