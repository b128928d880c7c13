/**
 * The automatic layout as an API for the rest of the canvas.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import { outOf } from '../../card/card-ports.ts';
import { labelSize } from '../projection/edge-label.ts';
import type { FlowProjection, ProjectedNode } from '../projection/flow-projection.ts';
import type { FlowLayout } from '../projection/frames.ts';
import { emptyContainer, isContainer } from '../projection/frames.ts';
import { computeLayout, type LayoutInput } from './nested-layout.ts';

/** Returns the input of the layout. `only` excludes all other cards and the edges to them. */
export function layoutInput(
  { nodes, edges }: Pick<FlowProjection, 'nodes' | 'edges'>,
  direction: FlowDirection,
  only?: ReadonlySet<string>,
): LayoutInput {
  const chosen = only === undefined ? nodes : nodes.filter(({ id }) => only.has(id));
  const portOf = (width: number): number => (direction === 'right' ? cardMetrics.portY : width / 2);
  const contents = new Map(nodes.map(({ id, content }) => [id, content]));
  const outAt = (source: string, route: string | null): number | undefined => {
    const content = contents.get(source);
    return content === undefined ? undefined : outOf(content, route, direction);
  };
  const isIn = (id: string): boolean => only === undefined || only.has(id);
  return {
    direction,
    cards: chosen.map((node) => ({
      id: node.id,
      ...sizeOf(node),
      port: portOf(sizeOf(node).width),
      // A body without its loop is laid out as if it were outside any loop.
      loopId: node.loopId !== null && isIn(node.loopId) ? node.loopId : null,
      ...(node.groupId === undefined ? {} : { groupId: node.groupId }),
    })),
    edges: edges
      .filter(({ source, target }) => isIn(source) && isIn(target))
      .map(({ id, source, target, route, label }) => ({
        id,
        source,
        target,
        out: outAt(source, route),
        labelWidth: label === null ? 0 : labelSize(label)[direction === 'right' ? 'width' : 'height'],
      })),
  };
}

/** Returns the size of a card in pixels, without its body. */
export function sizeOf(node: ProjectedNode): { readonly width: number; readonly height: number } {
  return isContainer(node) ? emptyContainer : { width: cardMetrics.width, height: node.room };
}

interface LayoutRequest {
  readonly projection: Pick<FlowProjection, 'nodes' | 'edges'>;
  readonly direction: FlowDirection;
  /** Current positions of the cards. */
  readonly positions: ReadonlyMap<string, NodePosition>;
  /** The cards that may move; their top left corner keeps its position. Undefined for all cards. */
  readonly only?: ReadonlySet<string>;
}

/**
 * Returns new positions for all cards, or for those in `only`, regardless of the positions in the file. Positions are
 * whole pixels and can be written to the file.
 * @throws Error if the worker for large flows fails
 */
export async function layoutFlow({
  projection,
  direction,
  positions,
  only,
}: LayoutRequest): Promise<Map<string, NodePosition>> {
  const layout = await requestLayout(layoutInput(projection, direction, only));
  const ids = [...layout.positions.keys()];
  const before = cornerOf(ids.flatMap((id) => positions.get(id) ?? []));
  const after = cornerOf([...layout.positions.values()]);
  const shift = only === undefined ? { x: 0, y: 0 } : { x: before.x - after.x, y: before.y - after.y };
  return new Map(
    [...layout.positions].map(([id, { x, y }]) => [id, { x: Math.round(x + shift.x), y: Math.round(y + shift.y) }]),
  );
}

/** Returns the top left corner of all positions; 0, 0 if there are none. */
function cornerOf(places: readonly NodePosition[]): NodePosition {
  if (places.length === 0) return { x: 0, y: 0 };
  return places.reduce((corner, { x, y }) => ({ x: Math.min(corner.x, x), y: Math.min(corner.y, y) }));
}

/**
 * Maximum number of cards that are laid out synchronously. This takes less than a frame or two, and the worker would
 * only add a delay.
 */
const mostCardsAtOnce = 150;

/** Returns whether a flow of this size is laid out synchronously, in the calling thread. */
export function isLaidOutAtOnce(cardCount: number): boolean {
  return cardCount <= mostCardsAtOnce || typeof Worker === 'undefined';
}

interface PendingLayout {
  readonly done: (layout: FlowLayout) => void;
  readonly fail: (error: Error) => void;
}

/** Lays out large flows. Started with the first of them and then kept. */
let worker: Worker | undefined;
const waiting: PendingLayout[] = [];

/**
 * Returns the layout of a flow. A large flow is laid out in a worker.
 * @throws Error if the worker cannot be loaded or fails
 */
export async function requestLayout(input: LayoutInput): Promise<FlowLayout> {
  if (isLaidOutAtOnce(input.cards.length)) return computeLayout(input);
  worker ??= startWorker();
  worker.postMessage(input);
  return await new Promise((done, fail) => waiting.push({ done, fail }));
}

function startWorker(): Worker {
  const started = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<FlowLayout>) => waiting.shift()?.done(data));
  started.addEventListener('error', ({ message }) => {
    worker = undefined;
    started.terminate();
    for (const { fail } of waiting.splice(0)) fail(new Error(`The layout failed: ${message || 'its worker ended'}`));
  });
  return started;
}
