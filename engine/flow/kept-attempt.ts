/**
 * An attempt as a step of a host that gives results again: what the node told belongs to the result.
 */
import type { EngineError } from '../base/engine-error.ts';
import { deepFreeze } from '../flowspec/checked-json.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { SuspensionDecision } from '../kernel/run-event.ts';
import { Spending, SpendingHub } from '../kernel/spending.ts';
import { cutRequest } from './cut-request.ts';
import { type AttemptEnd, effectsOf, type NodeJob } from './node-job.ts';
import { NotingHub, type Told, tellAll } from './noting-hub.ts';

/** What a step gives. */
interface StepResult {
  readonly end: AttemptEnd | { readonly kind: 'cut' };
  readonly told: readonly Told[];
}

/**
 * Makes an attempt where the host keeps it. One that acts outside and was cut, nobody knows how far it had come: a person is asked.
 * Never throws.
 */
export async function keptAttempt(
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
