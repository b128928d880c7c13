/**
 * For how many items the edges in the bodies of loops were taken. Kept up with every event, as `body-tally.ts` is.
 */
import type { EventEnvelope } from '../../../engine/isomorphic.ts';

export interface EdgeTallies {
  /** By the edge's id in the file: for how many items it led to a node that was not skipped, from one that was not. */
  readonly taken: ReadonlyMap<string, number>;
  /** By the place of a node whose turn has not come: edges that have led there. */
  readonly open: ReadonlyMap<string, readonly string[]>;
}

export const noEdges: EdgeTallies = { taken: new Map(), open: new Map() };

/**
 * Takes in the events of a batch, in order and each once; the same object when none decides about an edge in a body.
 * @param isSkipped whether the node of a place was skipped
 */
export function followBodyEdges(
  before: EdgeTallies,
  events: readonly EventEnvelope[],
  isSkipped: (place: string) => boolean,
): EdgeTallies {
  const draft = new EdgeDraft(before);
  for (const { event } of events) {
    if (event.type === 'edge:fired') {
      if (event.to.includes('].') && !isSkipped(event.from)) draft.lead(event.edgeId, event.to);
    } else if (event.type === 'node:skipped') draft.arrive(event.nodeId, false);
    else if ((event.type === 'task:start' || event.type === 'node:reused') && event.nodeId !== undefined)
      draft.arrive(event.nodeId, true);
  }
  return draft.finished();
}

/** The working copy: what a batch touches is copied once and then written in place. */
class EdgeDraft {
  readonly #base: EdgeTallies;
  #taken: Map<string, number> | undefined;
  #open: Map<string, readonly string[]> | undefined;

  constructor(base: EdgeTallies) {
    this.#base = base;
  }

  finished(): EdgeTallies {
    return this.#open === undefined ? this.#base : { taken: this.#taken ?? this.#base.taken, open: this.#open };
  }

  /** An edge leads to a node in a body; it counts until that turns out to be skipped. */
  lead(edgePlace: string, to: string): void {
    const id = edgePlace.slice(to.lastIndexOf('].') + 2);
    this.#open ??= new Map(this.#base.open);
    this.#open.set(to, [...(this.#open.get(to) ?? []), id]);
    this.#count(id, 1);
  }

  /** The turn of a node has come. */
  arrive(place: string, runs: boolean): void {
    const led = (this.#open ?? this.#base.open).get(place);
    if (led === undefined) return;
    this.#open ??= new Map(this.#base.open);
    this.#open.delete(place);
    if (!runs) for (const id of led) this.#count(id, -1);
  }

  #count(id: string, by: number): void {
    this.#taken ??= new Map(this.#base.taken);
    this.#taken.set(id, (this.#taken.get(id) ?? 0) + by);
  }
}
