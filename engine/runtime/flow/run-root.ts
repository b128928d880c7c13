/**
 * A complete run as started by the executor: from `run:start` or `run:resumed`, through the flow, to `run:end` or
 * `run:suspended`.
 */
import { type Clock, elapsedSince, systemClock } from '../../base/clock.ts';
import type { RunId, SessionId } from '../../base/ids.ts';
import { lowerOf } from '../../language/flow/autonomy.ts';
import { MAX_OUTPUT_BYTES } from '../../language/flow/flow-limits.ts';
import { findNonJson } from '../../language/json/checked-json.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { BudgetDoc } from '../../language/triggers/budget-doc.ts';
import { refusalOfOutput } from '../kernel/capabilities/gated-capabilities.ts';
import { clockOfHost, type RunHost } from '../kernel/capabilities/run-host.ts';
import type {
  RunEndEvent,
  RunPart,
  RunResumedEvent,
  RunSuspendedEvent,
  StartedBy,
} from '../kernel/events/run-event.ts';
import { type CancelScope, endReasonOf } from '../kernel/hub/cancel-scope.ts';
import { mayExceed } from '../kernel/hub/event-traits.ts';
import { createHarness } from '../kernel/hub/harness.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import { closeOrphans } from '../kernel/resume/called-runs.ts';
import { type FlowRequest, type FlowResult, inputsOf, runFlowInScope } from './run-flow.ts';

/** A run's metadata. */
export interface RunOrigin {
  /** Path relative to the workspace, with `/`. */
  readonly sourcePath: string;
  readonly definitionHash: string;
  readonly startedBy?: StartedBy;
  readonly redoOf?: RunId;
  readonly redoCount?: number;
  readonly rerunOf?: RunId;
  readonly rerunFromNode?: string;
  readonly rerunUntil?: number;
  /** For a child run: the parent's task that called it. */
  readonly parentTaskId?: string;
  /** For a tool's child run: the key of the tool call. */
  readonly callKey?: string;
  readonly scope?: RunPart;
  readonly pinned?: readonly string[];
  readonly budget?: BudgetDoc;
  /** The conversation and its flow, with the applicable policy. */
  readonly sessionId?: SessionId;
  readonly flowId?: string;
}

/**
 * Runs a flow as a separate run on `hub`. When the promise resolves with the last event, everything has been recorded.
 */
export async function runRoot(
  request: FlowRequest,
  hub: Hub,
  origin: RunOrigin | Omit<RunResumedEvent, 'type'>,
  scope: CancelScope,
): Promise<RunEndEvent | RunSuspendedEvent> {
  const { flow, resume, host, clock = systemClock } = request;
  const time = host === undefined ? clock : activeTimeOf(host);
  const startedAt = time.now();
  if (isOrigin(origin)) {
    const level = lowerOf(flow.policy.autonomy, hub.autonomy);
    const autonomy = level === undefined ? {} : { autonomy: level };
    hub.emit({ type: 'run:start', kind: 'flow', name: flow.name, inputs: inputsOf(request), ...origin, ...autonomy });
  } else {
    hub.emit({ type: 'run:resumed', ...origin });
    closeOrphans(resume?.orphans ?? [], hub);
  }
  const result = await admitted(request, await runFlowInScope(scope, request, createHarness(hub, time)), hub);
  const end = lastEvent(result, (resume?.activeMs ?? 0) + elapsedSince(startedAt, time));
  const whole = end.type === 'run:end' && end.status === 'cancelled' ? { ...end, ...endReasonOf(scope.reason) } : end;
  hub.emit(whole);
  return whole;
}

/** Returns a clock for durations. It stands still while the run only waits for people. */
function activeTimeOf(host: RunHost): Clock {
  return { ...clockOfHost(host, 'run'), now: () => host.now() - (host.waits?.ms ?? 0) };
}

/** Returns the result, or a failed result if a policy denies its output. */
async function admitted({ flow, capabilities }: FlowRequest, result: FlowResult, hub: Hub): Promise<FlowResult> {
  const governance = capabilities?.governance;
  if (result.status !== 'completed' || governance === undefined) return result;
  const error = await refusalOfOutput(governance, { hub, name: flow.name, output: result.output ?? null });
  if (error === undefined) return result;
  const { output: _refused, ...rest } = result;
  return { ...rest, status: 'failed', error };
}

/**
 * The combined output of the last nodes may exceed the maximum string length. Each output is already in its node's
 * event.
 */
function keptOutput(output: JsonValue): { readonly output?: JsonValue } {
  return mayExceed(output, MAX_OUTPUT_BYTES) && findNonJson(output) !== undefined ? {} : { output };
}

function isOrigin(origin: RunOrigin | Omit<RunResumedEvent, 'type'>): origin is RunOrigin {
  return 'sourcePath' in origin;
}

function lastEvent(result: FlowResult, durationMs: number): RunEndEvent | RunSuspendedEvent {
  const {
    status,
    output,
    failedNodes,
    error,
    suspendedNode,
    suspendReason = 'operator',
    usage,
    costUsd,
    unpricedCalls,
  } = result;
  if (status === 'suspended') {
    return {
      type: 'run:suspended',
      reason: suspendReason,
      ...(suspendedNode === undefined ? {} : { nodeId: suspendedNode }),
    };
  }
  return {
    type: 'run:end',
    status,
    ...(output === undefined ? {} : keptOutput(output)),
    ...(error === undefined ? {} : { error }),
    failedNodes,
    durationMs,
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(unpricedCalls === undefined ? {} : { unpricedCalls }),
  };
}
