/**
 * The cells of a table of records. The grid itself has the focus and refers to the active cell, as rows come and go.
 */
// biome-ignore-all lint/a11y/useSemanticElements: rows of a <table> cannot be placed at positions
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid takes the keys for its cells
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: cells of a grid have the index of their column
// biome-ignore-all lint/a11y/noStaticElementInteractions: the grid takes the keys for its cells
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { visibleText } from '../../../engine/isomorphic.ts';
import { MarkedText } from '../../card/marked-text.tsx';
import { spaceWords } from '../../ui/space-marks.ts';
import { useRowHeight, useVirtualList } from '../../ui/use-virtual-list.ts';
import type { Cell, GridProps } from './grid-props.ts';
import { errorMessage, isErrorColumn, isSkipped } from './iterations.ts';
import { shortText, startOf } from './json-text.ts';
import { sortedNext, TableHeader } from './table-header.tsx';
import { cellOf, columnId, type TableColumn } from './table-model.ts';
import { text as words } from './text.ts';
import { copyPart } from './value-text.tsx';
import './value-table.css';

/** Maximum number of characters of a cell that are rendered. */
const cellLimit = 200;

const tableKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown', 'Enter'];

function moved({ row, column }: Cell, { key, ctrlKey }: KeyboardEvent, page: number): Cell | null {
  switch (key) {
    case 'ArrowUp':
      return { row: row - 1, column };
    case 'ArrowDown':
      return { row: row + 1, column };
    case 'PageUp':
      return { row: row - page, column };
    case 'PageDown':
      return { row: row + page, column };
    case 'ArrowLeft':
      return { row, column: column - 1 };
    case 'ArrowRight':
      return { row, column: column + 1 };
    case 'Home':
      return ctrlKey ? { row: 0, column: 0 } : { row, column: 0 };
    case 'End':
      return ctrlKey ? { row: Number.MAX_SAFE_INTEGER, column } : { row, column: Number.MAX_SAFE_INTEGER };
    default:
      return null;
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

/** The numbers of rows stay in view, and so does a first column up to this width, because it usually identifies the row. */
const widestFixed = 100;

function fixedCount([, first]: readonly TableColumn[]): number {
  return first === undefined || first.width > widestFixed ? 1 : 2;
}

/** Wider columns are narrower in a narrow table; see `--cell-most`. */
const alwaysNarrow = 100;

function cssWidth({ width }: TableColumn): string {
  return width <= alwaysNarrow ? `${width}px` : `min(${width}px, var(--cell-most))`;
}

/** Rows are as wide as their columns, but at least as wide as the grid. */
function lineStyle(columns: readonly TableColumn[]): CSSProperties {
  const template = columns.map((column, index) =>
    index === 0 ? cssWidth(column) : `minmax(${cssWidth(column)}, ${column.width}fr)`,
  );
  return {
    gridTemplateColumns: template.join(' '),
    width: `max(100%, calc(${columns.map(cssWidth).join(' + ')}))`,
    '--position-width': `${columns[0]?.width ?? 0}px`,
  };
}

/** Scrolls sideways as little as possible to show a column. */
function showColumn(grid: HTMLElement, columns: readonly TableColumn[], index: number): void {
  const fixed = fixedCount(columns);
  const head = [...(grid.querySelector('[role="row"]')?.children ?? [])] as HTMLElement[];
  const cell = head[index];
  if (index < fixed || cell === undefined) return;
  const fixedWidth = head.slice(0, fixed).reduce((sum, { offsetWidth }) => sum + offsetWidth, 0);
  const [start, end] = [cell.offsetLeft, cell.offsetLeft + cell.offsetWidth];
  if (start - fixedWidth < grid.scrollLeft) grid.scrollLeft = start - fixedWidth;
  else if (end > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = end - grid.clientWidth;
}

/** Moves the active cell by keys. The grid itself has the focus. */
function useGridKeys(props: GridProps, page: () => number, onMenu: (column: number) => void) {
  const { columns, shown, sort, onSort, active, part, isBinding, onActive, onOpen, onShowItem } = props;
  const enter = ({ row, column }: Cell): void => {
    const index = shown[row];
    if (part === null || index === undefined) onSort(sortedNext(sort, column, columns[column]));
    else if (columns[column]?.isPosition === true && onShowItem !== undefined) onShowItem(index);
    else onOpen(true);
  };
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    const from = active ?? { row: -1, column: 0 };
    if (event.altKey && event.key === 'ArrowDown') {
      event.preventDefault();
      if (columns[from.column]?.isPosition !== true) onMenu(from.column);
      return;
    }
    const to = moved(from, event, page());
    if (to !== null) {
      onActive({ row: clamp(to.row, -1, shown.length - 1), column: clamp(to.column, 0, columns.length - 1) });
    } else if (event.key === 'Enter') enter(from);
    else if (!copyPart(event, part, isBinding)) return;
    event.preventDefault();
  };
}

export function TableGrid(props: GridProps) {
  const { label, rows, columns, shown, active, onActive, onOpen, onShowItem } = props;
  const [menuColumn, setMenuColumn] = useState<number | null>(null);
  const base = useId();
  const rowHeight = useRowHeight('--row');
  const grid = useRef<HTMLDivElement | null>(null);
  const list = useVirtualList({
    count: shown.length,
    rowHeight,
    headerHeight: rowHeight,
    keptRow: active?.row ?? -1,
  });
  const { show } = list;
  useEffect(() => {
    if (active === null || grid.current === null) return;
    if (active.row >= 0) show(active.row);
    showColumn(grid.current, columns, active.column);
  }, [active, columns, show]);
  const onKeyDown = useGridKeys(
    props,
    () => Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / rowHeight) - 2),
    setMenuColumn,
  );
  const line = useMemo(() => lineStyle(columns), [columns]);
  return (
    <div
      ref={(mounted) => {
        grid.current = mounted;
        list.scroller(mounted);
      }}
      role="grid"
      className="value-table"
      aria-label={label}
      data-fixed={fixedCount(columns)}
      aria-rowcount={shown.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active === null ? undefined : `${base}-${active.row}-${active.column}`}
      tabIndex={0}
      data-own-keys={tableKeys.join(' ')}
      onKeyDown={onKeyDown}
      onFocus={() => active === null && onActive({ row: -1, column: 1 })}
    >
      <TableHeader
        {...props}
        base={base}
        style={line}
        menuColumn={menuColumn}
        onMenu={setMenuColumn}
        onMenuClosed={() => grid.current?.focus()}
      />
      <div role="rowgroup" className="value-table-rows" style={{ height: shown.length * rowHeight }}>
        {list.drawn.map((position) => (
          <Row
            key={position}
            id={`${base}-${position}`}
            row={rows[shown[position] ?? -1]}
            index={shown[position] ?? -1}
            position={position}
            columns={columns}
            style={{ ...line, top: position * rowHeight, height: rowHeight }}
            activeColumn={active?.row === position ? active.column : null}
            onActive={(column, isCut) => {
              const isAgain = active?.row === position && active.column === column;
              onActive({ row: position, column });
              onOpen((isCut || isAgain) && columns[column]?.isPosition !== true);
            }}
            onShowItem={onShowItem}
          />
        ))}
      </div>
    </div>
  );
}

interface GridRowProps {
  readonly id: string;
  readonly row: unknown;
  /** Of the row in the list. */
  readonly index: number;
  /** Of the row among the shown ones. */
  readonly position: number;
  readonly columns: readonly TableColumn[];
  readonly style: CSSProperties;
  readonly activeColumn: number | null;
  /** @param isCut whether the cell shows only a part of the value */
  readonly onActive: (column: number, isCut: boolean) => void;
  readonly onShowItem: GridProps['onShowItem'];
}

function Row({ id, row, index, position, columns, style, activeColumn, onActive, onShowItem }: GridRowProps) {
  return (
    <div role="row" className="value-table-row" aria-rowindex={position + 2} style={style}>
      {columns.map((column, at) => {
        const value = cellOf(row, column, index);
        const skipped = isSkipped(row, column.keys);
        const isError = isErrorColumn(column.keys);
        return (
          <div
            key={columnId(column)}
            id={`${id}-${at}`}
            role={column.isPosition ? 'rowheader' : 'gridcell'}
            className="value-table-cell"
            aria-colindex={at + 1}
            title={titleOf(value, column, onShowItem)}
            data-kind={value === null ? 'null' : typeof value}
            data-quiet={column.isLength || column.isPosition || skipped || undefined}
            data-error={isError || undefined}
            data-active={activeColumn === at || undefined}
            onClick={({ currentTarget }) => onActive(at, currentTarget.scrollWidth > currentTarget.clientWidth)}
            onDoubleClick={column.isPosition ? () => onShowItem?.(index) : undefined}
          >
            {skipped ? words.table.skipped : <CellText value={isError ? (errorMessage(value) ?? value) : value} />}
          </div>
        );
      })}
    </div>
  );
}

function titleOf(value: unknown, { isPosition }: TableColumn, onShowItem: GridProps['onShowItem']): string | undefined {
  if (typeof value === 'string') return spaceWords(startOf(value, cellLimit));
  return isPosition && onShowItem !== undefined ? words.table.goToItem({ number: Number(value) }) : undefined;
}

function CellText({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <MarkedText text={startOf(value, cellLimit)} />;
  return value === undefined ? null : visibleText(shortText(value, cellLimit));
}
