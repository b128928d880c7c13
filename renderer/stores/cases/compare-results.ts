/**
 * Compares the results of a flow's tests with and without a proposed change.
 */
import type { CaseResult, CheckResult, ListedCaseFile } from '../../../engine/isomorphic.ts';
import { caseKey, ownNodeId } from './case-list.ts';

/** The results of tests with one text of their flow. */
export interface FlowResults {
  readonly files: readonly ListedCaseFile[];
  readonly results: readonly CaseResult[];
}

/**
 * Why a case does not pass with the change: it passed before; the change makes calls without a recording, so nothing is
 * known; or it does not pass without the change either.
 */
export type CaseOutcome = 'broken' | 'unrecorded' | 'failing';

/** A case that does not pass with the change. */
export interface EffectCase {
  readonly key: string;
  readonly name: string;
  readonly outcome: CaseOutcome;
  /** The first check that fails. Absent if the case could not run. */
  readonly check?: CheckResult;
  /** How many other checks fail. */
  readonly others: number;
  /** Why the case could not run, as a sentence. */
  readonly error?: string;
  /** Nodes with a call that is not recorded. `isNew` if the case did not reach the node before. */
  readonly calls: readonly { readonly nodeId: string; readonly isNew: boolean }[];
}

/** What a change means for tests. Each row of a dataset counts as a test. */
export interface ChangeEffect {
  readonly total: number;
  readonly passed: number;
  readonly passedBefore: number;
  /** Tests that fail only because of calls without a recording. */
  readonly unrecorded: number;
  /** In the order of outcomes, then of the test files. */
  readonly cases: readonly EffectCase[];
  /** Test files that are not valid, with their first problem. */
  readonly invalid: readonly { readonly path: string; readonly problem: string }[];
}

const outcomes: readonly CaseOutcome[] = ['broken', 'unrecorded', 'failing'];

/** Returns what a change means for tests. Null if there are none. */
export function compareResults(before: FlowResults, after: FlowResults): ChangeEffect | null {
  const invalid = after.files.flatMap(({ path, problems: [problem] }) =>
    problem === undefined ? [] : [{ path, problem }],
  );
  if (after.results.length + invalid.length === 0) return null;
  const former = new Map(before.results.map((result) => [caseKey(result), result]));
  const cases = after.results
    .filter(({ isOk }) => !isOk)
    .map((result) => effectOn(former.get(caseKey(result)), result));
  return {
    total: after.results.length,
    passed: after.results.length - cases.length,
    passedBefore: before.results.filter(({ isOk }) => isOk).length,
    unrecorded: cases.filter(({ outcome }) => outcome === 'unrecorded').length,
    cases: outcomes.flatMap((wanted) => cases.filter(({ outcome }) => outcome === wanted)),
    invalid,
  };
}

function effectOn(before: CaseResult | undefined, after: CaseResult): EffectCase {
  const failed = after.checks.filter(({ isOk }) => !isOk);
  const missing = failed.filter(({ kind }) => kind === 'recording');
  const reached = new Set(before?.covered.map(ownNodeId));
  const calls = missing.flatMap(({ nodeId }) =>
    nodeId === undefined ? [] : [{ nodeId, isNew: !reached.has(ownNodeId(nodeId)) }],
  );
  const [check, ...others] = failed;
  return {
    ...{ key: caseKey(after), name: after.name, others: others.length, calls },
    outcome: before?.isOk === false ? 'failing' : missing.length > 0 ? 'unrecorded' : 'broken',
    ...(check === undefined ? {} : { check }),
    ...(check !== undefined || after.error === undefined ? {} : { error: after.error.message }),
  };
}
