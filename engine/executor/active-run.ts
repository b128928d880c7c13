/**
 * One run from its acceptance to its end: queued, running, ended.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { IdSource, RunId, SessionId } from '../base/ids.ts';
import type { NodeTypeLookup } from '../flow/node-type.ts';
import { type RunOrigin, runRoot } from '../flow/run-root.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { createCancelScope } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import { createHub, type RunHub, type RunListener } from '../kernel/hub.ts';
import type { RunEndEvent } from '../kernel/run-event.ts';
import type { RunSummary } from '../kernel/run-summary.ts';
import type { RunStore } from '../store/run-store.ts';

/** What runs, already recorded as queued. */
export interface RunJob {
  readonly runId: RunId;
  readonly flow: CompiledFlow;
  readonly inputs: JsonMap;
  readonly origin: RunOrigin;
}

export interface RunWorld {
  readonly store: RunStore;
  readonly registry: NodeTypeLookup;
  readonly capabilities: Capabilities;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sessionId: SessionId;
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
  let settle: (summary: RunSummary) => void;
  const ended = new Promise<RunSummary>((resolve) => {
    settle = resolve;
  });

  function openHub(): RunHub {
    const { store, sessionId, clock } = world;
    return createHub({
      runId,
      sessionId,
      clock,
      record: (events) => store.append(runId, events),
      intern: (value) => store.intern(value),
      onRecordFailure(thrown) {
        const error = asEngineError(thrown);
        world.onRecordFailure(error);
        scope.cancel(error);
      },
      onListenerError: (thrown) => process.emitWarning(asEngineError(thrown)),
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
      settle(summaryOf(job, end, startedAt));
    },
  };
}

async function execute(
  { flow, inputs, origin }: RunJob,
  { registry, clock, ids, capabilities }: RunWorld,
  { runHub: { hub }, signal }: { runHub: RunHub; signal: AbortSignal },
): Promise<RunEndEvent> {
  try {
    return await runRoot({ flow, registry, inputs, clock, signal, ids, capabilities }, hub, origin);
  } catch (thrown) {
    // Only a bug gets here. The run must have an end all the same, or everybody who waits for it waits for ever.
    const end = {
      type: 'run:end',
      status: 'failed',
      error: toErrorRecord(thrown),
      failedNodes: [],
      durationMs: 0,
    } as const;
    hub.emit(end);
    return end;
  }
}

/** From the job and the end itself, because a store that is full knows of neither. */
function summaryOf({ runId, flow, origin }: RunJob, end: RunEndEvent, startedAt: number): RunSummary {
  const { status, durationMs, failedNodes, error } = end;
  return {
    runId,
    kind: 'flow',
    name: flow.name,
    ...origin,
    status,
    startedAt,
    durationMs,
    failedNodes,
    ...(error === undefined ? {} : { error }),
  };
}

function asEngineError(thrown: unknown): EngineError {
  return EngineError.is(thrown) ? thrown : fromErrorRecord(toErrorRecord(thrown));
}
