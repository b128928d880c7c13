/**
 * Accepts what a check found as the value that it expects from now on.
 */
import type { CaseResult, CheckResult } from './case-result.ts';
import type { CaseChange } from './edit-cases.ts';

/** Checks with a value that can take the place of the expected one. */
const updatable: ReadonlySet<CheckResult['kind']> = new Set(['outputs', 'inputs', 'files', 'status', 'fails', 'ran']);

/** Checks that must hold before values are accepted: what a run produced before it failed is not what anybody wants. */
const required: ReadonlySet<CheckResult['kind']> = new Set(['status', 'fails', 'recording', 'answers']);

/** Returns the change that accepts what a check found; undefined if there is no value to accept. */
export function acceptedChange(entry: number, check: CheckResult): CaseChange | undefined {
  const { isOk, kind, path, got, matcher = 'equals' } = check;
  if (isOk || path === undefined || got === undefined || !updatable.has(kind) || matcher !== 'equals') return undefined;
  // `ran` has only nodes that run.
  if (kind === 'ran' && got === 0) return undefined;
  return { do: 'set', path: ['cases', entry, ...path], value: got };
}

/**
 * Returns the changes that accept everything that a case found. None if the run did not end as expected, and for rows of
 * datasets, which share their expectations.
 */
export function acceptedChanges({ entry, row, checks }: CaseResult): readonly CaseChange[] {
  const isUsable = row === undefined && checks.every(({ isOk, kind }) => isOk || !required.has(kind));
  return isUsable ? checks.flatMap((check) => acceptedChange(entry, check) ?? []) : [];
}
