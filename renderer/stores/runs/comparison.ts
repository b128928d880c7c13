/**
 * Two runs of a flow on one canvas: the second one is the shown run, and the first is compared with it.
 */
import {
  type ComparedNode,
  type CompareRequest,
  type EdgeDoc,
  type FlowDoc,
  isJsonList,
  type NodeDoc,
  type NodeInRuns,
  nameEdges,
  type RunComparison,
  type RunSide,
} from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { placeWith } from '../flow/node-places.ts';
import type { CheckedText } from '../text/check.ts';
import type { FlowViewState } from '../window/selection.ts';

/** A comparison with another run, while it is shown over a run. */
export interface ShownComparison {
  readonly request: CompareRequest;
  readonly numbers: Readonly<Record<RunSide, number>>;
  readonly result: RunComparison;
  readonly nodes: ReadonlyMap<string, ComparedNode>;
  /** The run that took an edge, for edges that only one of them took. By the name of the edge in runs. */
  readonly edges: ReadonlyMap<string, RunSide>;
  /** The text of the second run, with the nodes and edges that only the first flow has. */
  readonly definition: CheckedText & { readonly isCompared: true };
  /** The flow of the first run. Null if its text is not a valid flow. */
  readonly before: FlowDoc | null;
  /** IDs of the nodes that only the first flow has. */
  readonly ghosts: ReadonlySet<string>;
}

/** What a comparison is made from. */
interface ComparisonParts extends Pick<ShownComparison, 'request' | 'numbers' | 'result'> {
  readonly texts: Readonly<Record<RunSide, CheckedText>>;
}

export function makeComparison({ texts, ...parts }: ComparisonParts): ShownComparison {
  const { result } = parts;
  const before = texts.a.doc;
  const known = new Set(texts.b.doc?.nodes.map(({ id }) => id));
  const ghosts = new Set(before?.nodes.flatMap(({ id }) => (known.has(id) ? [] : [id])));
  const doc = texts.b.doc === null || before === null ? texts.b.doc : unionOf(before, texts.b.doc, ghosts);
  return {
    ...parts,
    nodes: new Map(result.nodes.map((node) => [node.id, node])),
    edges: new Map(result.edges.map(({ id, onlyIn }) => [id, onlyIn])),
    definition: { ...texts.b, doc, isCompared: true },
    before,
    ghosts,
  };
}

/** Returns the second flow with the nodes and edges that only the first one has. */
function unionOf(before: FlowDoc, now: FlowDoc, ghosts: ReadonlySet<string>): FlowDoc {
  const bodies = new Map(before.nodes.map(({ id, input }) => [id, input['body']]));
  const own = new Set(nameEdges(now.edges).map(({ id }) => id));
  const named = nameEdges(before.edges).map(
    ({ id, from, to }, index): EdgeDoc => ({ ...before.edges[index], id, from, to }),
  );
  const places = Object.entries(before.layout?.nodes ?? {}).filter(([id]) => ghosts.has(id));
  return {
    ...now,
    nodes: [
      ...now.nodes.map((node) => withMembers(node, bodies.get(node.id), ghosts)),
      ...before.nodes.filter(({ id }) => ghosts.has(id)),
    ],
    edges: [...now.edges, ...named.filter(({ id = '' }) => !own.has(id))],
    ...(places.length === 0
      ? {}
      : { layout: { ...now.layout, nodes: { ...Object.fromEntries(places), ...now.layout?.nodes } } }),
  };
}

function withMembers(node: NodeDoc, former: unknown, ghosts: ReadonlySet<string>): NodeDoc {
  const own = node.input['body'];
  if (!isJsonList(own) || !Array.isArray(former)) return node;
  const missing = former.filter((id) => ghosts.has(id));
  return missing.length === 0 ? node : { ...node, input: { ...node.input, body: [...own, ...missing] } };
}

/** Returns the place of a node to compare: the one in the selected items, or else the first that differs. */
export function comparedPlace(
  { nodes }: Pick<ShownComparison, 'nodes'>,
  nodeId: string,
  items: FlowViewState['items'],
): string {
  const node = nodes.get(nodeId);
  if (node === undefined || !node.isInLoop) return nodeId;
  const first = node.places.find(({ difference }) => difference !== 'same') ?? node.places[0];
  const followed = first?.place ?? nodeId;
  const chosen = placeWith(followed, items);
  return node.places.some(({ place }) => place === chosen) ? chosen : followed;
}

const readNodes = new WeakMap<ShownComparison, Map<string, Promise<NodeInRuns>>>();

/** Reads the values of a node in both runs. Each place is read once. */
export function readComparedNode(
  engine: EngineClient,
  comparison: ShownComparison,
  place: string,
): Promise<NodeInRuns> {
  const known = readNodes.get(comparison) ?? new Map<string, Promise<NodeInRuns>>();
  readNodes.set(comparison, known);
  const read = known.get(place) ?? engine.call('compareNode', { ...comparison.request, place });
  known.set(place, read);
  read.catch(() => known.delete(place));
  return read;
}
