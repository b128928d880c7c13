/**
 * Creates the store of the tables of datasets.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CaseResult } from '../../../engine/isomorphic.ts';
import { kindOfPath } from '../text/paths.ts';
import { caseKey } from './case-list.ts';
import type { Cases, CasesContext } from './cases.ts';
import { columnId, nowColumn } from './dataset-columns.ts';
import { DatasetRunner } from './dataset-runner.ts';
import { type ChosenCell, columnsOf, type Datasets, datasetOf } from './datasets.ts';

type Canvas = Pick<Datasets, 'canOpen' | 'openOnCanvas'>;
type Columns = Pick<Datasets, 'add' | 'remove'>;

/** Also returns a function that ends its subscriptions. */
export function createDatasets(
  context: CasesContext,
  cases: StoreApi<Cases>,
): readonly [StoreApi<Datasets>, () => void] {
  const { openFiles } = context;
  const store = createStore<Datasets>()((set, get, api) => {
    const runner = new DatasetRunner(api, cases);
    return {
      ...{ shown: null, added: new Map(), filter: 'all', cell: null, running: null },
      async show({ key, target }) {
        await openFiles.getState().open(target, kindOfPath(target));
        set({ shown: { key, target }, ...(get().shown?.key === key ? {} : { cell: null, filter: 'all' }) });
      },
      close: () => set({ shown: null }),
      setFilter: (filter) => set({ filter }),
      choose: (cell) => set({ cell }),
      run: () => runner.run(),
      stop: () => runner.stop(),
      ...columnActions(api, cases),
      ...canvasActions(context, api, cases),
    };
  });
  return [store, closeForOthers(context, store, cases)];
}

function columnActions(store: StoreApi<Datasets>, cases: StoreApi<Cases>): Columns {
  return {
    add(source) {
      const { shown, added } = store.getState();
      if (shown === null) return;
      const { key } = shown;
      const id = columnId(source);
      if (columnsOf(added, key, cases.getState().results).some((one) => one.id === id)) return;
      const columns = [...(added.get(key) ?? []), { ...source, id, results: new Map<string, CaseResult>() }];
      store.setState({ added: new Map(added).set(key, columns) });
    },
    remove(id) {
      const { shown, added, cell } = store.getState();
      if (shown === null) return;
      const columns = (added.get(shown.key) ?? []).filter((one) => one.id !== id);
      store.setState({
        added: new Map(added).set(shown.key, columns),
        cell: cell?.column === id ? { ...cell, column: nowColumn } : cell,
      });
    },
  };
}

function canvasActions({ runs, panes }: CasesContext, store: StoreApi<Datasets>, cases: StoreApi<Cases>): Canvas {
  const resultOf = ({ row, column }: ChosenCell): CaseResult | undefined => {
    const { shown, added } = store.getState();
    if (shown === null) return undefined;
    const columns = columnsOf(added, shown.key, cases.getState().results);
    return columns.find(({ id }) => id === column)?.results.get(row);
  };
  const canOpen = (cell: ChosenCell): boolean => {
    const runId = resultOf(cell)?.runId;
    // A row of the first column can run again.
    return runId !== undefined && (cell.column === nowColumn || cases.getState().isReadable(runId));
  };
  return {
    canOpen,
    async openOnCanvas(cell) {
      const { shown } = store.getState();
      const runId = resultOf(cell)?.runId;
      if (shown === null || runId === undefined || !canOpen(cell) || cases.getState().isRunning) return;
      const { key, target } = shown;
      store.setState({ shown: null });
      if (cell.column === nowColumn) {
        const row = datasetOf(cases.getState().files, key)?.cases.find((one) => caseKey(one) === cell.row);
        if (row !== undefined) await cases.getState().open(row);
        return;
      }
      cases.getState().close(target);
      await runs.openRun(target, runId, kindOfPath(target) === 'agent' ? 'agent' : 'flow');
      panes.getState().showDock('timeline');
    },
  };
}

/** Closes the table when the person opens a test or a run of its flow, or closes the flow. */
function closeForOthers(
  { liveRuns, openFiles }: CasesContext,
  store: StoreApi<Datasets>,
  cases: StoreApi<Cases>,
): () => void {
  const { close } = store.getState();
  const target = (): string | undefined => store.getState().shown?.target;
  const ends = [
    cases.subscribe(({ opened }, former) => {
      if (opened !== former.opened && target() !== undefined) close();
    }),
    liveRuns.subscribe(({ shown }, former) => {
      const path = target();
      // The run of an open test is replaced when the test runs again.
      if (path === undefined || cases.getState().isRunning) return;
      if (shown.get(path)?.runId !== former.shown.get(path)?.runId) close();
    }),
    openFiles.subscribe(({ files }) => {
      const path = target();
      if (path !== undefined && !files.has(path)) close();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
