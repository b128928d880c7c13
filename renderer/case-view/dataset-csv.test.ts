import { expect, test } from 'vitest';
import type { CaseResult, ListedCase } from '../../engine/isomorphic.ts';
import { caseKey } from '../stores/cases/case-list.ts';
import { datasetCsv } from './dataset-csv.ts';

test('a table is copied with the state, score, tokens and cost of each cell', () => {
  const rows: readonly ListedCase[] = ['=late, lost', 'new'].map((name, row) => ({
    ...{ file: 'a.test.yaml', name, entry: 0, row, line: 4, hash: '' },
  }));
  const [first] = rows as [ListedCase];
  const use = { replayed: 1, recorded: 0, tokens: 12, costUsd: 0.25 };
  const result: CaseResult = {
    ...{ ...first, target: 'a.flow.yaml', isOk: false, checks: [], durationMs: 1, score: 2.5, use, covered: [] },
  };
  const columns = [
    { id: 'now', name: 'Now, tiny', results: new Map([[caseKey(first), result]]) },
    { id: 'b', name: 'main, large', results: new Map() },
  ];
  expect(datasetCsv(rows, columns).split('\r\n')).toEqual([
    [
      'Row,"Now, tiny: result","Now, tiny: score","Now, tiny: tokens","Now, tiny: US dollars"',
      '"main, large: result","main, large: score","main, large: tokens","main, large: US dollars"',
    ].join(','),
    `"'=late, lost",Failed,2.5,12,0.25,,,,`,
    'new,,,,,,,,',
    '',
  ]);
});
