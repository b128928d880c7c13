/**
 * Keeps the service for triggers running while it is wanted: restarts it after a failure with growing pauses, and with
 * another list of workspaces when that changes. Does not depend on Electron; the process is created by `fork`.
 */
import { z } from 'zod';
import type { BackgroundState } from '../../ipc/contracts/background-contract.ts';
import type { Clock } from '../../ipc/engine-base.ts';
import { text } from '../text.ts';

/** A running service, as used by its owner. */
export interface ServiceProcess {
  /** Asks it to stop starting runs, and to exit when its active runs have ended. */
  end(): void;
  /** Ends it immediately. The next service continues its runs. */
  kill(): void;
  /** Calls the listener with each line of its output. */
  onLine(listener: (line: string) => void): void;
  /** Calls the listener with each line that it has for a person. */
  onNote(listener: (line: string) => void): void;
  onExit(listener: (exitCode: number) => void): void;
}

interface BackgroundWorld {
  readonly clock: Clock;
  /** @param workspaces absolute paths */
  fork(workspaces: readonly string[]): ServiceProcess;
  /** Returns the workspaces in which something is switched on, sorted. */
  listWorkspaces(): readonly string[];
  /** Returns the workspace of each published flow. */
  listPublished(): readonly string[];
  onChange(state: BackgroundState): void;
}

/** Pauses before the service starts again, in milliseconds, after the first and later failures in a row. */
const pausesMs = [1_000, 5_000, 30_000, 120_000, 600_000] as const;

/** A service that ran for this time has not failed at its start. */
const steadyMs = 60_000;

/** Milliseconds for a service to finish its active runs when another list of workspaces, or none, is wanted. */
const drainMs = 30_000;

/** The same when the program quits. */
const quitMs = 2_000;

/** A line that the service prints about each workspace, at its start and after each change. */
const report = z.object({
  workspace: z.string(),
  running: z.number(),
  triggers: z.array(
    z.object({
      flow: z.string(),
      trigger: z.string(),
      state: z.enum(['on', 'off', 'changed']),
      problem: z.string().optional(),
      nextAt: z.array(z.string()),
    }),
  ),
});

/** A line that the service prints when it listens. */
const address = z.object({ origin: z.string() });

type ServiceReport = z.output<typeof report>;

interface Child {
  readonly process: ServiceProcess;
  readonly workspaces: readonly string[];
  readonly startedAt: number;
  readonly reports: Map<string, ServiceReport>;
  isEnding: boolean;
  /** The address at which it listens. */
  origin: string | null;
  /** The last line for a person. */
  note: string | null;
}

export class BackgroundService {
  readonly #world: BackgroundWorld;
  #isOn = false;
  #wanted: readonly string[] = [];
  #child: Child | undefined;
  #failures = 0;
  /** What the last service reported before it failed. */
  #failure: string | null = null;
  #endTimer: (() => void) | undefined;
  #whenEnded: (() => void) | undefined;

  /** Starts nothing by itself. */
  constructor(world: BackgroundWorld) {
    this.#world = world;
  }

  get state(): BackgroundState {
    const child = this.#child;
    const reports = child === undefined ? [] : [...child.reports.values()];
    const service = this.#stateOf(child);
    const published = this.#world.listPublished();
    return {
      isOn: this.#isOn,
      service,
      address: child?.origin ?? null,
      published: published.length,
      workspaces: reports.map((one) => shownReport(one, published, this.#world.clock.now())),
      problem: child?.note ?? (service === 'running' ? null : this.#failure),
    };
  }

  /** Starts the service, or ends it after its active runs. */
  set(isOn: boolean): void {
    this.#isOn = isOn;
    this.#failures = 0;
    this.#failure = null;
    this.refresh();
  }

  /** Reads again what is switched on. */
  refresh(): void {
    this.#wanted = this.#isOn ? this.#world.listWorkspaces() : [];
    // A list that has changed may no longer contain what made the service fail.
    if (this.#child === undefined) this.#start();
    else if (!isSame(this.#child.workspaces, this.#wanted)) this.#end(this.#child, drainMs);
    this.#changed();
  }

  /** Ends the service soon. Runs that are still active then continue with the next service. */
  async close(): Promise<void> {
    this.#isOn = false;
    this.#wanted = [];
    this.#endTimer?.();
    const child = this.#child;
    if (child === undefined) return;
    await new Promise<void>((resolve) => {
      this.#whenEnded = resolve;
      this.#end(child, quitMs);
    });
  }

  #stateOf(child: Child | undefined): BackgroundState['service'] {
    if (!this.#isOn) return 'off';
    if (this.#wanted.length === 0) return 'idle';
    if (child === undefined) return 'waiting';
    return child.isEnding || child.reports.size < child.workspaces.length ? 'starting' : 'running';
  }

  #start(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
    if (this.#wanted.length === 0) return;
    const { clock } = this.#world;
    const workspaces = this.#wanted;
    const process = this.#world.fork(workspaces);
    const startedAt = clock.now();
    const child: Child = {
      ...{ process, workspaces, startedAt },
      ...{ reports: new Map(), isEnding: false, origin: null, note: null },
    };
    this.#child = child;
    process.onLine((line) => this.#hear(child, line));
    process.onNote((line) => {
      child.note = line;
      this.#changed();
    });
    process.onExit((exitCode) => this.#exited(child, exitCode));
  }

  #end(child: Child, limitMs: number): void {
    if (!child.isEnding) child.process.end();
    child.isEnding = true;
    this.#endTimer?.();
    this.#endTimer = this.#world.clock.setTimer(() => child.process.kill(), limitMs);
  }

  #hear(child: Child, line: string): void {
    const value = jsonOf(line);
    const { data: found } = report.safeParse(value);
    if (found !== undefined) child.reports.set(found.workspace, found);
    else child.origin = address.safeParse(value).data?.origin ?? child.origin;
    this.#changed();
  }

  #exited({ isEnding, startedAt, note }: Child, exitCode: number): void {
    const { clock } = this.#world;
    this.#child = undefined;
    this.#endTimer?.();
    this.#endTimer = undefined;
    this.#whenEnded?.();
    if (isEnding) {
      this.refresh();
      return;
    }
    if (clock.now() - startedAt >= steadyMs) this.#failures = 0;
    const pauseMs = pausesMs[Math.min(this.#failures, pausesMs.length - 1)] ?? 0;
    this.#failures += 1;
    this.#failure = note ?? text().background.exited({ code: exitCode });
    this.#endTimer = clock.setTimer(() => this.refresh(), pauseMs);
    this.#changed();
  }

  #changed(): void {
    this.#world.onChange(this.state);
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function shownReport(
  { workspace, running, triggers }: ServiceReport,
  published: readonly string[],
  now: number,
): BackgroundState['workspaces'][number] {
  const usable = triggers.filter(({ problem }) => problem === undefined);
  const on = usable.filter(({ state }) => state === 'on');
  const times = on.flatMap(({ flow, trigger, nextAt }) =>
    nextAt.map((time) => ({ flow, trigger, at: Date.parse(time) })).filter(({ at }) => at >= now),
  );
  return {
    folder: workspace,
    on: on.length,
    published: published.filter((one) => one === workspace).length,
    changed: usable.filter(({ state }) => state === 'changed').length,
    running,
    next: times.sort((a, b) => a.at - b.at)[0] ?? null,
  };
}
