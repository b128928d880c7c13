/**
 * A list of records as a table that can be sorted, filtered and copied. Renders only the visible rows.
 */
import { Columns3, Ruler, X } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { visibleText } from '../../../engine/isomorphic.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import type { Cell } from './grid-props.ts';
import { isIterationList, isRedundant, nodeOfColumn } from './iterations.ts';
import { useLoopOf } from './loop-lists.ts';
import { TableGrid } from './table-grid.tsx';
import { longTitle, ValueText } from './table-header.tsx';
import {
  columnId,
  columnsOf,
  type OnlyValue,
  positionColumn,
  type SameLength,
  sameLengths,
  shownRows,
  type TableColumn,
  type TableSort,
  tableCsv,
  valueAt,
} from './table-model.ts';
import { text as words } from './text.ts';
import { entryPath } from './tree-model.ts';
import { PartLine, type ValuePart } from './value-text.tsx';
import './value-table.css';

/** More columns are hidden at first. */
const columnsAtFirst = 30;

interface ValueTableProps {
  readonly label: string;
  readonly rows: readonly unknown[];
  /** Path of the list in bindings. Undefined if bindings cannot refer to it. */
  readonly binding: string | undefined;
}

/** The numbers of rows stand for the index of an iteration. */
function hiddenAtFirst(rows: readonly unknown[], columns: readonly TableColumn[]): ReadonlySet<string> {
  const redundant = isIterationList(rows) ? columns.filter((column) => isRedundant(column, columns)) : [];
  return new Set([...redundant, ...columns.slice(columnsAtFirst)].map(columnId));
}

function useTable(rows: readonly unknown[]) {
  const { columns, omittedCount } = useMemo(() => columnsOf(rows), [rows]);
  const position = useMemo(() => positionColumn(rows.length), [rows.length]);
  const [query, setQuery] = useState('');
  const [sort, setSort] = useState<TableSort | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => hiddenAtFirst(rows, columns));
  const [only, setOnly] = useState<OnlyValue | null>(null);
  const drawn = useMemo(
    () => [position, ...columns.filter((column) => !hidden.has(columnId(column)))],
    [position, columns, hidden],
  );
  const same = useMemo(() => sameLengths(rows, drawn), [rows, drawn]);
  const later = useDeferredValue(query);
  const shown = useMemo(() => shownRows(rows, drawn, { query: later, sort, only }), [rows, drawn, later, sort, only]);
  const toggle = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
    setSort(null);
  };
  return { columns, omittedCount, drawn, same, shown, query, setQuery, sort, setSort, only, setOnly, hidden, toggle };
}

type ShownTable = ReturnType<typeof useTable>;

export function ValueTable({ label, rows, binding }: ValueTableProps) {
  const table = useTable(rows);
  const { drawn, shown, omittedCount } = table;
  const [active, setActive] = useState<Cell | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const part = active === null ? null : partAt(active, { rows, table, binding });
  const showItem = useLoopOf({ binding, label });
  const activeIndex = active === null ? undefined : shown[active.row];
  const activeNode = nodeOfColumn(drawn[active?.column ?? -1]?.keys ?? []);
  const showActive =
    showItem === undefined || activeIndex === undefined ? undefined : () => showItem(activeIndex, activeNode);
  const showLengths = (column: number): void => {
    table.setSort({ column, isDescending: true });
    setActive({ row: 0, column });
  };
  return (
    <div className="value-table-view">
      <TableBar table={table} rows={rows} />
      <CountLine shown={shown.length} total={rows.length} omitted={omittedCount} />
      {table.only === null ? null : <OnlyNote only={table.only} onClear={() => table.setOnly(null)} />}
      {table.same.map((same) => (
        <SameLengthNote
          key={columnId(same.column)}
          same={same}
          onShow={() => showLengths(drawn.indexOf(same.column))}
        />
      ))}
      {drawn.length === 1 || shown.length === 0 ? null : (
        <TableGrid
          label={label}
          rows={rows}
          columns={drawn}
          shown={shown}
          sort={table.sort}
          onSort={table.setSort}
          active={active}
          part={part}
          isBinding={binding !== undefined}
          onActive={setActive}
          onOpen={setIsOpen}
          onShowItem={showItem === undefined ? undefined : (index) => showItem(index, undefined)}
          only={table.only}
          onOnly={table.setOnly}
        />
      )}
      <PartLine
        part={part}
        isBinding={binding !== undefined}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        above={
          activeIndex === undefined ? null : <ItemLine index={activeIndex} total={rows.length} onShow={showActive} />
        }
      />
    </div>
  );
}

interface CountLineProps {
  readonly shown: number;
  readonly total: number;
  /** Number of keys without a column. */
  readonly omitted: number;
}

function CountLine({ shown, total, omitted }: CountLineProps) {
  return (
    <p className="value-table-count" aria-live="polite">
      {shown === 0
        ? words.table.noMatch
        : shown === total
          ? words.table.rows({ count: total })
          : words.table.someRows({ count: shown, total })}
      {omitted === 0 ? null : ` · ${words.table.omitted({ count: omitted })}`}
    </p>
  );
}

interface ItemLineProps {
  readonly index: number;
  readonly total: number;
  /** Shows the item in the nodes of its loop. Undefined for other lists. */
  readonly onShow: (() => void) | undefined;
}

/** Which row is selected. */
function ItemLine({ index, total, onShow }: ItemLineProps) {
  return (
    <p className="value-table-item">
      {words.table.itemOf({ number: index + 1, total })}
      {onShow === undefined ? null : (
        <Button size="small" onClick={onShow}>
          {words.table.showItem({ number: index + 1 })}
        </Button>
      )}
    </p>
  );
}

/** Names a column whose longest texts were probably cut, and sorts by their lengths. */
function SameLengthNote({ same, onShow }: { readonly same: SameLength; readonly onShow: () => void }) {
  const { count, length, column } = same;
  return (
    <button type="button" className="value-table-same" onClick={onShow}>
      <Ruler aria-hidden size={12} />
      {words.table.sameLength({ count, length, column: titleOf(column) })}
    </button>
  );
}

/** The value that the shown rows have, with a button that shows all rows again. */
function OnlyNote({ only: { column, value }, onClear }: { readonly only: OnlyValue; readonly onClear: () => void }) {
  return (
    <p className="value-table-only">
      <span>{longTitle(column)}:</span>
      <b>
        <ValueText value={value} />
      </b>
      <IconButton label={words.table.showAllRows} onClick={onClear}>
        <X aria-hidden size={12} />
      </IconButton>
    </p>
  );
}

function titleOf({ title }: TableColumn): string {
  return visibleText(title ?? words.table.item);
}

interface PartSource {
  readonly rows: readonly unknown[];
  readonly table: ShownTable;
  readonly binding: string | undefined;
}

/** Returns the value of a cell. Null for the header and for cells that the filter has removed. */
function partAt({ row, column }: Cell, { rows, table, binding }: PartSource): ValuePart | null {
  const index = table.shown[row];
  const at = table.drawn[column];
  if (index === undefined || at === undefined) return null;
  const value = at.isPosition ? rows[index] : valueAt(rows[index], at);
  return { path: entryPath(binding, [index, ...at.keys]), value };
}

function TableBar({ table, rows }: { readonly table: ShownTable; readonly rows: readonly unknown[] }) {
  const { columns, drawn, shown, query, setQuery, hidden, toggle } = table;
  return (
    <div className="value-table-bar">
      <TextInput
        type="search"
        aria-label={words.table.filter}
        placeholder={words.table.filterAll}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <Menu
        align="end"
        trigger={
          <IconButton label={words.table.columns}>
            <Columns3 aria-hidden size={14} />
          </IconButton>
        }
      >
        {columns.map((column) => (
          <MenuItem
            key={columnId(column)}
            text={column.isLength ? words.table.lengthOf({ column: titleOf(column) }) : titleOf(column)}
            isChecked={!hidden.has(columnId(column))}
            onSelect={() => toggle(columnId(column))}
          />
        ))}
      </Menu>
      <CopyButton
        label={words.table.copyCsv}
        text={() =>
          tableCsv(
            shown.map((index) => rows[index]),
            drawn,
            words.table.item,
          )
        }
      />
    </div>
  );
}
