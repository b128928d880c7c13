/** Accepts what checks found. */
import { expect, test } from 'vitest';
import { acceptedChange, acceptedChanges } from './accepted-change.ts';
import type { CaseResult, CheckResult } from './case-result.ts';

const differs: CheckResult = {
  ...{ isOk: false, kind: 'outputs', label: 'a.text is "x"', expected: 'x', got: 'y' },
  path: ['expect', 'outputs', 'a.text'],
};
const ran = (got: number): CheckResult => ({
  ...{ isOk: false, kind: 'ran', label: 'a ran 2 times', expected: 2, got, path: ['expect', 'ran', 'a'] },
});
const failed: CheckResult = {
  isOk: false,
  kind: 'status',
  label: 'status is completed',
  got: 'failed',
  path: ['expect', 'status'],
};

function resultWith(checks: readonly CheckResult[], more: Partial<CaseResult> = {}): CaseResult {
  return {
    ...{ file: 'a.test.yaml', name: 'one', entry: 0, line: 3, target: 'a.flow.yaml', isOk: false, checks },
    ...{ durationMs: 1, use: { replayed: 0, recorded: 0, tokens: 0 }, covered: [], ...more },
  };
}

test('13.13 a count of 0 is not accepted, because `ran` has only nodes that run', () => {
  expect(acceptedChange(0, ran(0))).toBeUndefined();
  expect(acceptedChange(0, ran(1))).toEqual({ do: 'set', path: ['cases', 0, 'expect', 'ran', 'a'], value: 1 });
});

test('13.13 values are accepted together only if the run ended as expected', () => {
  expect(acceptedChanges(resultWith([differs, ran(1)]))).toHaveLength(2);
  expect(acceptedChanges(resultWith([failed, differs]))).toEqual([]);
  expect(acceptedChanges(resultWith([differs], { row: 0 }))).toEqual([]);
  expect(acceptedChange(0, failed)).toMatchObject({ value: 'failed' });
});
