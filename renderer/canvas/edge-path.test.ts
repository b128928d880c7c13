import { describe, expect, test } from 'vitest';
import { edgeHead, edgeLine, labelPlace } from './edge-path.ts';

const level = { sourceX: 0, sourceY: 20, targetX: 56, targetY: 20 };

describe('edgeLine', () => {
  test('is straight between ports on one level, and ends where the arrow head begins', () => {
    expect(edgeLine(level, [])).toBe('M0 20L49 20');
    expect(edgeLine(level, null)).toBe('M0 20L49 20');
  });

  test('turns with round corners where the layout says', () => {
    const line = edgeLine({ ...level, targetY: 120 }, [{ x: 24, y: 120 }]);
    expect(line).toBe('M0 20L16 20Q24 20 24 28L24 112Q24 120 32 120L49 120');
  });

  test('makes small corners for small steps', () => {
    expect(edgeLine({ ...level, targetY: 24 }, [{ x: 24, y: 24 }])).toContain('Q24 20 24 22');
  });

  test('ends at the port even when the layout meant another height', () => {
    expect(edgeLine({ ...level, targetY: 120 }, [{ x: 24, y: 119.4 }])).toMatch(/L49 120$/);
  });

  test('turns before the target when the layout gave no way', () => {
    const line = edgeLine({ sourceX: 0, sourceY: 0, targetX: 300, targetY: 100 }, null);
    expect(line).toBe('M0 0L265 0Q273 0 273 8L273 92Q273 100 281 100L293 100');
  });

  test('goes around when the target stands to the left', () => {
    const line = edgeLine({ sourceX: 300, sourceY: 0, targetX: 0, targetY: 0 }, null);
    expect(line).toContain('L312 0Q320 0 320 8L320 52');
    expect(line).toMatch(/L-7 0$/);
  });
});

describe('labelPlace', () => {
  const ends = { sourceX: 0, sourceY: 0, targetX: 300, targetY: 100 };

  test('stands near the end that it is meant for, with some bare line beside it', () => {
    const bends = [{ x: 100, y: 100 }];
    expect(labelPlace(ends, bends, { width: 40, side: 'source' })).toEqual({ x: 28, y: 0 });
    expect(labelPlace(ends, bends, { width: 40, side: 'target' })).toEqual({ x: 265, y: 100 });
  });

  test('goes to the other end when only that has room', () => {
    expect(labelPlace(ends, [{ x: 20, y: 100 }], { width: 40, side: 'source' })).toEqual({ x: 265, y: 100 });
  });

  test('keeps to the middle of a line that is too short', () => {
    expect(labelPlace({ ...ends, targetX: 57, targetY: 0 }, [], { width: 90, side: 'target' })).toEqual({
      x: 25,
      y: 0,
    });
  });
});

test('edgeHead points into the port', () => {
  expect(edgeHead(level)).toBe('M49 16L56 20L49 24Z');
});
