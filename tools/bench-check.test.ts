import { describe, expect, test } from 'vitest';
import { compareCounts } from './bench-check.mjs';

describe('performance counts', () => {
  const committed = { 'bytes, per node': 1000, 'promises, per node': 2 };

  test('a count may be 5 % above the committed one', () => {
    const found = { 'bytes, per node': 1050, 'promises, per node': 2.1 };
    expect(compareCounts(committed, found)).toEqual({ failures: [], hints: [] });
  });

  test('a count that has grown by more fails, and its message contains both numbers', () => {
    const { failures } = compareCounts(committed, { 'bytes, per node': 1051, 'promises, per node': 3 });
    expect(failures).toEqual([
      'bytes, per node: 1051, more than the committed 1000 by 5.1 %',
      'promises, per node: 3, more than the committed 2 by 50.0 %',
    ]);
  });

  test('a change in the last digit of a small count is rounding', () => {
    expect(compareCounts({ 'groups, per token': 0.1 }, { 'groups, per token': 0.12 }).failures).toEqual([]);
    expect(compareCounts({ 'groups, per token': 0.1 }, { 'groups, per token': 0.13 }).failures).toHaveLength(1);
  });

  test('a lower count suggests committing it', () => {
    const { failures, hints } = compareCounts(committed, { 'bytes, per node': 900, 'promises, per node': 2 });
    expect(failures).toEqual([]);
    expect(hints).toEqual(['bytes, per node: 900, less than the committed 1000']);
  });

  test('a count that is missing on either side fails', () => {
    const { failures } = compareCounts(committed, { 'bytes, per node': 1000, 'modules of a start': 40 });
    expect(failures).toEqual([
      'promises, per node: no longer counted; bench/counts.json has 2',
      'modules of a start: counted, but missing in bench/counts.json',
    ]);
  });

  test('a count that was zero must stay zero', () => {
    expect(compareCounts({ copies: 0 }, { copies: 1 }).failures).toEqual([
      'copies: 1, more than the committed 0 by any number',
    ]);
  });
});
