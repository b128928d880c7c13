/**
 * Three or more runs of a flow as a table. Each row opens on the canvas, compared with the run that the person chose as A.
 */
import { X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { RunSummary } from '../../engine/isomorphic.ts';
import { shownRunState } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { costText, durationText, fullDateTimeText, shortTimeText } from '../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { text } from './text.ts';
import './run-table.css';

interface BaseChoice {
  /** The run that the others are compared with. */
  readonly base: RunSummary;
  readonly onChoose: (runId: string) => void;
  readonly onCompare: (run: RunSummary) => void;
}

function stateText(run: RunSummary): string {
  return visualStateLabels[shownRunState(run)];
}

function choiceColumn({ base, onChoose }: BaseChoice): DataColumn<RunSummary> {
  return {
    id: 'base',
    title: text.table.base,
    width: '36px',
    textOf: ({ runId }) => (runId === base.runId ? text.table.base : ''),
    cellOf: ({ runId, number }) => (
      <input
        type="radio"
        name="run-table-base"
        tabIndex={-1}
        aria-label={text.table.choose({ number })}
        checked={runId === base.runId}
        onChange={() => onChoose(runId)}
      />
    ),
  };
}

function compareColumn({ base, onCompare }: BaseChoice): DataColumn<RunSummary> {
  return {
    id: 'compare',
    title: '',
    width: '110px',
    isNumber: true,
    textOf: () => '',
    cellOf: (run) =>
      run.runId === base.runId ? null : (
        <Button
          size="small"
          tabIndex={-1}
          aria-label={text.table.compareRuns({ a: base.number, b: run.number })}
          onClick={(event) => {
            // A click on the row would choose it as A.
            event.stopPropagation();
            onCompare(run);
          }}
        >
          {text.table.compare}
        </Button>
      ),
  };
}

function columnsOf(choice: BaseChoice): readonly DataColumn<RunSummary>[] {
  const { base } = choice;
  return [
    choiceColumn(choice),
    {
      id: 'run',
      title: text.table.run,
      width: '84px',
      textOf: ({ number }) => text.header.run({ number }),
      sortBy: ({ number }) => number,
    },
    {
      id: 'state',
      title: text.table.state,
      width: 'minmax(120px, 1fr)',
      textOf: stateText,
      cellOf: (run) => (
        <>
          <StateIcon state={shownRunState(run)} isDecorative />
          {stateText(run)}
        </>
      ),
      sortBy: stateText,
    },
    {
      id: 'started',
      title: text.table.started,
      width: 'minmax(84px, 1fr)',
      textOf: ({ startedAt }) => fullDateTimeText(startedAt),
      cellOf: ({ startedAt }) => (
        <span title={fullDateTimeText(startedAt)}>{shortTimeText(startedAt, Date.now())}</span>
      ),
      sortBy: ({ startedAt }) => startedAt,
    },
    {
      id: 'version',
      title: text.table.version,
      width: 'minmax(84px, 1fr)',
      textOf: ({ runId, definitionHash }) => {
        if (runId === base.runId) return '';
        return definitionHash === base.definitionHash ? text.table.sameVersion : text.table.otherVersion;
      },
    },
    {
      id: 'time',
      title: text.tab.time,
      width: '84px',
      isNumber: true,
      textOf: ({ durationMs }) => (durationMs === undefined ? '–' : durationText(durationMs)),
      sortBy: ({ durationMs }) => durationMs,
    },
    {
      id: 'cost',
      title: text.tab.cost,
      width: '84px',
      isNumber: true,
      textOf: ({ costUsd, unpricedCalls }) => costText(costUsd, unpricedCalls) ?? '–',
      sortBy: ({ costUsd }) => costUsd,
    },
    compareColumn(choice),
  ];
}

export function RunTable() {
  const { runPicks, runs: actions } = useStores();
  const picked = useStore(runPicks, (picks) => picks.picked);
  const runs = picked.toSorted((one, other) => one.number - other.number);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const base = runs.find(({ runId }) => runId === chosenId) ?? runs[0];
  if (base === undefined) return null;
  const compare = (run: RunSummary): void => {
    if (run.runId !== base.runId) void actions.compare(base, run);
  };
  return (
    <section className="run-table" aria-label={text.table.label}>
      <header>
        <b>{text.table.count({ count: runs.length })}</b>
        <span>{text.table.hint({ number: base.number })}</span>
        <IconButton label={text.table.close} onClick={() => runPicks.getState().clear()}>
          <X aria-hidden size={14} />
        </IconButton>
      </header>
      <DataTable
        label={text.table.label}
        columns={columnsOf({ base, onChoose: setChosenId, onCompare: compare })}
        rows={runs}
        keyOf={({ runId }) => runId}
        onOpen={compare}
        chosen={[base.runId]}
        onChoose={(keys) => setChosenId(keys.find((key) => key !== base.runId) ?? base.runId)}
      />
    </section>
  );
}
