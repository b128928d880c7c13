import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardMetrics } from '../../card/card-metrics.ts';
import { groupPadding } from '../projection/frames.ts';
import { wideShape } from './auto-layout.ts';
import { type GroupedCard, layoutGrouped } from './group-layout.ts';

const height = 60;
const plan = { shape: wideShape, direction: 'right' } as const;

function card(id: string, groupId: string | null): GroupedCard {
  return { id, height, ...(groupId === null ? {} : { groupId }) };
}

function cards(groups: Readonly<Record<string, string | null>>): GroupedCard[] {
  return Object.entries(groups).map(([id, groupId]) => card(id, groupId));
}

function edgesOf(...pairs: readonly string[]) {
  return pairs.map((pair) => {
    const [source = '', target = ''] = pair.split('>');
    return { id: pair, source, target };
  });
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxesOf(all: readonly GroupedCard[], positions: ReadonlyMap<string, { x: number; y: number }>) {
  const boxes = new Map<string, Box>();
  for (const { id } of all) {
    const { x, y } = positions.get(id)!;
    boxes.set(id, { left: x, top: y, right: x + cardMetrics.width, bottom: y + height });
  }
  return boxes;
}

/** Returns the frame that the canvas draws. */
function frameOf(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)) - groupPadding.side,
    top: Math.min(...boxes.map(({ top }) => top)) - groupPadding.top,
    right: Math.max(...boxes.map(({ right }) => right)) + groupPadding.side,
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)) + groupPadding.bottom,
  };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Any graph, each card in one of three groups or in none. */
const anyGroups = fc.integer({ min: 1, max: 25 }).chain((count) =>
  fc.record({
    groups: fc.array(fc.option(fc.constantFrom('g', 'h', 'i')), { minLength: count, maxLength: count }),
    pairs: fc.array(fc.tuple(fc.nat(count), fc.nat(count)), { maxLength: 40 }),
    direction: fc.constantFrom('right' as const, 'down' as const),
  }),
);

describe('layoutGrouped', () => {
  test('keeps members together and other cards outside the frame for any graph', () => {
    fc.assert(
      fc.property(anyGroups, ({ groups, pairs }) => {
        const all = groups.map((groupId, index) => card(`n${index}`, groupId));
        const edges = pairs.map(([from, to], index) => ({ id: `e${index}`, source: `n${from}`, target: `n${to}` }));
        const { positions } = layoutGrouped(all, edges, plan);
        expect(positions.size).toBe(all.length);
        const boxes = boxesOf(all, positions);
        for (const group of new Set(groups)) {
          if (group === null) continue;
          const members = all.filter(({ groupId }) => groupId === group);
          const frame = frameOf(members.map(({ id }) => boxes.get(id)!));
          const strangers = all.filter((one) => !members.includes(one));
          expect(strangers.filter(({ id }) => overlap(frame, boxes.get(id)!))).toEqual([]);
        }
        const list = [...boxes.values()];
        expect(list.some((box, index) => list.slice(index + 1).some((other) => overlap(box, other)))).toBe(false);
      }),
    );
  });

  test('a chain through a group stays level, and its edges have routes', () => {
    const all = cards({ a: null, b: 'g', c: 'g', d: null });
    const { positions, routes } = layoutGrouped(all, edgesOf('a>b', 'b>c', 'c>d'), plan);
    expect(new Set([...positions.values()].map(({ y }) => y)).size).toBe(1);
    expect([...routes]).toEqual([
      ['a>b', []],
      ['c>d', []],
      ['b>c', []],
    ]);
    expect(positions.get('d')!.x - positions.get('c')!.x).toBeGreaterThan(cardMetrics.width + groupPadding.side);
  });

  test('an edge that would run over a card of its group gets a different route', () => {
    const all = cards({ a: 'g', b: 'g', c: null });
    const { routes } = layoutGrouped(all, edgesOf('a>b', 'a>c', 'b>c'), plan);
    expect([...routes.keys()].sort()).toEqual(['a>b', 'b>c']);
  });

  test('lays out flows without groups exactly as without this function', () => {
    const all = cards({ a: null, b: null });
    expect(layoutGrouped(all, edgesOf('a>b'), plan).positions.get('a')).toEqual({ x: 0, y: 0 });
  });

  test('lays out four times as many cards without taking out of proportion longer', () => {
    const timeOf = (count: number): number => {
      const all = Array.from({ length: count }, (_, index) =>
        card(`n${index}`, index % 3 === 0 ? null : `g${Math.floor(index / 20)}`),
      );
      const edges = Array.from({ length: count * 1.5 }, (_, index) => {
        const [source, target] = [`n${index % count}`, `n${((index * 7) % (count * 0.9)) + count / 20}`];
        return { id: `e${index}`, source, target };
      });
      const { user } = process.cpuUsage();
      expect(layoutGrouped(all, edges, plan).positions.size).toBe(count);
      return process.cpuUsage().user - user;
    };
    timeOf(240);
    // Quadratic growth would be 16, cubic 64.
    expect(timeOf(960) / timeOf(240)).toBeLessThan(40);
  });
});
