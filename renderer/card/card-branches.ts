/**
 * The ways out of a card that has several: which they are, and where their rows and ports stand on it.
 */
import type { NodeDoc, NodeTypeSpec } from '../../engine/isomorphic.ts';
import { cardMetrics, rowsHeight, sentenceHeight } from './card-metrics.ts';
import type { FlowDirection } from './card-ports.ts';

/** A way out of a card, with a row of its own. */
export interface CardBranch {
  readonly route: string;
  /** Edges that leave there, as in the events of a run. */
  readonly edges: readonly string[];
  /** Titles of the cards they lead to; none = the flow ends there. */
  readonly targets: readonly string[];
}

/** An edge that leaves a node by one of its ways. */
export interface BranchEdge {
  readonly id: string;
  /** Title of the card it leads to. */
  readonly target: string;
  readonly route: string | null;
}

/** The ways of a node, in the order of its file; none for a node with one way, or with such that only a run will know. */
export function branchesOf(
  { input }: Pick<NodeDoc, 'input'>,
  spec: NodeTypeSpec | undefined,
  edges: readonly BranchEdge[],
): readonly CardBranch[] {
  const routes = spec?.routes?.(input) ?? [];
  return routes.map((route) => {
    const own = edges.filter((edge) => edge.route === route);
    return { route, edges: own.map(({ id }) => id), targets: own.map(({ target }) => target) };
  });
}

/** What of a card's content its rows depend on. */
export interface BranchedContent {
  readonly sentenceLines: number;
  readonly rows: readonly unknown[];
  readonly branches: readonly Pick<CardBranch, 'route'>[];
}

/** Cards with more ways have lower rows. */
const mostHighRows = 8;

/** Pixels of each row. */
export function branchRowHeight(count: number): number {
  return count > mostHighRows ? cardMetrics.compactBranchHeight : cardMetrics.branchHeight;
}

/** Pixels of all rows, with the hairline above them. */
export function branchesHeight(count: number): number {
  return count === 0 ? 0 : 1 + count * branchRowHeight(count);
}

/** Pixels from the top of a card to its first row. */
export function branchesTop({ sentenceLines, rows }: Omit<BranchedContent, 'branches'>): number {
  const { border, headerHeight } = cardMetrics;
  return border + headerHeight + sentenceHeight(sentenceLines) + rowsHeight(rows.length) + 1;
}

/** The port of a way out. */
export interface BranchPort {
  readonly route: string;
  /** Pixels to its middle: from the card's top or, in a flow that runs down, from its left side. */
  readonly out: number;
}

/** The ports of a card's ways: each in the middle of its row, or side by side at the foot, left and right of the card's own. */
export function branchPorts(content: BranchedContent, direction: FlowDirection): readonly BranchPort[] {
  const { branches } = content;
  const count = branches.length;
  if (direction === 'down') return branches.map(({ route }, index) => ({ route, out: placeAtFoot(index, count) }));
  const height = branchRowHeight(count);
  const top = branchesTop(content);
  return branches.map(({ route }, index) => ({ route, out: top + (index + 0.5) * height }));
}

function placeAtFoot(index: number, count: number): number {
  const half = cardMetrics.width / 2;
  const left = Math.ceil(count / 2);
  return index < left ? (half * (index + 1)) / (left + 1) : half + (half * (index - left + 1)) / (count - left + 1);
}

/** Where the edges of a way leave; undefined = at the card's own port. */
export function outOf(content: BranchedContent, route: string | null, direction: FlowDirection): number | undefined {
  return route === null ? undefined : branchPorts(content, direction).find((port) => port.route === route)?.out;
}
