/**
 * All runs of a file as a table or as charts. Two selected runs can be compared.
 */
import { Columns2, Copy, History, SlidersHorizontal } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { RunSummary } from '../../../engine/isomorphic.ts';
import { maxTableRuns, type ShownStats } from '../../stores/runs/history/run-table.ts';
import { shownRunState } from '../../stores/runs/shown-run.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { flowNameOf } from '../../stores/text/paths.ts';
import { Button } from '../../ui/button.tsx';
import { type DataColumn, DataTable, rowsCsv } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { costText, countText, durationText, shortTimeText } from '../../ui/quantity-text.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { StateIcon, visualStateLabels } from '../../ui/state-icon.tsx';
import { starterText } from '../run-header.tsx';
import { RunCharts } from './run-charts.tsx';
import { RunFilters } from './run-filters.tsx';
import { text } from './text.ts';
import './runs-table.css';

/** A chart of the times of a run's nodes, in the order in which they ended. The longest bar of each run is full. */
function NodeBars({ run }: { run: RunSummary }) {
  const { runTable } = useStores();
  const times = useStore(runTable, (state) => state.times.get(run.runId));
  useEffect(() => {
    if (run.durationMs !== undefined) runTable.getState().readTimes(run.runId);
  }, [runTable, run.runId, run.durationMs]);
  if (times === undefined || times.length === 0) return null;
  const most = Math.max(...times.map(({ durationMs }) => durationMs), 1);
  const step = Math.min(6, 96 / times.length);
  const slowest = times.reduce((one, other) => (other.durationMs > one.durationMs ? other : one));
  const label = `${slowest.nodeId} ${durationText(slowest.durationMs)}`;
  return (
    <svg role="img" aria-label={label} className="run-bars" width={96} height={18}>
      <title>{label}</title>
      {times.map(({ nodeId, durationMs, isFailed }, index) => {
        const height = Math.max(1.5, (durationMs / most) * 18);
        const place = { x: index * step, y: 18 - height, width: Math.max(step - 1, 1), height };
        // biome-ignore lint/suspicious/noArrayIndexKey: the tasks of a run that has ended do not change
        return <rect key={`${nodeId} ${index}`} data-failed={isFailed} {...place} />;
      })}
    </svg>
  );
}

function stateText(run: RunSummary): string {
  const state = visualStateLabels[shownRunState(run)];
  const [failed] = run.failedNodes;
  return failed === undefined ? state : `${state}: ${failed}`;
}

/** Numbers the versions of a definition in the order of their first runs. */
function versionsOf(newestFirst: readonly RunSummary[]): ReadonlyMap<string, number> {
  const hashes = new Set(newestFirst.toReversed().map(({ definitionHash }) => definitionHash));
  return new Map([...hashes].map((hash, index) => [hash, index + 1]));
}

function columnsOf(versions: ReadonlyMap<string, number>): readonly DataColumn<RunSummary>[] {
  const { columns } = text;
  return [
    {
      id: 'run',
      title: columns.run,
      width: '72px',
      textOf: ({ number }) => `${number}`,
      sortBy: ({ number }) => number,
    },
    {
      id: 'started',
      title: columns.started,
      width: '84px',
      textOf: ({ startedAt }) => new Date(startedAt).toISOString(),
      cellOf: ({ startedAt }) => shortTimeText(startedAt, Date.now()),
      sortBy: ({ startedAt }) => startedAt,
    },
    {
      id: 'state',
      title: columns.state,
      width: 'minmax(130px, 1fr)',
      textOf: stateText,
      cellOf: (run) => (
        <>
          <StateIcon state={shownRunState(run)} isDecorative />
          <span className="runs-table-text" title={run.error?.message}>
            {stateText(run)}
          </span>
        </>
      ),
      sortBy: stateText,
    },
    {
      id: 'version',
      title: columns.version,
      width: '68px',
      textOf: ({ definitionHash }) => `v${versions.get(definitionHash) ?? '?'}`,
      sortBy: ({ definitionHash }) => versions.get(definitionHash),
    },
    {
      id: 'starter',
      title: columns.starter,
      width: 'minmax(96px, 0.6fr)',
      textOf: ({ startedBy }) => (startedBy === undefined ? '' : starterText(startedBy)),
      sortBy: ({ startedBy }) => (startedBy === undefined ? undefined : starterText(startedBy)),
    },
    {
      id: 'labels',
      title: columns.labels,
      width: 'minmax(96px, 0.8fr)',
      textOf: ({ labels = [] }) => labels.join(', '),
      cellOf: ({ labels = [] }) => labels.map((label) => <LabelChip key={label} label={label} />),
      sortBy: ({ labels }) => labels?.join(),
    },
    {
      id: 'time',
      title: columns.time,
      width: '78px',
      isNumber: true,
      textOf: ({ durationMs }) => (durationMs === undefined ? '' : `${durationMs / 1000}`),
      cellOf: ({ durationMs }) => (durationMs === undefined ? '–' : durationText(durationMs)),
      sortBy: ({ durationMs }) => durationMs,
    },
    {
      id: 'tokens',
      title: columns.tokens,
      width: '70px',
      isNumber: true,
      textOf: ({ tokens }) => (tokens === undefined ? '' : `${tokens}`),
      cellOf: ({ tokens }) => (tokens === undefined ? '–' : countText(tokens)),
      sortBy: ({ tokens }) => tokens,
    },
    {
      id: 'cost',
      title: columns.cost,
      width: '74px',
      isNumber: true,
      textOf: ({ costUsd }) => (costUsd === undefined ? '' : `${costUsd}`),
      cellOf: ({ costUsd }) => (costUsd === undefined ? '–' : costText(costUsd, 0)),
      sortBy: ({ costUsd }) => costUsd,
    },
    { id: 'nodes', title: columns.nodes, width: '116px', textOf: () => '', cellOf: (run) => <NodeBars run={run} /> },
    { id: 'note', title: columns.note, width: 'minmax(80px, 1fr)', textOf: ({ note = '' }) => note, cellOf: NoteCell },
  ];
}

function LabelChip({ label }: { label: string }) {
  return (
    <span className="runs-table-label" title={label}>
      {label}
    </span>
  );
}

function NoteCell({ note = '' }: Pick<RunSummary, 'note'>) {
  return (
    <span className="runs-table-text" title={note}>
      {note}
    </span>
  );
}

/** The columns that are hidden at first, because most runs have nothing in them. */
const rareColumns: ReadonlySet<string> = new Set(['starter', 'note']);

function ColumnMenu(props: {
  columns: readonly DataColumn<RunSummary>[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
}) {
  const { columns, hidden, onChange } = props;
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small">
          <SlidersHorizontal aria-hidden size={12} />
          {text.table.columns}
        </Button>
      }
    >
      {columns.slice(1).map(({ id, title }) => (
        <MenuItem
          key={id}
          text={title}
          isChecked={!hidden.has(id)}
          onSelect={() => {
            const rest = new Set(hidden);
            if (!rest.delete(id)) rest.add(id);
            onChange(rest);
          }}
        />
      ))}
    </Menu>
  );
}

function footerOf(stats: ShownStats | null): readonly Readonly<Record<string, string>>[] {
  if (stats?.durationMs === undefined) return [];
  const { durationMs, tokens, costUsd } = stats;
  return (['p50', 'p95'] as const).map((field) => ({
    state: text.table[field],
    time: durationText(durationMs[field]),
    ...(tokens === undefined ? {} : { tokens: countText(tokens[field]) }),
    ...(costUsd === undefined ? {} : { cost: costText(costUsd[field], 0) }),
  }));
}

function NoRuns() {
  const isFiltered = useStore(useStores().runHistory, ({ filter }) => Object.keys(filter).length > 0);
  const [title, hint] = isFiltered
    ? [text.table.noMatch, text.table.noMatchHint]
    : [text.table.none, text.table.noneHint];
  return (
    <EmptyState icon={<History aria-hidden size={20} />} title={title}>
      {hint}
    </EmptyState>
  );
}

function CompareButton({ runs, chosen }: { runs: readonly RunSummary[]; chosen: readonly string[] }) {
  const { runs: actions, selection } = useStores();
  const [one, other] = chosen.map((id) => runs.find(({ runId }) => runId === id));
  if (chosen.length !== 2 || one === undefined || other === undefined) return null;
  // The earlier run comes first.
  const [first, second] = one.number < other.number ? [one, other] : [other, one];
  return (
    <Button
      size="small"
      variant="primary"
      onClick={() => {
        selection.getState().setMode(second.sourcePath, 'canvas');
        void actions.compare(first, second);
      }}
    >
      <Columns2 aria-hidden size={12} />
      {text.table.compare}
    </Button>
  );
}

export function RunsTable({ path }: { path: string }) {
  const { runTable, runs: actions, selection } = useStores();
  const { runs, isLoading, stats, problem, chosen, choose } = useStore(runTable);
  useEffect(() => runTable.getState().watch(path), [runTable, path]);
  const [view, setView] = useState<'rows' | 'charts'>('rows');
  const [hidden, setHidden] = useState(rareColumns);
  const all = useMemo(() => columnsOf(versionsOf(runs)), [runs]);
  const columns = useMemo(() => all.filter(({ id }) => !hidden.has(id)), [all, hidden]);
  const open = ({ runId, kind }: RunSummary): void => {
    selection.getState().setMode(path, 'canvas');
    void actions.openRun(path, runId, kind);
  };
  const count = runs.length === maxTableRuns ? text.table.newest : text.table.count;
  return (
    <section className="runs-table" aria-label={text.table.title({ name: flowNameOf(path) })}>
      <header className="runs-table-header">
        <h2 className="runs-table-count">{count({ count: runs.length })}</h2>
        <RunFilters runs={runs} hasStatus />
        <span className="runs-table-space" />
        <CompareButton runs={runs} chosen={chosen} />
        <ColumnMenu columns={all} hidden={hidden} onChange={setHidden} />
        <Button size="small" onClick={() => void navigator.clipboard.writeText(rowsCsv(columns, runs))}>
          <Copy aria-hidden size={12} />
          {text.table.copyCsv}
        </Button>
        <Segmented
          label={text.table.view}
          value={view}
          options={[
            { value: 'rows', text: text.table.rows },
            { value: 'charts', text: text.table.charts },
          ]}
          onChange={setView}
        />
      </header>
      {problem === null ? null : <p className="runs-table-problem">{problem}</p>}
      <div className="runs-table-body">
        {runs.length === 0 ? (
          isLoading ? (
            <p className="runs-table-loading">{text.table.loading}</p>
          ) : (
            <NoRuns />
          )
        ) : view === 'charts' ? (
          stats === null ? null : (
            <RunCharts path={path} stats={stats} />
          )
        ) : (
          <DataTable
            label={text.table.title({ name: flowNameOf(path) })}
            columns={columns}
            rows={runs}
            keyOf={({ runId }) => runId}
            onOpen={open}
            chosen={chosen}
            onChoose={choose}
            footer={footerOf(stats)}
          />
        )}
      </div>
    </section>
  );
}
