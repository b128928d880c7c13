/**
 * How the items of a node in the body of a loop went, all together. Kept up with every event: cards and lists ask for it
 * all the time, of loops with thousands of items.
 */
import type { EventEnvelope } from '../../../engine/isomorphic.ts';
import { baseNodeId } from '../flow/node-places.ts';

type End = 'ran' | 'reused' | 'failed' | 'cancelled' | 'skipped' | 'disabled';

export interface BodyTally {
  /** Places that have begun and not ended; true = it waits for a person. */
  readonly open: ReadonlyMap<string, boolean>;
  /** Places that have ended otherwise than well: a resumed run may begin them again. */
  readonly cut: ReadonlyMap<string, End>;
  readonly counts: Readonly<Record<End, number>>;
  /** The place that ran last, also in an earlier run. */
  readonly lastRan: string | null;
  /**
   * The place to look at while nobody has chosen an item: the last one at work, else the first that failed, else the last that
   * ran, else the last heard of.
   */
  readonly followed: string;
}

const noTally: BodyTally = {
  open: new Map(),
  cut: new Map(),
  counts: { ran: 0, reused: 0, failed: 0, cancelled: 0, skipped: 0, disabled: 0 },
  lastRan: null,
  followed: '',
};

/** By the node's id in the file. */
export type BodyTallies = ReadonlyMap<string, BodyTally>;

/** Takes in the events of a batch, in order and each once; the same object when none is about a node in a body. */
export function followBodies(before: BodyTallies, events: readonly EventEnvelope[]): BodyTallies {
  let tallies: Map<string, BodyTally> | undefined;
  for (const { event } of events) {
    const place = 'nodeId' in event ? event.nodeId : undefined;
    if (place === undefined || !place.includes('].')) continue;
    const id = baseNodeId(place);
    const tally = (tallies ?? before).get(id) ?? noTally;
    const changed = withEvent(tally, place, event);
    if (changed === tally) continue;
    const next = { ...changed, followed: followedOf(changed, place) };
    tallies ??= new Map(before);
    tallies.set(id, next);
  }
  return tallies ?? before;
}

function withEvent(tally: BodyTally, place: string, event: EventEnvelope['event']): BodyTally {
  switch (event.type) {
    case 'task:start':
      return begun(tally, place);
    case 'node:suspended':
      return { ...tally, open: new Map(tally.open).set(place, true) };
    case 'task:complete':
      return ended(tally, place, 'ran');
    case 'task:failed':
      return ended(tally, place, 'failed');
    case 'task:cancelled':
      return ended(tally, place, 'cancelled');
    case 'node:reused':
      return ended(tally, place, 'reused');
    case 'node:skipped':
      return ended(tally, place, event.reason === 'disabled' ? 'disabled' : 'skipped');
    default:
      return tally;
  }
}

function followedOf({ open, cut, counts, lastRan }: BodyTally, heardOf: string): string {
  // Few are open at a time.
  const atWork = [...open.keys()].at(-1);
  if (atWork !== undefined) return atWork;
  if (counts.failed > 0) for (const [place, end] of cut) if (end === 'failed') return place;
  return lastRan ?? heardOf;
}

function begun(tally: BodyTally, place: string): BodyTally {
  const { cut, counts } = tally;
  const open = new Map(tally.open).set(place, false);
  const former = cut.get(place);
  if (former === undefined) return { ...tally, open };
  const left = new Map(cut);
  left.delete(place);
  return { ...tally, open, cut: left, counts: { ...counts, [former]: counts[former] - 1 } };
}

function ended(tally: BodyTally, place: string, end: End): BodyTally {
  const open = new Map(tally.open);
  open.delete(place);
  const cut = end === 'failed' || end === 'cancelled' ? new Map(tally.cut).set(place, end) : tally.cut;
  const lastRan = end === 'ran' || end === 'reused' ? place : tally.lastRan;
  return { ...tally, open, cut, lastRan, counts: { ...tally.counts, [end]: tally.counts[end] + 1 } };
}
