/**
 * A whole run as the executor starts it: `run:start`, the flow, `run:end`.
 */
import type { RunId } from '../base/ids.ts';
import { createHarness } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import type { RunEndEvent } from '../kernel/run-event.ts';
import { type FlowRequest, type FlowResult, finalOutput, runFlow } from './run-flow.ts';

/** What a run is told about itself. */
export interface RunOrigin {
  /** Relative to the workspace, with `/`. */
  readonly sourcePath: string;
  readonly definitionHash: string;
  readonly redoOf?: RunId;
  readonly redoCount?: number;
}

/** Runs a flow as a run of its own on `hub`; all of it is recorded when the promise resolves with the last event. */
export async function runRoot(request: FlowRequest, hub: Hub, origin: RunOrigin): Promise<RunEndEvent> {
  const { flow, inputs, clock } = request;
  const startedAt = clock.now();
  hub.emit({ type: 'run:start', kind: 'flow', name: flow.name, inputs: { ...flow.inputs, ...inputs }, ...origin });
  const result = await runFlow(request, createHarness(hub, clock));
  const end = endEvent(request, result, clock.now() - startedAt);
  hub.emit(end);
  return end;
}

function endEvent({ flow }: FlowRequest, result: FlowResult, durationMs: number): RunEndEvent {
  const { status, failedNodes, error, usage, costUsd } = result;
  return {
    type: 'run:end',
    status,
    ...(status === 'completed' ? { output: finalOutput(flow, result.outputs) } : {}),
    ...(error === undefined ? {} : { error }),
    failedNodes,
    durationMs,
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
