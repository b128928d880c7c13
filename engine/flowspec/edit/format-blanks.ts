/**
 * How many blanks stand between two signs or words of one line.
 */
import type { LevelColumns } from './format-columns.ts';
import type { Leaf, LeafKind } from './format-leaves.ts';

const words: ReadonlySet<LeafKind> = new Set([
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'flow-map-end',
  'flow-seq-end',
]);

/** The blanks that belong between neighbours in a line; undefined = those that are there. */
export function blanksBetween(before: Leaf, after: Leaf, columns: LevelColumns): number | undefined {
  // Comments are often aligned with each other.
  if (after.kind === 'comment') return undefined;
  return beforeSign(before.kind, after.kind) ?? behindSign(before, after, columns);
}

function beforeSign(before: LeafKind, after: LeafKind): number | undefined {
  switch (after) {
    case 'flow-map-end':
      return before === 'flow-map-start' ? 0 : 1;
    case 'flow-seq-end':
      return before === 'anchor' || before === 'tag' ? undefined : 0;
    case 'comma':
      return words.has(before) || before === 'alias' ? 0 : undefined;
    case 'map-value-ind':
      // A colon right behind a name would be part of it.
      return words.has(before) ? 0 : undefined;
    default:
      return undefined;
  }
}

function behindSign({ kind, level, isEntry }: Leaf, after: Leaf, columns: LevelColumns): number | undefined {
  switch (kind) {
    case 'flow-map-start':
    case 'comma':
      return 1;
    case 'flow-seq-start':
      return 0;
    case 'map-value-ind':
    case 'seq-item-ind':
    case 'explicit-key-ind': {
      if (after.kind === 'comma') return undefined;
      const beginsLevel = isEntry && after.isEntry && after.level !== null && level !== null && after.level !== level;
      return beginsLevel ? columns.of(after.level) - columns.of(level) - 1 : 1;
    }
    default:
      return undefined;
  }
}
