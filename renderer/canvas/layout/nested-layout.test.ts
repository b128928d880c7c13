import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardMetrics, columnGap } from '../../card/card-metrics.ts';
import { containerPadding } from '../projection/frames.ts';
import { layoutNested, type NestedCard } from './nested-layout.ts';

const height = 60;

function card(id: string, loopId: string | null = null): NestedCard {
  return { id, loopId, height };
}

function edge(source: string, target: string) {
  return { id: `${source}>${target}`, source, target };
}

/** Any nesting: each card is outside of loops or in the body of an earlier card. */
const anyCards = fc
  .array(fc.option(fc.nat(), { nil: null }), { minLength: 1, maxLength: 25 })
  .map((owners) =>
    owners.map((owner, index) => card(`n${index}`, owner === null || index === 0 ? null : `n${owner % index}`)),
  );

/** Positions of a loop's body, as the canvas requests them from the layout. */
function bodyOf(positions: ReadonlyMap<string, { x: number; y: number }>, loopId: string, ids: readonly string[]) {
  const loop = positions.get(loopId)!;
  return ids.map((id) => ({ x: positions.get(id)!.x - loop.x, y: positions.get(id)!.y - loop.y }));
}

const wall = containerPadding;

describe('layoutNested', () => {
  test('places a short chain below its header, one card below the other, and successors to the right of the container', () => {
    const cards = [card('list'), card('each'), card('ask', 'each'), card('check', 'each'), card('after')];
    const edges = [edge('list', 'each'), edge('ask', 'check'), edge('each', 'after')];
    const { positions, routes } = layoutNested(cards, edges);
    const [ask, check] = bodyOf(positions, 'each', ['ask', 'check']);
    expect(ask).toEqual({ x: wall, y: cardMetrics.headerHeight + wall });
    expect(check!.x).toBe(wall);
    expect(check!.y).toBeGreaterThan(ask!.y + height + 20);
    const after = positions.get('after')!;
    expect(after.x - positions.get('each')!.x).toBe(cardMetrics.width + 2 * wall + columnGap);
    expect(after.y).toBe(positions.get('each')!.y);
    expect([...routes.keys()].sort()).toEqual(['ask>check', 'each>after', 'list>each']);
    const [out, back] = routes.get('ask>check')!;
    const lane = positions.get('check')!.y - out!.y;
    expect(lane).toBeGreaterThan(8);
    expect(out!.x).toBeLessThan(positions.get('ask')!.x + cardMetrics.width + wall);
    expect(back!.x).toBeGreaterThan(positions.get('each')!.x);
  });

  test.each([4, 8, 20])('keeps a body of %i cards in one line to the right, and contains all of it', (count) => {
    const ids = Array.from({ length: count }, (_, index) => `n${index}`);
    const cards = [card('each'), ...ids.map((id) => card(id, 'each')), card('after')];
    const steps = ids.slice(1).map((id, index) => edge(`n${index}`, id));
    const edges = [...steps, edge('each', 'after')];
    const { positions } = layoutNested(cards, edges);
    const places = bodyOf(positions, 'each', ids);
    expect(new Set(places.map(({ y }) => y)).size).toBe(1);
    const right = Math.max(...ids.map((id) => positions.get(id)!.x)) + cardMetrics.width;
    expect(positions.get('after')!.x).toBe(right + wall + columnGap);
  });

  test('places the header above the body in a top-down flow', () => {
    const cards = [card('each'), card('a', 'each'), card('after')];
    const turned = cards.map((one) => ({
      ...one,
      width: height,
      height: cardMetrics.width,
      port: cardMetrics.width / 2,
    }));
    const { positions } = layoutNested(turned, [edge('each', 'after')], 'down');
    // The x axis is the direction of the flow here.
    expect(bodyOf(positions, 'each', ['a'])).toEqual([{ x: cardMetrics.headerHeight + wall, y: wall }]);
    expect(positions.get('after')!.y - positions.get('each')!.y).toBe(wall);
  });

  test('keeps cards of other parts out of a body', () => {
    const cards = [card('each'), card('a', 'each'), card('b', 'each'), card('other'), card('next')];
    const { positions } = layoutNested(cards, [edge('a', 'b'), edge('other', 'next')]);
    const bodyBottom = Math.max(positions.get('a')!.y, positions.get('b')!.y) + height;
    const isBelow = positions.get('each')!.y > positions.get('other')!.y + height;
    expect(isBelow || positions.get('other')!.y > bodyBottom).toBe(true);
  });

  test('leaves an edge across the border of a body without a route', () => {
    const { routes } = layoutNested([card('each'), card('a', 'each'), card('b')], [edge('a', 'b')]);
    expect(routes.size).toBe(0);
  });

  test('places every card without overlap for any nesting', () => {
    fc.assert(
      fc.property(anyCards, (cards) => {
        const { positions } = layoutNested(cards, []);
        expect(positions.size).toBe(cards.length);
        const boxes = [...positions.values()];
        for (const [index, a] of boxes.entries()) {
          for (const b of boxes.slice(index + 1)) {
            expect(Math.abs(a.x - b.x) >= cardMetrics.width || Math.abs(a.y - b.y) >= height).toBe(true);
          }
        }
      }),
    );
  });
});
