/**
 * A tree of rows with a single tab stop and arrow keys. In a long tree, only the visible rows are rendered. The tree
 * itself has the focus and refers to the active row, so that rows may be added and removed while it has the focus.
 */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import { type TreeRow, treeMove } from './tree-rows.ts';

import { useRowHeight, useVirtualList } from './use-virtual-list.ts';

import './tree-view.css';

/** Keys that every tree handles, even if they have another meaning in the surrounding view. */
const arrowKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].join(' ');

interface TreeViewProps<Row extends TreeRow> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** The row that keys apply to. Null for the first. */
  readonly activeId: string | null;
  readonly onActive: (row: Row) => void;
  readonly isSelected: (row: Row) => boolean;
  /** Whether several rows can be selected at once. */
  readonly isMultiple?: boolean;
  /** Called on Enter or a click. */
  readonly onOpen: (row: Row, how: 'key' | 'click', event: KeyboardEvent | MouseEvent) => void;
  readonly onToggle: (row: Row, isExpanded: boolean) => void;
  /** Called for a key without a meaning in trees. Returns true if the key was handled. */
  readonly onKey?: (row: Row, event: KeyboardEvent) => boolean;
  /** Whether typing searches for names. */
  readonly findsByLetters: boolean;
  readonly renderRow: (row: Row) => ReactNode;
  /** Additional props for the element of a row, for drag and drop. */
  readonly rowProps?: (row: Row) => Readonly<Record<string, unknown>>;
  /** Set to false if the rendered row also contains its name, so that the name may change without new row objects. */
  readonly namesRows?: boolean;
  /** Where key presses are routed; see the app's commands. */
  readonly keys?: string;
  /** Keys that `onKey` handles although commands use them, in the format of `data-own-keys`. */
  readonly ownKeys?: string;
  readonly onContextMenu?: (row: Row | null) => void;
}

/** Letters typed within this time form one search. */
const letterPauseMs = 700;

function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
}

/** Opens the context menu at the active row, like the pointer would. */
function askForMenu(tree: HTMLElement): void {
  const row = tree.querySelector('[data-active]') ?? tree;
  const { left, bottom } = row.getBoundingClientRect();
  row.dispatchEvent(
    new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left + 24, clientY: bottom }),
  );
}

function moveInTree<Row extends TreeRow>(props: TreeViewProps<Row>, active: number, event: KeyboardEvent): boolean {
  const { rows, onToggle, onActive } = props;
  const move = treeMove(rows, active, event);
  const row = move === null ? undefined : rows[move.do === 'go' ? move.index : active];
  if (move === null || row === undefined) return false;
  if (move.do === 'toggle') onToggle(row, move.isExpanded);
  else onActive(row);
  return true;
}

function openWithKey<Row extends TreeRow>(
  { onOpen }: TreeViewProps<Row>,
  row: Row,
  event: KeyboardEvent<HTMLElement>,
): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) askForMenu(event.currentTarget);
  else if (key === 'Enter' && !(shiftKey || ctrlKey || metaKey || altKey)) onOpen(row, 'key', event);
  else return false;
  return true;
}

/** Typing searches for a name: letters typed quickly are combined, and a single letter moves to the next match. */
function useLetterSearch<Row extends TreeRow>(
  { rows, onActive, findsByLetters }: TreeViewProps<Row>,
  active: number,
): (event: KeyboardEvent) => boolean {
  const typed = useRef({ text: '', at: 0 });
  return (event) => {
    if (!findsByLetters || !isLetter(event)) return false;
    const isOn = event.timeStamp - typed.current.at < letterPauseMs;
    const text = `${isOn ? typed.current.text : ''}${event.key.toLowerCase()}`;
    typed.current = { text, at: event.timeStamp };
    const start = text.length > 1 ? active : active + 1;
    const match = [...rows.slice(start), ...rows.slice(0, start)].find(({ label }) =>
      label.toLowerCase().startsWith(text),
    );
    if (match !== undefined) onActive(match);
    return true;
  };
}

export function TreeView<Row extends TreeRow>(props: TreeViewProps<Row>) {
  const { label, rows, isMultiple = false, namesRows = true, keys, ownKeys, renderRow, rowProps } = props;
  const base = useId();
  const rowHeight = useRowHeight('--tree-row');
  const found = rows.findIndex(({ id }) => id === props.activeId);
  const active = found === -1 ? 0 : found;
  const { scroller, drawn, show } = useVirtualList({
    count: rows.length,
    rowHeight,
    keptRow: active,
    maxDrawnAtOnce: 100,
  });
  useEffect(() => show(active), [show, active]);
  const indexOf = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows]);

  const findByLetter = useLetterSearch(props, active);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const row = rows[active];
    // A field for renaming in place handles its own keys.
    if (event.target !== event.currentTarget || row === undefined) return;
    const isUsed =
      moveInTree(props, active, event) ||
      openWithKey(props, row, event) ||
      props.onKey?.(row, event) === true ||
      findByLetter(event);
    if (isUsed) event.preventDefault();
  };
  const rowOf = (target: EventTarget): Row | null => {
    const id = target instanceof Element ? target.closest('[data-tree-row]')?.getAttribute('data-tree-row') : undefined;
    return rows[indexOf.get(id ?? '') ?? -1] ?? null;
  };
  return (
    <div
      ref={scroller}
      role="tree"
      className="tree-view"
      aria-label={label}
      aria-multiselectable={isMultiple}
      aria-activedescendant={rows.length === 0 ? undefined : `${base}-${active}`}
      tabIndex={0}
      data-keys={keys}
      data-own-keys={ownKeys === undefined ? arrowKeys : `${arrowKeys} ${ownKeys}`}
      onKeyDown={onKeyDown}
      onContextMenuCapture={({ target }) => props.onContextMenu?.(rowOf(target))}
    >
      <div role="presentation" className="tree-rows" style={{ height: rows.length * rowHeight }}>
        {drawn.map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus, and takes the keys for its rows
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the active row
            <div
              key={row.id}
              id={`${base}-${index}`}
              role="treeitem"
              className="tree-row"
              aria-label={namesRows ? row.label : undefined}
              aria-level={row.level}
              aria-expanded={row.isExpanded ?? undefined}
              aria-selected={props.isSelected(row)}
              aria-posinset={row.position}
              aria-setsize={row.size}
              data-tree-row={row.id}
              data-active={index === active || undefined}
              style={{ top: index * rowHeight, '--tree-level': row.level - 1 }}
              onClick={(event) => {
                if (event.target instanceof HTMLInputElement) return;
                if (!(event.shiftKey || event.ctrlKey || event.metaKey)) props.onActive(row);
                props.onOpen(row, 'click', event);
              }}
              {...rowProps?.(row)}
            >
              {renderRow(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
