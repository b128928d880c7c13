/**
 * Routes each edge through the gutters between the columns.
 */
import type { Bend } from '../geometry/edge-path.ts';
import { type ColumnPlace, wrapLaneStep } from './bands.ts';
import type { Outlet, Vertex } from './layout-graph.ts';

/** Distance between two vertical lines in one gutter. */
const trunkStep = 8;
/** Distance between the lines that lead from one card to the next band. */
const outletStep = 2;
/** Maximum distance from the middle of the gutter. Lines further away would touch ports or arrowheads. */
const furthestTrunk = 16;

/** The source vertex, the position of the port on it, and the target vertex of an edge. */
interface RoutedEnds {
  readonly source: Vertex;
  /** See `Outlet.rise`. */
  readonly rise: number;
  readonly target: Vertex;
}

/** Returns the bends from `source` to `target`, which is further right. The last bend is at the target's height. */
export function routeEdge({ source, rise, target }: RoutedEnds, places: readonly ColumnPlace[]): Bend[] {
  const bends: Bend[] = [];
  let from = source;
  let outlet = source.outlets.find((candidate) => candidate.rise === rise);
  while (from !== target && outlet !== undefined) {
    const isNext = from.column === target.column - 1;
    const to: Vertex | undefined = isNext ? target : outlet.right.find(({ card }) => card === null);
    if (to === undefined) return bends;
    bends.push(...bendsBetween({ from, outlet, to }, places));
    from = to;
    outlet = to.outlets[0];
  }
  return bends;
}

interface EdgeHop {
  readonly from: Vertex;
  readonly outlet: Outlet;
  readonly to: Vertex;
}

function bendsBetween({ from, outlet, to }: EdgeHop, places: readonly ColumnPlace[]): Bend[] {
  const here = places[from.column];
  const there = places[to.column];
  if (here === undefined || there === undefined) return [];
  const x = here.gutterRight + outlet.trunk;
  const y = to.y + there.shift;
  if (here.wrapY === undefined) return Math.abs(from.y + outlet.rise + here.shift - y) < 1 ? [] : [{ x, y }];
  const wrapY = here.wrapY + from.order * wrapLaneStep + from.outlets.indexOf(outlet) * outletStep;
  return [
    { x, y: wrapY },
    { x: there.gutterLeft + outlet.trunk, y },
  ];
}

interface Trunk {
  /** Outlets that lead to the same place share a line. */
  readonly outlets: Outlet[];
  top: number;
  bottom: number;
  readonly leadsDown: boolean;
}

/** Sets `trunk` of every outlet so that vertical lines of different outlets do not overlap. */
export function spreadTrunks(columns: readonly (readonly Vertex[])[]): void {
  for (const column of columns) {
    const tracks: Trunk[][] = [];
    for (const trunk of inTrackOrder(trunksOf(column))) {
      const free = tracks.find((track) => track.every(({ top, bottom }) => bottom < trunk.top || top > trunk.bottom));
      if (free === undefined) tracks.push([trunk]);
      else free.push(trunk);
    }
    const step = Math.min(trunkStep, (2 * furthestTrunk) / Math.max(1, tracks.length - 1));
    for (const [index, track] of tracks.entries()) {
      for (const outlet of track.flatMap(({ outlets }) => outlets)) {
        outlet.trunk = (index - (tracks.length - 1) / 2) * step;
      }
    }
  }
}

function trunksOf(column: readonly Vertex[]): Trunk[] {
  const byEnd = new Map<object, Trunk>();
  for (const { y, outlets } of column) {
    for (const outlet of outlets) {
      const start = y + outlet.rise;
      const ends = outlet.right.map((to) => to.y);
      if (ends.every((end) => Math.abs(end - start) < 1)) continue;
      const [only] = outlet.right;
      const key = outlet.right.length === 1 && only !== undefined ? only : outlet;
      const [top, bottom] = [Math.min(start, ...ends), Math.max(start, ...ends)];
      const shared = byEnd.get(key);
      if (shared === undefined) {
        byEnd.set(key, { outlets: [outlet], top, bottom, leadsDown: bottom - start > start - top });
        continue;
      }
      shared.outlets.push(outlet);
      shared.top = Math.min(shared.top, top);
      shared.bottom = Math.max(shared.bottom, bottom);
    }
  }
  return [...byEnd.values()];
}

/**
 * Orders trunks from left to right so that they do not cross: first the trunks that lead down, lowest first, then those
 * that lead up, highest first.
 */
function inTrackOrder(trunks: readonly Trunk[]): Trunk[] {
  const down = trunks.filter(({ leadsDown }) => leadsDown).sort((a, b) => b.top - a.top);
  const up = trunks.filter(({ leadsDown }) => !leadsDown).sort((a, b) => a.bottom - b.bottom);
  return [...down, ...up];
}
