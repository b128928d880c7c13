import { expect, test } from 'vitest';
import { contentOf } from '../../card/testing/test-content.ts';
import type { FlowProjection } from '../projection/flow-projection.ts';
import { keepPlaces } from './keep-places.ts';
import { layoutInput } from './layout-flow.ts';
import { computeLayout } from './nested-layout.ts';
import { placeCards } from './place-cards.ts';

const content = contentOf('n');

/** Creates a flow from links such as `a>b`. `b/l` is in the body of `l`. */
function flow(links: string, heights: Readonly<Record<string, number>> = {}): FlowProjection {
  const edges = links.split(' ').map((link) => link.split('>').map((end) => end.split('/')[0]!));
  const loops = new Map(
    links.split(/[ >]/).flatMap((end) => (end.includes('/') ? [end.split('/') as [string, string]] : [])),
  );
  const ids = [...new Set([...edges.flat(), ...loops.values()])].sort();
  return {
    nodes: ids.map((id) => ({
      id,
      content: [...loops.values()].includes(id) ? { ...content, bodySize: 1 } : content,
      height: heights[id] ?? 60,
      room: heights[id] ?? 60,
      loopId: loops.get(id) ?? null,
      position: null,
    })),
    edges: edges.flatMap(([source = '', target]) =>
      target === undefined ? [] : [{ id: `${source}>${target}`, source, target, route: null, label: null }],
    ),
    direction: 'right',
    shape: {},
  };
}

function laidOut(projection: FlowProjection) {
  return computeLayout(layoutInput(projection, projection.direction));
}

function change(before: FlowProjection, after: FlowProjection) {
  const layout = placeCards(before, laidOut(before));
  const kept = keepPlaces(after, laidOut(after), { projection: before, layout });
  const placeIn = (from: typeof layout | null, id: string) => from?.positions.get(id);
  const stayed = before.nodes.filter(({ id }) => {
    const [then, now] = [placeIn(layout, id), placeIn(kept, id)];
    return then !== undefined && now !== undefined && Math.hypot(then.x - now.x, then.y - now.y) < 1;
  });
  return { kept, layout, stayed: stayed.map(({ id }) => id).join('') };
}

function overlaps(projection: FlowProjection, positions: ReadonlyMap<string, { x: number; y: number }>): string[] {
  const boxes = projection.nodes.filter(({ content: { bodySize } }) => bodySize === null);
  return boxes.flatMap((one, index) =>
    boxes.slice(index + 1).flatMap((other) => {
      const [a, b] = [positions.get(one.id)!, positions.get(other.id)!];
      const meets = Math.abs(a.x - b.x) < 248 && a.y < b.y + other.height && b.y < a.y + one.height;
      return meets ? [`${one.id}${other.id}`] : [];
    }),
  );
}

const branches = 'a>b a>c a>d b>e c>f d>g';

test('a node added to one branch moves no other card', () => {
  const after = flow(`${branches} b>h`);
  const { kept, stayed } = change(flow(branches), after);
  expect(stayed).toBe('abcdefg');
  expect(overlaps(after, kept!.positions)).toEqual([]);
  expect(kept!.positions.get('h')!.x).toBeGreaterThan(kept!.positions.get('b')!.x + 248);
});

test('cards of a long flow that move aside overlap nothing', () => {
  const name = (index: number): string => `n${String(index).padStart(3, '0')}`;
  const links = Array.from({ length: 60 }, (_, index) => `${name(index)}>${name(index + 1)}`);
  const before = flow(links.join(' '));
  const others = links.map((_, index) => `${name(index)}>x${index}`);
  const after = flow([...links, ...others].join(' '));
  const { kept } = change(before, after);
  expect(kept?.positions.size).toBe(after.nodes.length);
  expect(overlaps(after, kept!.positions)).toEqual([]);
});

test('a node inserted into a branch moves the cards after it and no other branch', () => {
  const after = flow('a>b a>c a>d b>h h>e c>f d>g');
  const { kept, stayed, layout } = change(flow(branches), after);
  expect(stayed).toBe('abcdfg');
  expect(kept!.positions.get('e')!.x).toBeGreaterThan(layout.positions.get('e')!.x);
  expect(overlaps(after, kept!.positions)).toEqual([]);
});

test('removing or redirecting a branch keeps the cards before it and beside it', () => {
  expect(change(flow(branches), flow('a>b a>c b>e c>f g>g d>d')).stayed).toMatch(/^abcef/);
  expect(change(flow(branches), flow('a>b a>c a>d b>e c>f b>g')).stayed).toMatch(/^abcdef/);
});

test('a card that grows moves only the cards it would cover', () => {
  const after = flow(branches, { c: 120 });
  const { kept, stayed } = change(flow(branches), after);
  expect(stayed).toMatch(/^abc/);
  expect(overlaps(after, kept!.positions)).toEqual([]);
});

test('a changed body keeps its loop, and the cards before it, in place', () => {
  const { kept, stayed } = change(flow('a>l x/l l>z a>y'), flow('a>l x/l>w/l l>z a>y'));
  expect(stayed).toMatch(/^al/);
  expect(kept!.frames.get('l')!.bottom).toBeGreaterThan(kept!.positions.get('w')!.y);
});

test('a flow that changes direction, or that keeps no card, gets a new layout', () => {
  expect(change(flow('a>b'), { ...flow('a>b b>c'), direction: 'down' }).kept).toBe(null);
  expect(change(flow('a>b'), flow('x>y')).kept).toBe(null);
});
