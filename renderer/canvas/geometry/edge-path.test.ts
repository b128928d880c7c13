import { describe, expect, test } from 'vitest';
import type { Bend } from './edge-path.ts';
import {
  carriedRoute,
  type DrawnEdge,
  type EdgeEnds,
  edgeCorners,
  edgeHead,
  edgeLine,
  labelPlace,
} from './edge-path.ts';

function lineOf(ends: EdgeEnds, route: readonly Bend[] | null): string {
  return edgeLine({ ends, route, direction: 'right' });
}

const level = { sourceX: 0, sourceY: 20, targetX: 56, targetY: 20 };

describe('edgeLine', () => {
  test('is straight between ports on one level, and ends where the arrowhead begins', () => {
    expect(lineOf(level, [])).toBe('M0 20L49 20');
    expect(lineOf(level, null)).toBe('M0 20L49 20');
  });

  test('turns with rounded corners where the layout specifies', () => {
    const line = lineOf({ ...level, targetY: 120 }, [{ x: 24, y: 120 }]);
    expect(line).toBe('M0 20L16 20Q24 20 24 28L24 112Q24 120 32 120L49 120');
  });

  test('uses smaller corners for small steps', () => {
    expect(lineOf({ ...level, targetY: 24 }, [{ x: 24, y: 24 }])).toContain('Q24 20 24 22');
  });

  test('ends at the port even if the layout planned another height', () => {
    expect(lineOf({ ...level, targetY: 120 }, [{ x: 24, y: 119.4 }])).toMatch(/L49 120$/);
  });

  test('turns before the target if the layout provided no route', () => {
    const line = lineOf({ sourceX: 0, sourceY: 0, targetX: 300, targetY: 100 }, null);
    expect(line).toBe('M0 0L265 0Q273 0 273 8L273 92Q273 100 281 100L293 100');
  });

  test('goes around if the target is to the left', () => {
    const line = lineOf({ sourceX: 300, sourceY: 0, targetX: 0, targetY: 0 }, null);
    expect(line).toContain('L312 0Q320 0 320 8L320 52');
    expect(line).toMatch(/L-7 0$/);
  });
});

describe('labelPlace', () => {
  const ends = { sourceX: 0, sourceY: 0, targetX: 300, targetY: 100 };
  const place = (edge: Pick<DrawnEdge, 'ends' | 'route'>, width: number, side: 'source' | 'target') =>
    labelPlace({ ...edge, direction: 'right' }, { width, height: 18, side });

  test('is near its preferred end, with some visible line beside it', () => {
    const route = [{ x: 100, y: 100 }];
    expect(place({ ends, route }, 40, 'source')).toEqual({ x: 28, y: 0 });
    expect(place({ ends, route }, 40, 'target')).toEqual({ x: 265, y: 100 });
  });

  test('moves to the other end if only that one has room', () => {
    expect(place({ ends, route: [{ x: 20, y: 100 }] }, 40, 'source')).toEqual({ x: 265, y: 100 });
  });

  test('stays in the middle of a line that is too short', () => {
    expect(place({ ends: { ...ends, targetX: 57, targetY: 0 }, route: [] }, 90, 'target')).toEqual({ x: 25, y: 0 });
  });
});

test('edgeHead points into the port', () => {
  expect(edgeHead(level, 'right')).toBe('M49 16L56 20L49 24Z');
});

describe('an edge of a top-down flow', () => {
  const ends = { sourceX: 124, sourceY: 70, targetX: 400, targetY: 200 };

  test('leaves downward, turns where the layout specifies, and reaches its target from above', () => {
    const route = [{ x: 400, y: 100 }];
    expect(edgeCorners({ ends, route, direction: 'down' })).toEqual([
      { x: 124, y: 70 },
      { x: 124, y: 100 },
      { x: 400, y: 100 },
      { x: 400, y: 193 },
    ]);
    expect(edgeHead(ends, 'down')).toBe('M396 193L400 200L404 193Z');
  });

  test('has its label on the vertical part', () => {
    const edge = { ends, route: [{ x: 400, y: 100 }], direction: 'down' } as const;
    expect(labelPlace(edge, { width: 90, height: 18, side: 'target' })).toEqual({ x: 400, y: 176 });
  });
});

describe('carriedRoute', () => {
  const planned: EdgeEnds = { sourceX: 0, sourceY: 0, targetX: 100, targetY: 50 };
  const route = [{ x: 40, y: 50 }];

  test('is kept if the measured ports differ only slightly', () => {
    expect(carriedRoute(route, planned, { ...planned, sourceX: 1, targetY: 49 })).toBe(route);
  });

  test('moves along with cards that are moved together', () => {
    const moved = { sourceX: 30, sourceY: -10, targetX: 130, targetY: 40 };
    expect(carriedRoute(route, planned, moved)).toEqual([{ x: 70, y: 40 }]);
  });

  test('is dropped if one of the cards is moved', () => {
    expect(carriedRoute(route, planned, { ...planned, targetX: 130 })).toBeNull();
    expect(carriedRoute(null, planned, planned)).toBeNull();
  });
});
