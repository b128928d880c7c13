/**
 * The failing checks of a case, as reports for people show them.
 */
import type { CaseResult, CheckResult } from './case-result.ts';

export interface CaseFailures {
  /** Missing recordings first. */
  readonly shown: readonly CheckResult[];
  /** Number of other checks, which fail only because of a missing recording. */
  readonly followUps: number;
}

/** Marks the checks that fail only because a call has no recording. */
export function withFollowUps(checks: readonly CheckResult[]): readonly CheckResult[] {
  if (!checks.some((check) => !check.isOk && isMissing(check))) return checks;
  return checks.map((check) =>
    check.isOk || isMissing(check) || !followsFromMissing(check) ? check : { ...check, isFollowUp: true },
  );
}

/** Returns the failing checks. */
export function failuresOf({ checks }: Pick<CaseResult, 'checks'>): CaseFailures {
  const failing = checks.filter(({ isOk }) => !isOk);
  const own = failing.filter(({ isFollowUp }) => isFollowUp !== true);
  return {
    shown: [...own.filter(isMissing), ...own.filter((check) => !isMissing(check))],
    followUps: failing.length - own.length,
  };
}

/** Returns the sentence for checks that are not shown; undefined if there are none. */
export function followUpText({ followUps }: Pick<CaseFailures, 'followUps'>): string | undefined {
  if (followUps === 0) return undefined;
  return followUps === 1 ? '1 more check fails because of that.' : `${followUps} more checks fail because of that.`;
}

function isMissing({ kind }: CheckResult): boolean {
  return kind === 'recording';
}

/** Without the call, the run ends in another way, and later nodes don't run. A value shows that its node has run. */
function followsFromMissing({ kind, got, expected }: CheckResult): boolean {
  if (kind === 'ran') return typeof got !== 'number' || typeof expected !== 'number' || got < expected;
  return got === undefined || kind === 'status' || kind === 'fails' || kind === 'answers';
}
