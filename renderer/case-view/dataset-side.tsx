/**
 * The result of the selected cell of a dataset's table, beside the table.
 */
import { Workflow } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { CaseResult, CheckResult, JsonValue, ListedCase } from '../../engine/isomorphic.ts';
import { ValueView } from '../inspector/values/value-view.tsx';
import { caseKey } from '../stores/cases/case-list.ts';
import { isError } from '../stores/cases/dataset-columns.ts';
import { formerRun } from '../stores/runs/former-runs.ts';
import { useReadValue, useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { decimalText } from '../ui/language.ts';
import { StateIcon } from '../ui/state-icon.tsx';
import { text } from './text.ts';
import { type NamedColumn, type ShownDataset, useDataset } from './use-dataset.ts';
import './dataset-side.css';

const words = text.dataset;

interface DatasetSideProps {
  /** Opens a test file as text at a line. */
  readonly onText: (path: string, line: number) => void;
}

export function DatasetSide({ onText }: DatasetSideProps) {
  const { datasets } = useStores();
  const dataset = useDataset();
  const cell = useStore(datasets, (state) => state.cell);
  const row = dataset?.entry.cases.find((one) => caseKey(one) === cell?.row);
  const column = dataset?.columns.find(({ id }) => id === cell?.column);
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    document.querySelector<HTMLElement>('.dataset-cell[tabindex="0"]')?.focus();
  };
  return (
    <aside className="inspector dataset-side" aria-label={words.side} onKeyDown={leave}>
      {dataset === undefined || row === undefined || column === undefined ? (
        <p className="dataset-choose">{words.choose}</p>
      ) : (
        <Result key={`${column.id} ${caseKey(row)}`} dataset={dataset} row={row} column={column} onText={onText} />
      )}
    </aside>
  );
}

interface ResultProps extends DatasetSideProps {
  readonly dataset: ShownDataset;
  readonly row: ListedCase;
  readonly column: NamedColumn;
}

function Result({ dataset, row, column, onText }: ResultProps) {
  const result = column.results.get(caseKey(row));
  const number = (row.row ?? 0) + 1;
  return (
    <>
      <header className="dataset-result">
        <h2>{row.name}</h2>
        {result === undefined ? null : <State result={result} />}
        <p>
          {words.place({ number, column: column.name })}
          <button type="button" className="case-place" onClick={() => onText(row.file, row.line)}>
            {words.line({ line: row.line })}
          </button>
        </p>
      </header>
      <div className="dataset-parts">
        {result === undefined ? <p className="dataset-part">{words.notRun}</p> : <Checks result={result} />}
        {result === undefined ? null : <Output result={result} />}
        <Elsewhere dataset={dataset} row={row} column={column} />
        <OnCanvas row={row} column={column} />
      </div>
    </>
  );
}

function scoreOf(score: number): string {
  return words.scoreOf({ score: decimalText(score, Number.isInteger(score) ? 0 : 1) });
}

function State({ result }: { readonly result: CaseResult }) {
  const { isOk, score } = result;
  const word = isOk ? words.passed : isError(result) ? words.error : words.failed;
  return (
    <span className="dataset-state" data-state={isOk ? 'completed' : 'failed'}>
      <StateIcon state={isOk ? 'completed' : 'failed'} isDecorative />
      {score === undefined ? word : scoreOf(score)}
    </span>
  );
}

function Checks({ result: { checks, error } }: { readonly result: CaseResult }) {
  const failed = checks.filter(({ isOk }) => !isOk);
  const judged = checks.filter(({ reason }) => reason !== undefined);
  const ordered = [...failed, ...checks.filter(({ isOk }) => isOk)];
  const count = words.failCount({ count: failed.length, total: checks.length });
  return (
    <>
      {judged.map((check) => (
        <Judge key={check.label} check={check} />
      ))}
      {error === undefined ? null : (
        <section className="dataset-part" aria-label={text.checks.notRun}>
          <h3>{text.checks.notRun}</h3>
          <p data-selectable>{error.message}</p>
        </section>
      )}
      {checks.length === 0 ? null : (
        <section className="dataset-part" aria-label={words.checks}>
          <h3>
            {words.checks}
            <span>{failed.length === 0 ? '' : count}</span>
          </h3>
          <ul className="dataset-checks">
            {ordered.map((check, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the checks of a result never move
              <li key={index}>
                <StateIcon state={check.isOk ? 'completed' : 'failed'} isDecorative />
                <span className="visually-hidden">{text.checks.state(check)}</span>
                {/* The reason of a judge is above. */}
                <span data-selectable>{(check.reason === undefined ? check.message : undefined) ?? check.label}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Judge({ check: { score, reason, subject } }: { readonly check: CheckResult }) {
  return (
    <section className="dataset-part" aria-label={words.judge}>
      <h3>
        {subject === undefined || subject === 'judge' ? words.judge : subject}
        <span>{score === undefined ? '' : scoreOf(score)}</span>
      </h3>
      <p data-selectable>{reason}</p>
    </section>
  );
}

/** Returns the output of a run that the engine still has. */
function useOutput({ runId }: CaseResult): JsonValue | undefined {
  const { cases, engine } = useStores();
  const isReadable = runId !== undefined && cases.getState().isReadable(runId);
  const [output, setOutput] = useState<JsonValue | undefined>();
  useEffect(() => {
    let isCurrent = true;
    setOutput(undefined);
    if (isReadable && runId !== undefined)
      void formerRun(engine, runId).then((run) => {
        if (isCurrent) setOutput(run?.output);
      });
    return () => {
      isCurrent = false;
    };
  }, [engine, runId, isReadable]);
  return output;
}

/** Shows what a failed check found, or else the output of the run. */
function Output({ result }: { readonly result: CaseResult }) {
  const output = useOutput(result);
  const values = result.checks.filter(({ got, kind }) => got !== undefined && kind !== 'judge' && kind !== 'status');
  const check = values.find(({ isOk }) => !isOk) ?? (output === undefined ? values[0] : undefined);
  const value = check?.got ?? output;
  if (value === undefined) return null;
  const title = check === undefined ? words.output : words.got;
  return (
    <section className="dataset-part" aria-label={title}>
      <h3>
        {title}
        <span>{check?.subject ?? ''}</span>
      </h3>
      <Value label={title} value={value} />
    </section>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: JsonValue }) {
  const readLarge = useReadValue();
  if (typeof value === 'object' && value !== null)
    return <ValueView label={label} value={value} readLarge={readLarge} />;
  return (
    <pre className="dataset-got" data-selectable>
      {String(value)}
    </pre>
  );
}

function Elsewhere({ dataset, row, column }: Omit<ResultProps, 'onText'>) {
  const { datasets } = useStores();
  const others = dataset.columns.filter(({ id }) => id !== column.id);
  if (others.length === 0) return null;
  const key = caseKey(row);
  return (
    <section className="dataset-part" aria-label={words.elsewhere}>
      <h3>{words.elsewhere}</h3>
      <ul className="dataset-others">
        {others.map(({ id, name, results }) => {
          const result = results.get(key);
          return (
            <li key={id}>
              <button type="button" onClick={() => datasets.getState().choose({ row: key, column: id })}>
                <span>{name}</span>
                {result === undefined ? <i>{words.notRun}</i> : <State result={result} />}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function OnCanvas({ row, column }: Pick<ResultProps, 'row' | 'column'>) {
  const { cases, datasets } = useStores();
  const isRunning = useStore(cases, (state) => state.isRunning);
  const cell = { row: caseKey(row), column: column.id };
  const canOpen = datasets.getState().canOpen(cell);
  return (
    <div className="dataset-actions">
      <Button
        size="small"
        disabled={isRunning || !canOpen}
        title={canOpen ? undefined : words.canvasGone}
        onClick={() => void datasets.getState().openOnCanvas(cell)}
      >
        <Workflow aria-hidden size={13} />
        {words.canvas}
      </Button>
    </div>
  );
}
