/**
 * The table of a dataset as CSV.
 */
import type { ListedCase } from '../../engine/isomorphic.ts';
import { caseKey } from '../stores/cases/case-list.ts';
import type { DatasetColumn } from '../stores/cases/dataset-columns.ts';
import { csvText } from '../ui/csv-text.ts';
import { text } from './text.ts';

const words = text.dataset;

/** Returns a line for each row, with four cells for each column. Cells are empty if the row has not run. */
export function datasetCsv(
  rows: readonly ListedCase[],
  columns: readonly (DatasetColumn & { readonly name: string })[],
): string {
  const { csv } = words;
  const heads = columns.flatMap(({ name }) => [
    csv.state({ name }),
    csv.score({ name }),
    csv.tokens({ name }),
    csv.cost({ name }),
  ]);
  const lines = rows.map((row) => [
    row.name,
    ...columns.flatMap(({ results }) => {
      const result = results.get(caseKey(row));
      if (result === undefined) return [null, null, null, null];
      const { isOk, score, use } = result;
      return [isOk ? words.passed : words.failed, score, use.tokens, use.costUsd];
    }),
  ]);
  return csvText([[words.row, ...heads], ...lines]);
}
