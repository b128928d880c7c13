/**
 * The hub as one attempt of a node sees it, and the runs that the attempt calls on it.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { frozenCopy } from '../flowspec/checked-json.ts';
import { CallTracker } from '../kernel/called-runs.ts';
import { cancellation } from '../kernel/cancel-scope.ts';
import type { Hub, HubScope } from '../kernel/hub.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import type { CallEvent, RunEvent } from '../kernel/run-event.ts';
import { type Spending, SpendingHub } from '../kernel/spending.ts';
import type { RunContext } from './run-scope.ts';

/** What the views of one attempt share. */
interface Attempt {
  readonly spending: Spending;
  /** Made with the first call: most nodes call nothing. */
  calls: CallTracker | undefined;
  readonly track: () => CallTracker;
  /** What the policy decided may be told. */
  readonly isGoverned: boolean;
  /** What a node says too late goes nowhere. */
  isOpen: boolean;
}

function trackerOf(attempt: Attempt): CallTracker {
  attempt.calls ??= attempt.track();
  return attempt.calls;
}

/** What a node tells of runs that it calls. */
const ofCalls: ReadonlySet<string> = new Set(['agent:start', 'agent:complete', 'agent:failed']);

/** Open while the attempt lasts, and only for what nodes may emit. */
export class AttemptHub extends SpendingHub {
  readonly #attempt: Attempt;

  private constructor(inner: Hub, attempt: Attempt) {
    super(inner, attempt.spending, attempt);
    this.#attempt = attempt;
  }

  /** @param formerCalls runs that go on in this attempt */
  static open(
    inner: Hub,
    { spending, clock }: Pick<RunContext, 'spending' | 'clock'>,
    { formerCalls, isGoverned }: { readonly formerCalls: readonly ResumePoint[]; readonly isGoverned: boolean },
  ): AttemptHub {
    const track = () => new CallTracker(inner, clock, formerCalls);
    return new AttemptHub(inner, {
      spending,
      calls: formerCalls.length > 0 ? track() : undefined,
      track,
      isGoverned,
      isOpen: true,
    });
  }

  /** @throws EngineError `node.bad-event` for what is no event, or one that nodes may not emit */
  override emit(event: RunEvent): void {
    if (!this.#attempt.isOpen) return;
    const told = eventFrom(event, this.#attempt.isGoverned);
    if (ofCalls.has(told.type)) trackerOf(this.#attempt).take(told, this);
    super.emit(told);
  }

  /** The attempt has called something, which gave this. @returns what was told; undefined when it comes too late, or is no JSON */
  tellCall(callKey: string, result: unknown): CallEvent | undefined {
    const copy = frozenCopy(result);
    if (!this.#attempt.isOpen || !copy.ok) return undefined;
    const event: CallEvent = { type: 'call:complete', callKey, result: copy.value };
    super.emit(event);
    return event;
  }

  /**
   * Where the executor of tools tells what nodes may not: of tools, and of what was decided about them.
   * @param note gets each event while the attempt lasts
   */
  ofTools(note: (event: RunEvent) => void): Hub {
    return new ToolHub(this.inner, this.#attempt, note);
  }

  /** Of the context, only the agent is a node's to say. */
  override scoped({ agent }: Partial<HubScope>): Hub {
    const context = agent === undefined ? {} : { agent: { name: String(agent.name) } };
    return new AttemptHub(this.inner.scoped(context), this.#attempt);
  }

  override child(runId: RunId): Hub {
    trackerOf(this.#attempt).noteChild(runId, this);
    return new CalledHub(this.inner.child(runId), this.#attempt);
  }

  /** The runs that were called and have no end, as far as they are. */
  calls(): readonly ResumePoint[] {
    return this.#attempt.calls?.list() ?? [];
  }

  /** Ends this view and all that were made from it, runs that the attempt calls among them: those that go on leave them open. */
  close(): void {
    this.#attempt.isOpen = false;
  }

  /**
   * Closes, and tells of called runs that have no end yet, because nobody waits for them any more, that they are over.
   * @param why what has ended the attempt; absent when it ended by itself
   */
  abandon(why?: EngineError): void {
    this.close();
    this.#attempt.calls?.close(this.inner, () => why ?? cancellation());
  }
}

/** The hub of the tools that an attempt calls. */
class ToolHub extends SpendingHub {
  readonly #attempt: Attempt;
  readonly #note: (event: RunEvent) => void;

  constructor(inner: Hub, attempt: Attempt, note: (event: RunEvent) => void) {
    super(inner, attempt.spending, attempt);
    this.#attempt = attempt;
    this.#note = note;
  }

  override emit(event: RunEvent): void {
    if (!this.#attempt.isOpen) return;
    if (ofCalls.has(event.type)) trackerOf(this.#attempt).take(event, this);
    this.#note(event);
    super.emit(event);
  }

  override scoped(context: Partial<HubScope>): Hub {
    return new ToolHub(this.inner.scoped(context), this.#attempt, this.#note);
  }

  override child(runId: RunId): Hub {
    trackerOf(this.#attempt).noteChild(runId, this);
    return new CalledHub(this.inner.child(runId), this.#attempt);
  }
}

/** The hub of a run that the attempt called, or of one below it. */
class CalledHub extends SpendingHub {
  readonly #attempt: Attempt;

  constructor(inner: Hub, attempt: Attempt) {
    super(inner, attempt.spending, attempt);
    this.#attempt = attempt;
  }

  override emit(event: RunEvent): void {
    if (this.#attempt.isOpen) trackerOf(this.#attempt).take(event, this);
    super.emit(event);
  }

  override scoped(context: Partial<HubScope>): Hub {
    return new CalledHub(this.inner.scoped(context), this.#attempt);
  }

  override child(runId: RunId): Hub {
    trackerOf(this.#attempt).noteChild(runId, this);
    return new CalledHub(this.inner.child(runId), this.#attempt);
  }
}

/** Events about runs, phases, tasks, nodes and edges are emitted by the code that decides about them. */
const runnersOwn = /^(?:call|tool|run|exec|phase|task|node|step|edge|stage|governance):/;

/** A copy: the node may change what it told before that is in the log. */
function eventFrom(told: unknown, isGoverned: boolean): RunEvent {
  const copy = frozenCopy(told);
  const problem = copy.ok ? problemOf(copy.value, isGoverned) : [...copy.problem.path, copy.problem.message].join(' ');
  if (copy.ok && problem === undefined) return copy.value as unknown as RunEvent;
  throw new EngineError({ code: 'node.bad-event', message: `What it told on its hub ${problem}` });
}

function problemOf(event: unknown, isGoverned: boolean): string | undefined {
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string') {
    return 'has no type, so it is no event';
  }
  const isItsOwn = isGoverned && event.type === 'governance:decision';
  if (runnersOwn.test(event.type) && !isItsOwn) return `is ${event.type}, which is not for nodes to tell`;
  const hasText = !('content' in event) || typeof event.content === 'string';
  return hasText ? undefined : 'has a content that is no text';
}
