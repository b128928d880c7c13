/**
 * The cells of a dataset's table. Arrow keys move the selected cell.
 */
import { Cpu, Ellipsis, Trash2, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { CaseResult, ListedCase } from '../../engine/isomorphic.ts';
import { caseKey } from '../stores/cases/case-list.ts';
import { isError, nowColumn, summaryOf, winnerOf } from '../stores/cases/dataset-columns.ts';
import { useStores } from '../stores/stores-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { decimalText } from '../ui/language.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { costText, countText, durationText } from '../ui/quantity-text.ts';
import { StateIcon } from '../ui/state-icon.tsx';
import { useRowHeight, useVirtualList } from '../ui/use-virtual-list.ts';
import { text } from './text.ts';
import { type NamedColumn, type ShownDataset, useIsUnsaved } from './use-dataset.ts';
import './dataset-grid.css';

const words = text.dataset;

/** Pixels, as in the style sheet: the header and the footer, which stay in view. */
const fixedHeight = 72 + 32;

interface DatasetGridProps {
  readonly dataset: ShownDataset;
  /** The rows that the filter shows. */
  readonly rows: readonly ListedCase[];
  readonly onAdd: (version?: string) => void;
  readonly onClose: () => void;
}

/** Returns where a key moves from a cell. Undefined for other keys. */
function nextCell(key: string, [row, column]: readonly [number, number]): readonly [number, number] | undefined {
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    ArrowRight: [row, column + 1],
    ArrowLeft: [row, column - 1],
    PageDown: [row + 10, column],
    PageUp: [row - 10, column],
    Home: [row, 0],
    End: [row, Number.MAX_SAFE_INTEGER],
  };
  return moves[key];
}

const within = (value: number, count: number): number => Math.min(Math.max(value, 0), count - 1);

export function DatasetGrid({ dataset, rows, onAdd, onClose }: DatasetGridProps) {
  const { datasets, panes } = useStores();
  const { columns } = dataset;
  const cell = useStore(datasets, (state) => state.cell);
  const body = useRef<HTMLTableSectionElement>(null);
  const rowHeight = useRowHeight('--row');
  const row = Math.max(
    0,
    rows.findIndex((one) => caseKey(one) === cell?.row),
  );
  const column = Math.max(
    0,
    columns.findIndex(({ id }) => id === cell?.column),
  );
  const { scroller, drawn, show } = useVirtualList({
    ...{ count: rows.length, rowHeight, keptRow: row, headerHeight: fixedHeight },
  });
  const template = { gridTemplateColumns: `minmax(180px, 1.6fr) repeat(${columns.length}, minmax(132px, 1fr))` };
  const best = useMemo(() => {
    const winner = winnerOf(dataset.entry.cases, columns);
    return winner?.equal.length === 0 ? winner.column.id : undefined;
  }, [dataset.entry, columns]);
  useEffect(() => body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(), []);

  const choose = (to: readonly [number, number]): void => {
    const [target, chosen] = [rows[within(to[0], rows.length)], columns[within(to[1], columns.length)]];
    if (target === undefined || chosen === undefined) return;
    datasets.getState().choose({ row: caseKey(target), column: chosen.id });
    show(within(to[0], rows.length));
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  };
  const open = (): void => {
    const { cell: current, canOpen, openOnCanvas } = datasets.getState();
    if (current !== null && canOpen(current)) void openOnCanvas(current);
    else panes.getState().setOpen('inspector', true);
  };
  const press = (event: KeyboardEvent): void => {
    const to = nextCell(event.key, [row, column]);
    if (to !== undefined) choose(to);
    else if (event.key === 'Enter') {
      if (cell === null) choose([row, column]);
      open();
    } else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={scroller} className="dataset-grid">
      <table aria-label={words.grid} aria-rowcount={rows.length + 2}>
        <thead>
          <tr className="dataset-row" style={template}>
            <th scope="col" className="dataset-head">
              {words.row}
            </th>
            {columns.map((one) => (
              <ColumnHead key={one.id} column={one} dataset={dataset} isBest={one.id === best} onAdd={onAdd} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} style={{ height: rows.length * rowHeight }} onKeyDown={press}>
          {drawn.map((index) => {
            const drawnRow = rows[index];
            return drawnRow === undefined ? null : (
              <tr
                key={caseKey(drawnRow)}
                className="dataset-row dataset-line"
                aria-rowindex={index + 2}
                style={{ ...template, top: index * rowHeight, height: rowHeight }}
              >
                <th scope="row" className="dataset-name" title={drawnRow.name}>
                  {drawnRow.name}
                </th>
                {columns.map((one, at) => (
                  <td key={one.id} data-best={one.id === best}>
                    <Cell
                      column={one}
                      row={drawnRow}
                      isTabStop={index === row && at === column}
                      onChoose={() => choose([index, at])}
                      onOpen={open}
                    />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr className="dataset-row" style={template}>
            <th scope="row" className="dataset-name">
              {words.total}
            </th>
            {columns.map((one) => (
              <td key={one.id} data-best={one.id === best}>
                <span className="dataset-spent">{spentText(dataset, one)}</span>
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
      {rows.length === 0 ? <p className="dataset-empty">{words.noRows}</p> : null}
    </div>
  );
}

function spentText({ entry }: ShownDataset, column: NamedColumn): string {
  const { done, tokens, costUsd, durationMs } = summaryOf(entry.cases, column);
  if (done === 0) return '–';
  const amount = costUsd === undefined ? words.tokens({ count: countText(tokens) }) : costText(costUsd, 0);
  return durationMs === undefined ? amount : words.spent({ amount, time: durationText(durationMs) });
}

interface ColumnHeadProps extends Pick<DatasetGridProps, 'dataset' | 'onAdd'> {
  readonly column: NamedColumn;
  readonly isBest: boolean;
}

function ColumnHead({ column, dataset: { entry }, isBest, onAdd }: ColumnHeadProps) {
  const { datasets } = useStores();
  const isUnsaved = useIsUnsaved(entry.target, column);
  const { done, passed, total, score } = summaryOf(entry.cases, column);
  const { id, version, versionText, modelText, name } = column;
  return (
    <th scope="col" className="dataset-head" data-best={isBest}>
      <span className="dataset-title">
        <b title={version}>{versionText}</b>
        {isUnsaved ? <i>{words.unsaved}</i> : null}
        <Menu
          align="end"
          trigger={
            <IconButton label={words.columnMenu({ name })}>
              <Ellipsis aria-hidden size={13} />
            </IconButton>
          }
        >
          <MenuItem icon={<Cpu aria-hidden size={14} />} text={words.addModel} onSelect={() => onAdd(version ?? '')} />
          <MenuItem
            icon={<Trash2 aria-hidden size={14} />}
            text={words.remove}
            isDisabled={id === nowColumn}
            onSelect={() => datasets.getState().remove(id)}
          />
        </Menu>
      </span>
      <span className="dataset-model" title={modelText}>
        {modelText}
      </span>
      <span className="dataset-figures">
        {done === 0 ? words.notRun : <b>{words.share({ passed, total })}</b>}
        {score === undefined ? null : <span>{words.score({ score: decimalText(score, 1) })}</span>}
      </span>
    </th>
  );
}

interface CellProps {
  readonly column: NamedColumn;
  readonly row: ListedCase;
  readonly isTabStop: boolean;
  readonly onChoose: () => void;
  readonly onOpen: () => void;
}

/** Returns whether a cell runs or is going to run. */
function useWaitingState(columnId: string, key: string): 'running' | 'queued' | undefined {
  const { cases, datasets } = useStores();
  const isRunning = useStore(datasets, ({ running }) => running === columnId);
  return useStore(cases, ({ waiting }) => {
    if (!isRunning || !waiting.has(key)) return undefined;
    const [first] = waiting;
    return first === key ? 'running' : 'queued';
  });
}

function Cell({ column: { id, name, results }, row, isTabStop, onChoose, onOpen }: CellProps) {
  const { datasets } = useStores();
  const key = caseKey(row);
  const isChosen = useStore(datasets, ({ cell }) => cell?.row === key && cell.column === id);
  const waiting = useWaitingState(id, key);
  const result = waiting === undefined ? results.get(key) : undefined;
  const state = waiting ?? (result === undefined ? 'idle' : result.isOk ? 'completed' : 'failed');
  const hasNoAnswer = result !== undefined && !result.isOk && isError(result);
  const score = result?.score === undefined ? null : scoreText(result.score);
  return (
    <button
      type="button"
      className="dataset-cell"
      data-state={state}
      aria-current={isChosen}
      tabIndex={isTabStop ? 0 : -1}
      onClick={onChoose}
      onDoubleClick={onOpen}
    >
      <span className="visually-hidden">{`${row.name}, ${name}: `}</span>
      <span className="visually-hidden">
        {words.cell({ state: hasNoAnswer ? words.error : text.panel.states[state], score })}
      </span>
      {state === 'idle' ? <span aria-hidden>–</span> : null}
      {state === 'idle' || hasNoAnswer ? null : <StateIcon state={state} isDecorative />}
      {hasNoAnswer ? <ErrorMark /> : null}
      <Score result={result} />
    </button>
  );
}

/** Differs from a wrong answer: there was no answer to check. */
function ErrorMark() {
  return (
    <span className="dataset-error" aria-hidden>
      <TriangleAlert size={13} />
      {words.error}
    </span>
  );
}

function scoreText(score: number): string {
  return decimalText(score, Number.isInteger(score) ? 0 : 1);
}

function Score({ result }: { readonly result: CaseResult | undefined }) {
  if (result?.score === undefined) return null;
  return (
    <span className="dataset-score" aria-hidden>
      <i>
        <i style={{ width: `${(100 * result.score) / 5}%` }} />
      </i>
      {scoreText(result.score)}
    </span>
  );
}
