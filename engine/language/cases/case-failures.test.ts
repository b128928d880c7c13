/** Sorts the failing checks of a case for reports. */
import { expect, test } from 'vitest';
import { failuresOf, followUpText, withFollowUps } from './case-failures.ts';
import type { CheckResult } from './case-result.ts';

const check = (kind: CheckResult['kind'], label: string, more: Partial<CheckResult> = {}): CheckResult => ({
  ...{ isOk: false, kind, label },
  ...more,
});
const labels = (checks: readonly CheckResult[]): readonly string[] => checks.map(({ label }) => label);

test('13.13 checks that fail because of a missing recording are summed up after it', () => {
  const checks = [
    check('outputs', 'holds', { isOk: true, got: 1 }),
    check('status', 'status', { got: 'failed' }),
    check('outputs', 'no value'),
    check('outputs', 'other value', { expected: 1, got: 2 }),
    check('ran', 'too few', { expected: 2, got: 1 }),
    check('ran', 'too many', { expected: 1, got: 2 }),
    check('recording', 'missing'),
  ];
  const marked = withFollowUps(checks);
  expect(labels(marked)).toEqual(labels(checks));
  expect(labels(marked.filter(({ isFollowUp }) => isFollowUp))).toEqual(['status', 'no value', 'too few']);
  const failures = failuresOf({ checks: marked });
  expect(labels(failures.shown)).toEqual(['missing', 'other value', 'too many']);
  expect(followUpText(failures)).toBe('3 more checks fail because of that.');
});

test('13.13 without a missing recording, all failing checks are shown', () => {
  const checks = [check('status', 'status', { got: 'failed' }), check('outputs', 'no value')];
  expect(withFollowUps(checks)).toBe(checks);
  expect(failuresOf({ checks })).toEqual({ shown: checks, followUps: 0 });
  expect(followUpText(failuresOf({ checks }))).toBeUndefined();
});
