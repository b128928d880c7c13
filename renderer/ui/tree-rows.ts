/**
 * Handles the arrow keys in a tree.
 */

/** The properties of a tree row needed for navigation. */
export interface TreeRow {
  /** Unique in the tree. */
  readonly id: string;
  /** From 1. */
  readonly level: number;
  /** Null if the row cannot be expanded. */
  readonly isExpanded: boolean | null;
  /** Announced by screen readers, and found by typing its first letters. */
  readonly label: string;
  /** Position among its siblings, from 1, and their number. */
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

/** Returns the parent of a row, or the row itself at the top level. */
function parentOf(rows: Rows, index: number): number {
  const level = rows[index]?.level ?? 1;
  const above = rows.slice(0, index).findLastIndex((row) => row.level < level);
  return above === -1 ? index : above;
}

/** Returns the effect of a key on the active row. Null for keys without a meaning in trees. */
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
