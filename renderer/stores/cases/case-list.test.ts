import { expect, test } from 'vitest';
import type { CaseResult, ListedCase, ListedCaseFile } from '../../../engine/isomorphic.ts';
import { caseKey, countCases, entriesOf, hasNoRows, stateOf } from './case-list.ts';

const row = (index: number, name = `row ${index}`): ListedCase => ({
  ...{ file: 'a.test.yaml', name, entry: 0, row: index, line: 3, dataset: 'mails.csv', hash: '' },
});

const file = (cases: readonly ListedCase[]): ListedCaseFile => ({
  ...{ path: 'a.test.yaml', target: 'a.flow.yaml', cases, problems: [] },
});

function resultOf({ dataset: _, hash: __, ...id }: ListedCase, isOk: boolean): CaseResult {
  const use = { replayed: 0, recorded: 0, tokens: 0 };
  return { ...id, target: 'a.flow.yaml', isOk, checks: [], durationMs: 1, use, covered: [] };
}

test('each row of a dataset counts as a test', () => {
  const rows = [row(0), row(1), row(2), row(3)];
  const results = new Map(rows.slice(0, 3).map((one, index) => [caseKey(one), resultOf(one, index !== 1)]));
  const waiting = new Set([caseKey(rows[2] as ListedCase)]);
  const known = { results, waiting };
  expect(countCases([file(rows)], known)).toEqual({ total: 4, passed: 1, failed: 1 });
  const entries = entriesOf(file(rows));
  expect(entries).toHaveLength(1);
  expect(stateOf({ cases: rows }, known)).toEqual({ state: 'running', passed: 2 });
  expect(stateOf({ cases: rows }, { results, waiting: new Set() })).toEqual({ state: 'failed', passed: 2 });
});

test('a dataset has no rows if its file cannot be read', () => {
  const entryOf = (one: ListedCase) => entriesOf(file([one]))[0] ?? { cases: [] };
  expect(hasNoRows(entryOf(row(0, 'mails.csv')))).toBe(true);
  expect(hasNoRows(entryOf(row(0)))).toBe(false);
});
