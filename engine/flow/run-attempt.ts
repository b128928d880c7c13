/**
 * One try of one node: its own run id, its own view of the hub, its time limit, and a check of what it gives.
 */
import type { Clock } from '../base/clock.ts';
import { type EngineError, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import { deepFreeze, frozenCopyInPieces, type JsonCopy } from '../flowspec/checked-json.ts';
import { DEFAULT_OUTPUT_BYTES } from '../flowspec/flow-limits.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { acceptorOf } from '../flowspec/schema-acceptor.ts';
import { checkAgainst } from '../flowspec/schema-problems.ts';
import { outputTooLarge } from '../flowspec/too-large.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import { Suspension } from '../kernel/harness.ts';
import { withInbox } from '../kernel/inbox.ts';
import { isAnswered, type ResumePoint } from '../kernel/resume-point.ts';
import type { SuspensionDecision } from '../kernel/run-event.ts';
import { clockOfHost } from '../kernel/run-host.ts';
import { Spending, SpendingHub } from '../kernel/spending.ts';
import { AttemptAsks } from './attempt-asks.ts';
import { AttemptContext, type AttemptSurroundings } from './attempt-context.ts';
import { AttemptHub } from './attempt-hub.ts';
import { cutRequest } from './cut-request.ts';
import { type AttemptEnd, effectsOf, type NodeJob } from './node-job.ts';
import { NodeRetry, NodeSkip } from './node-type.ts';
import { NotingHub, type Told, tellAll } from './noting-hub.ts';
import { problemsError } from './prepare-node.ts';
import { callsOf, closeCallsOf, type NodeScope } from './run-scope.ts';
import { isDeafTimeout } from './work-guard.ts';

/**
 * Runs the node once, as a step of the host unless its type says otherwise. Never throws.
 * @param attempt its number
 */
export function runAttempt(job: NodeJob, attempt: number): Promise<AttemptEnd> {
  const { host, clock } = job.place.scope.run;
  const name = `${job.name}#${attempt}`;
  if (job.prepared.nodeType.hosting === 'workflow')
    return attemptOnce(job, host.keepsSteps === true ? clockOfHost(host, name) : clock);
  if (host.keepsSteps !== true) return host.step(name, () => attemptOnce(job, clock));
  return keptAttempt({ ...job, step: name }, (inner) => attemptOnce(inner, clock));
}

/** What a step gives. */
interface StepResult {
  readonly end: AttemptEnd | { readonly kind: 'cut' };
  readonly told: readonly Told[];
}

/**
 * Makes an attempt as a step of a host that gives results again: what the node told belongs to the result. One that acts outside
 * and was cut, nobody knows how far it had come: a person is asked. Never throws.
 */
async function keptAttempt(
  { step, ...job }: NodeJob & { readonly step: string },
  attempt: (job: NodeJob) => Promise<AttemptEnd>,
): Promise<AttemptEnd> {
  const { cancel, run } = job.place.scope;
  const { host } = run;
  for (let round = 0; cancel.reason === undefined; round++) {
    const name = round === 0 ? step : `${step}.${round}`;
    const isExternal = effectsOf(job) === 'external';
    const begunBy = isExternal ? await host.step(`${name}/begun`, async () => host.incarnation) : host.incarnation;
    const { end, told } = await host.step(name, async (): Promise<StepResult> => {
      if (begunBy !== host.incarnation) return { end: { kind: 'cut' }, told: [] };
      const hub = new NotingHub(job.hub);
      return { end: await attempt({ ...job, hub, spending: new Spending() }), told: hub.told };
    });
    tellAll(told, new SpendingHub(job.hub, run.spending));
    for (const one of told)
      if ('event' in one && !one.way.some((step) => 'child' in step)) run.calls.note(job.name, one.event);
    if (end.kind !== 'cut') return deepFreeze(end);
    job.hub.emit({ type: 'node:suspended', nodeId: job.name, request: cutRequest(job.node) });
    const answer = await untilCancel(host.signal<{ readonly decision: SuspensionDecision }>(`${name}/cut`), cancel);
    if (answer?.decision === 'reject') return { kind: 'rejected' };
  }
  return { kind: 'cancelled' };
}

/** Undefined when the scope was asked to stop before. */
function untilCancel<T>(answer: Promise<T>, cancel: CancelScope): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stopListening = cancel.onCancel(() => resolve(undefined));
    answer.then(resolve, (thrown: EngineError) => reject(thrown)).finally(stopListening);
  });
}

async function attemptOnce(job: NodeJob, clock: Clock): Promise<AttemptEnd> {
  const { hub, place } = job;
  const { cancel, run } = place.scope;
  const { spending = run.spending } = job;
  const formerCalls = takeUpCalls(job);
  const { isGoverned, capabilities } = job.prepared.nodeType;
  const asks = capabilities.includes('ask') ? new AttemptAsks(job, clock) : undefined;
  const attemptHub = AttemptHub.open(hub, { spending, clock }, { formerCalls, isGoverned: isGoverned === true });
  let waitsFor: string | undefined;
  const noteWait = (what: string): void => {
    waitsFor = what;
  };
  try {
    if (effectsOf(job) === 'external') hub.flush();
    // The flush may have stopped the run: nothing may act outside that could not be recorded first.
    if (cancel.reason !== undefined) throw cancel.reason;
    const given = await place.guard.run(
      (scope) => callNode(job, { hub: attemptHub, scope, clock, formerCalls, asks, noteWait }),
      {
        timeoutMs: timeLeft(job, formerCalls),
        isTrusted: job.body !== undefined,
        activity: job.activity,
        waitsFor: () => waitsFor,
        clock,
      },
    );
    attemptHub.abandon();
    const output = outputOf(job, given);
    const value = output instanceof Promise ? await output : output;
    const meta = run.steps?.noted();
    return meta === undefined ? { kind: 'value', value } : { kind: 'value', value, meta };
  } catch (thrown) {
    const retry = retryIn(thrown);
    if (retry !== undefined && cancel.reason === undefined) return await unwantedEnd(retry, job, attemptHub);
    const unanswered = asks?.endedBy(thrown);
    if (unanswered === undefined || cancel.reason !== undefined) return failedAttempt(thrown, job, attemptHub);
    attemptHub.abandon();
    return { kind: 'asks', asks: unanswered };
  }
}

/** Returns the output of a node as others see it: a checked copy without secrets, for later nodes, the log and a resumed run. */
function outputOf(job: NodeJob, given: JsonValue): JsonValue | Promise<JsonValue> {
  const copy = copyOf(job, given);
  return copy instanceof Promise ? copy.then((made) => shownOutput(job, made)) : shownOutput(job, copy);
}

function shownOutput(job: NodeJob, copy: JsonCopy): JsonValue {
  const { secrets } = job.place.scope.run;
  const output = checkedOutput(job, copy);
  const shown = secrets === undefined ? output : secrets.mask(output);
  return shown === output ? output : deepFreeze(shown);
}

/** A node that would rather be tried again has not failed: its output may still be used. */
async function unwantedEnd({ unwanted }: NodeRetry, job: NodeJob, attemptHub: AttemptHub): Promise<AttemptEnd> {
  const { node, place } = job;
  const told = toErrorRecord(unwanted.error);
  const error = place.scope.run.secrets?.mask(told) ?? told;
  try {
    attemptHub.abandon();
    const value = await outputOf(job, unwanted.output);
    return { kind: 'unwanted', value, error: { ...error, nodeId: node.id }, delayMs: unwanted.delayMs };
  } catch (thrown) {
    return failedAttempt(thrown, job, attemptHub);
  }
}

/** Somebody else's code may throw what cannot even be looked at. */
function retryIn(thrown: unknown): NodeRetry | undefined {
  try {
    return thrown instanceof NodeRetry ? thrown : undefined;
  } catch {
    return undefined;
  }
}

/** What a node calls has no time while all of it waits for people: where that goes on, so does the time of the node. */
function timeLeft({ name, node, place }: NodeJob, formerCalls: readonly ResumePoint[]): number | null {
  const { timeoutMs } = node.policy;
  const { asks, resume } = place.scope.run;
  const hasWaited = asks.isCalledAgain(name) || resume?.open.get(name)?.isParked === true;
  if (timeoutMs === null || !hasWaited) return timeoutMs;
  const workedMs = formerCalls.reduce((sum, { activeMs }) => sum + activeMs, 0);
  return Math.max(1, timeoutMs - workedMs);
}

function failedAttempt(thrown: unknown, { name, node, prepared, place }: NodeJob, attemptHub: AttemptHub): AttemptEnd {
  const { cancel, run } = place.scope;
  if (prepared.nodeType.resumesCalls === true && thrown instanceof Suspension) {
    run.openCalls.set(name, attemptHub.calls());
    attemptHub.close();
    return { kind: 'suspended', inner: thrown.waitsFor, reason: thrown.reason };
  }
  const told = toErrorRecord(thrown);
  const error = run.secrets?.mask(told) ?? told;
  attemptHub.abandon(cancel.reason ?? fromErrorRecord(error));
  if (cancel.reason !== undefined) return { kind: 'cancelled' };
  const reason = skipReasonOf(thrown);
  if (reason !== undefined) return { kind: 'skipped', reason };
  return { kind: 'failed', error: { ...error, nodeId: node.id }, isDeaf: isDeafTimeout(thrown) };
}

/** The runs that the node had called before it was cut and that go on in this attempt; the others are over. */
function takeUpCalls({ name, prepared, hub, place }: NodeJob): readonly ResumePoint[] {
  const { run } = place.scope;
  const calls = callsOf(name, run);
  if (calls.length === 0) return calls;
  // Who was asked about the node itself has let it be done anew.
  const goesOn = prepared.nodeType.resumesCalls === true && !isAnswered(name, run.resume);
  const goOn = goesOn ? calls.filter(({ start }) => start !== undefined) : [];
  run.openCalls.set(
    name,
    calls.filter((call) => !goOn.includes(call)),
  );
  closeCallsOf(name, run, hub);
  return goOn;
}

/** Somebody else's code may throw what cannot even be looked at. */
function skipReasonOf(thrown: unknown): string | undefined {
  try {
    return thrown instanceof NodeSkip ? thrown.message : undefined;
  } catch {
    return undefined;
  }
}

function callNode(job: NodeJob, surroundings: AttemptSurroundings): Promise<JsonValue> {
  const context = new AttemptContext(job, surroundings);
  const { asks } = surroundings;
  const called = callWith(context, job);
  const work = asks === undefined ? called : Promise.race([called, asks.unanswered]);
  const close = context.closeOwnScope();
  // Most nodes do not listen, and one promise more for each of them would be felt.
  return close === undefined ? work : Promise.resolve(work).finally(close);
}

function callWith(context: AttemptContext, job: NodeJob): Promise<JsonValue> {
  const { nodeType } = job.prepared;
  if (nodeType.supportsInbox !== true) return nodeType.run(context.asTyped());
  const owner = { runId: context.runId, signal: context.signal };
  return withInbox(job.place.scope.run.inboxes, owner, (inbox) => {
    context.inbox = inbox;
    return nodeType.run(context.asTyped());
  });
}

/**
 * What a node gives may belong to it: others, and the log, get a copy that nobody can change. Everybody else has turns while a
 * large one is made.
 * @throws the reason of the run's scope when it is cancelled meanwhile
 */
function copyOf({ place }: NodeJob, value: JsonValue): JsonCopy | Promise<JsonCopy> {
  const { cancel, run } = place.scope;
  return frozenCopyInPieces(value, mostBytesOf(place), async () => {
    if (run.breather.isDue()) await run.breather.rest();
    if (cancel.reason !== undefined) throw cancel.reason;
  });
}

function mostBytesOf({ scope }: NodeScope): number {
  return scope.run.policy.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES;
}

/** A type that was not written in TypeScript may give anything at all, and many schemas let anything pass. */
function checkedOutput({ node, prepared, place }: NodeJob, copy: JsonCopy): JsonValue {
  const maxOutputBytes = mostBytesOf(place);
  if (!copy.ok && copy.problem.isTooLong === true) throw outputTooLarge(`What node "${node.id}" gives`, maxOutputBytes);
  if (!copy.ok) throw problemsError(node, 'output', [copy.problem]);
  if (acceptorOf(prepared.nodeType.outputSchema)(copy.value)) return copy.value;
  const checked = checkAgainst(prepared.nodeType.outputSchema, copy.value);
  if (!checked.ok) throw problemsError(node, 'output', checked.problems);
  // The schema is one for JSON: `defineNodeType` demands it.
  return deepFreeze(checked.value as JsonValue);
}
