/**
 * Which nodes and loops a place of a flow is behind.
 */

/**
 * Where a path is written: in a node, in the condition of an edge that leaves a node, in a condition tested after the body of a loop, or
 * anywhere in the flow.
 */
export type BindingPlace =
  | { readonly node: string }
  | { readonly edgeFrom: string }
  | { readonly bodyOf: string }
  | null;

interface Graph {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** Node to the loop that has it in its body. */
  readonly ownerOf: ReadonlyMap<string, string>;
}

/**
 * Ids of the nodes that have ended before a place is reached, by edges, the nearest first; a body also sees what is
 * before its loop. Without a place, all nodes.
 */
export function nodesBefore({ nodes, edges, ownerOf }: Graph, place: BindingPlace): readonly string[] {
  if (place === null) return nodes.map(({ id }) => id);
  const sources = new Map<string, string[]>();
  for (const { from, to } of edges) if (from !== '') sources.set(to, [...(sources.get(to) ?? []), from]);
  const own = nodeOf(place);
  const starts = [own, ...loopsAround(ownerOf, own)];
  const body = 'bodyOf' in place ? nodes.filter(({ id }) => ownerOf.get(id) === own).map(({ id }) => id) : [];
  const found = new Set<string>('edgeFrom' in place ? [own] : body.reverse());
  const seen = new Set(starts);
  // Iterating a set also visits what is added meanwhile.
  for (const id of seen) {
    for (const source of sources.get(id) ?? []) {
      if (!starts.includes(source)) found.add(source);
      seen.add(source);
    }
  }
  return [...found];
}

/** The loops around a node, the innermost first. A loop may hold itself in a faulty file. */
function loopsAround(ownerOf: ReadonlyMap<string, string>, nodeId: string): readonly string[] {
  const around = new Set<string>();
  for (let loop = ownerOf.get(nodeId); loop !== undefined && !around.has(loop); loop = ownerOf.get(loop)) {
    around.add(loop);
  }
  return [...around];
}

/** The node that the place belongs to. */
export function nodeOf(place: NonNullable<BindingPlace>): string {
  if ('bodyOf' in place) return place.bodyOf;
  return 'node' in place ? place.node : place.edgeFrom;
}

/** The loops around a place, the innermost first. */
export function loopsAroundPlace(
  ownerOf: ReadonlyMap<string, string>,
  place: NonNullable<BindingPlace>,
): readonly string[] {
  const around = loopsAround(ownerOf, nodeOf(place));
  return 'bodyOf' in place ? [place.bodyOf, ...around] : around;
}
