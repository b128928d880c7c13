/**
 * What a table of values shows, for its header and its rows.
 */
import type { OnlyValue, TableColumn, TableSort } from './table-model.ts';
import type { ValuePart } from './value-text.tsx';

/** A cell by its row among the shown ones and its column. Row -1 is the header. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface GridProps {
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
  /** Shows the item of a loop in its nodes. Undefined if the rows are not those of a loop. */
  readonly onShowItem: ((index: number) => void) | undefined;
  readonly only: OnlyValue | null;
  readonly onOnly: (only: OnlyValue | null) => void;
}
