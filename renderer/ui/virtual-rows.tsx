import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { moveRovingFocus } from './roving-focus.ts';
import { useVirtualList } from './use-virtual-list.ts';
import './virtual-rows.css';

/** Rows that stay visible before and after one that is shown. */
const rowsAround = 2;

interface VirtualRowsProps {
  readonly label: string;
  readonly count: number;
  /** Height of every row, in pixels. */
  readonly rowHeight: number;
  /** Identifies rows that are added and removed. Defaults to their index. */
  readonly keyOf?: (index: number) => string;
  /** Renders a row. The row that is the list's tab stop spreads `rovingItem(isTabStop)` over its control. */
  readonly renderRow: (index: number, isTabStop: boolean) => ReactNode;
  /** Shown above the rows. */
  readonly header?: ReactNode;
  /** For lists that grow at the end: keeps the end in view unless the user has scrolled away from it. */
  readonly followsEnd?: boolean;
  /** A row that is scrolled into view, with those around it, whenever it changes. */
  readonly shownRow?: number | undefined;
}

/** A list of any length that renders only the visible rows. */
export function VirtualRows(props: VirtualRowsProps) {
  const { label, count, rowHeight, keyOf, renderRow, header, followsEnd = false, shownRow } = props;
  const { scroller, drawn, firstVisible, show } = useVirtualList({ count, rowHeight, followsEnd });
  const former = useRef(-1);
  useLayoutEffect(() => {
    if (shownRow === undefined) return;
    const isAbove = shownRow < former.current;
    former.current = shownRow;
    show(isAbove ? Math.max(0, shownRow - rowsAround) : Math.min(count - 1, shownRow + rowsAround));
  }, [show, shownRow, count]);
  return (
    <div ref={scroller} className="virtual-rows">
      {header}
      <ul
        aria-label={label}
        className="virtual-rows-list"
        style={{ height: count * rowHeight }}
        onKeyDown={moveRovingFocus}
      >
        {drawn.map((index) => (
          <li
            key={keyOf?.(index) ?? index}
            className="virtual-row"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ top: index * rowHeight, height: rowHeight }}
          >
            {renderRow(index, index === firstVisible)}
          </li>
        ))}
      </ul>
    </div>
  );
}
