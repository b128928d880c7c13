/**
 * The table of a dataset: its rows with several versions of the flow and several models.
 */
import type { ListedCaseFile } from '../../../engine/isomorphic.ts';
import { type CaseEntry, entriesOf } from './case-list.ts';
import type { Cases } from './cases.ts';
import { type ColumnSource, type DatasetColumn, nowColumn, type RowFilter } from './dataset-columns.ts';

export interface ChosenCell {
  /** Key of the case. */
  readonly row: string;
  /** ID of the column. */
  readonly column: string;
}

export interface Datasets {
  /** The dataset on screen: its key, and the path of the tested file. The pane of that file shows it. */
  readonly shown: { readonly key: string; readonly target: string } | null;
  /** By key of the dataset: the columns that the person has added. They are kept while the window is open. */
  readonly added: ReadonlyMap<string, readonly DatasetColumn[]>;
  readonly filter: RowFilter;
  readonly cell: ChosenCell | null;
  /** ID of the column that runs. */
  readonly running: string | null;
  /** Shows a dataset in the pane of its target. */
  show(entry: CaseEntry): Promise<void>;
  close(): void;
  /** Does nothing if the table has the column. */
  add(source: ColumnSource): void;
  remove(id: string): void;
  setFilter(filter: RowFilter): void;
  choose(cell: ChosenCell): void;
  /**
   * Runs the columns one after the other with recorded calls. Then those with missing calls run again, and the missing
   * calls are made after the person has agreed.
   */
  run(): Promise<void>;
  stop(): void;
  /** Returns whether the run of a cell can be opened on the canvas. */
  canOpen(cell: ChosenCell): boolean;
  /** Shows the run of a cell on the canvas, in place of the table. */
  openOnCanvas(cell: ChosenCell): Promise<void>;
}

/** Returns the dataset with a key, as it is listed now. */
export function datasetOf(files: readonly ListedCaseFile[] | null, key: string): CaseEntry | undefined {
  return files?.flatMap(entriesOf).find((entry) => entry.key === key);
}

/** Returns all columns of a dataset. The results of the first one are those of the list of tests. */
export function columnsOf(
  added: Datasets['added'],
  key: string,
  results: Cases['results'],
): readonly [DatasetColumn, ...DatasetColumn[]] {
  return [{ id: nowColumn, results }, ...(added.get(key) ?? [])];
}
