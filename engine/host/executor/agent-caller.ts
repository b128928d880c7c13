/**
 * Runs agents as children of other runs, for a flow's node or an agent's script.
 */

import type { Clock } from '../../base/clock.ts';
import {
  asEngineError,
  EngineError,
  type ErrorRecord,
  fromErrorRecord,
  toErrorRecord,
} from '../../base/engine-error.ts';
import type { IdSource, RunId } from '../../base/ids.ts';
import { notPure } from '../../language/agent/agent-contract.ts';
import { optionsFromLua } from '../../language/agent/agent-options.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import { isJsonList, isJsonMap } from '../../language/json/json-value.ts';
import type { AgentResume } from '../../runtime/agent/agent-request.ts';
import type {
  AgentAnswer,
  AgentCall,
  AgentCaller,
  AgentLocation,
  AgentsCapability,
} from '../../runtime/kernel/capabilities/capabilities.ts';
import type { RunEndStatus } from '../../runtime/kernel/events/run-event.ts';
import { createCancelScope, stopReason } from '../../runtime/kernel/hub/cancel-scope.ts';
import { Suspension } from '../../runtime/kernel/hub/harness.ts';
import type { Hub } from '../../runtime/kernel/hub/hub.ts';
import { Spending } from '../../runtime/kernel/hub/spending.ts';
import { closeCalls } from '../../runtime/kernel/resume/called-runs.ts';
import type { ResumePoint } from '../../runtime/kernel/resume/resume-point.ts';
import { type AgentRuns, type AgentSource, loadAgent } from './agent-runs.ts';
import { type RedoStep, runChain } from './redo-scheduler.ts';

export interface AgentCallerOptions extends AgentSource {
  /**
   * Checks whether a node may run an agent.
   * @returns the path to read, with symbolic links resolved
   * @throws EngineError `files.outside` | `effect.denied`
   */
  readonly admitForNode: (place: AgentLocation, caller: AgentCaller) => Promise<string>;
  readonly workspace: string;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Maximum depth of nested agent calls. This also ends circular calls. */
const maxDepth = 16;

/** A called agent's completed run. */
interface ChildEnd extends AgentAnswer {
  readonly runId: RunId;
}

/** Creates the capability that calls agents. */
export function createAgentCaller(runs: AgentRuns, options: AgentCallerOptions): AgentsCapability {
  return {
    run(call, caller) {
      const answer = runCall(call, caller, { runs, options });
      caller.calls?.hold(answer);
      return answer;
    },
  };
}

async function runCall(call: AgentCall, caller: AgentCaller, { runs, options }: CallerWorld): Promise<AgentAnswer> {
  if (caller.depth > maxDepth) throw tooDeep(call.agent);
  const { callKey, former } = formerCalls(call, caller);
  const spending = new Spending();
  for (const { spending: spent } of former) spending.addAll(spent.total());
  const task = { call, caller: { ...caller, hub: caller.hub.with({ spending }) }, callKey };
  const last = former.at(-1);
  const firstCount = last?.start?.redoCount ?? 0;
  const runOnce = async (step: RedoStep, before: ChildEnd | undefined): Promise<ChildEnd> =>
    last === undefined || before !== undefined
      ? await runChild({ ...task, step, redoOf: before?.runId }, { runs, options })
      : await takeUp({ ...task, step, last }, { runs, options });
  const { clock } = options;
  const end = caller.followsRedo
    ? await runChain(runOnce, { clock, signal: caller.signal, firstCount })
    : await runOnce({ count: firstCount }, undefined);
  return { ...end, ...spending.total() };
}

/** Returns the runs that an earlier process started here. The last one is continued. */
function formerCalls(
  call: AgentCall,
  { calls, former, callKey: own }: AgentCaller,
): { readonly callKey: string | undefined; readonly former: readonly ResumePoint[] } {
  if (calls === undefined) return { callKey: own, former: former ?? [] };
  const { callKey, former: one } = calls.next(call);
  return { callKey, former: one === undefined || isTriedAgain(one) ? [] : [one] };
}

/**
 * Returns whether the earlier run did not start or has failed. In that case, a script that runs again starts a new run.
 */
function isTriedAgain({ start, end }: ResumePoint): boolean {
  return start === undefined || end?.status === 'failed' || end?.status === 'cancelled';
}

interface CallPlace {
  readonly call: AgentCall;
  readonly caller: AgentCaller;
  readonly callKey: string | undefined;
  readonly step: RedoStep;
}

interface ChildTask extends CallPlace {
  readonly redoOf: RunId | undefined;
  /** The run to resume; absent for a new one. */
  readonly cut?: ResumePoint;
}

interface CallerWorld {
  readonly runs: AgentRuns;
  readonly options: AgentCallerOptions;
}

/** Returns the result of an earlier run if it has ended, and otherwise resumes it. */
async function takeUp(
  { last, ...place }: CallPlace & { readonly last: ResumePoint },
  world: CallerWorld,
): Promise<ChildEnd> {
  const { runId, start, end, isReported } = last;
  if (end === undefined) return await runChild({ ...place, redoOf: start?.redoOf, cut: last }, world);
  const { hub, signal } = place.caller;
  const told = isReported ? { emit() {} } : hub;
  const { outputs, after_all: afterAll = null } = isJsonMap(end.output) ? end.output : {};
  const result = {
    outputs: isJsonList(outputs) ? outputs : null,
    afterAll,
    redoRequested: end.redoRequested === true,
    ...(end.skipReason === undefined ? {} : { skipReason: end.skipReason }),
  };
  const { status, error } = end;
  return reportedEnd({ agentName: place.call.agent, runId, status, error, ...result }, { hub: told, signal });
}

async function runChild(
  { call, caller, callKey, step, redoOf, cut }: ChildTask,
  { runs, options }: CallerWorld,
): Promise<ChildEnd> {
  const { agent: name, inputs, options: callOptions, baseFolder } = call;
  const { hub, signal, depth, isDry, dryRun, admit = (place) => options.admitForNode(place, caller) } = caller;
  const agent = await loadAgent(
    { agent: name, folder: baseFolder ?? options.workspace, admit, kept: cut && keptDefinition(cut, runs) },
    options,
  ).catch((thrown: unknown) => {
    if (cut !== undefined) closeCalls([cut], hub, asEngineError(thrown));
    throw thrown;
  });
  if (cut === undefined) refuseForeign(agent.place, hub.products?.at(-1));
  if (call.mustBePure === true && agent.doc.pure === undefined) throw notPure(name);
  const runId = cut?.runId ?? options.ids.runId();
  if (cut === undefined) {
    hub.keepDefinition?.(agent.definition);
    hub.emit({ type: 'agent:start', agentName: name, runId });
  }
  const task = {
    runId,
    inputs,
    depth,
    redoOf,
    callKey,
    parentRunId: hub.runId,
    parentTaskId: hub.taskId,
    parentStage: caller.calls?.loneStage,
    redoCount: step.count,
    callOptions: callOptions === undefined ? undefined : optionsFromLua(callOptions),
    // With a cassette, models also respond in a dry run.
    dry: isDry && dryRun?.hasAnswers !== true ? ('req' as const) : undefined,
    dryRun,
    resume: cut === undefined ? undefined : resumeOf(cut, call, caller),
    answers: caller.calls?.answers ?? caller.answers,
    flows: caller.flows,
  };
  // A caller such as a node has only a signal.
  const scope = createCancelScope(signal);
  const { result } = await runs.run(agent, task, hub.child(runId), scope).finally(() => scope.close());
  if (result.status === 'suspended') throw new Suspension(result.waitsFor, result.suspendReason);
  return reportedEnd({ agentName: name, runId, ...result, status: result.status }, { hub, signal });
}

/** Returns the definition to continue with: the original one, even if the file has changed. */
function keptDefinition({ definition, start }: ResumePoint, runs: AgentRuns): string | undefined {
  return definition ?? (start && runs.definitionOf(start.definitionHash));
}

/**
 * Returns how a child run is resumed. Consent to run a script again includes repeating interrupted work in its child
 * runs. For an agent with a pure contract, such work consists only of model calls, and their responses are in the log.
 */
function resumeOf(point: ResumePoint, { mustBePure }: AgentCall, { calls }: AgentCaller): AgentResume {
  const { decision } = point.answer ?? {};
  const resumed = decision === undefined ? {} : { decision };
  return { point, resumed, ...(calls === undefined && mustBePure !== true ? {} : { repeatsCut: true }) };
}

interface ReportedEnd extends AgentAnswer {
  readonly agentName: string;
  readonly runId: RunId;
  readonly status: RunEndStatus;
  readonly error?: ErrorRecord | undefined;
}

/** Reports a child run's end to the caller. @throws EngineError the cause of its failure, or the signal's reason */
function reportedEnd(
  end: ReportedEnd,
  { hub, signal }: { readonly hub: Pick<Hub, 'emit'>; readonly signal: AbortSignal },
): ChildEnd {
  const { agentName, runId, status, outputs, afterAll, redoRequested, skipReason } = end;
  const error = errorOf(end, signal);
  if (error !== undefined) {
    hub.emit({ type: 'agent:failed', agentName, runId, error });
    if (signal.aborted) throw stopReason(signal);
    throw status === 'cancelled' ? cancelledAlone(agentName) : fromErrorRecord(error);
  }
  hub.emit({ type: 'agent:complete', agentName, runId, success: true });
  const skip = status === 'skipped' ? { skipReason: skipReason ?? '' } : {};
  return { runId, outputs, afterAll, redoRequested, ...skip };
}

function errorOf(
  { status, error }: Pick<ReportedEnd, 'status' | 'error'>,
  signal: AbortSignal,
): ErrorRecord | undefined {
  if (status === 'completed' || status === 'skipped') return undefined;
  return error ?? toErrorRecord(stopReason(signal));
}

/**
 * Creates the error for a child run that was canceled alone. The caller continues and treats it like any other failure.
 */
function cancelledAlone(agent: string): EngineError {
  return new EngineError({ code: 'agent.cancelled', message: `The run of agent "${agent}" was canceled.` });
}

function tooDeep(agent: string): EngineError {
  return new EngineError({
    code: 'agent.too-deep',
    message: `Agent "${agent}" was not run: agent calls are nested ${maxDepth} deep. Check whether agents call each other in a cycle.`,
  });
}

/** @param caller product of the calling flow or agent @throws EngineError `product.isolated` */
function refuseForeign({ name, shownPath }: AgentLocation, caller: string | undefined): void {
  const owner = productOfPath(shownPath);
  if (owner === undefined || caller === undefined || owner === caller) return;
  throw new EngineError({
    code: 'product.isolated',
    message: `Agent "${name}" belongs to product ${owner}, and product ${caller} may not use it. Create an agent in ${caller}, or a tool with shared: true in ${owner} that runs the agent.`,
    details: { agent: name, owner, product: caller },
  });
}
