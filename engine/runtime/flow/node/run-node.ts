/**
 * Runs one node inside its task: prepares it once, then retries as often as its policy allows.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError, type ErrorRecord, toErrorRecord } from '../../../base/engine-error.ts';
import type { CompiledNode } from '../../../language/flow/compiled-flow.ts';
import { clockOfHost } from '../../kernel/capabilities/run-host.ts';
import type { CancelReason } from '../../kernel/events/run-event.ts';
import { isCancellation } from '../../kernel/hub/cancel-scope.ts';
import {
  failedBy,
  type Harness,
  type TaskCompletion,
  type TaskInfo,
  type TaskOutcome,
} from '../../kernel/hub/harness.ts';
import { isAnswered, type OpenTask, type ResumePoint, type SettledTask } from '../../kernel/resume/resume-point.ts';
import { resolverAt } from '../graph-plan.ts';
import { createLoopBody } from '../loop-body.ts';
import { LoopActivity } from '../run-activity.ts';
import {
  callsOf,
  closeCallsOf,
  closeOpenTasks,
  emitRequests,
  type NodeInGraph,
  type ReusedItem,
  type RunScope,
} from '../run-scope.ts';
import { cutRequest, rejectedRetryError } from './cut-request.ts';
import { cannotHaveStarted, heldBack, hubAtLevel } from './held-node.ts';
import { type AttemptEnd, effectsOf, type NodeJob } from './node-job.ts';
import { permissionWait } from './permission-wait.ts';
import { editOf, type GivenInput, givenInput, type PreparedNode, prepareNode } from './prepare-node.ts';
import { delayAfterFailure, delayFor, type FailedEnd, type RetryableEnd } from './retry-rules.ts';
import { type AttemptOwner, runAttempt } from './run-attempt.ts';

/** Returns how the node's task starts: as a new task, or as one that an earlier process left open. */
export function taskInfoOf(
  node: CompiledNode,
  nodeId: string,
  { open, isCalledAgain }: { readonly open: OpenTask | undefined; readonly isCalledAgain: boolean },
): TaskInfo {
  const info = { nodeId, nodeType: node.type };
  if (isCalledAgain) return { ...info, continues: 'silent' };
  if (open === undefined) return info;
  return { ...info, continues: open.isWaiting || open.isParked ? 'silent' : 'restarted' };
}

/**
 * Runs a node to its end. Returns the outcome if it is known immediately; otherwise returns `undefined` and calls
 * `end.done` once, later. Never throws the node's errors.
 * @param inner harness with the node's task
 */
export function runNode(
  { rank, node, place }: NodeInGraph,
  inner: Harness,
  end: TaskCompletion,
): TaskOutcome | undefined {
  const { run, prefix } = place.scope;
  const name = prefix + node.id;
  const open = run.resume?.open.get(name);
  // Uses answers that a killed process had received, so that they are not requested again.
  run.asks.takeUp(name, inner.hub);
  const isCalledAgain = run.asks.isCalledAgain(name);
  const isRejected = isAnswered(name, run.resume) && run.resume?.answer?.decision === 'reject';
  if (isRejected)
    return { status: 'failed', error: rejectedRetryError(node.id), attempts: (open?.attemptsMade ?? 0) + 1 };
  const given = givenInput(name, inner.hub, open);
  const prepared = tryPrepare({ rank, node, place }, given);
  if ('error' in prepared) {
    closeCallsOf(name, run, inner.hub);
    return { status: 'failed', error: prepared.error, attempts: 0 };
  }
  const job = { node, name, prepared, hub: hubAtLevel(inner.hub, run), place };
  if (open !== undefined && !isCalledAgain && mustAsk(job) && !cannotHaveStarted(job, open)) {
    closeCallsOf(name, run, inner.hub);
    return suspended(job, open);
  }
  const edited = editOf(given, node, place);
  if (!isCalledAgain) inner.hub.emit({ type: 'node:input', nodeId: name, input: prepared.resolvedInput, ...edited });
  const held = run.autonomy === undefined ? undefined : heldBack(job);
  if (held !== undefined) return held;
  const waits = permissionWait(job);
  if (waits === undefined) startWork(job, inner, end);
  else settleBy(waits, end, (outcome) => (outcome === undefined ? startWork(job, inner, end) : end.done(outcome)));
  return undefined;
}

/** Forwards the work's result. If the work throws, the node has failed. */
function settleBy<T>(work: Promise<T>, end: TaskCompletion, take: (result: T) => void): void {
  work.then(take).catch((thrown: unknown) => end.done(failedBy(thrown)));
}

function startWork(job: NodeJob, inner: Harness, end: TaskCompletion): void {
  const { name, prepared, place } = job;
  const { calls, resume } = place.scope.run;
  if (prepared.nodeType.runsBody === true) settleBy(runLoop(job, inner), end, (outcome) => end.done(outcome));
  else new NodeAttempts(job, calls.attemptsMade(name) ?? resume?.open.get(name)?.attemptsMade ?? 0, end).next();
}

function tryPrepare(
  { rank, node, place }: NodeInGraph,
  given: GivenInput | undefined,
): PreparedNode | { readonly error: ErrorRecord } {
  const { scope } = place;
  try {
    return prepareNode(node, place, resolverAt(place.plan, rank), given);
  } catch (thrown) {
    const told = toErrorRecord(thrown);
    return { error: { ...(scope.run.secrets?.mask(told) ?? told), nodeId: node.id } };
  }
}

/** The progress of an interrupted attempt is unknown, so its outside effects may have happened. */
function mustAsk(job: NodeJob): boolean {
  const { run } = job.place.scope;
  if (effectsOf(job) !== 'external' || isAnswered(job.name, run.resume)) return false;
  if (job.prepared.nodeType.asksWhenCut === true) return false;
  return job.prepared.nodeType.resumesCalls !== true || !canGoOn(callsOf(job.name, run));
}

/** Child runs started by versions that did not store their definitions cannot be resumed. */
function canGoOn(calls: readonly ResumePoint[]): boolean {
  return calls.every(
    ({ start, end, definition }) => start === undefined || end !== undefined || definition !== undefined,
  );
}

function suspended({ node }: NodeJob, { isWaiting }: OpenTask): TaskOutcome {
  // The request is already in the log.
  return isWaiting ? { status: 'suspended' } : { status: 'suspended', request: cutRequest(node) };
}

/**
 * One node's attempts, one after the other. Uses callbacks instead of promises, which would take a large part of a fast
 * node's run time.
 */
class NodeAttempts implements AttemptOwner {
  readonly #job: NodeJob;
  readonly #end: TaskCompletion;
  #attempt: number;
  #pausedMs = 0;

  constructor(job: NodeJob, attemptsMade: number, end: TaskCompletion) {
    this.#job = job;
    this.#attempt = attemptsMade;
    this.#end = end;
  }

  /** Starts the next attempt, unless the run was stopped. */
  next(): void {
    const { scope } = this.#job.place;
    if (scope.cancel.reason !== undefined) {
      this.#end.done({ status: 'cancelled', reason: reasonOf(scope) });
      return;
    }
    this.#attempt++;
    scope.run.steps?.begin(this.#attempt);
    runAttempt(this.#job, this.#attempt, this);
  }

  take(end: AttemptEnd): void {
    let next: TaskOutcome | number;
    try {
      next = this.#after(end);
    } catch (thrown) {
      next = failedBy(thrown);
    }
    if (typeof next === 'number') void this.#retryIn(next);
    else this.#end.done(next);
  }

  /** Returns the node's outcome, or the milliseconds until its next attempt. */
  #after(end: AttemptEnd): TaskOutcome | number {
    const { node, name, hub, place } = this.#job;
    const { calls, steps } = place.scope.run;
    if (end.kind === 'value' && end.meta !== undefined) steps?.keep(name, end.meta, hub);
    if (end.kind === 'asks' || end.kind === 'suspended') calls.wait(name, this.#attempt - 1);
    else calls.leave(name);
    if (end.kind === 'cancelled') return { status: 'cancelled', reason: reasonOf(place.scope) };
    if (end.kind !== 'failed' && end.kind !== 'unwanted') return outcomeOf(end, this.#attempt, this.#job);
    const delayMs =
      end.kind === 'failed'
        ? delayAfterFailure(end, this.#attempt, this.#job)
        : delayFor(end, this.#attempt, { node, pausedMs: this.#pausedMs });
    if (delayMs === undefined) return lastOutcome(end, this.#attempt);
    hub.emit({ type: 'node:retry', nodeId: name, attempt: this.#attempt, delayMs, error: end.error });
    return delayMs;
  }

  async #retryIn(delayMs: number): Promise<void> {
    this.#pausedMs += delayMs;
    try {
      await pauseBeforeRetry(delayMs, `${this.#job.name}#${this.#attempt}/backoff`, this.#job);
      this.next();
    } catch (thrown) {
      this.#end.done(failedBy(thrown));
    }
  }
}

function lastOutcome(end: FailedEnd | RetryableEnd, attempts: number): TaskOutcome {
  if (end.kind === 'failed') return { status: 'failed', error: end.error, attempts };
  return { status: 'completed', result: end.value, attempts };
}

type SureEnd = Exclude<AttemptEnd, { readonly kind: 'failed' | 'unwanted' | 'cancelled' }>;

function outcomeOf(end: SureEnd, attempt: number, job: NodeJob): TaskOutcome {
  switch (end.kind) {
    case 'value':
      return { status: 'completed', result: end.value, attempts: attempt };
    case 'skipped':
      return { status: 'skipped', reason: end.reason };
    case 'suspended':
      return { status: 'suspended', inner: end.inner, reason: end.reason };
    case 'rejected':
      return { status: 'failed', error: rejectedRetryError(job.node.id), attempts: attempt };
    case 'asks': {
      const request = emitRequests(end.asks, job.name, { run: job.place.scope.run, hub: job.hub });
      return { status: 'suspended', request, reason: request.reason };
    }
  }
}

async function pauseBeforeRetry(delayMs: number, name: string, { hub, place }: NodeJob): Promise<void> {
  const { breather } = place.scope.run;
  if (delayMs > 0) await untilDelayOrCancel(delayMs, name, place.scope);
  else if (breather.isDue()) {
    hub.flush();
    await breather.rest();
  }
}

/** A loop is never retried, because its body nodes have their own policies. */
async function runLoop(job: NodeJob, inner: Harness): Promise<TaskOutcome> {
  const { node, name, place } = job;
  if (node.body === undefined) return { status: 'failed', error: noBodyError(node), attempts: 0 };
  const { scope, context } = place;
  const { run } = scope;
  const own = node.policy.timeoutMs === null ? undefined : new LoopActivity(scope.activity, timeOf(run, name));
  const reused = itemsToReuse(job);
  const activity = own ?? scope.activity;
  const body = createLoopBody(node.body, { name, harness: inner, scope, activity, context, reused });
  const end = await new Promise<AttemptEnd>((take) => runAttempt({ ...job, body, activity: own }, 1, { take }));
  if (body.isSuspended()) return { status: 'suspended' };
  const reason = end.kind === 'cancelled' ? reasonOf(place.scope) : 'fail-fast';
  closeOpenTasks(place.scope.run, inner.hub, { prefix: `${name}[`, reason });
  if (end.kind === 'value') return { status: 'completed', result: end.value, attempts: 1 };
  if (end.kind === 'failed') return { status: 'failed', error: end.error, attempts: 1 };
  if (end.kind === 'skipped') return { status: 'skipped', reason: end.reason };
  if (end.kind === 'suspended' || end.kind === 'asks' || end.kind === 'rejected') return { status: 'suspended' };
  return { status: 'cancelled', reason };
}

/** Returns the clock of the run. @param name of the node that uses it */
function timeOf({ host, clock }: RunScope['run'], name: string): Clock {
  return host.keepsSteps === true ? clockOfHost(host, name) : clock;
}

/** Omits items that an earlier process started and whose outputs are not reused from the same run. */
function itemsToReuse({ node, name, prepared, place }: NodeJob): ReadonlyMap<number, ReusedItem> {
  const { reuse, resume } = place.scope.run;
  if (reuse === undefined) return new Map();
  const { resolvedInput } = prepared;
  const found = reuse.itemsOf({ node, name, resolvedInput, context: place.context });
  if (resume === undefined || found.size === 0) return found;
  const begun = new Set<number>();
  const noteUnless = (place: string, isSame: (item: ReusedItem) => boolean): void => {
    const index = place.startsWith(`${name}[`) ? Number.parseInt(place.slice(name.length + 1), 10) : -1;
    const item = found.get(index);
    if (item !== undefined && !isSame(item)) begun.add(index);
  };
  for (const place of resume.open.keys()) noteUnless(place, () => false);
  for (const [place, settled] of resume.settled) noteUnless(place, (item) => isTakenFrom(item, place, settled));
  return new Map([...found].filter(([index]) => !begun.has(index)));
}

function isTakenFrom({ fromRunId, from }: ReusedItem, place: string, settled: SettledTask): boolean {
  if (settled.status !== 'completed') return settled.status === 'skipped' && settled.reason !== 'directive';
  if (settled.fromRunId !== fromRunId) return false;
  const id = place.slice(place.lastIndexOf('.') + 1);
  return (settled.fromNodeId ?? place) === `${from}.${id}`;
}

/** Failures and loop timeouts are not requested by a person. */
function reasonOf({ cancel }: RunScope): CancelReason {
  return isCancellation(cancel.reason) ? 'cancel' : 'fail-fast';
}

function noBodyError({ id }: CompiledNode): ErrorRecord {
  const message = `Node "${id}": input.body must be a literal list of node IDs, without bindings.`;
  return toErrorRecord(new EngineError({ code: 'node.bad-input', message, nodeId: id }));
}

async function untilDelayOrCancel(delayMs: number, name: string, { run, cancel }: RunScope): Promise<void> {
  try {
    await run.host.timer(name, delayMs, 'wait', cancel.signal);
  } catch (thrown) {
    if (cancel.reason === undefined) throw thrown;
  }
}
