/**
 * The tallies of a run's loops while a batch of events is folded: each is copied on its first change and then modified in place.
 */
import { isLoop, itemCount, itemName, passCount, passLoop, usualPasses } from '../../../language/flow/loops.ts';
import type { BodyEnd, BodyTally, ItemTally, LoopTallies, LoopTally } from './loop-tallies.ts';
import { baseNodeId, innermostStep, isInBody } from './node-places.ts';
import { PersistentMap } from './persistent-map.ts';
import type { EdgeEvent, NodeEvent, TaskEvent } from './run-event.ts';
import type { NodeStatus, RunState } from './run-state.ts';

/** Whether an event is the start of a loop. */
export function startsLoop(event: TaskEvent | NodeEvent): boolean {
  return 'nodeType' in event && isLoop(event.nodeType);
}

interface Change {
  readonly open?: number;
  readonly ended?: number;
  readonly failed?: number;
  /** Whether the node is reached: edges to a skipped node do not count. */
  readonly isReached?: true;
  /** How the node ended at this place. */
  readonly end?: BodyEnd;
}

/** How an event changes an item's tally. Events that are not listed do not concern a single item. */
const changes: Readonly<Partial<Record<(TaskEvent | NodeEvent)['type'], Change>>> = {
  'task:start': { isReached: true, open: 1 },
  'task:complete': { open: -1, ended: 1, end: 'ran' },
  'task:failed': { open: -1, ended: 1, failed: 1, end: 'failed' },
  'task:cancelled': { open: -1, ended: 1, end: 'cancelled' },
  // `node:skipped` follows.
  'task:skipped': { open: -1 },
  'node:skipped': { isReached: true, ended: 1, end: 'skipped' },
  'node:reused': { isReached: true, ended: 1, end: 'reused' },
  'node:suspended': {},
  'node:retry': {},
};

/** The first start of an interrupted node is still open. */
const startedAgain: Change = { isReached: true };

interface Nodes {
  /** Undefined for a node without events. */
  statusOf(place: string): NodeStatus | undefined;
}

export class LoopDrafts {
  readonly #base: LoopTallies;
  readonly #run: Pick<RunState, 'failedNodes'>;
  readonly #nodes: Nodes;
  readonly #loops = new Map<string, LoopDraft>();
  readonly #bodies = new Map<string, BodyDraft>();
  readonly #edges = new Map<string, number>();

  /** @param run the run's draft */
  constructor(run: RunState, nodes: Nodes) {
    this.#base = run.tallies;
    this.#run = run;
    this.#nodes = nodes;
  }

  /**
   * Returns the tallies after the batch; the same object if the batch changed none. The drafts must not be changed
   * afterward.
   */
  finished(): LoopTallies {
    if (this.#loops.size === 0) return this.#base;
    const { loops, bodies, bodyEdges } = this.#base;
    return {
      loops: withDrafts(loops, this.#loops),
      bodies: withDrafts(bodies, this.#bodies),
      bodyEdges: PersistentMap.of(bodyEdges).withAll(this.#edges),
    };
  }

  /** Applies an event before it is applied to the run's nodes. */
  take(event: TaskEvent | NodeEvent): void {
    const place = event.nodeId;
    if (place === undefined) return;
    if ('nodeType' in event && isLoop(event.nodeType)) this.#loop(place).start(event.nodeType);
    else if ('input' in event) this.#knownLoop(place)?.setInput(event.input);
    if (event.type === 'task:complete') this.#knownLoop(place)?.complete();
    const step = innermostStep(place);
    const change = changes[event.type];
    if (step === undefined || change === undefined) return;
    const isResumed = 'resumed' in event && event.resumed === true;
    const led = this.#loop(step.loop).change(step.item, { place, ...(isResumed ? startedAgain : change) });
    if (event.type === 'node:skipped') for (const id of led) this.#countEdge(id, -1);
    this.#takeBody(event, place, change);
  }

  /** An edge leads to a node in a body. It counts unless that node turns out to be skipped. */
  takeEdge({ edgeId, from, to }: EdgeEvent): void {
    const step = innermostStep(to);
    if (step === undefined || this.#nodes.statusOf(from) === 'skipped') return;
    const id = edgeId.slice(to.lastIndexOf('].') + 2);
    this.#loop(step.loop).lead(step.item, { id, to });
    this.#countEdge(id, 1);
  }

  #takeBody(event: TaskEvent | NodeEvent, place: string, { open, end }: Change): void {
    if (event.type === 'node:suspended') this.#body(place).open.set(place, true);
    else if (open === 1) this.#startInBody(place);
    else if (end !== undefined) {
      const isDisabled = event.type === 'node:skipped' && event.reason === 'disabled';
      this.#body(place).end(place, isDisabled ? 'disabled' : end);
    }
  }

  #startInBody(place: string): void {
    const body = this.#body(place);
    body.open.set(place, false);
    const former = this.#nodes.statusOf(place);
    if (former === 'failed' || former === 'cancelled') body.counts[former] -= 1;
    if (body.firstFailed === place) body.firstFailed = this.#nextFailed(place);
  }

  /** Returns the first failed place of the same node, except one that starts again. */
  #nextFailed(started: string): string | null {
    const id = baseNodeId(started);
    for (const place of this.#run.failedNodes) {
      const isOther = place !== started && isInBody(place) && baseNodeId(place) === id;
      if (isOther && this.#nodes.statusOf(place) === 'failed') return place;
    }
    return null;
  }

  #knownLoop(place: string): LoopDraft | undefined {
    return this.#loops.has(place) || this.#base.loops.has(place) ? this.#loop(place) : undefined;
  }

  #loop(place: string): LoopDraft {
    let draft = this.#loops.get(place);
    if (draft === undefined) {
      draft = new LoopDraft(this.#base.loops.get(place));
      this.#loops.set(place, draft);
    }
    return draft;
  }

  /** The node at a place that an event changes. */
  #body(place: string): BodyDraft {
    const id = baseNodeId(place);
    let draft = this.#bodies.get(id);
    if (draft === undefined) {
      draft = new BodyDraft(this.#base.bodies.get(id));
      this.#bodies.set(id, draft);
    }
    draft.latest = place;
    return draft;
  }

  #countEdge(id: string, by: number): void {
    const before = this.#edges.get(id) ?? this.#base.bodyEdges.get(id) ?? 0;
    this.#edges.set(id, before + by);
  }
}

function withDrafts<Tally>(
  before: ReadonlyMap<string, Tally>,
  drafts: ReadonlyMap<string, { finished(): Tally }>,
): ReadonlyMap<string, Tally> {
  if (drafts.size === 0) return before;
  const finished = new Map<string, Tally>();
  for (const [name, draft] of drafts) finished.set(name, draft.finished());
  return PersistentMap.of(before).withAll(finished);
}

const untouched: ItemTally = { open: 0, ended: 0, failed: 0 };
const noEdges: readonly string[] = [];

class LoopDraft {
  #total: number | null;
  #mostPasses: number | null;
  #as: string | null;
  readonly #items: PersistentMap<ItemTally, number>;
  readonly #touched = new Map<number, ItemTally>();

  constructor(base: LoopTally | undefined) {
    this.#total = base?.total ?? null;
    this.#mostPasses = base?.mostPasses ?? null;
    this.#as = base?.as ?? null;
    this.#items = PersistentMap.of<ItemTally, number>(base?.items ?? new Map());
  }

  finished(): LoopTally {
    const items = this.#items.withAll(this.#touched);
    return { total: this.#total, mostPasses: this.#mostPasses, as: this.#as, items };
  }

  start(nodeType: string | undefined): void {
    this.#mostPasses = nodeType === passLoop ? usualPasses : null;
  }

  setInput(input: Parameters<typeof itemCount>[0]): void {
    if (this.#mostPasses === null) this.#total = itemCount(input);
    else this.#mostPasses = passCount(input);
    this.#as = itemName(input);
  }

  /** A completed loop has run all items, so their number is known even if the input is stored elsewhere. */
  complete(): void {
    if (this.#mostPasses === null) this.#total ??= this.#items.withAll(this.#touched).size;
  }

  /** Changes an item's tally. Returns the edges that led to the node, if it is reached. */
  change(item: number, { place, ...change }: Change & { readonly place: string }): readonly string[] {
    const { open = 0, ended = 0, failed = 0, isReached } = change;
    const before = this.#item(item);
    const edges = isReached ? before.led?.get(place) : undefined;
    this.#touched.set(item, {
      open: Math.max(0, before.open + open),
      ended: before.ended + ended,
      failed: before.failed + failed,
      led: edges === undefined ? before.led : without(before.led, place),
    });
    return edges ?? noEdges;
  }

  lead(item: number, { id, to }: { readonly id: string; readonly to: string }): void {
    const before = this.#item(item);
    const led = new Map(before.led).set(to, [...(before.led?.get(to) ?? noEdges), id]);
    this.#touched.set(item, { ...before, led });
  }

  #item(item: number): ItemTally {
    return this.#touched.get(item) ?? this.#items.get(item) ?? untouched;
  }
}

function without(led: ItemTally['led'], place: string): ItemTally['led'] {
  if (led === undefined || led.size < 2) return undefined;
  const left = new Map(led);
  left.delete(place);
  return left;
}

class BodyDraft {
  readonly open: Map<string, boolean>;
  readonly counts: Counts;
  firstFailed: string | null;
  /** The place of the most recent event. */
  latest = '';
  #lastRan: string | null;

  constructor(base: BodyTally | undefined) {
    this.open = new Map(base?.open);
    this.counts = copyOf(base?.counts ?? noCounts);
    this.firstFailed = base?.firstFailed ?? null;
    this.#lastRan = base?.lastRan ?? null;
  }

  finished(): BodyTally {
    const { open, counts, firstFailed } = this;
    // Only a few are open at a time.
    let atWork: string | undefined;
    for (const place of open.keys()) atWork = place;
    const followed = atWork ?? firstFailed ?? this.#lastRan ?? this.latest;
    return { open, counts, lastRan: this.#lastRan, firstFailed, followed };
  }

  end(place: string, how: BodyEnd): void {
    this.open.delete(place);
    this.counts[how] += 1;
    if (how === 'failed') this.firstFailed ??= place;
    if (how === 'ran' || how === 'reused') this.#lastRan = place;
  }
}

type Counts = Record<BodyEnd, number>;

const noCounts: Readonly<Counts> = { ran: 0, reused: 0, failed: 0, cancelled: 0, skipped: 0, disabled: 0 };

/** Copies field by field, which is many times faster than `...`. */
function copyOf({ ran, reused, failed, cancelled, skipped, disabled }: Readonly<Counts>): Counts {
  return { ran, reused, failed, cancelled, skipped, disabled };
}
