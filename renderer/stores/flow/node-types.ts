import {
  builtinNodes,
  createNodeRegistry,
  findOtherNames,
  type NodeDoc,
  type NodeFit,
  type NodeTypeCatalog,
  type NodeTypeSpec,
  nodeFit,
} from '../../../engine/isomorphic.ts';

/** The node types that the engine knows, for checks and for everything that is drawn of a node. */
export const nodeTypes: NodeTypeCatalog = createNodeRegistry(builtinNodes);

const mostRecent = 5;
let recent: readonly string[] = [];

/** Remembers in this window that a node of a type was added. */
export function noteRecentType(type: string): void {
  recent = [type, ...recent.filter((known) => known !== type)].slice(0, mostRecent);
}

/** What a new node stands beside: the node before it, or behind it. */
export interface TypeNeighbour {
  readonly side: 'before' | 'behind';
  readonly node: Pick<NodeDoc, 'type' | 'input'>;
}

interface TypeSection {
  /** Null where one section is all there is. */
  readonly title: 'Fits' | 'Used last' | 'All' | null;
  readonly types: readonly NodeTypeSpec[];
}

/** What there is instead of what other tools call so. */
interface InsteadOf {
  /** By type: why it is found. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Sentences about what is no node. */
  readonly hints: readonly string[];
}

/** What is meant by a query in the words of other tools. */
export function insteadOf(query: string): InsteadOf {
  const meant = findOtherNames(query);
  const reasons = new Map<string, string>();
  for (const { types, instead } of meant) {
    for (const [index, type] of types.entries()) if (!reasons.has(type)) reasons.set(type, index === 0 ? instead : '');
  }
  return { reasons, hints: meant.filter(({ types }) => types.length === 0).map(({ instead }) => instead) };
}

/**
 * Types whose words hold all of a query, or that other tools call so: those that suit the neighbour, then those used
 * last, then the others.
 */
export function typeChoice(query: string, neighbour: TypeNeighbour | null): readonly TypeSection[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const { reasons } = insteadOf(query);
  const found = nodeTypes
    .list()
    .filter((spec) => reasons.has(spec.type) || words.every((word) => textOf(spec).includes(word)));
  const otherRanks = new Map([...reasons.keys()].map((type, index) => [type, index]));
  const otherRank = ({ type }: NodeTypeSpec): number => otherRanks.get(type) ?? reasons.size;
  const fits = new Map(found.map((spec) => [spec, fitOf(spec, neighbour)]));
  const suits = (spec: NodeTypeSpec): NodeFit => fits.get(spec) ?? 0;
  const inOrder = found.toSorted(
    (a, b) =>
      titleRank(a, words) - titleRank(b, words) ||
      otherRank(a) - otherRank(b) ||
      suits(b) - suits(a) ||
      recentRank(a) - recentRank(b),
  );
  // Words say what is wanted: the best of them stands first, whatever it suits.
  if (words.length > 0) return [{ title: null, types: inOrder }];
  const isFirst = (spec: NodeTypeSpec): boolean => (neighbour === null ? recent.includes(spec.type) : suits(spec) > 0);
  const first = inOrder.filter(isFirst);
  if (first.length === 0) return [{ title: null, types: inOrder }];
  const title = neighbour === null ? 'Used last' : 'Fits';
  return [
    { title, types: first },
    { title: 'All', types: inOrder.filter((spec) => !isFirst(spec)) },
  ];
}

function textOf({ type, title, description, category }: NodeTypeSpec): string {
  return `${title} ${type} ${description} ${category}`.toLowerCase();
}

function fitOf(spec: NodeTypeSpec, neighbour: TypeNeighbour | null): NodeFit {
  const other = nodeTypes.get(neighbour?.node.type ?? '');
  if (neighbour === null || other === undefined) return 0;
  return neighbour.side === 'before'
    ? nodeFit(spec, { spec: other, input: neighbour.node.input })
    : nodeFit(other, { spec });
}

function recentRank({ type }: NodeTypeSpec): number {
  const index = recent.indexOf(type);
  return index === -1 ? recent.length : index;
}

/** Those whose title or type begins with what was typed come first. */
function titleRank({ title, type }: NodeTypeSpec, words: readonly string[]): number {
  const [first] = words;
  if (first === undefined) return 0;
  return title.toLowerCase().startsWith(first) || type.startsWith(first) ? 0 : 1;
}
