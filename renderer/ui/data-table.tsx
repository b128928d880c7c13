/**
 * A table of any length: columns that can be sorted and hidden, rows that can be selected, and its text as CSV.
 */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { csvText } from './csv-text.ts';
import { useVirtualList } from './use-virtual-list.ts';
import './data-table.css';

/** What a cell is sorted by. Rows without a value come last. */
type SortValue = string | number | undefined;

export interface DataColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** CSS width of the column, for example `80px` or `minmax(120px, 1fr)`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** Content of a cell; `textOf` by default. */
  readonly cellOf?: (row: Row) => ReactNode;
  /** Text of a cell, also in CSV. */
  readonly textOf: (row: Row) => string;
  /** Undefined for columns that cannot be sorted. */
  readonly sortBy?: (row: Row) => SortValue;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row: by double click, or Enter. */
  readonly onOpen: (row: Row) => void;
  /** The keys of the selected rows, and its change: by click, Space, or Shift with an arrow key. */
  readonly chosen: readonly string[];
  readonly onChoose: (keys: readonly string[]) => void;
  /** Rows that stay below the others and are not sorted, as texts by column ID. */
  readonly footer?: readonly Readonly<Record<string, string>>[];
}

const rowHeight = 34;

interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Returns the rows in the order of a column. Equal rows keep their order. */
function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sorting?.column)?.sortBy;
  if (sortBy === undefined || sorting === null) return rows;
  const direction = sorting.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [sortBy(a), sortBy(b)];
    if (one === other) return 0;
    if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
    return one < other ? -direction : direction;
  });
}

/** Returns rows as CSV with the titles of the columns. */
export function rowsCsv<Row>(columns: readonly DataColumn<Row>[], rows: readonly Row[]): string {
  return csvText([columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ textOf }) => textOf(row)))]);
}

function HeaderCell<Row>({
  column: { id, title, isNumber, sortBy },
  sorting,
  onSort,
}: {
  column: DataColumn<Row>;
  sorting: Sorting | null;
  onSort: (column: string) => void;
}) {
  const order = sorting?.column !== id ? undefined : sorting.isDescending ? 'descending' : 'ascending';
  const Arrow = order === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th scope="col" className="data-cell" data-number={isNumber} aria-sort={order}>
      {sortBy === undefined ? (
        title
      ) : (
        <button type="button" className="data-sort" onClick={() => onSort(id)}>
          {title}
          {order === undefined ? null : <Arrow aria-hidden size={12} />}
        </button>
      )}
    </th>
  );
}

/** Returns where a key moves from a row; undefined for other keys. */
function nextRow(key: string, index: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + 10,
    PageUp: index - 10,
    Home: 0,
    End: count - 1,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, onOpen, chosen, onChoose, footer = [] } = props;
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [active, setActive] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = useMemo(() => sortedRows(rows, columns, sorting), [rows, columns, sorting]);
  const isChosen = useMemo(() => new Set(chosen), [chosen]);
  const current = Math.min(active, shown.length - 1);
  const { scroller, drawn, show } = useVirtualList({ count: shown.length, rowHeight, keptRow: current });
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };

  const sort = (column: string): void =>
    setSorting(
      sorting?.column === column && sorting.isDescending
        ? { column, isDescending: false }
        : { column, isDescending: true },
    );
  const toggle = (key: string): void =>
    onChoose(isChosen.has(key) ? chosen.filter((one) => one !== key) : [...chosen, key]);
  const focus = (index: number): void => {
    setActive(index);
    show(index);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };
  const press = (event: KeyboardEvent<HTMLElement>, row: Row, index: number): void => {
    const to = nextRow(event.key, index, shown.length);
    const target = to === undefined ? undefined : shown[to];
    if (to !== undefined && target !== undefined) {
      if (event.shiftKey) onChoose([...new Set([...chosen, keyOf(row), keyOf(target)])]);
      focus(to);
    } else if (event.key === ' ') toggle(keyOf(row));
    else if (event.key === 'Enter') onOpen(row);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={scroller} className="data-table">
      <table aria-label={label} aria-rowcount={shown.length + 1}>
        <thead>
          <tr className="data-row data-header" style={template}>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorting={sorting} onSort={sort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} style={{ height: shown.length * rowHeight }}>
          {drawn.map((index) => {
            const row = shown[index];
            if (row === undefined) return null;
            const key = keyOf(row);
            return (
              <tr
                key={key}
                aria-rowindex={index + 2}
                aria-selected={isChosen.has(key)}
                className="data-row data-line"
                data-index={index}
                tabIndex={index === current ? 0 : -1}
                style={{ ...template, top: index * rowHeight, height: rowHeight }}
                onFocus={() => setActive(index)}
                onClick={() => toggle(key)}
                onDoubleClick={() => onOpen(row)}
                onKeyDown={(event) => press(event, row, index)}
              >
                {columns.map(({ id, isNumber, cellOf, textOf }) => (
                  <td key={id} className="data-cell" data-number={isNumber}>
                    {cellOf === undefined ? textOf(row) : cellOf(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
        {footer.length === 0 ? null : (
          <tfoot>
            {footer.map((texts) => (
              <tr key={Object.values(texts).join()} className="data-row" style={template}>
                {columns.map(({ id, isNumber }) => (
                  <td key={id} className="data-cell" data-number={isNumber}>
                    {texts[id] ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </div>
  );
}
