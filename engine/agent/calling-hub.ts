/**
 * The hub of an input, which knows the runs that its scripts call.
 */
import type { RunId } from '../base/ids.ts';
import { CallTracker } from '../kernel/called-runs.ts';
import type { Hub } from '../kernel/hub.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import type { EventContext, RunEvent } from '../kernel/run-event.ts';
import { type Spending, SpendingHub } from '../kernel/spending.ts';
import type { AgentRun } from './agent-request.ts';

/** Made with the first call: most inputs call nothing. */
class Calls {
  readonly #track: () => CallTracker;
  #tracker: CallTracker | undefined;

  constructor(track: () => CallTracker, isTracked: boolean) {
    this.#track = track;
    if (isTracked) this.#tracker = track();
  }

  get tracker(): CallTracker {
    this.#tracker ??= this.#track();
    return this.#tracker;
  }

  list(): readonly ResumePoint[] {
    return this.#tracker?.list() ?? [];
  }
}

/** What an input tells of runs that it calls. */
const ofCalls: ReadonlySet<RunEvent['type']> = new Set(['agent:start', 'agent:complete', 'agent:failed']);

/** What is told goes on to the hub of the input's task; model calls are counted. */
export class CallingHub extends SpendingHub {
  readonly #calls: Calls;

  /** @param former the runs that were called before */
  constructor(inner: Hub, { request, spending }: AgentRun, former: readonly ResumePoint[]) {
    super(inner, spending);
    this.#calls = new Calls(() => new CallTracker(inner, request.clock, former), former.length > 0);
  }

  override emit(event: RunEvent): void {
    if (ofCalls.has(event.type)) this.#calls.tracker.take(event, this);
    super.emit(event);
  }

  override child(runId: RunId): Hub {
    this.#calls.tracker.noteChild(runId, this);
    return new CalledHub(this.inner.child(runId), this.spending, this.#calls);
  }

  /** The runs that were called, as far as they are. */
  calls(): readonly ResumePoint[] {
    return this.#calls.list();
  }
}

/** The hub of a run that was called, or of one below it. */
class CalledHub extends SpendingHub {
  readonly #calls: Calls;

  constructor(inner: Hub, spending: Spending, calls: Calls) {
    super(inner, spending);
    this.#calls = calls;
  }

  override emit(event: RunEvent): void {
    this.#calls.tracker.take(event, this);
    super.emit(event);
  }

  override scoped(context: Partial<EventContext>): Hub {
    return new CalledHub(this.inner.scoped(context), this.spending, this.#calls);
  }

  override child(runId: RunId): Hub {
    this.#calls.tracker.noteChild(runId, this);
    return new CalledHub(this.inner.child(runId), this.spending, this.#calls);
  }
}
