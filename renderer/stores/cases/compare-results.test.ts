/** Compares results of tests with and without a proposed change. */
import { expect, test } from 'vitest';
import type { CaseResult, CheckResult } from '../../../engine/isomorphic.ts';
import { type ChangeEffect, compareResults, type FlowResults } from './compare-results.ts';

const holds: CheckResult = { isOk: true, kind: 'status', label: 'status is completed' };
const differs: CheckResult = { isOk: false, kind: 'outputs', label: 'draft.text equals', expected: 'Hi', got: 'Hello' };
const missed = (nodeId: string): CheckResult => ({
  ...{ isOk: false, kind: 'recording', label: 'all calls are recorded', nodeId },
});

function result(entry: number, checks: readonly CheckResult[], more: Partial<CaseResult> = {}): CaseResult {
  return {
    ...{ file: 'a.test.yaml', name: `case ${entry}`, entry, line: entry, target: 'a.flow.yaml', checks, durationMs: 1 },
    ...{ isOk: checks.every(({ isOk }) => isOk), use: { replayed: 0, recorded: 0, tokens: 0 }, covered: ['draft'] },
    ...more,
  };
}

function tested(results: readonly CaseResult[], problems: readonly string[] = []): FlowResults {
  return { files: [{ path: 'a.test.yaml', target: 'a.flow.yaml', cases: [], problems }], results };
}

function effectOf(before: readonly CaseResult[], after: readonly CaseResult[]): ChangeEffect {
  const effect = compareResults(tested(before), tested(after));
  if (effect === null) throw new Error('There are no tests.');
  return effect;
}

test('13.7 what the change breaks, what fails without it, and what lacks a recording are different outcomes', () => {
  const before = [result(0, [holds]), result(1, [differs]), result(2, [holds]), result(3, [holds])];
  const after = [
    result(0, [holds]),
    result(1, [differs]),
    result(2, [missed('each[0].draft'), missed('check'), differs]),
    result(3, [differs, { ...differs, label: 'other' }]),
  ];
  const effect = effectOf(before, after);
  expect(effect).toMatchObject({ total: 4, passed: 1, passedBefore: 3, unrecorded: 1, invalid: [] });
  expect(effect.cases).toMatchObject([
    { name: 'case 3', outcome: 'broken', check: { expected: 'Hi', got: 'Hello' }, others: 1, calls: [] },
    {
      ...{ name: 'case 2', outcome: 'unrecorded' },
      calls: [
        { nodeId: 'each[0].draft', isNew: false },
        { nodeId: 'check', isNew: true },
      ],
    },
    { name: 'case 1', outcome: 'failing', others: 0 },
  ]);
});

test('a case that failed and now lacks a recording is not a new failure', () => {
  const effect = effectOf([result(0, [differs])], [result(0, [missed('draft')])]);
  expect(effect).toMatchObject({ passed: 0, passedBefore: 0, unrecorded: 0, cases: [{ outcome: 'failing' }] });
});

test('the rows of a dataset count as tests, as on the command line', () => {
  const rows = (...checks: readonly CheckResult[]): readonly CaseResult[] =>
    checks.map((check, row) => result(0, [check], { row, name: `row ${row}` }));
  const effect = effectOf([...rows(holds, holds), result(1, [holds])], [...rows(differs, differs), result(1, [holds])]);
  expect(effect).toMatchObject({ total: 3, passed: 1, passedBefore: 3 });
  expect(effect.cases.map(({ name }) => name)).toEqual(['row 0', 'row 1']);
  expect(effectOf(rows(holds, holds), rows(missed('draft'), differs)).unrecorded).toBe(1);
  expect(effectOf(rows(holds, holds), rows(missed('draft'), holds)).unrecorded).toBe(1);
});

test('a case that could not run has its error, and a file that is not valid its problem', () => {
  const error = { code: 'test.bad-input', message: 'There is no file a.json.' };
  const effect = effectOf([result(0, [holds])], [result(0, [], { isOk: false, error })]);
  expect(effect.cases).toMatchObject([{ outcome: 'broken', error: 'There is no file a.json.' }]);
  const invalid = compareResults(tested([]), tested([], ['3:1 The key is unknown.', '4:1 Another.']));
  expect(invalid).toMatchObject({ total: 0, invalid: [{ path: 'a.test.yaml', problem: '3:1 The key is unknown.' }] });
  expect(compareResults(tested([]), { files: [], results: [] })).toBeNull();
});
