/**
 * The table of a dataset: a row for each of its rows, and a column for each version of the flow and each model.
 */
import { Play, Plus, Square, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { hasNoRows } from '../stores/cases/case-list.ts';
import { filteredRows, type RowFilter } from '../stores/cases/dataset-columns.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { datasetCsv } from './dataset-csv.ts';
import { DatasetGrid } from './dataset-grid.tsx';
import { DatasetWinner } from './dataset-winner.tsx';
import { text } from './text.ts';
import { type ShownDataset, useDataset } from './use-dataset.ts';
import './dataset-table.css';

const words = text.dataset;

const filters: readonly { readonly value: RowFilter; readonly text: string }[] = [
  { value: 'all', text: words.all },
  { value: 'failing', text: words.failing },
  { value: 'differ', text: words.differ },
];

interface DatasetTableProps {
  /** Lets the person choose a column. With a version, only its model. */
  readonly onAdd: (version?: string) => void;
  readonly onClose: () => void;
}

export function DatasetTable({ onAdd, onClose }: DatasetTableProps) {
  const { cases, datasets, models } = useStores();
  const dataset = useDataset();
  const files = useStore(cases, (state) => state.files);
  useEffect(() => void models.getState().refresh(), [models]);
  // The test file may no longer have the dataset.
  const isGone = files !== null && dataset === undefined;
  useEffect(() => {
    if (isGone) datasets.getState().close();
  }, [datasets, isGone]);
  if (dataset === undefined) return null;
  return <Table dataset={dataset} onAdd={onAdd} onClose={onClose} />;
}

function Table({ dataset, onAdd, onClose }: DatasetTableProps & { readonly dataset: ShownDataset }) {
  const filter = useStore(useStores().datasets, (state) => state.filter);
  const { entry, columns, name } = dataset;
  const all = useMemo(() => filteredRows(entry.cases, columns, filter), [entry, columns, filter]);
  return (
    <section className="dataset-table" aria-label={words.label({ name })}>
      <Bar dataset={dataset} onAdd={onAdd} onClose={onClose} />
      <DatasetGrid dataset={dataset} rows={all} onAdd={onAdd} onClose={onClose} />
      <DatasetWinner dataset={dataset} />
    </section>
  );
}

function Bar({ dataset: { entry, columns, name }, onAdd, onClose }: DatasetTableProps & { dataset: ShownDataset }) {
  const { cases, datasets } = useStores();
  const { filter, running, setFilter, run, stop } = useStore(datasets);
  const isRunning = useStore(cases, (state) => state.isRunning);
  const waiting = useStore(cases, (state) => state.waiting.size);
  const [total, setTotal] = useState(0);
  // The rows of a column run together; recording may run only some of them.
  if (waiting > total) setTotal(waiting);
  if (!isRunning && total > 0) setTotal(0);
  const column = columns.find(({ id }) => id === running);
  return (
    <header className="dataset-bar">
      <b title={entry.dataset}>{name}</b>
      <span className="dataset-note" role="status">
        {column === undefined || total === 0
          ? words.rows({ count: hasNoRows(entry) ? 0 : entry.cases.length })
          : words.progress({ name: column.name, done: total - waiting, total })}
      </span>
      <span className="dataset-tools">
        <Segmented label={words.filter} value={filter} options={filters} onChange={setFilter} />
        <Button size="small" onClick={() => onAdd()}>
          <Plus aria-hidden size={13} />
          {words.add}
        </Button>
        {isRunning ? (
          <Button size="small" onClick={stop}>
            <Square aria-hidden size={11} />
            {words.stop}
          </Button>
        ) : (
          <Button size="small" variant="primary" title={words.runHint} onClick={() => void run()}>
            <Play aria-hidden size={12} />
            {words.runColumns({ count: columns.length })}
          </Button>
        )}
        <CopyButton label={words.copy} text={() => datasetCsv(entry.cases, columns)} />
        <IconButton label={words.close} onClick={onClose}>
          <X aria-hidden size={14} />
        </IconButton>
      </span>
    </header>
  );
}
