/**
 * The way of each edge through the gutters between the columns.
 */
import type { Bend } from '../geometry/edge-path.ts';
import { type ColumnPlace, wrapLaneStep } from './bands.ts';
import type { Outlet, Vertex } from './layout-graph.ts';

/** Between two vertical lines in one gutter. */
const trunkStep = 8;
/** Between the lines that lead on from one card into the next band. */
const outletStep = 2;
/** Lines further from the middle of the gutter would touch ports or arrow heads. */
const furthestTrunk = 16;

/** From which vertex, where on it, and to which one an edge leads. */
interface RoutedEnds {
  readonly source: Vertex;
  /** As `Outlet.rise`. */
  readonly rise: number;
  readonly target: Vertex;
}

/** The bends from `source` to `target`, which stands further right; the last one is at the target's height. */
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

interface Hop {
  readonly from: Vertex;
  readonly outlet: Outlet;
  readonly to: Vertex;
}

function bendsBetween({ from, outlet, to }: Hop, places: readonly ColumnPlace[]): Bend[] {
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
  /** What leads to one and the same place shares a line. */
  readonly outlets: Outlet[];
  top: number;
  bottom: number;
  readonly leadsDown: boolean;
}

/** Sets `trunk` of every outlet so that vertical lines of different ones do not run on top of each other. */
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

/** From left to right: of lines that lead down the lower ones first, of lines that lead up the upper ones, so that they do not cross. */
function inTrackOrder(trunks: readonly Trunk[]): Trunk[] {
  const down = trunks.filter(({ leadsDown }) => leadsDown).sort((a, b) => b.top - a.top);
  const up = trunks.filter(({ leadsDown }) => !leadsDown).sort((a, b) => a.bottom - b.bottom);
  return [...down, ...up];
}
