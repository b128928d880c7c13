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
  expect(acceptedChange(resultWith([ran(0)]), ran(0))).toBeUndefined();
  expect(acceptedChange(resultWith([ran(1)]), ran(1))).toEqual({
    ...{ do: 'set', path: ['cases', 0, 'expect', 'ran', 'a'], value: 1 },
  });
});

test('13.13 values are accepted only if the run ended as expected, and how it ended only by itself', () => {
  expect(acceptedChanges(resultWith([differs, ran(1)]))).toHaveLength(2);
  const ended = resultWith([failed, differs]);
  expect(acceptedChanges(ended)).toEqual([]);
  expect(acceptedChange(ended, differs)).toBeUndefined();
  expect(acceptedChange(ended, failed)).toMatchObject({ value: 'failed' });
  expect(acceptedChanges(resultWith([differs], { row: 0 }))).toEqual([]);
});

test('13.13 nothing is accepted from a canceled run, or from one with a missing recording', () => {
  const canceled = { ...failed, got: 'cancelled' };
  expect(acceptedChange(resultWith([canceled, differs]), canceled)).toBeUndefined();
  expect(acceptedChange(resultWith([canceled, differs]), differs)).toBeUndefined();
  const missing: CheckResult = { isOk: false, kind: 'recording', label: 'all calls are recorded' };
  const cut = resultWith([missing, failed, differs]);
  for (const check of cut.checks) expect(acceptedChange(cut, check)).toBeUndefined();
});
