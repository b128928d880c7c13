/**
 * A list of records as a table that can be sorted, filtered and copied. Renders only the visible rows.
 */
import { Columns3, Ruler, Sheet } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { visibleText } from '../../../engine/isomorphic.ts';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { type Cell, TableGrid } from './table-grid.tsx';
import {
  columnId,
  columnsOf,
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

function useTable(rows: readonly unknown[]) {
  const { columns, omittedCount } = useMemo(() => columnsOf(rows), [rows]);
  const [query, setQuery] = useState('');
  const [sort, setSort] = useState<TableSort | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(columns.slice(columnsAtFirst).map(columnId)));
  const drawn = useMemo(() => columns.filter((column) => !hidden.has(columnId(column))), [columns, hidden]);
  const same = useMemo(() => sameLengths(rows, drawn), [rows, drawn]);
  const later = useDeferredValue(query);
  const shown = useMemo(() => shownRows(rows, drawn, { query: later, sort }), [rows, drawn, later, sort]);
  const toggle = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
    setSort(null);
  };
  return { columns, omittedCount, drawn, same, shown, query, setQuery, sort, setSort, hidden, toggle };
}

type ShownTable = ReturnType<typeof useTable>;

export function ValueTable({ label, rows, binding }: ValueTableProps) {
  const table = useTable(rows);
  const { drawn, shown, omittedCount } = table;
  const [active, setActive] = useState<Cell | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const part = active === null ? null : partAt(active, { rows, table, binding });
  const showLengths = (column: number): void => {
    table.setSort({ column, isDescending: true });
    setActive({ row: 0, column });
  };
  return (
    <div className="value-table-view">
      <TableBar table={table} rows={rows} />
      <p className="value-table-count" aria-live="polite">
        {shown.length === 0
          ? words.table.noMatch
          : shown.length === rows.length
            ? words.table.rows({ count: rows.length })
            : words.table.someRows({ count: shown.length, total: rows.length })}
        {omittedCount === 0 ? null : ` · ${words.table.omitted({ count: omittedCount })}`}
      </p>
      {table.same.map((same) => (
        <SameLengthNote
          key={columnId(same.column)}
          same={same}
          onShow={() => showLengths(drawn.indexOf(same.column))}
        />
      ))}
      {drawn.length === 0 || shown.length === 0 ? null : (
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
        />
      )}
      <PartLine part={part} isBinding={binding !== undefined} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </div>
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
  return { path: entryPath(binding, [index, ...at.keys]), value: valueAt(rows[index], at) };
}

function TableBar({ table, rows }: { readonly table: ShownTable; readonly rows: readonly unknown[] }) {
  const { columns, drawn, shown, query, setQuery, hidden, toggle } = table;
  return (
    <div className="value-table-bar">
      <TextInput
        type="search"
        aria-label={words.table.filter}
        placeholder={words.table.filter}
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
        icon={<Sheet aria-hidden size={14} />}
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
