/**
 * Accepts what a check found as the value that it expects from now on.
 */
import { expectedStatuses } from './case-doc.ts';
import type { CaseResult, CheckResult } from './case-result.ts';
import type { CaseChange } from './edit-cases.ts';

/** Checks with a value that can take the place of the expected one. */
const updatable: ReadonlySet<CheckResult['kind']> = new Set(['outputs', 'inputs', 'files', 'status', 'fails', 'ran']);

/** Checks that must hold before values are accepted: what a run produced before it failed is not what anybody wants. */
const required: ReadonlySet<CheckResult['kind']> = new Set(['status', 'fails', 'recording', 'answers']);

const statuses: ReadonlySet<unknown> = new Set(expectedStatuses);

/**
 * Returns the change that accepts what a check found; undefined if it found no such value. How a run ended can be
 * accepted by itself unless a call had no recording. Other values are accepted only from a run that ended as expected.
 */
export function acceptedChange({ entry, row, checks }: CaseResult, check: CheckResult): CaseChange | undefined {
  const isEnd = check.kind === 'status' || check.kind === 'fails';
  const isUsable = checks.every(({ isOk, kind }) => isOk || (isEnd ? kind !== 'recording' : !required.has(kind)));
  // Rows of datasets share their expectations.
  return row === undefined && isUsable ? changeOf(entry, check) : undefined;
}

function changeOf(entry: number, check: CheckResult): CaseChange | undefined {
  const { isOk, kind, path, got, matcher = 'equals' } = check;
  if (isOk || path === undefined || got === undefined || !updatable.has(kind) || matcher !== 'equals') return undefined;
  // `ran` has only nodes that run.
  if (kind === 'ran' && got === 0) return undefined;
  if (kind === 'status' && !statuses.has(got)) return undefined;
  return { do: 'set', path: ['cases', entry, ...path], value: got };
}

/** Returns the changes that accept everything that a case found. None if the run did not end as expected. */
export function acceptedChanges(result: CaseResult): readonly CaseChange[] {
  const { checks } = result;
  if (checks.some(({ isOk, kind }) => !isOk && required.has(kind))) return [];
  return checks.flatMap((check) => acceptedChange(result, check) ?? []);
}
