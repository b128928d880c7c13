/**
 * One attempt of a node: its run ID, its hub, its time limit, and the validation of its output.
 */
import type { Clock } from '../../../base/clock.ts';
import { fromErrorRecord, toErrorRecord } from '../../../base/engine-error.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { clockOfHost } from '../../kernel/capabilities/run-host.ts';
import { type CancelScope, cancellation } from '../../kernel/hub/cancel-scope.ts';
import { Suspension } from '../../kernel/hub/harness.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import { withInbox } from '../../kernel/requests/agent-inbox.ts';
import { closeCalls } from '../../kernel/resume/called-runs.ts';
import { isAnswered, type ResumePoint } from '../../kernel/resume/resume-point.ts';
import { NodeRetry, NodeSkip } from '../node-type.ts';
import { HostedStillTime, type StillTime } from '../run-activity.ts';
import { callsOf, closeCallsOf } from '../run-scope.ts';
import { AttemptAsks } from './attempt-asks.ts';
import { AttemptContext, type AttemptSurroundings } from './attempt-context.ts';
import { AttemptEvents } from './attempt-events.ts';
import { outputOf } from './attempt-output.ts';
import { keptAttempt } from './kept-attempt.ts';
import { type AttemptEnd, effectsOf, type NodeJob } from './node-job.ts';
import { type GuardedCall, isDeafTimeout } from './work-guard.ts';

/** Starts attempts and receives the outcome of each. */
export interface AttemptOwner {
  /** Receives an attempt's outcome. Must not throw. */
  take(end: AttemptEnd): void;
}

/**
 * Runs the node once, as a step of the host if the host records steps and the type allows it. Never throws.
 * @param attempt attempt number
 * @param owner its `take` is called once, after this function has returned
 */
export function runAttempt(job: NodeJob, attempt: number, owner: AttemptOwner): void {
  const { host, clock } = job.place.scope.run;
  if (host.keepsSteps !== true) {
    new NodeAttempt(job, clock, owner).start();
    return;
  }
  const name = `${job.name}#${attempt}`;
  if (job.prepared.nodeType.hosting === 'workflow') {
    const limitClock = clockOfHost(host, `${name}/limit`, 'limit');
    new NodeAttempt(job, clockOfHost(host, name), owner, limitClock).start();
  } else void keptAttempt(job, name, (inner) => attemptOnce(inner, clock)).then((end) => owner.take(end));
}

function attemptOnce(job: NodeJob, clock: Clock): Promise<AttemptEnd> {
  return new Promise((take) => new NodeAttempt(job, clock, { take }).start());
}

/**
 * One call to the node: the guarded work and the processing of its result. Everything that most nodes never use is
 * created on demand.
 */
class NodeAttempt implements GuardedCall<JsonValue>, AttemptSurroundings {
  readonly #job: NodeJob;
  readonly #owner: AttemptOwner;
  readonly clock: Clock;
  readonly limitClock: Clock;
  readonly activity: StillTime | undefined;
  readonly formerCalls: readonly ResumePoint[];
  readonly asks: AttemptAsks | undefined;
  #events: AttemptEvents | undefined;
  waitsFor: string | undefined;

  constructor(job: NodeJob, clock: Clock, owner: AttemptOwner, limitClock: Clock = clock) {
    this.#job = job;
    this.clock = clock;
    this.limitClock = limitClock;
    this.#owner = owner;
    this.formerCalls = takeUpCalls(job);
    this.asks = job.prepared.nodeType.capabilities.includes('ask') ? new AttemptAsks(job, clock) : undefined;
    this.activity = job.node.policy.timeoutMs === null ? undefined : (stillTimeOf(job) ?? this.asks?.activity);
    if (this.formerCalls.length > 0) this.#events = this.#openEvents();
  }

  start(): void {
    this.#job.place.guard.start(this);
  }

  get events(): AttemptEvents {
    this.#events ??= this.#openEvents();
    return this.#events;
  }

  get timeoutMs(): number | null {
    return timeLeft(this.#job, this.formerCalls);
  }

  get isTrusted(): boolean {
    return this.#job.body !== undefined;
  }

  begin(scope: CancelScope): Promise<JsonValue> {
    const { hub, place } = this.#job;
    const { cancel } = place.scope;
    if (effectsOf(this.#job) === 'external') hub.flush();
    // The flush may have stopped the run. Effects must not happen before they can be recorded.
    if (cancel.reason !== undefined) throw cancel.reason;
    return callNode(this.#job, this, scope);
  }

  succeed(given: JsonValue): void {
    let end: AttemptEnd | Promise<AttemptEnd>;
    try {
      this.#events?.abandon();
      const output = outputOf(this.#job, given);
      end = output instanceof Promise ? output.then((value) => this.#valueEnd(value)) : this.#valueEnd(output);
    } catch (thrown) {
      this.fail(thrown);
      return;
    }
    if (end instanceof Promise) this.#settleBy(end);
    else this.#owner.take(end);
  }

  fail(thrown: unknown): void {
    const { cancel } = this.#job.place.scope;
    const retry = retryIn(thrown);
    if (retry !== undefined && cancel.reason === undefined) {
      this.#settleBy(unwantedEnd(retry, this.#job, this.events));
      return;
    }
    const unanswered = this.asks?.endedBy(thrown);
    if (unanswered === undefined || cancel.reason !== undefined) {
      this.#owner.take(failedAttempt(thrown, this.#job, this.events));
      return;
    }
    this.#events?.abandon();
    this.#owner.take({ kind: 'asks', asks: unanswered });
  }

  #openEvents(): AttemptEvents {
    const { hub, place, prepared, spending = place.scope.run.spending } = this.#job;
    const { clock, formerCalls } = this;
    const isGoverned = prepared.nodeType.isGoverned === true;
    return new AttemptEvents(hub, { spending, clock, formerCalls, isGoverned });
  }

  #valueEnd(value: JsonValue): AttemptEnd {
    const meta = this.#job.place.scope.run.steps?.noted();
    return meta === undefined ? { kind: 'value', value } : { kind: 'value', value, meta };
  }

  #settleBy(end: Promise<AttemptEnd>): void {
    end.then(
      (made) => this.#owner.take(made),
      (thrown: unknown) => this.fail(thrown),
    );
  }
}

/** Returns the time that does not count for the node's time limit; undefined if all time counts. */
function stillTimeOf({ activity, prepared, place }: NodeJob): StillTime | undefined {
  const { waits } = place.scope.run.host;
  const isHosted = waits !== undefined && prepared.nodeType.hosting === 'workflow';
  return isHosted ? new HostedStillTime(activity, waits) : activity;
}

/** A node that requests another attempt has not failed: its output may still be used. */
async function unwantedEnd({ unwanted }: NodeRetry, job: NodeJob, events: AttemptEvents): Promise<AttemptEnd> {
  const { node, place } = job;
  const told = toErrorRecord(unwanted.error);
  const error = place.scope.run.secrets?.mask(told) ?? told;
  try {
    events.abandon();
    const value = await outputOf(job, unwanted.output);
    return { kind: 'unwanted', value, error: { ...error, nodeId: node.id }, delayMs: unwanted.delayMs };
  } catch (thrown) {
    return failedAttempt(thrown, job, events);
  }
}

/** Third-party code may throw values that cannot even be inspected. */
function retryIn(thrown: unknown): NodeRetry | undefined {
  try {
    return thrown instanceof NodeRetry ? thrown : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Time during which all of a node's calls wait for people does not count: the node's time limit is paused until they
 * continue.
 */
function timeLeft({ name, node, place }: NodeJob, formerCalls: readonly ResumePoint[]): number | null {
  const { timeoutMs } = node.policy;
  const { asks, resume } = place.scope.run;
  const hasWaited = asks.isCalledAgain(name) || resume?.open.get(name)?.isParked === true;
  if (timeoutMs === null || !hasWaited) return timeoutMs;
  const workedMs = formerCalls.reduce((sum, { activeMs }) => sum + activeMs, 0);
  return Math.max(1, timeoutMs - workedMs);
}

function failedAttempt(
  thrown: unknown,
  { name, node, prepared, place, begun }: NodeJob,
  events: AttemptEvents,
): AttemptEnd {
  const { cancel, run } = place.scope;
  if (prepared.nodeType.resumesCalls === true && thrown instanceof Suspension) {
    if (begun === undefined) run.openCalls.set(name, events.calls());
    events.close();
    return { kind: 'suspended', inner: thrown.waitsFor, reason: thrown.reason };
  }
  const told = toErrorRecord(thrown);
  const error = run.secrets?.mask(told) ?? told;
  events.abandon(cancel.reason ?? fromErrorRecord(error));
  if (cancel.reason !== undefined) return { kind: 'cancelled' };
  const reason = skipReasonOf(thrown);
  if (reason !== undefined) return { kind: 'skipped', reason };
  return { kind: 'failed', error: { ...error, nodeId: node.id }, isDeaf: isDeafTimeout(thrown) };
}

/** Returns the node's child runs from before an interruption that this attempt resumes; ends the others. */
function takeUpCalls({ name, prepared, hub, place, begun }: NodeJob): readonly ResumePoint[] {
  const { run } = place.scope;
  if (begun !== undefined) return startedCalls(begun.calls, hub);
  const calls = callsOf(name, run);
  if (calls.length === 0) return calls;
  // If someone has made a decision about the node itself, it starts again.
  const goesOn = prepared.nodeType.resumesCalls === true && !isAnswered(name, run.resume);
  const proceed = goesOn ? calls.filter(({ start }) => start !== undefined) : [];
  run.openCalls.set(
    name,
    calls.filter((call) => !proceed.includes(call)),
  );
  closeCallsOf(name, run, hub);
  return proceed;
}

/** Ends the calls whose runs have not started, because they are made again. */
function startedCalls(calls: readonly ResumePoint[], hub: Hub): readonly ResumePoint[] {
  const isStarted = ({ start }: ResumePoint): boolean => start !== undefined;
  closeCalls(
    calls.filter((call) => !isStarted(call)),
    hub,
    cancellation(),
  );
  return calls.filter(isStarted);
}

/** Third-party code may throw values that cannot even be inspected. */
function skipReasonOf(thrown: unknown): string | undefined {
  try {
    return thrown instanceof NodeSkip ? thrown.message : undefined;
  } catch {
    return undefined;
  }
}

function callNode(job: NodeJob, surroundings: AttemptSurroundings, scope: CancelScope): Promise<JsonValue> {
  const context = new AttemptContext(job, surroundings, scope);
  const { asks } = surroundings;
  const called = callWith(context, job);
  const work = asks === undefined ? called : Promise.race([called, asks.unanswered]);
  const close = context.closeOwnScope();
  // Most nodes have no listeners, and an extra promise for each would be noticeable.
  return close === undefined ? work : Promise.resolve(work).finally(close);
}

function callWith(context: AttemptContext, job: NodeJob): Promise<JsonValue> {
  const { nodeType } = job.prepared;
  job.place.scope.run.clock.release?.();
  if (nodeType.supportsInbox !== true) return nodeType.run(context.asTyped());
  const owner = { runId: context.runId, signal: context.signal };
  return withInbox(job.place.scope.run.inboxes, owner, (inbox) => {
    context.inbox = inbox;
    return nodeType.run(context.asTyped());
  });
}
