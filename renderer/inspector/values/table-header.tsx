/**
 * The names of a table's columns: a click sorts by one, and its menu lists its most frequent values.
 */
// biome-ignore-all lint/a11y/useSemanticElements: rows of a <table> cannot be placed at positions
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid takes the keys for its cells
// biome-ignore-all lint/a11y/noStaticElementInteractions: the grid takes the keys for its cells
import { ArrowDown, ArrowUp, ListFilter } from 'lucide-react';
import { type CSSProperties, useMemo } from 'react';
import { visibleText } from '../../../engine/isomorphic.ts';
import { MarkedText } from '../../card/marked-text.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
import { distinctValues, valueKey } from './distinct-values.ts';
import type { GridProps } from './grid-props.ts';
import { shortText, startOf } from './json-text.ts';
import { cellOf, columnId, type TableColumn, type TableSort } from './table-model.ts';
import { text as words } from './text.ts';

/** Maximum numbers of values in the menu of a column, and of characters of a value. */
const mostValues = 20;
const valueLimit = 60;

/** Returns the order after a click. Lengths begin with the longest. */
export function sortedNext(sort: TableSort | null, column: number, { isLength = false }: Partial<TableColumn> = {}) {
  if (sort?.column !== column) return { column, isDescending: isLength };
  return sort.isDescending === isLength ? { column, isDescending: !isLength } : null;
}

interface HeaderProps extends GridProps {
  /** Start of the IDs of cells. */
  readonly base: string;
  readonly style: CSSProperties;
  /** The column with an open menu. */
  readonly menuColumn: number | null;
  readonly onMenu: (column: number | null) => void;
  readonly onMenuClosed: () => void;
}

export function TableHeader(props: HeaderProps) {
  const { columns, sort, active, onActive, onSort, base, style, menuColumn, onMenu } = props;
  return (
    <div role="row" className="value-table-head" aria-rowindex={1} style={style}>
      {columns.map((column, index) => (
        <div
          key={columnId(column)}
          id={`${base}--1-${index}`}
          role="columnheader"
          className="value-table-cell"
          aria-label={longTitle(column)}
          title={`${longTitle(column)}\n${nextOrder(sort, index, column)}`}
          aria-colindex={index + 1}
          aria-sort={sort?.column === index ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
          data-number={column.isNumeric}
          data-quiet={column.isLength || column.isPosition || undefined}
          data-active={(active?.row === -1 && active.column === index) || undefined}
          onClick={() => {
            onActive({ row: -1, column: index });
            onSort(sortedNext(sort, index, column));
          }}
        >
          <bdi>{shortTitle(column)}</bdi>
          {sort?.column === index ? <SortMark isDescending={sort.isDescending} /> : null}
          {column.isPosition ? null : menuColumn === index ? (
            <ValueMenu {...props} column={column} />
          ) : (
            <MenuButton column={column} onClick={() => onMenu(index)} />
          )}
        </div>
      ))}
    </div>
  );
}

function shortTitle({ isLength, title }: TableColumn): string {
  return isLength ? words.table.length : visibleText(title ?? words.table.item);
}

/** Returns the name of a column with all its keys. */
export function longTitle({ keys, isLength, isPosition }: TableColumn): string {
  if (isPosition) return words.table.position;
  const column = visibleText(keys.join('.') || words.table.item);
  return isLength ? words.table.lengthOf({ column }) : column;
}

/** Says what a click on the name does. */
function nextOrder(sort: TableSort | null, index: number, column: TableColumn): string {
  const next = sortedNext(sort, index, column);
  if (next === null) return words.table.sortOriginal;
  if (column.isLength) return next.isDescending ? words.table.sortLongest : words.table.sortShortest;
  return next.isDescending ? words.table.sortDescending : words.table.sortAscending;
}

function SortMark({ isDescending }: { readonly isDescending: boolean }) {
  return isDescending ? <ArrowDown aria-hidden size={12} /> : <ArrowUp aria-hidden size={12} />;
}

interface MenuButtonProps {
  readonly column: TableColumn;
  readonly onClick?: () => void;
}

function MenuButton({ column, onClick, ...ofMenu }: MenuButtonProps) {
  return (
    <button
      type="button"
      {...ofMenu}
      className="value-table-menu"
      tabIndex={-1}
      aria-label={words.table.valuesOf({ column: longTitle(column) })}
      title={words.table.valuesOf({ column: longTitle(column) })}
      onClick={(event) => {
        event.stopPropagation();
        onClick?.();
      }}
    >
      <ListFilter aria-hidden size={11} />
    </button>
  );
}

/** The most frequent values of a column. Choosing one keeps its rows only; choosing it again shows all rows. */
function ValueMenu({ column, rows, only, onOnly, onMenu, onMenuClosed }: HeaderProps & { column: TableColumn }) {
  const { most, omittedCount } = useMemo(
    () =>
      distinctValues(
        rows.map((row) => cellOf(row, column)),
        mostValues,
      ),
    [rows, column],
  );
  const chosen = only !== null && columnId(only.column) === columnId(column) ? valueKey(only.value) : null;
  return (
    // The menu is outside the table, but its clicks would reach the column.
    <span role="presentation" onClick={(event) => event.stopPropagation()}>
      <Menu
        align="end"
        trigger={<MenuButton column={column} />}
        isOpen
        onOpenChange={(isOpen) => isOpen || onMenu(null)}
        onClosed={onMenuClosed}
      >
        <MenuLabel text={words.table.valuesOf({ column: longTitle(column) })} />
        {most.map(({ value, count }) => {
          const key = valueKey(value);
          return (
            <MenuItem
              key={key}
              text={<ValueText value={value} />}
              hint={words.table.times({ count })}
              isChecked={key === chosen}
              onSelect={() => onOnly(key === chosen ? null : { column, value })}
            />
          );
        })}
        {omittedCount === 0 ? null : <MenuLabel text={words.table.moreValues({ count: omittedCount })} />}
      </Menu>
    </span>
  );
}

/** A value in one line, with marks for white space at its ends. */
export function ValueText({ value }: { readonly value: unknown }) {
  if (value === undefined) return words.table.noValue;
  if (value === '') return words.table.emptyText;
  if (typeof value === 'string') return <MarkedText text={startOf(value, valueLimit)} />;
  return visibleText(shortText(value, valueLimit));
}
