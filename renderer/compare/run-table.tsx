/**
 * Three or more runs of a flow as a table. Each row opens on the canvas, compared with the run that the person chose as A.
 */
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { asRunId, type RunSummary } from '../../engine/isomorphic.ts';
import { outputLine } from '../card/output-line.ts';
import { formerRun } from '../stores/runs/former-runs.ts';
import { shownRunState } from '../stores/runs/shown-run.ts';
import type { Stores } from '../stores/stores.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useNodeNames } from '../stores/use-flow.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { costText, durationText, fullDateTimeText, shortTimeText } from '../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { text } from './text.ts';
import './run-table.css';

/** The outputs of more runs are not read, because that reads all of their events. */
const mostOutputs = 20;

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

const labelColumn: DataColumn<RunSummary> = {
  id: 'labels',
  title: text.table.labels,
  width: 'minmax(120px, 2fr)',
  textOf: ({ labels = [] }) => labels.join(', '),
  sortBy: ({ labels = [] }) => labels.join(', '),
};

async function outputText(engine: Stores['engine'], runId: string, nodeId: string): Promise<string> {
  const output = (await formerRun(engine, asRunId(runId)))?.nodes.get(nodeId)?.output;
  return output === undefined ? '' : (outputLine(output)?.text ?? '');
}

/** Returns a column with the output of the selected node. Null if no node is selected, or none of the runs has run it. */
function useOutputColumn(path: string, runs: readonly RunSummary[]): DataColumn<RunSummary> | null {
  const { engine, selection } = useStores();
  const nodeId = useStore(selection, ({ views }) => views.get(path)?.nodeId ?? null);
  const names = useNodeNames(path);
  const [outputs, setOutputs] = useState<ReadonlyMap<string, string>>(new Map());
  const runIds = runs.map(({ runId }) => runId).join(' ');
  useEffect(() => {
    let isCurrent = true;
    setOutputs(new Map());
    const readAll = async (id: string): Promise<void> => {
      for (const runId of runIds.split(' ').slice(0, mostOutputs)) {
        const line = await outputText(engine, runId, id);
        if (!isCurrent) return;
        if (line !== '') setOutputs((known) => new Map(known).set(runId, line));
      }
    };
    if (nodeId !== null && runIds !== '') void readAll(nodeId);
    return () => {
      isCurrent = false;
    };
  }, [engine, nodeId, runIds]);
  if (nodeId === null || outputs.size === 0) return null;
  const textOf = ({ runId }: RunSummary): string => outputs.get(runId) ?? '';
  return {
    id: 'output',
    title: text.table.output({ name: names.get(nodeId) ?? nodeId }),
    width: 'minmax(160px, 3fr)',
    textOf,
    cellOf: (run) => <span title={textOf(run)}>{textOf(run)}</span>,
    sortBy: textOf,
  };
}

interface OptionalColumns {
  readonly hasLabels: boolean;
  readonly output: DataColumn<RunSummary> | null;
}

function columnsOf(choice: BaseChoice, { hasLabels, output }: OptionalColumns): readonly DataColumn<RunSummary>[] {
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
    ...(hasLabels ? [labelColumn] : []),
    ...(output === null ? [] : [output]),
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
      width: '108px',
      isNumber: true,
      textOf: ({ costUsd, unpricedCalls }) => costText(costUsd, unpricedCalls) ?? '–',
      sortBy: ({ costUsd }) => costUsd,
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
    compareColumn(choice),
  ];
}

export function RunTable() {
  const { runPicks, runs: actions } = useStores();
  const picked = useStore(runPicks, (picks) => picks.picked);
  const runs = picked.toSorted((one, other) => one.number - other.number);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const base = runs.find(({ runId }) => runId === chosenId) ?? runs[0];
  const output = useOutputColumn(base?.sourcePath ?? '', runs);
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
        columns={columnsOf(
          { base, onChoose: setChosenId, onCompare: compare },
          { hasLabels: runs.some(({ labels = [] }) => labels.length > 0), output },
        )}
        rows={runs}
        keyOf={({ runId }) => runId}
        onOpen={compare}
        chosen={[base.runId]}
        onChoose={(keys) => setChosenId(keys.find((key) => key !== base.runId) ?? base.runId)}
      />
    </section>
  );
}
