import { type ReactNode, useCallback, useLayoutEffect, useRef } from 'react';
import { moveRovingFocus } from './roving-focus.ts';
import { useViewport } from './use-viewport.ts';
import './virtual-rows.css';

export interface VirtualRowsProps {
  readonly label: string;
  readonly count: number;
  /** Pixels; every row has this height. */
  readonly rowHeight: number;
  /** Draws a row; the one that is the list's tab stop spreads `rovingItem(isTabStop)` over its control. */
  readonly renderRow: (index: number, isTabStop: boolean) => ReactNode;
  /** Stands above the rows. */
  readonly header?: ReactNode;
  /** Rows are added at the end: keeps the end in view for as long as the person has not scrolled away from it. */
  readonly followsEnd?: boolean;
}

/** Rows drawn beyond the visible ones, so that scrolling does not show gaps. */
const overscan = 8;

/** Keeps an element scrolled to its end as it grows, unless it was scrolled away. */
function useFollowedEnd(isOn: boolean, count: number): (element: HTMLElement | null) => (() => void) | undefined {
  const followed = useRef<HTMLElement | null>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count is what makes the element grow
  useLayoutEffect(() => {
    const element = followed.current;
    if (isOn && isAtEnd.current && element !== null) element.scrollTop = element.scrollHeight;
  }, [isOn, count]);
  return useCallback((element: HTMLElement | null) => {
    followed.current = element;
    if (element === null) return undefined;
    const read = (): void => {
      isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - 2;
    };
    element.addEventListener('scroll', read, { passive: true });
    return () => element.removeEventListener('scroll', read);
  }, []);
}

/** A list of any length that draws only what is in view. */
export function VirtualRows(props: VirtualRowsProps) {
  const { label, count, rowHeight, renderRow, header, followsEnd = false } = props;
  const [{ top, height }, followViewport] = useViewport();
  const followEnd = useFollowedEnd(followsEnd, count);
  const follow = useCallback(
    (element: HTMLElement | null) => {
      const ends = [followViewport(element), followEnd(element)];
      return () => {
        for (const end of ends) end?.();
      };
    },
    [followViewport, followEnd],
  );
  const firstVisible = Math.min(count - 1, Math.ceil(top / rowHeight));
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + overscan);
  const visible = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
  return (
    <div ref={follow} className="virtual-rows">
      {header}
      <ul
        aria-label={label}
        className="virtual-rows-list"
        style={{ height: count * rowHeight }}
        onKeyDown={moveRovingFocus}
      >
        {visible.map((index) => (
          <li
            key={index}
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
