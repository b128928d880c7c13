/**
 * Where columns stand: side by side, and a long flow in several bands below each other, like lines of text, because a
 * single line of hundreds of cards can neither be seen nor walked through.
 */
import { cardMetrics, columnGap } from '../card-metrics.ts';
import type { Vertex } from './layout-graph.ts';

/** Columns up to here stand in one band. */
const mostColumnsInLine = 24;
const leastColumnsInBand = 12;
/** Width to height that the bands together come near to: that of a screen. */
const targetAspect = 1.6;
/** By how much bands are shortened until that is reached. */
const bandShrink = 0.85;
const bandGap = 48;
/** Between the lines of edges that lead from one band to the next. */
export const wrapLaneStep = 8;
export const columnStep = cardMetrics.width + columnGap;

export interface ColumnPlace {
  readonly x: number;
  /** To add to the `y` of the column's vertices. */
  readonly shift: number;
  /** For the last column of a band that another follows: height of the first line that leads on. */
  readonly wrapY: number | undefined;
}

export interface Bands {
  readonly places: readonly ColumnPlace[];
  readonly width: number;
  readonly height: number;
}

/** Places the columns; the top left corner of all of them is 0, 0. */
export function placeColumns(columns: readonly (readonly Vertex[])[]): Bands {
  let bands = placeInBands(columns, columns.length);
  if (columns.length <= mostColumnsInLine) return bands;
  let perBand = columns.length;
  while (bands.width > targetAspect * bands.height && perBand > leastColumnsInBand) {
    perBand = Math.max(leastColumnsInBand, Math.floor(perBand * bandShrink));
    bands = placeInBands(columns, perBand);
  }
  return bands;
}

function placeInBands(columns: readonly (readonly Vertex[])[], perBand: number): Bands {
  const places: ColumnPlace[] = [];
  let top = 0;
  for (let start = 0; start < columns.length; start += perBand) {
    const band = columns.slice(start, start + perBand);
    const extent = extentOf(band);
    const bottom = top + extent.bottom - extent.top;
    const hasNext = start + perBand < columns.length;
    band.forEach((_, index) => {
      const wrapY = hasNext && index === band.length - 1 ? bottom + bandGap / 2 : undefined;
      places.push({ x: index * columnStep, shift: top - extent.top, wrapY });
    });
    top = bottom + (hasNext ? bandGap + (band.at(-1)?.length ?? 0) * wrapLaneStep : 0);
  }
  return { places, width: Math.min(perBand, columns.length) * columnStep - columnGap, height: top };
}

/** Highest and lowest line of cards and lanes. */
function extentOf(columns: readonly (readonly Vertex[])[]): { top: number; bottom: number } {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const column of columns) {
    for (const { card, y } of column) {
      const above = card === null ? y : y - cardMetrics.portY;
      top = Math.min(top, above);
      bottom = Math.max(bottom, above + (card?.height ?? 0));
    }
  }
  return { top, bottom };
}
