import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardMetrics } from '../card-metrics.ts';
import { framePadding, layoutNested, type NestedCard } from './nested-layout.ts';

const height = 60;

function card(id: string, loopId: string | null = null): NestedCard {
  return { id, loopId, height };
}

function edge(source: string, target: string) {
  return { id: `${source}>${target}`, source, target };
}

/** Any nesting: each card stands outside or in one of the cards before it. */
const anyCards = fc
  .array(fc.option(fc.nat(), { nil: null }), { minLength: 1, maxLength: 25 })
  .map((owners) =>
    owners.map((owner, index) => card(`n${index}`, owner === null || index === 0 ? null : `n${owner % index}`)),
  );

describe('layoutNested', () => {
  test('stands a body below its loop, and what comes after the loop right of both', () => {
    const cards = [card('list'), card('each'), card('ask', 'each'), card('check', 'each'), card('after')];
    const edges = [edge('list', 'each'), edge('ask', 'check'), edge('each', 'after')];
    const { positions, routes } = layoutNested(cards, edges);
    const [each, ask, check, after] = ['each', 'ask', 'check', 'after'].map((id) => positions.get(id)!);
    expect(ask!.x).toBe(each!.x);
    expect(ask!.y).toBeGreaterThan(each!.y + height);
    expect(check!.y).toBe(ask!.y);
    expect(after!.x).toBeGreaterThan(check!.x + cardMetrics.width + framePadding);
    expect(after!.y).toBe(each!.y);
    expect([...routes.keys()].sort()).toEqual(['ask>check', 'each>after', 'list>each']);
  });

  test('keeps cards of other parts out of a body', () => {
    const cards = [card('each'), card('a', 'each'), card('b', 'each'), card('other'), card('next')];
    const { positions } = layoutNested(cards, [edge('a', 'b'), edge('other', 'next')]);
    const bodyBottom = Math.max(positions.get('a')!.y, positions.get('b')!.y) + height;
    const isBelow = positions.get('each')!.y > positions.get('other')!.y + height;
    expect(isBelow || positions.get('other')!.y > bodyBottom).toBe(true);
  });

  test('gives an edge across the border of a body no route', () => {
    const { routes } = layoutNested([card('each'), card('a', 'each'), card('b')], [edge('a', 'b')]);
    expect(routes.size).toBe(0);
  });

  test('places every card, and no card on another, whatever the nesting', () => {
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
