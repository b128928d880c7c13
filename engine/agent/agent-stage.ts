/**
 * The stages of an agent's run: each is told, and what fails in it names it.
 */
import { type Clock, elapsedSince } from '../base/clock.ts';
import { type EngineError, fromErrorRecord, type StageName, toErrorRecord } from '../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { ScriptScope } from '../kernel/agent-capabilities.ts';
import { cancellation } from '../kernel/cancel-scope.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Spending } from '../kernel/spending.ts';
import type { AgentScript } from './agent-doc.ts';
import type { AgentRequest } from './agent-request.ts';
import { stageContextOf } from './script-context.ts';

/** What all stages of a run share. */
export interface AgentRun {
  readonly request: AgentRequest;
  /** `CTX` without what differs from stage to stage. */
  readonly runContext: JsonMap;
  readonly spending: Spending;
}

/** Where a stage takes place. */
export interface StagePlace {
  /** In the context of the input's task, or of the phase. */
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** Of the input, from 0; absent in Before All and After All. */
  readonly index?: number;
}

/**
 * Does the work of a stage between `stage:start` and `stage:end`.
 * @throws EngineError what the work threw, with the stage
 */
export async function inStage<T>(
  stage: StageName,
  { hub, clock }: { readonly hub: Hub; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const fields = hub.taskId === undefined ? { stage } : { stage, taskId: hub.taskId };
  hub.emit({ type: 'stage:start', ...fields });
  const startedAt = clock.now();
  try {
    return await work();
  } catch (thrown) {
    throw atStage(thrown, stage);
  } finally {
    hub.emit({ type: 'stage:end', ...fields, ms: elapsedSince(startedAt, clock) });
  }
}

function atStage(thrown: unknown, stage: StageName): EngineError {
  return fromErrorRecord({ ...toErrorRecord(thrown), stage });
}

export interface StageScript {
  readonly stage: StageName;
  readonly script: AgentScript;
  /** Variables beside `CTX`. */
  readonly globals: JsonMap;
}

/**
 * Runs the script of a stage; what it gives is not looked at.
 * @throws EngineError `lua.*`; `run.cancelled` when the signal aborts, for whatever reason
 */
export async function runStageScript(
  { request, runContext }: AgentRun,
  { stage, script, globals }: StageScript,
  place: StagePlace,
): Promise<JsonValue> {
  const { capabilities, scriptTimeoutMs: timeoutMs } = request;
  const code = script.code;
  const CTX = stageContextOf(runContext, stage, place.index);
  return await untilStopped(place.signal, () =>
    capabilities.scripts.run({ code, globals: { ...globals, CTX }, timeoutMs }, scopeOf(request, place), place.signal),
  );
}

/** In whose name a stage acts. */
export function scopeOf({ place, runId, depth, dry }: AgentRequest, { hub }: StagePlace): ScriptScope {
  const task = hub.taskId === undefined ? {} : { taskId: hub.taskId };
  return { place, runId, hub, ...task, depth, isDry: dry === 'req' };
}

/**
 * Does work that ends early when the signal aborts. Why it does is the affair of whoever asked: in a run, it is stopped.
 * @throws what the work threw, or `run.cancelled`
 */
export async function untilStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    if (signal.aborted) throw cancellation();
    return await work();
  } catch (thrown) {
    throw signal.aborted ? cancellation() : thrown;
  }
}
