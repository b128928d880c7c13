/**
 * Progress of a run's loops. A loop may have thousands of items, so views read these counts instead of all its nodes.
 */
import { PersistentMap } from './persistent-map.ts';

/** The nodes in one loop item. */
export interface ItemTally {
  /** Nodes that have started but not ended. */
  readonly open: number;
  /** Nodes that have ended in any way. */
  readonly ended: number;
  readonly failed: number;
  /** IDs in the file of edges that lead to a node, by the full name of a node that has not been reached. */
  readonly led?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** One loop, identified by its full name. */
export interface LoopTally {
  /** Number of items; null while unknown, and for a loop that repeats without items. */
  readonly total: number | null;
  /** For a loop that repeats without items: the maximum number of iterations; null for a loop over items. */
  readonly mostPasses: number | null;
  /** The loop's name for its items; null if it has no name for them or its input is stored elsewhere. */
  readonly as: string | null;
  /** By item index, from 0. */
  readonly items: ReadonlyMap<number, ItemTally>;
}

export type BodyEnd = 'ran' | 'reused' | 'failed' | 'cancelled' | 'skipped' | 'disabled';

/** A node in a loop body, across all items. Its places are its full names. */
export interface BodyTally {
  /** Places that have started but not ended; true if the place waits for a person. */
  readonly open: ReadonlyMap<string, boolean>;
  readonly counts: Readonly<Record<BodyEnd, number>>;
  /** The place that ran last, including earlier runs. */
  readonly lastRan: string | null;
  /** The first place that has failed and not started again. */
  readonly firstFailed: string | null;
  /**
   * The place to show while no item is selected: the last one running, otherwise the first that failed, otherwise the
   * last that ran, otherwise the place of the most recent event.
   */
  readonly followed: string;
}

/** A folded run's loop information. */
export interface LoopTallies {
  /** By the loop's full name. */
  readonly loops: ReadonlyMap<string, LoopTally>;
  /** By the body node's ID in the file. */
  readonly bodies: ReadonlyMap<string, BodyTally>;
  /** By the body edge's ID in the file: the number of items in which the edge connected two nodes and neither was skipped. */
  readonly bodyEdges: ReadonlyMap<string, number>;
}

/** The state before the first loop. */
export const noLoopTallies: LoopTallies = {
  loops: PersistentMap.of<LoopTally>(new Map()),
  bodies: PersistentMap.of<BodyTally>(new Map()),
  bodyEdges: PersistentMap.of<number>(new Map()),
};
