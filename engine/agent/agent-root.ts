/**
 * A whole run of an agent as the executor starts it: `run:start`, the agent, `run:end`. Runs that another run calls are
 * run in the same way, on the hub that the caller's gives for them.
 */
import { elapsedSince } from '../base/clock.ts';
import type { RunId } from '../base/ids.ts';
import { createHarness } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import type { RunEndEvent } from '../kernel/run-event.ts';
import type { AgentRequest, AgentRunResult } from './agent-request.ts';
import { runAgentFile } from './run-agent.ts';

/** What a run of an agent is told about itself beside its request. */
export interface AgentOrigin {
  /** SHA-256 of the file's text, in hex. */
  readonly definitionHash: string;
  readonly redoOf?: RunId;
  /** Of a child: the task of its parent that called it. */
  readonly parentTaskId?: string;
}

/** How it ended: the last event, and what the agent gave. */
export interface AgentRunEnd {
  readonly event: RunEndEvent;
  readonly result: AgentRunResult;
}

/** Runs an agent as a run of its own on `hub`; all of it is recorded when the promise resolves with the last event. */
export async function runAgentRoot(request: AgentRequest, hub: Hub, origin: AgentOrigin): Promise<AgentRunEnd> {
  const { place, inputs, redoCount, clock } = request;
  const startedAt = clock.now();
  const own = hub.scoped({ agent: { name: place.name } });
  own.emit({
    type: 'run:start',
    kind: 'agent',
    name: place.name,
    sourcePath: place.shownPath,
    inputs,
    ...origin,
    ...(redoCount === 0 ? {} : { redoCount }),
  });
  const result = await runAgentFile(request, createHarness(own, clock));
  const event = lastEvent(result, elapsedSince(startedAt, clock));
  own.emit(event);
  return { event, result };
}

function lastEvent(result: AgentRunResult, durationMs: number): RunEndEvent {
  const { status, outputs, afterAll, redoRequested, failedTasks, error, skipReason, usage, costUsd, unpricedCalls } =
    result;
  return {
    type: 'run:end',
    status,
    ...(status === 'completed' ? { output: { outputs, after_all: afterAll } } : {}),
    ...(error === undefined ? {} : { error }),
    failedNodes: failedTasks,
    durationMs,
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(unpricedCalls === undefined ? {} : { unpricedCalls }),
    ...(redoRequested ? { redoRequested } : {}),
    ...(skipReason === undefined ? {} : { skipReason }),
  };
}
