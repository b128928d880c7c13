/**
 * The lines from triggers to the nodes that every run starts with, on the canvas and in exported pictures. Lines meet at
 * the middle between the cards and the flow.
 */
import { cardMetrics } from '../../card/card-metrics.ts';
import { edgeHead, edgeLine } from '../geometry/edge-path.ts';
import type { Rect } from '../geometry/rect.ts';
import { triggerCard } from './trigger-boxes.ts';

export interface TriggerWires {
  readonly lines: readonly { readonly key: string; readonly id: string; readonly path: string }[];
  /** Paths of the arrow heads by their positions. */
  readonly heads: ReadonlyMap<string, string>;
}

/** Above this number, a line leads only to the first start node. */
const mostWires = 200;

/** @param boxes those of triggers, by ID  @param starts those of the nodes that every run starts with */
export function triggerWires(boxes: ReadonlyMap<string, Rect>, starts: readonly Rect[]): TriggerWires {
  const shown = boxes.size * starts.length > mostWires ? starts.slice(0, 1) : starts;
  const ends = [...boxes].flatMap(([id, box]) =>
    shown.map((start) => ({
      id,
      sourceX: box.x + triggerCard.width,
      sourceY: box.y + cardMetrics.portY,
      targetX: start.x - 1,
      targetY: start.y + cardMetrics.portY,
    })),
  );
  return {
    lines: ends.map((end) => {
      const isStraight = Math.abs(end.sourceY - end.targetY) < 1;
      const route = isStraight ? [] : [{ x: end.sourceX + triggerCard.distance / 2, y: end.targetY }];
      const key = `${end.id} ${end.targetX} ${end.targetY}`;
      return { key, id: end.id, path: edgeLine({ ends: end, route, direction: 'right' }) };
    }),
    heads: new Map(ends.map((end) => [`${end.targetX} ${end.targetY}`, edgeHead(end, 'right')])),
  };
}
