import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitAscending } from './row-positions.ts';

function cost(values: readonly number[], wishes: readonly number[]): number {
  return values.reduce((sum, value, index) => sum + Math.abs(value - wishes[index]!), 0);
}

describe('fitAscending', () => {
  test('keeps targets that do not conflict', () => {
    expect(fitAscending([1, 2, 2, 5])).toEqual([1, 2, 2, 5]);
  });

  test('uses the target of the upper of two that conflict', () => {
    expect(fitAscending([10, 4])).toEqual([10, 10]);
  });

  test('is ascending, and no other ascending list that moves one block is nearer', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 7 }), (wishes) => {
        const fitted = fitAscending(wishes);
        expect(fitted).toEqual(fitted.toSorted((a, b) => a - b));
        for (const shift of [-1, 1]) {
          for (const value of new Set(fitted)) {
            const moved = fitted.map((other) => (other === value ? other + shift : other));
            const isAscending = moved.every((other, index) => index === 0 || moved[index - 1]! <= other);
            if (isAscending) expect(cost(moved, wishes)).toBeGreaterThanOrEqual(cost(fitted, wishes));
          }
        }
      }),
    );
  });
});
