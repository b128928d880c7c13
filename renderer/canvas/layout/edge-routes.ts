/**
 * The way of each edge through the gutters between the columns.
 */
import { type ColumnPlace, wrapLaneStep } from './bands.ts';
import type { Vertex } from './layout-graph.ts';

/** An edge turns at `x` and goes on at the height `y`. */
export interface Bend {
  readonly x: number;
  readonly y: number;
}

/** Between two vertical lines in one gutter. */
const trunkStep = 8;
/** Lines further from the middle of the gutter would touch ports or arrow heads. */
const furthestTrunk = 16;

/** The bends from `source` to `target`, which stands further right; the last one is at the target's height. */
export function routeEdge(ends: { source: Vertex; target: Vertex }, places: readonly ColumnPlace[]): Bend[] {
  const bends: Bend[] = [];
  let from = ends.source;
  while (from !== ends.target) {
    const isNext = from.column === ends.target.column - 1;
    const to: Vertex | undefined = isNext ? ends.target : from.right.find(({ card }) => card === null);
    if (to === undefined) return bends;
    bends.push(...bendsBetween(from, to, places));
    from = to;
  }
  return bends;
}

function bendsBetween(from: Vertex, to: Vertex, places: readonly ColumnPlace[]): Bend[] {
  const here = places[from.column];
  const there = places[to.column];
  if (here === undefined || there === undefined) return [];
  const x = here.gutterRight + from.trunk;
  const y = to.y + there.shift;
  if (here.wrapY === undefined) return Math.abs(from.y + here.shift - y) < 1 ? [] : [{ x, y }];
  const wrapY = here.wrapY + from.order * wrapLaneStep;
  return [
    { x, y: wrapY },
    { x: there.gutterLeft + from.trunk, y },
  ];
}

/** Sets `trunk` of every vertex so that vertical lines of different cards do not run on top of each other. */
export function spreadTrunks(columns: readonly (readonly Vertex[])[]): void {
  for (const column of columns) {
    const trunks = column
      .filter((vertex) => vertex.right.some(({ y }) => Math.abs(y - vertex.y) >= 1))
      .map((vertex) => {
        const heights = [vertex.y, ...vertex.right.map(({ y }) => y)];
        return { vertex, top: Math.min(...heights), bottom: Math.max(...heights) };
      })
      .sort((a, b) => a.top - b.top);
    const ends: number[] = [];
    const tracks = trunks.map(({ vertex, top, bottom }) => {
      const free = ends.findIndex((end) => end < top);
      const track = free === -1 ? ends.length : free;
      ends[track] = bottom;
      return { vertex, track };
    });
    const step = Math.min(trunkStep, (2 * furthestTrunk) / Math.max(1, ends.length - 1));
    for (const { vertex, track } of tracks) vertex.trunk = (track - (ends.length - 1) / 2) * step;
  }
}
