import { describe, expect, test } from 'vitest';
import type { LayoutDoc } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { nodeTypes } from '../../stores/flow/node-types.ts';
import { checkText } from '../../stores/text/check.ts';
import { projectFlow } from '../projection/flow-projection.ts';
import { withFrames } from '../projection/frames.ts';
import { canvasPadding, openingViewport, reviewViewport } from './camera.ts';

const size = { width: 800, height: 600 };

type Places = readonly { x: number; y: number }[];

/**
 * Returns the opening viewport of a flow with cards at these positions. Edges lead from the first card to all others
 * unless they are given.
 */
function open(places: Places, canvas = size, more: LayoutDoc = {}, given?: readonly string[]) {
  return openingViewport(sheetOf(places, more, given), canvas);
}

function sheetOf(places: Places, more: LayoutDoc = {}, given?: readonly string[]) {
  const ids = places.map((_, index) => `n${index}`);
  const nodes = ids.map((id) => `  - { id: ${id}, type: echo, input: { text: hi } }`).join('\n');
  const edges = given ?? ids.slice(1).map((id) => `{ from: n0, to: ${id} }`);
  const { doc } = checkText(`flow: { name: x }\nnodes:\n${nodes}\nedges: [${edges.join(', ')}]\n`);
  const projection = projectFlow({ doc: doc!, diagnostics: [], catalog: nodeTypes });
  const positions = new Map(ids.map((id, index) => [id, places[index]!]));
  const layout = withFrames(projection.nodes, { positions, routes: new Map() });
  return { projection, layout, doc: { flow: { name: 'Flow' }, layout: more } };
}

describe('openingViewport', () => {
  test('shows a small flow at 100 %, in the middle', () => {
    const { x, zoom } = open([{ x: 0, y: 0 }]);
    expect(zoom).toBe(1);
    expect(x).toBe((size.width - cardMetrics.width) / 2);
  });

  test.each([660, 1200])(
    'shows all of a flow if the names of its cards are readable then (last card at %i)',
    (last) => {
      const { x, zoom } = open([
        { x: 100, y: 0 },
        { x: last, y: 0 },
      ]);
      expect(zoom).toBeLessThan(1);
      expect(100 * zoom + x).toBeCloseTo(canvasPadding.left);
      expect((last + cardMetrics.width) * zoom + x).toBeCloseTo(size.width - canvasPadding.right);
    },
  );

  test('otherwise opens at the start of a flow, at a zoom at which all text is readable', () => {
    const places = [0, 700, 1400].map((x) => ({ x, y: 0 }));
    expect(open(places)).toMatchObject({ zoom: 0.8, x: canvasPadding.left });
  });

  test('shows the start of a flow that is too large for that', () => {
    const places = [{ x: 0, y: 5_000 }, ...Array.from({ length: 20 }, (_, index) => ({ x: 9_000, y: 500 * index }))];
    const { x, y, zoom } = open(places);
    expect(x).toBe(canvasPadding.left);
    const startOnScreen = 5_000 * zoom + y;
    expect(startOnScreen).toBeGreaterThan(0);
    expect(startOnScreen).toBeLessThan(size.height);
  });

  test('shows the one of many starts that has its successor beside it', () => {
    const places = [...Array.from({ length: 300 }, (_, index) => ({ x: 0, y: 90 * index })), { x: 280, y: 13_500 }];
    const intoLast = Array.from({ length: 300 }, (_, index) => `{ from: n${index}, to: n300 }`);
    const { y, zoom } = open(places, size, {}, intoLast);
    expect(zoom).toBeGreaterThanOrEqual(0.8);
    const endOnScreen = 13_500 * zoom + y;
    expect(endOnScreen).toBeGreaterThan(0);
    expect(endOnScreen).toBeLessThan(size.height - canvasPadding.bottom - cardMetrics.headerHeight);
    expect(open(places.slice(0, 300), size, {}, []).y).toBe(canvasPadding.top);
  });

  test('leaves no gap before a start at the edge of the flow', () => {
    const places = Array.from({ length: 20 }, (_, index) => ({ x: 0, y: 500 * index }));
    expect(open(places).y).toBe(canvasPadding.top);
  });

  test('includes notes and groups', () => {
    const note = { x: -500, y: 0, width: 200, height: 100, text: 'Look' };
    const { x, zoom } = open([{ x: 0, y: 0 }], size, { notes: { note } });
    expect(-500 * zoom + x).toBeGreaterThanOrEqual(canvasPadding.left - 0.001);
    const grouped = open([{ x: 0, y: 0 }], size, { groups: { group: { title: 'All', nodes: ['n0'] } } });
    // The title of a group is above its cards.
    expect(grouped.y).toBeGreaterThan(open([{ x: 0, y: 0 }]).y);
  });

  test('waits until the canvas has a size', () => {
    expect(open([{ x: 700, y: 700 }], { width: 0, height: 0 })).toEqual({ x: 0, y: 0, zoom: 1 });
  });
});

describe('reviewViewport', () => {
  const places = [0, 600, 3_000].map((x) => ({ x, y: 0 }));
  const show = (ids: readonly string[], from: readonly [number, number, number]) =>
    reviewViewport(sheetOf(places), size, new Set(ids), from);
  const spanOf = (index: number, { x, zoom }: { x: number; zoom: number }) => {
    const left = places[index]!.x * zoom + x;
    return [left, left + cardMetrics.width * zoom] as const;
  };

  test('shows all changed cards at a zoom at which they have buttons', () => {
    const viewport = show(['n1', 'n0'], [24, 0, 0.3])!;
    expect(viewport.zoom).toBeGreaterThanOrEqual(0.7);
    expect(spanOf(0, viewport)[0]).toBeGreaterThanOrEqual(0);
    expect(spanOf(1, viewport)[1]).toBeLessThanOrEqual(size.width);
  });

  test('shows the first one if all would be too small', () => {
    const viewport = show(['n2', 'n0'], [0, 0, 1])!;
    expect(viewport.zoom).toBe(0.8);
    const [left, right] = spanOf(2, viewport);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(size.width);
  });

  test('keeps the view that shows them already', () => {
    expect(show(['n0'], [40, 40, 1])).toBeNull();
    expect(show(['n0'], [-10, 40, 1])).not.toBeNull();
  });
});
