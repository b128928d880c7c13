/**
 * The run of a flow.
 */
import type { Clock } from '../base/clock.ts';
import type { IdSource, RunId } from '../base/ids.ts';
import type { NodeTypeLookup } from '../flow/node-type.ts';
import type { ResumePoint } from '../flow/resume-point.ts';
import { type RunOrigin, runRoot } from '../flow/run-root.ts';
import type { ReuseSource } from '../flow/run-scope.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { InboxRouter } from '../kernel/inbox.ts';
import type { RunResumedEvent } from '../kernel/run-event.ts';
import type { RunJob } from './run-job.ts';

/** What the nodes of flows work with. */
export interface FlowWorld {
  readonly registry: NodeTypeLookup;
  readonly capabilities: Capabilities;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Brings messages to agents at work. */
  readonly inboxes: InboxRouter;
}

export interface FlowTask {
  readonly runId: RunId;
  readonly flow: CompiledFlow;
  readonly inputs: JsonMap;
  readonly origin: RunOrigin;
  /** Where an earlier process stopped, and what a person said to it; absent for a run that has no events yet. */
  readonly continuation?: Continuation;
  /** Results of an earlier run to take over. */
  readonly reuse?: ReuseSource;
}

export interface Continuation {
  readonly point: ResumePoint;
  readonly resumed: Omit<RunResumedEvent, 'type'>;
}

/** The job of running a flow, from its start or from where it stopped. */
export function createFlowJob(task: FlowTask, { registry, capabilities, clock, ids, inboxes }: FlowWorld): RunJob {
  const { runId, flow, inputs, origin, continuation, reuse } = task;
  return {
    runId,
    kind: 'flow',
    name: flow.name,
    origin,
    firstSeq: continuation === undefined ? 0 : continuation.point.lastSeq + 1,
    execute(hub, signal) {
      const request = {
        ...{ flow, registry, inputs, clock, signal, ids, capabilities, inboxes },
        ...(continuation === undefined ? {} : { resume: continuation.point }),
        ...(reuse === undefined ? {} : { reuse }),
      };
      return runRoot(request, hub, continuation?.resumed ?? origin);
    },
  };
}
