/**
 * Three or more runs of a flow as a table. Each row opens on the canvas, compared with the run that the person chose as A.
 */
import { X } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { RunSummary } from '../../engine/isomorphic.ts';
import { SideBadge } from '../card/compared-rows.tsx';
import { shownRunState } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { costText, durationText, fullDateTimeText, shortTimeText } from '../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { text } from './text.ts';
import './run-table.css';

export function RunTable() {
  const { runPicks } = useStores();
  const picked = useStore(runPicks, (picks) => picks.picked);
  const runs = picked.toSorted((one, other) => one.number - other.number);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const base = runs.find(({ runId }) => runId === chosenId) ?? runs[0];
  if (base === undefined) return null;
  return (
    <section className="run-table" aria-label={text.table.label}>
      <header>
        <b>{text.table.count({ count: runs.length })}</b>
        <span>{text.table.hint({ number: base.number })}</span>
        <IconButton label={text.table.close} onClick={() => runPicks.getState().clear()}>
          <X aria-hidden size={14} />
        </IconButton>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <SideBadge side="a" />
            </th>
            <th scope="col">{text.table.run}</th>
            <th scope="col">{text.table.state}</th>
            <th scope="col">{text.table.started}</th>
            <th scope="col">{text.table.version}</th>
            <th scope="col">{text.tab.time}</th>
            <th scope="col">{text.tab.cost}</th>
            <th scope="col" aria-label={text.table.compare} />
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <Row key={run.runId} run={run} base={base} onChoose={() => setChosenId(run.runId)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RunTableRowProps {
  readonly run: RunSummary;
  /** The run that the others are compared with. */
  readonly base: RunSummary;
  readonly onChoose: () => void;
}

function Row({ run, base, onChoose }: RunTableRowProps) {
  const { runs } = useStores();
  const { number, startedAt, durationMs, costUsd, unpricedCalls, definitionHash } = run;
  const state = shownRunState(run);
  const isBase = run === base;
  const isSameVersion = definitionHash === base.definitionHash;
  return (
    <tr aria-selected={isBase}>
      <td>
        <input
          type="radio"
          name="run-table-base"
          aria-label={text.table.choose({ number })}
          checked={isBase}
          onChange={onChoose}
        />
      </td>
      <th scope="row">{text.header.run({ number })}</th>
      <td data-state={state}>
        <StateIcon state={state} size={13} isDecorative /> {visualStateLabels[state]}
      </td>
      <td title={fullDateTimeText(startedAt)}>{shortTimeText(startedAt, Date.now())}</td>
      <td>{isBase ? '' : isSameVersion ? text.table.sameVersion : text.table.otherVersion}</td>
      <td>{durationMs === undefined ? '–' : durationText(durationMs)}</td>
      <td>{costText(costUsd, unpricedCalls) ?? '–'}</td>
      <td>
        {isBase ? null : (
          <Button
            size="small"
            aria-label={text.table.compareRuns({ a: base.number, b: number })}
            onClick={() => void runs.compare(base, run)}
          >
            {text.table.compare}
          </Button>
        )}
      </td>
    </tr>
  );
}
