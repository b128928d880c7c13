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
