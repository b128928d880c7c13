/**
 * Positions the columns side by side, and breaks a long flow into several bands below each other, like lines of text. A
 * single line of hundreds of cards is hard to see and to navigate.
 */
import { cardMetrics, columnGap } from '../../card/card-metrics.ts';
import { portOf, type Vertex } from './layout-graph.ts';

const leastColumnsInBand = 4;
/** Maximum length of a band that was extended because too many edges would lead to the next one. */
const mostColumnsInBand = 24;
/** Number of edges (or cards) that can be followed easily from one band to the next. */
const mostStrands = 2;
/** Factor by which bands are shortened until that is reached. */
const bandShrink = 0.85;
const bandGap = 48;
/** Distance between the lines of edges that lead from one band to the next. */
export const wrapLaneStep = 8;

export interface ColumnPlace {
  /** Left side of the column's cards. */
  readonly x: number;
  /** Center of the gutter to the left of the column, where edges turn. */
  readonly gutterLeft: number;
  readonly gutterRight: number;
  /** Offset to add to the `y` of the column's vertices. */
  readonly shift: number;
  /** For the last column of a band before another one: height of the first line that leads to the next band. */
  readonly wrapY: number | undefined;
}

/** The target shape of a flow. */
export interface SheetShape {
  /** Maximum number of columns in a single band. This many are readable on a canvas beside its panels. */
  readonly mostInLine: number;
  /** Target ratio of width to height of all bands together: that of a screen. */
  readonly aspect: number;
  /**
   * Number of parts of the flow. They are placed below each other, and the aspect ratio applies to all of them
   * together.
   */
  readonly partCount: number;
}

interface Bands {
  readonly places: readonly ColumnPlace[];
  readonly height: number;
}

type Column = readonly Vertex[];

/** Positions the columns. The top left corner of all of them is 0, 0. */
export function placeColumns(columns: readonly Column[], { mostInLine, aspect, partCount }: SheetShape): Bands {
  let bands = placeInBands([columns]);
  if (columns.length <= mostInLine) return bands;
  let perBand = columns.length;
  while (bands.width > aspect * (bands.height + bandGap) * partCount && perBand > leastColumnsInBand) {
    perBand = Math.max(leastColumnsInBand, Math.floor(perBand * bandShrink));
    bands = placeInBands(splitIntoBands(columns, perBand));
  }
  return bands;
}

/** Splits the columns into bands of about equal length that end where few edges lead to the next one. */
function splitIntoBands(columns: readonly Column[], perBand: number): Column[][] {
  const length = Math.ceil(columns.length / Math.ceil(columns.length / perBand));
  const bands: Column[][] = [];
  for (let start = 0; start < columns.length; ) {
    const end = bandEnd(columns, start, length);
    bands.push(columns.slice(start, end));
    start = end;
  }
  return bands;
}

function bandEnd(columns: readonly Column[], start: number, length: number): number {
  const isGoodEnd = (end: number): boolean => end >= columns.length || (columns[end - 1]?.length ?? 0) <= mostStrands;
  for (let end = start + length; end > start + length / 2; end--) if (isGoodEnd(end)) return end;
  for (let end = start + length; end < start + mostColumnsInBand; end++) if (isGoodEnd(end)) return end;
  return start + Math.max(length, mostColumnsInBand);
}

function placeInBands(bands: readonly (readonly Column[])[]): Bands & { readonly width: number } {
  const places: ColumnPlace[] = [];
  let top = 0;
  let width = 0;
  bands.forEach((band, bandIndex) => {
    const extent = extentOf(band);
    const bottom = top + extent.bottom - extent.top;
    const hasNext = bandIndex < bands.length - 1;
    let right = 0;
    band.forEach((column, index) => {
      const wrapY = hasNext && index === band.length - 1 ? bottom + bandGap / 2 : undefined;
      const { entryRoom, cardWidth, leadRoom } = roomsOf(column);
      const x = index === 0 ? 0 : right + columnGap + entryRoom;
      right = x + cardWidth + leadRoom;
      const gutters = { gutterLeft: x - entryRoom - columnGap / 2, gutterRight: right + columnGap / 2 };
      places.push({ x, ...gutters, shift: top - extent.top, wrapY });
    });
    width = Math.max(width, right);
    top = bottom + (hasNext ? bandGap + (band.at(-1)?.length ?? 0) * wrapLaneStep : 0);
  });
  return { places, width, height: top };
}

/** Returns the horizontal pixels that a column needs, with the labels before and after its cards. */
function roomsOf(column: Column): { entryRoom: number; cardWidth: number; leadRoom: number } {
  let entryRoom = 0;
  let cardWidth = 0;
  let leadRoom = 0;
  for (const vertex of column) {
    entryRoom = Math.max(entryRoom, vertex.entryRoom);
    if (vertex.card !== null) cardWidth = Math.max(cardWidth, vertex.card.width ?? cardMetrics.width);
    leadRoom = Math.max(leadRoom, vertex.leadRoom);
  }
  return { entryRoom, cardWidth, leadRoom };
}

/** Returns the highest and lowest line of cards and lanes. */
function extentOf(columns: readonly Column[]): { top: number; bottom: number } {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const column of columns) {
    for (const { card, y } of column) {
      const above = card === null ? y : y - portOf(card);
      top = Math.min(top, above);
      bottom = Math.max(bottom, above + (card?.height ?? 0));
    }
  }
  return { top, bottom };
}
