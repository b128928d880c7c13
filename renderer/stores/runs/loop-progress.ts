/**
 * How far the loops of a run are. The engine's own state holds each node of each item; here stands what cards and lists
 * ask of it all the time, kept up with every event so that nobody has to look through thousands of items.
 */
import {
  type EventEnvelope,
  isJsonList,
  isJsonMap,
  isLoop,
  type JsonValue,
  passLoop,
  usualPasses,
} from '../../../engine/isomorphic.ts';
import { loopStepsOf } from '../flow/node-places.ts';

/** The nodes of one item of a loop. */
interface ItemTally {
  /** Begun and not ended. */
  readonly open: number;
  /** Ended in any way. */
  readonly ended: number;
  readonly failed: number;
}

/** One loop at its place in the run. */
export interface LoopTally {
  /** How many items it has; null while nobody knows, and for a loop of passes. */
  readonly total: number | null;
  /** Of a loop of passes: how many there may be; null for a loop of items. */
  readonly mostPasses: number | null;
  /** What it calls its items; null where it has no name for them, or its input is kept elsewhere. */
  readonly as: string | null;
  /** By item, from 0. */
  readonly items: ReadonlyMap<number, ItemTally>;
}

export interface LoopProgress {
  /** By the loop's place in the run. */
  readonly loops: ReadonlyMap<string, LoopTally>;
}

export const noLoopProgress: LoopProgress = { loops: new Map() };

const untouched: ItemTally = { open: 0, ended: 0, failed: 0 };
const noItems: LoopTally = { total: null, mostPasses: null, as: null, items: new Map() };

/** How many items a loop's input gives it; null when the input is kept elsewhere. */
export function itemCount(input: JsonValue | undefined): number | null {
  const items = isJsonMap(input) ? input['items'] : undefined;
  return isJsonList(items) ? items.length : null;
}

/** What a loop's input calls its items. */
function itemName(input: JsonValue | undefined): string | null {
  const as = isJsonMap(input) ? input['as'] : undefined;
  return typeof as === 'string' ? as : null;
}

/** How many passes a loop's input allows. */
function passCount(input: JsonValue | undefined): number {
  const most = isJsonMap(input) ? Number(input['maxIterations']) : Number.NaN;
  return Number.isInteger(most) ? most : usualPasses;
}

/** Items of which every node that can still run has ended. `bodySize` = the nodes right in the body. */
export function countDone({ items }: LoopTally, bodySize: number): number {
  let done = 0;
  for (const { open, ended, failed } of items.values()) {
    if (open === 0 && (ended >= bodySize || failed > 0)) done += 1;
  }
  return done;
}

/** Items that are under way. */
export function countAtWork({ items }: LoopTally): number {
  let atWork = 0;
  for (const { open } of items.values()) if (open > 0) atWork += 1;
  return atWork;
}

/** Takes in more events, which come in order and only once; the same object when none of them touches a loop. */
export function followLoops(progress: LoopProgress, events: readonly EventEnvelope[]): LoopProgress {
  const draft = new ProgressDraft(progress);
  for (const { event } of events) draft.take(event);
  return draft.finished();
}

type Change = (tally: ItemTally) => ItemTally;

/** What an event does to the tally of its item; null when it touches none. */
function changeBy(event: EventEnvelope['event']): { readonly place: string; readonly change: Change } | null {
  switch (event.type) {
    case 'task:start':
      if (event.nodeId === undefined) return null;
      // The first start of a node that a crash cut is still open.
      return { place: event.nodeId, change: event.resumed ? same : begun };
    case 'task:complete':
    case 'task:cancelled':
      return event.nodeId === undefined ? null : { place: event.nodeId, change: ended };
    case 'task:failed':
      return event.nodeId === undefined ? null : { place: event.nodeId, change: failed };
    case 'node:skipped':
    case 'node:reused':
      return { place: event.nodeId, change: passed };
    case 'node:suspended':
    case 'node:retry':
      return { place: event.nodeId, change: same };
    default:
      return null;
  }
}

function same(tally: ItemTally): ItemTally {
  return tally;
}

function begun({ open, ...rest }: ItemTally): ItemTally {
  return { ...rest, open: open + 1 };
}

function ended({ open, ended: before, failed: failures }: ItemTally): ItemTally {
  return { open: Math.max(0, open - 1), ended: before + 1, failed: failures };
}

function failed(tally: ItemTally): ItemTally {
  return { ...ended(tally), failed: tally.failed + 1 };
}

function passed({ ended: before, ...rest }: ItemTally): ItemTally {
  return { ...rest, ended: before + 1 };
}

/** The working copy: what a batch touches is copied once and then written in place. */
class ProgressDraft {
  readonly #base: LoopProgress;
  #loops: Map<string, LoopTally> | undefined;
  readonly #items = new Map<string, Map<number, ItemTally>>();

  constructor(base: LoopProgress) {
    this.#base = base;
  }

  finished(): LoopProgress {
    return this.#loops === undefined ? this.#base : { loops: this.#loops };
  }

  take(event: EventEnvelope['event']): void {
    if (event.type === 'task:start' && isLoop(event.nodeType) && event.nodeId !== undefined) {
      const mostPasses = event.nodeType === passLoop ? usualPasses : null;
      this.#setLoop(event.nodeId, { ...this.#loop(event.nodeId), mostPasses });
    } else if (event.type === 'node:input' && this.#isLoop(event.nodeId)) {
      const loop = this.#loop(event.nodeId);
      const known =
        loop.mostPasses === null ? { total: itemCount(event.input) } : { mostPasses: passCount(event.input) };
      this.#setLoop(event.nodeId, { ...loop, ...known, as: itemName(event.input) });
    }
    const touched = changeBy(event);
    const step = touched === null ? undefined : loopStepsOf(touched.place).at(-1);
    if (touched === null || step === undefined) return;
    const items = this.#itemsOf(step.loop);
    items.set(step.item, touched.change(items.get(step.item) ?? untouched));
  }

  #isLoop(place: string): boolean {
    return (this.#loops ?? this.#base.loops).has(place);
  }

  #loop(place: string): LoopTally {
    return (this.#loops ?? this.#base.loops).get(place) ?? noItems;
  }

  #setLoop(place: string, tally: LoopTally): void {
    this.#loops ??= new Map(this.#base.loops);
    this.#loops.set(place, tally);
  }

  #itemsOf(place: string): Map<number, ItemTally> {
    let items = this.#items.get(place);
    if (items === undefined) {
      const loop = this.#loop(place);
      items = new Map(loop.items);
      this.#items.set(place, items);
      this.#setLoop(place, { ...loop, items });
    }
    return items;
  }
}
