/**
 * Simulates many workers, one Restate server and one PostgreSQL server on a separate clock. The queue of events in
 * each worker is the real one (`engine/host/durable/projection.ts`); the servers are queues with measured costs.
 */
import { Projection, type RunProjection } from '../engine/host/durable/projection.ts';
import { asRunId, type EventEnvelope } from '../engine/isomorphic.ts';
import { percentile } from './statistics.ts';

/** Processor time of one operation, in microseconds. */
export interface Costs {
  /** A worker's part of a node that is computed within the workflow. */
  readonly pureNode: number;
  /** A worker's part of a node that is a step, without the step's own work. */
  readonly step: number;
  /** Restate's part of a step. */
  readonly journalStep: number;
  /** Restate's part of a run, apart from its steps. */
  readonly journalRun: number;
  /** PostgreSQL's part of a batch of events, and of each event in it. */
  readonly historyBatch: number;
  readonly historyEvent: number;
  /** PostgreSQL's part of a worker's check for answers and requests. */
  readonly delivery: number;
}

/** What the workers do. */
export interface Load {
  readonly workers: number;
  /** Runs in progress per worker. A run that ends is followed by the next one. */
  readonly runsPerWorker: number;
  readonly nodesPerRun: number;
  /** Share of the nodes that are steps, from 0 to 1. */
  readonly stepShare: number;
  /** Mean duration of the work of a step, in milliseconds. */
  readonly stepMs: number;
  readonly eventsPerNode: number;
  /** Requests to people per run. */
  readonly asksPerRun: number;
}

export interface Machines {
  readonly coresPerWorker: number;
  readonly restateCores: number;
  readonly postgresCores: number;
  /** Time for a message to a server and back, in milliseconds. */
  readonly networkMs: number;
}

export interface Outcome {
  readonly nodesPerSecond: number;
  readonly runsPerSecond: number;
  readonly eventsPerSecond: number;
  /** Mean number of events per transaction. */
  readonly eventsPerBatch: number;
  /** Mean number of busy cores: of all workers together, and of each server. */
  readonly cores: { readonly workers: number; readonly restate: number; readonly postgres: number };
  /** Share of PostgreSQL's time that checks for answers take. */
  readonly deliveryShare: number;
  /** Time from an event to its presence in the history, in milliseconds. */
  readonly lagMs: { readonly median: number; readonly p99: number };
  /** Share of the nodes after which a run paused because too many of its events waited. */
  readonly pausedShare: number;
}

/** Steps of time in which the simulation looks at the real queues, in milliseconds. */
const grainMs = 0.25;
const pollMs = 10_000;

/** A clock that jumps to the next thing that happens. */
class Timeline {
  now = 0;
  /** What happens, by step of time. */
  readonly #due = new Map<number, (() => void)[]>();
  #step = 0;

  at(time: number, callback: () => void): void {
    const step = Math.max(this.#step + 1, Math.ceil(time / grainMs));
    const list = this.#due.get(step);
    if (list === undefined) this.#due.set(step, [callback]);
    else list.push(callback);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.now + ms, resolve));
  }

  async advanceTo(end: number): Promise<void> {
    for (; this.#step * grainMs < end; this.#step++) {
      const list = this.#due.get(this.#step);
      if (list === undefined) continue;
      this.#due.delete(this.#step);
      this.now = this.#step * grainMs;
      for (const callback of list) callback();
      await settled();
    }
  }
}

/** Resolves when the queues have handled everything that does not wait. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Cores that serve requests in their order. */
class Cores {
  busyMs = 0;
  readonly #timeline: Timeline;
  readonly #freeAt: number[];

  constructor(timeline: Timeline, count: number) {
    this.#timeline = timeline;
    this.#freeAt = Array.from({ length: count }, () => 0);
  }

  /** Resolves when a core has spent the time. */
  use(microseconds: number): Promise<void> {
    const ms = microseconds / 1000;
    let first = 0;
    for (let core = 1; core < this.#freeAt.length; core++)
      if ((this.#freeAt[core] ?? 0) < (this.#freeAt[first] ?? 0)) first = core;
    const end = Math.max(this.#timeline.now, this.#freeAt[first] ?? 0) + ms;
    this.#freeAt[first] = end;
    this.busyMs += ms;
    return new Promise((resolve) => this.#timeline.at(end, resolve));
  }
}

/** Numbers between 0 and 1 that are the same in every simulation (mulberry32). */
function repeatableRandom(): () => number {
  let state = 20_261_129;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Simulation {
  readonly timeline = new Timeline();
  readonly restate: Cores;
  readonly postgres: Cores;
  readonly workers: Cores[] = [];
  readonly counts = { nodes: 0, runs: 0, events: 0, batches: 0, paused: 0, deliveryMs: 0 };
  readonly lags: number[] = [];
  readonly #load: Load;
  readonly #machines: Machines;
  readonly #costs: Costs;
  readonly #random = repeatableRandom();
  readonly #deliveries: Delivery[] = [];

  constructor(load: Load, machines: Machines, costs: Costs) {
    this.#load = load;
    this.#machines = machines;
    this.#costs = costs;
    this.restate = new Cores(this.timeline, machines.restateCores);
    this.postgres = new Cores(this.timeline, machines.postgresCores);
  }

  start(): void {
    for (let index = 0; index < this.#load.workers; index++) {
      const cores = new Cores(this.timeline, this.#machines.coresPerWorker);
      this.workers.push(cores);
      const projection = this.#projection();
      for (let run = 0; run < this.#load.runsPerWorker; run++) void this.#runs(cores, projection);
      const delivery = { isChecking: false, hasNews: false };
      this.#deliveries.push(delivery);
      void this.#poll(delivery);
    }
  }

  /** The queue of a worker, with a history that takes its time. */
  #projection(): Projection {
    const { networkMs } = this.#machines;
    const { historyBatch, historyEvent } = this.#costs;
    return new Projection({
      history: {
        project: async (batches) => {
          const count = batches.reduce((sum, { events }) => sum + events.length, 0);
          await this.timeline.sleep(networkMs);
          await this.postgres.use(historyBatch + count * historyEvent);
          this.counts.batches++;
          this.counts.events += count;
          for (const { events } of batches) this.lags.push(this.timeline.now - (events[0]?.at ?? 0));
        },
      },
      clock: {
        setTimer: (callback, ms) => {
          this.timeline.at(this.timeline.now + ms, callback);
          return () => undefined;
        },
      },
      onProblem: (error) => {
        throw error;
      },
    });
  }

  /** One run after the other. The first one begins somewhere in the middle, so that not all end at once. */
  async #runs(worker: Cores, projection: Projection): Promise<void> {
    let first = Math.floor(this.#random() * this.#load.nodesPerRun);
    for (;;) {
      const run = projection.open(asRunId('run'), -1);
      for (let node = first; node < this.#load.nodesPerRun; node++) await this.#node(worker, run, node);
      await this.restate.use(this.#costs.journalRun);
      await run.whenWritten();
      this.counts.runs++;
      // An answer makes every worker check.
      if (this.#random() < this.#load.asksPerRun) for (const delivery of this.#deliveries) void this.#check(delivery);
      first = 0;
    }
  }

  async #node(worker: Cores, run: RunProjection, node: number): Promise<void> {
    const { eventsPerNode, stepShare, stepMs } = this.#load;
    const { step, journalStep, pureNode } = this.#costs;
    if (this.#random() < stepShare) {
      await worker.use(step / 2);
      await this.timeline.sleep(-Math.log(1 - this.#random()) * stepMs + this.#machines.networkMs);
      await this.restate.use(journalStep);
      await worker.use(step / 2);
    } else await worker.use(pureNode);
    const at = this.timeline.now;
    run.add(Array.from({ length: eventsPerNode }, (_, index) => eventAt(node * eventsPerNode + index, at)));
    this.counts.nodes++;
    if (run.unwritten > mostUnpaused) this.counts.paused++;
    await run.whenRoom();
  }

  /** Every worker also checks from time to time. */
  async #poll(delivery: Delivery): Promise<void> {
    await this.timeline.sleep(this.#random() * pollMs);
    for (;;) {
      await this.#check(delivery);
      await this.timeline.sleep(pollMs);
    }
  }

  /** A check that is requested during another one follows it, as in `message-delivery.ts`. */
  async #check(delivery: Delivery): Promise<void> {
    delivery.hasNews = true;
    if (delivery.isChecking) return;
    delivery.isChecking = true;
    while (delivery.hasNews) {
      delivery.hasNews = false;
      this.counts.deliveryMs += this.#costs.delivery / 1000;
      await this.timeline.sleep(this.#machines.networkMs);
      await this.postgres.use(this.#costs.delivery);
    }
    delivery.isChecking = false;
  }
}

/** A worker's checks for answers. */
interface Delivery {
  isChecking: boolean;
  hasNews: boolean;
}

/** As in `projection.ts`. */
const mostUnpaused = 1000;

function eventAt(seq: number, at: number): EventEnvelope {
  return { seq, at } as EventEnvelope;
}

/**
 * Simulates for some time, after as much time for the start.
 * @param seconds of the simulated time
 */
export async function simulate(
  load: Load,
  machines: Machines,
  { costs, seconds }: { readonly costs: Costs; readonly seconds: number },
): Promise<Outcome> {
  const simulation = new Simulation(load, machines, costs);
  const { timeline, counts, workers, restate, postgres, lags } = simulation;
  simulation.start();
  await timeline.advanceTo(seconds * 1000);
  const before = { ...counts };
  const busy = () => ({
    workers: workers.reduce((sum, { busyMs }) => sum + busyMs, 0),
    restate: restate.busyMs,
    postgres: postgres.busyMs,
  });
  const busyBefore = busy();
  lags.length = 0;
  await timeline.advanceTo(2 * seconds * 1000);
  const after = busy();
  const perSecond = (name: keyof typeof counts) => (counts[name] - before[name]) / seconds;
  const cores = (name: keyof typeof after) => (after[name] - busyBefore[name]) / (seconds * 1000);
  return {
    nodesPerSecond: perSecond('nodes'),
    runsPerSecond: perSecond('runs'),
    eventsPerSecond: perSecond('events'),
    eventsPerBatch: perSecond('events') / perSecond('batches'),
    cores: { workers: cores('workers'), restate: cores('restate'), postgres: cores('postgres') },
    deliveryShare: (counts.deliveryMs - before.deliveryMs) / Math.max(1, after.postgres - busyBefore.postgres),
    lagMs: { median: percentile(lags, 0.5), p99: percentile(lags, 0.99) },
    pausedShare: perSecond('paused') / perSecond('nodes'),
  };
}
