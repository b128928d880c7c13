/**
 * Attempts on a host that keeps the results of steps. An attempt is one step, or several if its calls can be resumed:
 * then each step ends when the attempt must not go on before its latest events are stored, so that a model's response
 * or a tool's result is never lost and never requested again.
 */
import type { EngineError } from '../../../base/engine-error.ts';
import { deepFreeze } from '../../../language/json/checked-json.ts';
import type { SuspensionDecision } from '../../kernel/events/run-event.ts';
import { type CancelScope, cancellation } from '../../kernel/hub/cancel-scope.ts';
import { Spending } from '../../kernel/hub/spending.ts';
import { closeCalls } from '../../kernel/resume/called-runs.ts';
import { callsOf } from '../run-scope.ts';
import { AttemptLog } from './attempt-log.ts';
import { cutRequest } from './cut-request.ts';
import { EventRecorder, emitRecorded, type RecordedEvent } from './event-recorder.ts';
import { LiveAttempt, type StepResult } from './live-attempt.ts';
import { type AttemptEnd, effectsOf, type NodeJob } from './node-job.ts';

/** Makes one attempt. Never throws. */
type MakeAttempt = (job: NodeJob) => Promise<AttemptEnd>;

/**
 * Makes an attempt as one or several steps of the host. The node's events are part of the steps' results. Never throws.
 * @param step the name of the attempt's first step, unique in the run
 */
export function keptAttempt(job: NodeJob, step: string, attempt: MakeAttempt): Promise<AttemptEnd> {
  const { resumesCalls } = job.prepared.nodeType;
  return resumesCalls === true ? attemptInParts(job, step, attempt) : wholeAttempt(job, step, attempt);
}

/** If a node with outside effects was interrupted, its progress is unknown, so a person decides. */
async function wholeAttempt(job: NodeJob, step: string, attempt: MakeAttempt): Promise<AttemptEnd> {
  const { cancel, run } = job.place.scope;
  const { host } = run;
  for (let round = 0; cancel.reason === undefined; round++) {
    const name = round === 0 ? step : `${step}.${round}`;
    const isExternal = effectsOf(job) === 'external';
    const begunBy = isExternal ? await host.step(`${name}/begun`, async () => host.incarnation) : host.incarnation;
    const { end, told } = await host.step(name, async () => {
      if (begunBy !== host.incarnation) return { end: { kind: 'cut' as const }, told: [] };
      const recorder = new EventRecorder();
      const hub = job.hub.with({ recorder });
      return { end: await attempt({ ...job, hub, spending: new Spending() }), told: recorder.recorded };
    });
    tell(told, job);
    if (end.kind !== 'cut') return deepFreeze(end);
    job.hub.emit({ type: 'node:suspended', nodeId: job.name, request: cutRequest(job.node) });
    const decision = await decisionAbout(job.name, job);
    if (decision === 'reject') return { kind: 'rejected' };
  }
  return { kind: 'cancelled' };
}

/** Interrupted calls are resumed, and ask about their own interrupted effects. */
async function attemptInParts(job: NodeJob, step: string, attempt: MakeAttempt): Promise<AttemptEnd> {
  const { cancel, run } = job.place.scope;
  const { host } = run;
  const log = new AttemptLog(job, callsOf(job.name, run));
  run.openCalls.delete(job.name);
  // Undefined in a process that has not started a part yet: then the attempt resumes from the parts before.
  let live: LiveAttempt | undefined;
  for (let part = 0; ; part++) {
    const { end, told } = await host.step<StepResult>(part === 0 ? step : `${step}:${part}`, () => {
      live ??= new LiveAttempt({ ...job, begun: log.begun() }, attempt);
      return live.next();
    });
    tell(told, job);
    log.take(told);
    if (end === undefined) continue;
    live = undefined;
    if (end.kind === 'suspended' && end.reason === 'operator' && end.inner !== undefined) {
      const decision = await decisionAbout(`${job.name}/${end.inner}`, job);
      if (decision !== undefined) {
        log.answer({ decision, nodeId: `${job.name}/${end.inner}` });
        continue;
      }
      closeCalls(log.calls(), job.hub, cancel.reason ?? cancellation());
      return { kind: 'cancelled' };
    }
    if (end.kind === 'suspended') run.openCalls.set(job.name, log.calls());
    return deepFreeze(end as AttemptEnd);
  }
}

function tell(told: readonly RecordedEvent[], job: NodeJob): void {
  const { run } = job.place.scope;
  emitRecorded(told, job.hub.with({ spending: run.spending }));
  for (const one of told)
    if ('event' in one && !one.way.some((step) => 'child' in step)) run.calls.note(job.name, one.event);
}

/** Waits for a person's decision about interrupted work. Resolves to undefined if the run is stopped first. */
async function decisionAbout(name: string, { place }: NodeJob): Promise<SuspensionDecision | undefined> {
  const { cancel, run } = place.scope;
  const answer = run.host.signal<{ readonly decision: SuspensionDecision }>(`${name}/cut`);
  return (await untilCancel(answer, cancel))?.decision;
}

/** Resolves to undefined if the scope is stopped first. */
function untilCancel<T>(answer: Promise<T>, cancel: CancelScope): Promise<T | undefined> {
  // The scope may have been stopped during the last step.
  if (cancel.reason !== undefined) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const stopListening = cancel.onCancel(() => resolve(undefined));
    answer.then(resolve, (thrown: EngineError) => reject(thrown)).finally(stopListening);
  });
}
