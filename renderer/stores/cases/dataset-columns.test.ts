import { expect, test } from 'vitest';
import type { CaseResult, ListedCase } from '../../../engine/isomorphic.ts';
import { caseKey } from './case-list.ts';
import {
  columnId,
  type DatasetColumn,
  filteredRows,
  isError,
  lacksRecording,
  summaryOf,
  winnerOf,
} from './dataset-columns.ts';

const rows: readonly ListedCase[] = ['late', 'lost', 'broken'].map((name, row) => ({
  ...{ file: 'a.test.yaml', name, entry: 0, row, line: 4, hash: '', dataset: 'mails.csv' },
}));

type Figures = readonly [score: number | undefined, isOk: boolean, costUsd?: number];

/** Creates a column with results for its first rows. */
function column(model: string, figures: readonly Figures[]): DatasetColumn {
  const results = figures.map(([score, isOk, costUsd], index): [string, CaseResult] => {
    const { dataset: _, ...id } = rows[index] as ListedCase;
    const use = { replayed: 0, recorded: 2, tokens: 10, ...(costUsd === undefined ? {} : { costUsd }) };
    const scored = score === undefined ? {} : { score };
    const result = { ...id, ...scored, target: 'a.flow.yaml', isOk, checks: [], durationMs: 5, use, covered: [] };
    return [caseKey(id), result];
  });
  return { id: columnId(model === '' ? {} : { model }), ...(model === '' ? {} : { model }), results: new Map(results) };
}

test('a column sums up the rows that have run', () => {
  const half = column('', [
    [4, true, 0.5],
    [1, false],
  ]);
  const expected = { total: 3, done: 2, passed: 1, score: 2.5, tokens: 20, costUsd: 0.5, durationMs: 10 };
  expect(summaryOf(rows, half)).toEqual(expected);
  expect(summaryOf(rows, column('', []))).toEqual({ total: 3, done: 0, passed: 0, tokens: 0 });
});

test('the winner has the best score, then the most passed rows, then the lowest cost', () => {
  const same = (one: Figures): readonly Figures[] => [one, one, one];
  const winner = (...columns: readonly DatasetColumn[]) => winnerOf(rows, columns)?.column.model;
  const low = column('', same([3, true, 1]));
  expect(winner(low, column('b', same([4, false, 9])))).toBe('b');
  expect(winner(column('a', same([3, false, 1])), column('b', same([3, true, 9])))).toBe('b');
  expect(winner(low, column('b', same([3, true, 0.5])))).toBe('b');
  expect(winner(column('a', same([undefined, true])), column('b', same([undefined, true, 0.5])))).toBe('b');
  expect(winner(column('a', same([3, true, 1])), column('b', same([3, true, 1])))).toBe('a');
  expect(winnerOf(rows, [low, column('b', same([4, true]))])?.first?.score).toBe(3);
});

test('columns with the same figures are equal', () => {
  const same = (model: string) =>
    column(model, [
      [3, true, 1],
      [3, true, 1],
      [3, true, 1],
    ]);
  const [a, b] = [same('a'), same('b')];
  expect(winnerOf(rows, [a, b])?.equal).toEqual([b]);
  const better = column('c', [
    [4, true, 1],
    [4, true, 1],
    [4, true, 1],
  ]);
  expect(winnerOf(rows, [a, b, better])?.equal).toEqual([]);
});

test('the time of replayed calls is not shown', () => {
  const [key, result] = [...column('', [[3, true]]).results][0] ?? [];
  if (key === undefined || result === undefined) throw new Error('no result');
  const replayed = { ...result, use: { ...result.use, replayed: 1, recorded: 1 } };
  expect(summaryOf(rows, { results: new Map([[key, replayed]]) })).not.toHaveProperty('durationMs');
});

test('a run without an answer is an error, a wrong answer is not', () => {
  const [result] = column('', [[undefined, false]]).results.values();
  if (result === undefined) throw new Error('no result');
  const wrong = { isOk: false, kind: 'outputs', label: 'a' } as const;
  expect(isError({ ...result, checks: [wrong] })).toBe(false);
  expect(isError({ ...result, checks: [{ ...wrong, kind: 'status' }] })).toBe(true);
  expect(isError({ ...result, checks: [{ ...wrong, kind: 'recording' }] })).toBe(true);
  expect(isError({ ...result, error: { code: 'test.x', message: 'x' } })).toBe(true);
});

test('a column in which rows have not run does not win', () => {
  const whole = column('', [
    [3, true],
    [3, true],
    [3, true],
  ]);
  expect(winnerOf(rows, [whole, column('b', [[5, true]])])).toBeUndefined();
  expect(winnerOf(rows, [whole])).toBeUndefined();
  expect(winnerOf([], [whole, whole])).toBeUndefined();
});

test('rows are filtered by failures and by differences', () => {
  const columns = [
    column('', [
      [3, true],
      [1, false],
      [4, true],
    ]),
    column('b', [
      [3, true],
      [1, false],
      [5, true],
    ]),
  ];
  const names = (filter: 'all' | 'failing' | 'differ') => filteredRows(rows, columns, filter).map(({ name }) => name);
  expect(names('all')).toEqual(['late', 'lost', 'broken']);
  expect(names('failing')).toEqual(['lost']);
  expect(names('differ')).toEqual(['broken']);
});

test('missing recordings are recognized, also those of judges', () => {
  const [result] = column('', [[3, true]]).results.values() as Iterable<CaseResult>;
  const checked = (check: object): CaseResult => ({
    ...(result as CaseResult),
    checks: [{ isOk: false, label: '', ...check } as never],
  });
  expect(lacksRecording(result as CaseResult)).toBe(false);
  expect(lacksRecording(checked({ kind: 'recording' }))).toBe(true);
  expect(lacksRecording(checked({ kind: 'judge' }))).toBe(true);
  expect(lacksRecording(checked({ kind: 'judge', score: 1 }))).toBe(false);
  const error = { code: 'cassette.not-found', message: 'No recording.' };
  expect(lacksRecording({ ...(result as CaseResult), error })).toBe(true);
});
