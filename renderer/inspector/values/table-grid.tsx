/**
 * The cells of a table of records. The grid itself has the focus and refers to the active cell, as rows come and go.
 */
// biome-ignore-all lint/a11y/useSemanticElements: rows of a <table> cannot be placed at positions
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid takes the keys for its cells
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { visibleText } from '../../../engine/isomorphic.ts';
import { useRowHeight, useVirtualList } from '../../ui/use-virtual-list.ts';
import { shortText } from './json-text.ts';
import { cellOf, columnId, type TableColumn, type TableSort } from './table-model.ts';
import { text as words } from './text.ts';
import { copyPart, type ValuePart } from './value-text.tsx';
import './value-table.css';

/** Maximum number of characters of a cell that are rendered. */
const cellLimit = 200;

/** A cell by its row among the shown ones and its column. Row -1 is the header. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

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

/** Lengths begin with the longest. */
function sortedNext(sort: TableSort | null, column: number, { isLength = false }: Partial<TableColumn> = {}) {
  if (sort?.column !== column) return { column, isDescending: isLength };
  return sort.isDescending === isLength ? { column, isDescending: !isLength } : null;
}

/** A first column up to this width stays in view, because it usually identifies the row. */
const widestFixed = 100;

function fixedWidth([first]: readonly TableColumn[]): number {
  return first === undefined || first.width > widestFixed ? 0 : first.width;
}

/** Scrolls sideways as little as possible to show a column. */
function showColumn(grid: HTMLElement, columns: readonly TableColumn[], index: number): void {
  const start = columns.slice(0, index).reduce((sum, { width }) => sum + width, 0);
  const end = start + (columns[index]?.width ?? 0);
  const fixed = fixedWidth(columns);
  if (index === 0 && fixed > 0) return;
  if (start - fixed < grid.scrollLeft) grid.scrollLeft = start - fixed;
  else if (end > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = end - grid.clientWidth;
}

interface GridProps {
  readonly label: string;
  readonly rows: readonly unknown[];
  /** The columns to draw. */
  readonly columns: readonly TableColumn[];
  /** Indexes of the rows to draw, in order. */
  readonly shown: readonly number[];
  readonly sort: TableSort | null;
  readonly onSort: (sort: TableSort | null) => void;
  readonly active: Cell | null;
  readonly part: ValuePart | null;
  readonly isBinding: boolean;
  readonly onActive: (cell: Cell) => void;
  /** Shows the active cell in full, or hides it. */
  readonly onOpen: (isOpen: boolean) => void;
}

/** Moves the active cell by keys. The grid itself has the focus. */
function useGridKeys(props: GridProps, page: () => number) {
  const { columns, shown, sort, onSort, active, part, isBinding, onActive, onOpen } = props;
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    const from = active ?? { row: -1, column: 0 };
    const to = moved(from, event, page());
    if (to !== null) {
      onActive({ row: clamp(to.row, -1, shown.length - 1), column: clamp(to.column, 0, columns.length - 1) });
    } else if (event.key === 'Enter') {
      if (part === null) onSort(sortedNext(sort, from.column, columns[from.column]));
      else onOpen(true);
    } else if (!copyPart(event, part, isBinding)) return;
    event.preventDefault();
  };
}

export function TableGrid(props: GridProps) {
  const { label, rows, columns, shown, active, onActive, onOpen } = props;
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
  const onKeyDown = useGridKeys(props, () =>
    Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / rowHeight) - 2),
  );
  // Rows are as wide as their columns, but at least as wide as the grid.
  const line = {
    gridTemplateColumns: columns.map(({ width }) => `minmax(${width}px, ${width}fr)`).join(' '),
    width: `max(100%, ${columns.reduce((sum, { width }) => sum + width, 0)}px)`,
  };
  return (
    <div
      ref={(mounted) => {
        grid.current = mounted;
        list.scroller(mounted);
      }}
      role="grid"
      className="value-table"
      aria-label={label}
      data-fixed={fixedWidth(columns) > 0 || undefined}
      aria-rowcount={shown.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={active === null ? undefined : `${base}-${active.row}-${active.column}`}
      tabIndex={0}
      data-own-keys={tableKeys.join(' ')}
      onKeyDown={onKeyDown}
      onFocus={() => active === null && onActive({ row: -1, column: 0 })}
    >
      <Header {...props} base={base} style={line} />
      <div role="rowgroup" className="value-table-rows" style={{ height: shown.length * rowHeight }}>
        {list.drawn.map((position) => (
          <Row
            key={position}
            id={`${base}-${position}`}
            row={rows[shown[position] ?? -1]}
            position={position}
            columns={columns}
            style={{ ...line, top: position * rowHeight, height: rowHeight }}
            activeColumn={active?.row === position ? active.column : null}
            onActive={(column, isCut) => {
              const isAgain = active?.row === position && active.column === column;
              onActive({ row: position, column });
              onOpen(isCut || isAgain);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface HeaderProps extends GridProps {
  /** Start of the IDs of cells. */
  readonly base: string;
  readonly style: CSSProperties;
}

function Header({ columns, sort, active, onActive, onSort, base, style }: HeaderProps) {
  return (
    <div role="row" className="value-table-head" aria-rowindex={1} style={style}>
      {columns.map((column, index) => (
        <div
          key={columnId(column)}
          id={`${base}--1-${index}`}
          role="columnheader"
          className="value-table-cell"
          aria-label={column.isLength ? longTitle(column) : undefined}
          title={longTitle(column)}
          aria-sort={sort?.column === index ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
          data-number={column.isNumeric}
          data-length={column.isLength || undefined}
          data-active={(active?.row === -1 && active.column === index) || undefined}
          onClick={() => {
            onActive({ row: -1, column: index });
            onSort(sortedNext(sort, index, column));
          }}
        >
          <bdi>{column.isLength ? words.table.length : visibleText(column.title ?? words.table.item)}</bdi>
          {sort?.column === index ? <SortMark isDescending={sort.isDescending} /> : null}
        </div>
      ))}
    </div>
  );
}

function longTitle({ keys, isLength }: TableColumn): string {
  const column = visibleText(keys.join('.') || words.table.item);
  return isLength ? words.table.lengthOf({ column }) : column;
}

function SortMark({ isDescending }: { readonly isDescending: boolean }) {
  return isDescending ? <ArrowDown aria-hidden size={12} /> : <ArrowUp aria-hidden size={12} />;
}

interface GridRowProps {
  readonly id: string;
  readonly row: unknown;
  readonly position: number;
  readonly columns: readonly TableColumn[];
  readonly style: CSSProperties;
  readonly activeColumn: number | null;
  /** @param isCut whether the cell shows only a part of the value */
  readonly onActive: (column: number, isCut: boolean) => void;
}

function Row({ id, row, position, columns, style, activeColumn, onActive }: GridRowProps) {
  return (
    <div role="row" className="value-table-row" aria-rowindex={position + 2} style={style}>
      {columns.map((column, index) => {
        const value = cellOf(row, column);
        return (
          <div
            key={columnId(column)}
            id={`${id}-${index}`}
            role="gridcell"
            className="value-table-cell"
            aria-colindex={index + 1}
            data-kind={value === null ? 'null' : typeof value}
            data-length={column.isLength || undefined}
            data-active={activeColumn === index || undefined}
            onClick={({ currentTarget }) => onActive(index, currentTarget.scrollWidth > currentTarget.clientWidth)}
          >
            {value === undefined ? null : visibleText(shortText(value, cellLimit))}
          </div>
        );
      })}
    </div>
  );
}
