/**
 * Runs the columns of a dataset's table.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { CaseResult, ListedCase } from '../../../engine/isomorphic.ts';
import { caseKey } from './case-list.ts';
import type { Cases, CasesEnd, RecordChoice } from './cases.ts';
import { type DatasetColumn, lacksRecording, nowColumn } from './dataset-columns.ts';
import { columnsOf, type Datasets, datasetOf } from './datasets.ts';

interface ChosenRows {
  readonly rows: readonly ListedCase[];
  readonly record: RecordChoice;
}

export class DatasetRunner {
  readonly #store: StoreApi<Datasets>;
  readonly #cases: StoreApi<Cases>;
  #isStopped = false;

  constructor(store: StoreApi<Datasets>, cases: StoreApi<Cases>) {
    this.#store = store;
    this.#cases = cases;
  }

  /** Replays all columns of the dataset on screen, whatever becomes of one of them, and then makes the calls that are missing in their recordings. */
  async run(): Promise<void> {
    const { shown } = this.#store.getState();
    const { files, isRunning } = this.#cases.getState();
    const dataset = shown === null ? undefined : datasetOf(files, shown.key);
    if (dataset === undefined || isRunning) return;
    const { key, cases: rows } = dataset;
    this.#isStopped = false;
    try {
      for (const column of this.#columns(key)) {
        const end = await this.#runColumn(key, column, { rows, record: 'none' });
        if (end === 'stopped' || this.#isStopped) return;
      }
      await this.#record(key, rows);
    } finally {
      this.#store.setState({ running: null });
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#cases.getState().stop();
  }

  /** Main asks for each column. A person who declines once is not asked for the others. */
  async #record(key: string, rows: readonly ListedCase[]): Promise<void> {
    let hasRecorded = false;
    for (const { id } of this.#columns(key)) {
      // Columns may make the same calls.
      if (hasRecorded && (await this.#runMissing(key, id, { rows, record: 'none' })) === 'stopped') return;
      const before = this.#missing(key, id, rows).length;
      if (this.#isStopped || (await this.#runMissing(key, id, { rows, record: 'missing' })) === 'stopped') return;
      hasRecorded ||= before > 0;
    }
  }

  /** Runs those of the rows with missing calls. */
  async #runMissing(key: string, id: string, { rows, record }: ChosenRows): Promise<CasesEnd> {
    const column = this.#columns(key).find((one) => one.id === id);
    const missing = this.#missing(key, id, rows);
    return column === undefined || missing.length === 0
      ? 'done'
      : await this.#runColumn(key, column, { rows: missing, record });
  }

  #missing(key: string, id: string, rows: readonly ListedCase[]): readonly ListedCase[] {
    const results = this.#columns(key).find((one) => one.id === id)?.results;
    return rows.filter((row) => isMissing(results?.get(caseKey(row))));
  }

  #columns(key: string): readonly DatasetColumn[] {
    return columnsOf(this.#store.getState().added, key, this.#cases.getState().results);
  }

  async #runColumn(key: string, column: DatasetColumn, { rows, record }: ChosenRows): Promise<CasesEnd> {
    const { id, version, model } = column;
    this.#store.setState({ running: id });
    if (id === nowColumn) return await this.#cases.getState().run(rows, record);
    const source = { ...(version === undefined ? {} : { version }), ...(model === undefined ? {} : { model }) };
    const take = (results: readonly CaseResult[]): void => this.#take(key, id, results);
    return await this.#cases.getState().runVariant(rows, record, { source, take });
  }

  #take(key: string, id: string, results: readonly CaseResult[]): void {
    const { added } = this.#store.getState();
    const taken = results.map((result) => [caseKey(result), result] as const);
    const columns = (added.get(key) ?? []).map((column) =>
      column.id === id ? { ...column, results: new Map([...column.results, ...taken]) } : column,
    );
    this.#store.setState({ added: new Map(added).set(key, columns) });
  }
}

function isMissing(result: CaseResult | undefined): boolean {
  return result !== undefined && lacksRecording(result);
}
