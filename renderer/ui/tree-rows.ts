/**
 * What the arrow keys mean in a tree.
 */

/** A row of a tree, as walking through it needs to know it. */
export interface TreeRow {
  /** Unlike any other in the tree. */
  readonly id: string;
  /** From 1. */
  readonly level: number;
  /** Null = there is nothing to unfold. */
  readonly isExpanded: boolean | null;
  /** Said by screen readers, and found by typing its first letters. */
  readonly label: string;
  /** Among the rows right beside it, from 1, and how many these are. */
  readonly position: number;
  readonly size: number;
}

type TreeMove = { readonly do: 'go'; readonly index: number } | { readonly do: 'toggle'; readonly isExpanded: boolean };

interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

type Rows = readonly Pick<TreeRow, 'level' | 'isExpanded'>[];

/** The row that a row hangs on; itself at the top. */
function parentOf(rows: Rows, index: number): number {
  const level = rows[index]?.level ?? 1;
  const above = rows.slice(0, index).findLastIndex((row) => row.level < level);
  return above === -1 ? index : above;
}

/** Where a key leads from the active row; null for keys that mean nothing to trees. */
export function treeMove(rows: Rows, active: number, event: PressedKey): TreeMove | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return null;
  const isExpanded = rows[active]?.isExpanded ?? null;
  switch (event.key) {
    case 'ArrowDown':
      return { do: 'go', index: Math.min(active + 1, rows.length - 1) };
    case 'ArrowUp':
      return { do: 'go', index: Math.max(active - 1, 0) };
    case 'Home':
      return { do: 'go', index: 0 };
    case 'End':
      return { do: 'go', index: rows.length - 1 };
    case 'ArrowRight':
      if (isExpanded === false) return { do: 'toggle', isExpanded: true };
      return { do: 'go', index: isExpanded === true ? Math.min(active + 1, rows.length - 1) : active };
    case 'ArrowLeft':
      return isExpanded === true ? { do: 'toggle', isExpanded: false } : { do: 'go', index: parentOf(rows, active) };
    default:
      return null;
  }
}
