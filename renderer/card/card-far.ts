/**
 * Draws the simplified card used where many cards are painted at once. At each zoom level it can replace the card in
 * the DOM; on the map it is a block.
 */
import type { VisualState } from '../ui/state-icon.tsx';
import type { CardContent } from './card-content.ts';
import { cornerRadius, gateCorners, isQuiet, startRadius, stepsBack } from './card-drawing.ts';
import type { CardDrawing, CardMark, OutlineMark } from './card-marks.ts';
import { cardMetrics, type ZoomLevel } from './card-metrics.ts';
import { cutText, fitTitle, type Letters, type MeasureText } from './text-wrap.ts';

export interface FarCard {
  readonly content: CardContent;
  readonly state: VisualState;
  readonly width: number;
  readonly height: number;
  readonly isSelected: boolean;
}

/**
 * At the level `farthest`, a ring around a card would be thinner than a pixel, so the card itself has the color of its
 * state.
 */
export type FarLevel = ZoomLevel | 'speck';

/** Below this zoom a card is a speck. */
const leastRingZoom = 0.12;

/** Returns the level of detail of a card at a zoom. */
export function farLevel(zoom: number, level: ZoomLevel): FarLevel {
  return level === 'farthest' && zoom < leastRingZoom ? 'speck' : level;
}

interface LevelMeasures {
  readonly border: number;
  readonly letters: Letters;
  readonly titleLine: number;
  readonly titleLines: number;
  readonly tile: number;
  readonly tileRadius: number;
  readonly padding: number;
  readonly gap: number;
  /** Width reserved for the state, to the right of the name. */
  readonly stateRoom: number;
}

/** The same values as in the styles of the cards (card-zoom.css). */
const measures: Readonly<Record<'near' | 'middle' | 'far', LevelMeasures>> = {
  near: {
    border: 1,
    letters: 'title',
    titleLine: 20,
    titleLines: 1,
    tile: 20,
    tileRadius: 5,
    padding: 10,
    gap: 8,
    stateRoom: 60,
  },
  middle: {
    border: 2,
    letters: 'titleMiddle',
    titleLine: 26,
    titleLines: 2,
    tile: 32,
    tileRadius: 8,
    padding: 14,
    gap: 12,
    stateRoom: 36,
  },
  far: {
    border: 4,
    letters: 'titleFar',
    titleLine: 30,
    titleLines: 2,
    tile: 40,
    tileRadius: 8,
    padding: 14,
    gap: 12,
    stateRoom: 0,
  },
};

/** Draws a card as seen from further away. */
export function drawFarCard(card: FarCard, level: FarLevel, measure: MeasureText): CardDrawing {
  const isBlock = level === 'farthest' || level === 'speck';
  return drawing(card, isBlock ? blockMarks(card, level) : namedMarks(card, level, measure));
}

function drawing({ content: { category, icon }, state }: FarCard, marks: readonly CardMark[]): CardDrawing {
  return { category, icon, state, isFaint: false, marks };
}

function blockMarks({ state, width, height, isSelected }: FarCard, level: 'farthest' | 'speck'): CardMark[] {
  const isAtRest = isQuiet(state);
  const hasRing = !isAtRest && level === 'farthest';
  const area = { x: 0, y: 0, width, height, radius: 0 };
  const marks: CardMark[] = [];
  if (isSelected) {
    marks.push({ kind: 'ring', role: 'text', ...area, reach: 26, leastReach: 3, line: 10, leastLine: 1.5 });
  }
  if (hasRing) marks.push({ kind: 'ring', role: 'state', ...area, reach: 14, leastReach: 0, line: 8, leastLine: 0 });
  const opacity = stepsBack(state) ? 0.35 : 1;
  marks.push({ kind: 'box', role: isAtRest || hasRing ? 'tile' : 'state', ...area, opacity });
  return marks;
}

function namedMarks(card: FarCard, level: 'near' | 'middle' | 'far', measure: MeasureText): CardMark[] {
  const { content, state, width, height, isSelected } = card;
  const { border } = measures[level];
  const dot = state === 'idle' ? [] : dotMarks(card, level);
  // The container of a loop is a DOM element.
  if (content.bodySize !== null) return [...nameMarks(card, level, measure), ...dot];
  const opacity = stepsBack(state) ? 0.6 : 1;
  const radii = { radius: cornerRadius, leftRadius: content.isStart ? startRadius : cornerRadius };
  const around = { x: -2 * border, y: -2 * border, width: width + 4 * border, height: height + 4 * border };
  const inset = border / 2;
  const shape: OutlineMark['shape'] =
    state === 'suspended'
      ? gateCorners({ width, height }, inset, cardMetrics.gateCut + inset)
      : { x: inset, y: inset, width: width - border, height: height - border, ...radii };
  const role = isQuiet(state) ? 'line' : 'state';
  return [
    ...(isSelected ? [{ kind: 'box', role: 'select', ...around, ...radii } as const] : []),
    { kind: 'outline', role, shape, fill: 'card', line: border, opacity },
    ...nameMarks(card, level, measure).map((mark) => ({ ...mark, opacity })),
    ...dot,
  ];
}

function nameMarks(
  { content, width, height }: FarCard,
  level: 'near' | 'middle' | 'far',
  measure: MeasureText,
): CardMark[] {
  const { letters, titleLine, titleLines, tile, tileRadius, padding, gap, stateRoom } = measures[level];
  const middle = level === 'near' ? cardMetrics.headerHeight / 2 : height / 2;
  const start = padding + (content.isStart && level === 'near' ? 4 : 0);
  const room = width - 2 * padding - tile - gap - stateRoom;
  const lines = fitTitle(measure, content.title, { letters, room, most: titleLines });
  const isTyped = level === 'middle' && content.bodySize === null;
  const typeLine = isTyped ? cardMetrics.lineAfar : 0;
  const top = middle - (lines.length * titleLine + typeLine) / 2;
  const x = start + tile + gap;
  const marks: CardMark[] = [
    { kind: 'box', role: 'tile', x: start, y: middle - tile / 2, width: tile, height: tile, radius: tileRadius },
    ...lines.map((text, index): CardMark => {
      return { kind: 'text', role: 'text', text, letters, level: 'middle', x, y: top + (index + 0.5) * titleLine };
    }),
  ];
  if (!isTyped) return marks;
  const text = cutText(content.restWords, room, (some) => measure(some, 'typeMiddle'));
  const y = top + lines.length * titleLine + typeLine / 2;
  return [...marks, { kind: 'text', role: 'textTwo', text, letters: 'typeMiddle', level: 'middle', x, y }];
}

/** Draws a dot instead of the state icon. From far away it is on the corner of the card. */
function dotMarks({ width, height }: FarCard, level: 'near' | 'middle' | 'far'): CardMark[] {
  if (level === 'near') return [{ kind: 'dot', role: 'state', x: width - 19, y: 20, radius: 6 }];
  if (level === 'middle') return [{ kind: 'dot', role: 'state', x: width - 26, y: height / 2, radius: 11 }];
  const corner = { x: width - 4, y: 2 };
  return [
    { kind: 'dot', role: 'canvas', ...corner, radius: 17 },
    { kind: 'dot', role: 'state', ...corner, radius: 11 },
  ];
}

/** Line width on the map, in map pixels. */
const mapLine = 1.5;

/**
 * Draws a card on the map: a block in the color of its state, or an outline for a loop with the size of its container.
 */
export function drawOnMap(card: FarCard): CardDrawing {
  const { content, state, width, height, isSelected } = card;
  const role = state === 'idle' || state === 'skipped' ? 'control' : 'state';
  const area = { x: 0, y: 0, width, height, radius: cornerRadius };
  if (content.bodySize !== null) {
    const outline = { kind: 'outline', shape: area, fill: null, line: mapLine } as const;
    return drawing(card, [{ ...outline, role: isSelected ? 'text' : role }]);
  }
  const ring = { reach: 0, leastReach: mapLine, line: 0, leastLine: mapLine } as const;
  return drawing(card, [
    ...(isSelected ? [{ kind: 'ring', role: 'text', ...area, ...ring } as const] : []),
    { kind: 'box', role, ...area },
  ]);
}
