/**
 * Computes the height of each card in a column, so that as many edges as possible are straight and nothing overlaps.
 */
import { type Link, portOf, type Vertex } from './layout-graph.ts';

const rowGap = 24;
const laneGap = 8;
const cardToLaneGap = 16;
const passes = 6;

/** Height in pixels of a small canvas that shows a flow at a readable size. */
const viewHeight = 600;

/** Sets `y` of every vertex. The last pass looks to the right, so that a card is level with its successor. */
export function settleRows(columns: readonly (readonly Vertex[])[]): void {
  for (const column of columns) placeColumn(column, () => 0);
  for (let pass = 0; pass < passes; pass++) {
    const side = pass % 2 === 0 ? 'left' : 'right';
    for (const column of side === 'left' ? columns : columns.toReversed()) {
      placeColumn(column, (vertex) => levelWith(vertex[side], side) ?? vertex.y);
    }
  }
  gatherStart(columns);
}

/**
 * If hundreds of cards follow, the direct successors of the start would be as far apart as those. They are moved
 * together so that the start is visible with its neighbors, and the edges after them become longer.
 */
function gatherStart(columns: readonly (readonly Vertex[])[]): void {
  for (const column of columns) {
    if ((distancesIn(column).at(-1) ?? 0) > viewHeight) return;
    const [first, last] = [column[0], column.at(-1)];
    if (first === undefined || last === undefined || last.y - first.y <= viewHeight) continue;
    placeColumn(column, (vertex) => levelWith(vertex.left, 'left') ?? vertex.y);
  }
}

/**
 * Returns the median of the heights at which edges to the neighbors would be straight, the upper one of two. Cards take
 * precedence over lanes, so that nearby cards stay level.
 */
function levelWith(neighbours: readonly Link[], side: 'left' | 'right'): number | undefined {
  const cards = neighbours.filter(({ to }) => to.card !== null);
  const heights = (cards.length > 0 ? cards : neighbours)
    .map(({ to, rise }) => (side === 'left' ? to.y + rise : to.y - rise))
    .sort((a, b) => a - b);
  return heights[(heights.length - 1) >> 1];
}

function placeColumn(column: readonly Vertex[], wishFor: (vertex: Vertex) => number): void {
  const distances = distancesIn(column);
  const fitted = fitAscending(column.map((vertex, index) => wishFor(vertex) - (distances[index] ?? 0)));
  column.forEach((vertex, index) => {
    vertex.y = (fitted[index] ?? 0) + (distances[index] ?? 0);
  });
}

/** Returns the minimum distance of each vertex from the first one of its column. */
function distancesIn(column: readonly Vertex[]): readonly number[] {
  let below = 0;
  return column.map((vertex, index) => {
    const above = column[index - 1];
    if (above !== undefined) below += distanceBetween(above, vertex);
    return below;
  });
}

/** Returns the minimum distance between the lines of two adjacent vertices in a column. */
function distanceBetween(above: Vertex, below: Vertex): number {
  const underLine = above.card === null ? 0 : above.card.height - portOf(above.card);
  const overLine = below.card === null ? 0 : portOf(below.card);
  return underLine + gapBetween(above.card !== null, below.card !== null) + overLine;
}

function gapBetween(isCardAbove: boolean, isCardBelow: boolean): number {
  if (isCardAbove !== isCardBelow) return cardToLaneGap;
  return isCardAbove ? rowGap : laneGap;
}

/**
 * Returns the ascending numbers with the smallest total distance from `wishes`. Neighbors that conflict form a block at
 * the median of their wishes: one of them gets exactly its wish, and its edge is straight.
 */
export function fitAscending(wishes: readonly number[]): number[] {
  const blocks: number[][] = [];
  for (const wish of wishes) {
    let block = [wish];
    for (let above = blocks.at(-1); above !== undefined && middle(above) > middle(block); above = blocks.at(-1)) {
      blocks.pop();
      block = mergeSorted(above, block);
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) => block.map(() => middle(block)));
}

function middle(sorted: readonly number[]): number {
  return sorted[sorted.length >> 1] ?? 0;
}

/** Merges the shorter list into the longer one. */
function mergeSorted(a: number[], b: number[]): number[] {
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  for (const value of short) {
    let from = 0;
    let to = long.length;
    while (from < to) {
      const half = (from + to) >> 1;
      if ((long[half] ?? 0) < value) from = half + 1;
      else to = half;
    }
    long.splice(from, 0, value);
  }
  return long;
}
