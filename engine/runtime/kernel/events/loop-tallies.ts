/**
 * How far the loops of a run are. A loop may have thousands of items: views read these counts instead of all of its nodes.
 */
import { PersistentMap } from './persistent-map.ts';

/** The nodes of one item of a loop. */
export interface ItemTally {
  /** Started and not ended. */
  readonly open: number;
  /** Ended in any way. */
  readonly ended: number;
  readonly failed: number;
  /** By full name of a node that has not been reached: ids in the file of the edges that lead to it. */
  readonly led?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** One loop, by its full name. */
export interface LoopTally {
  /** How many items it has; null while that is unknown, and for a loop of passes. */
  readonly total: number | null;
  /** Of a loop of passes: the most passes it may take; null for a loop of items. */
  readonly mostPasses: number | null;
  /** What it calls its items; null if it has no name for them, or its input is stored elsewhere. */
  readonly as: string | null;
  /** By item, from 0. */
  readonly items: ReadonlyMap<number, ItemTally>;
}

export type BodyEnd = 'ran' | 'reused' | 'failed' | 'cancelled' | 'skipped' | 'disabled';

/** A node in the body of a loop, over all items. Its places are its full names. */
export interface BodyTally {
  /** Places that have started and not ended; true if the place waits for a person. */
  readonly open: ReadonlyMap<string, boolean>;
  readonly counts: Readonly<Record<BodyEnd, number>>;
  /** The path that ran last, including earlier runs. */
  readonly lastRan: string | null;
  /** Of the places that have failed and not started again, the first. */
  readonly firstFailed: string | null;
  /**
   * The place to show while no item is chosen: the last one at work, else the first that failed, else the last that
   * ran, else the last that an event was about.
   */
  readonly followed: string;
}

/** What a folded run knows of its loops. */
export interface LoopTallies {
  /** By the loop's full name. */
  readonly loops: ReadonlyMap<string, LoopTally>;
  /** By the id in the file of a node in a body. */
  readonly bodies: ReadonlyMap<string, BodyTally>;
  /** By the id in the file of an edge in a body: for how many items it led from a node to another, neither of them skipped. */
  readonly bodyEdges: ReadonlyMap<string, number>;
}

/** Before the first loop. */
export const noLoopTallies: LoopTallies = {
  loops: PersistentMap.of<LoopTally>(new Map()),
  bodies: PersistentMap.of<BodyTally>(new Map()),
  bodyEdges: PersistentMap.of<number>(new Map()),
};
