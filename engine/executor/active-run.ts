/**
 * One run from its acceptance to its end: queued, running, ended.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError, type ErrorRecord, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { IdSource, RunId, SessionId } from '../base/ids.ts';
import type { NodeTypeLookup } from '../flow/node-type.ts';
import type { ResumePoint } from '../flow/resume-point.ts';
import type { ReuseSource } from '../flow/reuse-source.ts';
import { type RunOrigin, runRoot } from '../flow/run-root.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { createCancelScope } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import { createHub, type RunHub, type RunListener } from '../kernel/hub.ts';
import type { InboxRouter } from '../kernel/inbox.ts';
import type { RunEndEvent, RunResumedEvent, RunSuspendedEvent } from '../kernel/run-event.ts';
import type { RunStatus, RunSummary } from '../kernel/run-summary.ts';
import type { RunStore } from '../store/run-store.ts';
import { warn } from './warn.ts';

/** What runs, already recorded as queued, or claimed to go on. */
export interface RunJob {
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

export interface RunWorld {
  readonly store: RunStore;
  readonly registry: NodeTypeLookup;
  readonly capabilities: Capabilities;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sessionId: SessionId;
  /** Brings messages to agents at work. */
  readonly inboxes: InboxRouter;
  /** Gets the run's events once they are stored. */
  readonly listener: RunListener;
  /** Gets what the store threw when it could not take events any more. */
  readonly onRecordFailure: (error: EngineError) => void;
}

export interface ActiveRun {
  readonly runId: RunId;
  /** Runs the flow. To be called once, also for a run that was cancelled while it was queued: it then ends at once. */
  start(): Promise<void>;
  /** Asks the run to stop, queued or running. */
  cancel(reason: EngineError): void;
  /** Resolves when the run has ended and its events are stored; never rejects. */
  readonly ended: Promise<RunSummary>;
}

/** Makes a queued run; nothing happens before `start`. */
export function createActiveRun(job: RunJob, world: RunWorld): ActiveRun {
  const scope = createCancelScope();
  const { runId } = job;
  let recordFailure: EngineError | undefined;
  let settle: (summary: RunSummary) => void;
  const ended = new Promise<RunSummary>((resolve) => {
    settle = resolve;
  });

  function openHub(): RunHub {
    const { store, sessionId, clock } = world;
    const { continuation } = job;
    return createHub({
      runId,
      sessionId,
      clock,
      firstSeq: continuation === undefined ? 0 : continuation.point.lastSeq + 1,
      record: (events) => store.append(runId, events),
      intern: (value) => store.intern(value),
      onRecordFailure(thrown) {
        recordFailure = asEngineError(thrown);
        world.onRecordFailure(recordFailure);
        scope.cancel(recordFailure);
      },
      onListenerError: warn,
    });
  }

  return {
    runId,
    ended,
    cancel: (reason) => scope.cancel(reason),
    async start() {
      const runHub = openHub();
      let startedAt = world.clock.now();
      // The time that the history has, which may be a moment later.
      runHub.subscribe(([first]) => {
        if (first?.event.type === 'run:start') startedAt = first.at;
      });
      runHub.subscribe(world.listener);
      const end = await execute(job, world, { runHub, signal: scope.signal });
      runHub.close();
      // For one whose end could not be stored: it would be shown as running for as long as this process lives.
      world.store.giveUp(runId);
      scope.close();
      settle(summaryOf(job, asRecorded(end, recordFailure), startedAt));
    },
  };
}

type LastEvent = RunEndEvent | RunSuspendedEvent;

async function execute(
  { flow, inputs, origin, continuation, reuse }: RunJob,
  { registry, clock, ids, capabilities, inboxes }: RunWorld,
  { runHub: { hub }, signal }: { runHub: RunHub; signal: AbortSignal },
): Promise<LastEvent> {
  const request = {
    ...{ flow, registry, inputs, clock, signal, ids, capabilities, inboxes },
    ...(continuation === undefined ? {} : { resume: continuation.point }),
    ...(reuse === undefined ? {} : { reuse }),
  };
  try {
    return await runRoot(request, hub, continuation?.resumed ?? origin);
  } catch (thrown) {
    // Only a bug gets here. The run must have an end all the same, or everybody who waits for it waits for ever.
    const end = failedEnd(toErrorRecord(thrown));
    hub.emit(end);
    return end;
  }
}

function failedEnd(error: ErrorRecord): RunEndEvent {
  return { type: 'run:end', status: 'failed', error, failedNodes: [], durationMs: 0 };
}

interface RunEnding {
  readonly status: RunStatus;
  readonly durationMs?: number;
  readonly failedNodes: readonly string[];
  readonly error?: ErrorRecord;
}

/** The end as the history has it: a success that could not be stored is none, and is to be resumed. */
function asRecorded(end: LastEvent, failure: EngineError | undefined): RunEnding {
  if (failure !== undefined && (end.type === 'run:suspended' || end.error === undefined)) {
    return { status: 'interrupted', failedNodes: [], error: toErrorRecord(failure) };
  }
  if (end.type === 'run:suspended') return { status: 'suspended', failedNodes: [] };
  const { status, durationMs, failedNodes, error } = end;
  return { status, durationMs, failedNodes, ...(error === undefined ? {} : { error }) };
}

/** From the job and the end itself, because a store that is full knows of neither. */
function summaryOf({ runId, flow, origin }: RunJob, ending: RunEnding, startedAt: number): RunSummary {
  const { rerunFromNode: _, ...told } = origin;
  return { runId, kind: 'flow', name: flow.name, ...told, startedAt, ...ending };
}

function asEngineError(thrown: unknown): EngineError {
  return EngineError.is(thrown) ? thrown : fromErrorRecord(toErrorRecord(thrown));
}
