/**
 * Agents as children of other runs: of a node in a flow, or of an agent's script.
 */
import { optionsFromLua } from '../agent/agent-options.ts';
import type { AgentRunEnd } from '../agent/run-agent.ts';
import type { Clock } from '../base/clock.ts';
import { EngineError, type ErrorRecord, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { IdSource, RunId } from '../base/ids.ts';
import { createCancelScope, stopReason } from '../kernel/cancel-scope.ts';
import type { AgentAnswer, AgentCall, AgentCaller, AgentPlace, AgentsCapability } from '../kernel/capabilities.ts';
import { Spending, SpendingHub } from '../kernel/spending.ts';

import { type AgentRuns, type AgentSource, loadAgent } from './agent-runs.ts';

import { type RedoStep, runChain } from './redo-scheduler.ts';

export interface AgentCallerOptions extends AgentSource {
  /**
   * Whether a node may run an agent.
   * @returns the real path that may be read
   * @throws EngineError `files.outside` | `effect.denied`
   */
  readonly admitForNode: (place: AgentPlace, caller: AgentCaller) => Promise<string>;
  readonly workspace: string;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** So many agents may stand above one another: a circle of calls has to end somewhere. */
const maxDepth = 16;

/** One finished run of a called agent. */
interface ChildEnd extends AgentAnswer {
  readonly runId: RunId;
}

/** Makes the ability to call agents. */
export function createAgentCaller(runs: AgentRuns, options: AgentCallerOptions): AgentsCapability {
  return {
    async run(call, caller) {
      if (caller.depth > maxDepth) throw tooDeep(call.agent);
      const spending = new Spending();
      const counted = { ...caller, hub: new SpendingHub(caller.hub, spending) };
      const runOnce = (step: RedoStep, former: ChildEnd | undefined): Promise<ChildEnd> =>
        runChild({ call, caller: counted, step, redoOf: former?.runId }, { runs, options });
      const { clock } = options;
      const end = caller.followsRedo
        ? await runChain(runOnce, { clock, signal: caller.signal })
        : await runOnce({ count: 0 }, undefined);
      return { ...end, ...spending.total() };
    },
  };
}

interface ChildTask {
  readonly call: AgentCall;
  readonly caller: AgentCaller;
  readonly step: RedoStep;
  readonly redoOf: RunId | undefined;
}

async function runChild(
  { call, caller, step, redoOf }: ChildTask,
  { runs, options }: { readonly runs: AgentRuns; readonly options: AgentCallerOptions },
): Promise<ChildEnd> {
  const { agent: name, inputs, options: callOptions, baseFolder } = call;
  const { hub, signal, depth, isDry, admit = (place) => options.admitForNode(place, caller) } = caller;
  const agent = await loadAgent({ agent: name, folder: baseFolder ?? options.workspace, admit }, options);
  const runId = options.ids.runId();
  hub.emit({ type: 'agent:start', agentName: name, runId });
  const task = {
    runId,
    inputs,
    depth,
    redoOf,
    parentRunId: hub.runId,
    parentTaskId: hub.taskId,
    redoCount: step.count,
    callOptions: callOptions === undefined ? undefined : optionsFromLua(callOptions),
    dry: isDry ? ('req' as const) : undefined,
  };
  // A caller, such as a node, knows only a signal.
  const scope = createCancelScope(signal);
  const end = await runs.run(agent, task, hub.child(runId), scope).finally(() => scope.close());
  const { status, outputs, afterAll, redoRequested, skipReason } = end.result;
  const error = errorOf(end, signal);
  if (error !== undefined) {
    hub.emit({ type: 'agent:failed', agentName: name, runId, error });
    if (signal.aborted) throw stopReason(signal);
    throw end.result.status === 'cancelled' ? cancelledAlone(name) : fromErrorRecord(error);
  }
  hub.emit({ type: 'agent:complete', agentName: name, runId, success: true });
  return {
    runId,
    outputs,
    afterAll,
    redoRequested,
    ...(status === 'skipped' ? { skipReason: skipReason ?? '' } : {}),
  };
}

function errorOf({ result: { status, error } }: AgentRunEnd, signal: AbortSignal): ErrorRecord | undefined {
  if (status === 'completed' || status === 'skipped') return undefined;
  return error ?? toErrorRecord(stopReason(signal));
}

/** For the caller, which goes on, it is a failure like any other. */
function cancelledAlone(agent: string): EngineError {
  return new EngineError({ code: 'agent.cancelled', message: `The run of agent "${agent}" was cancelled.` });
}

function tooDeep(agent: string): EngineError {
  return new EngineError({
    code: 'agent.too-deep',
    message: `Agent "${agent}" is not run: ${maxDepth} agents already stand above it. Do agents call each other in a circle?`,
  });
}
