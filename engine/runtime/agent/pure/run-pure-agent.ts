/**
 * Runs pure agents written in any language. Each runs once on a copy of its step, between `agent:start` and its end
 * event, and its result is validated before it is used.
 */
import { elapsedSince } from '../../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import { onAbort } from '../../../base/on-abort.ts';
import { frozenCopy } from '../../../language/json/checked-json.ts';
import type {
  AgentFailure,
  AgentMeta,
  AgentResult,
  PureAgentScope,
  PureAgentsCapability,
  StepContext,
} from '../../kernel/capabilities/pure-agents-capability.ts';
import type { AgentEvent } from '../../kernel/events/agent-event.ts';
import type { RegisteredAgent } from './agent-registry.ts';
import type { CheckedResult, GivenMeta, ResultRefusal } from './agent-result.ts';

/**
 * Creates the capability to run agents. @param resolve finds an agent just before it runs; throws as
 * `AgentRegistry.get` does
 */
export function createPureAgents(
  resolve: (name: string, product: string | undefined) => RegisteredAgent | Promise<RegisteredAgent>,
): PureAgentsCapability {
  return {
    async run({ agent: name, product, step }, scope) {
      const agent = await resolve(name, product);
      scope.signal.throwIfAborted();
      return await runOnce(agent, ownCopy(step), scope);
    },
  };
}

/** Returns a copy of the step, so that an agent cannot change other data. */
function ownCopy(step: StepContext): StepContext {
  const copied = frozenCopy(step);
  if (copied.ok) return copied.value as unknown as StepContext;
  const { path, message } = copied.problem;
  throw new EngineError({
    code: 'node.bad-input',
    message: `The step cannot be passed to the agent: ${path.join('.')} ${message}`,
  });
}

async function runOnce(agent: RegisteredAgent, step: StepContext, scope: PureAgentScope): Promise<AgentResult> {
  const { hub, clock, runId } = scope;
  const agentName = agent.name;
  const tell = (event: AgentEvent): void => {
    if (agent.tellsItself !== true) hub.emit(event);
  };
  tell({ type: 'agent:start', agentName, runId });
  const startedAt = clock.now();
  try {
    const checked = await untilAborted(
      agent.run(step, { ...scope, hub: hub.scoped({ agent: { name: agentName } }) }),
      scope.signal,
    );
    const meta = metaOf(agent, scope, { startedAt, given: 'result' in checked ? checked.result.meta : {} });
    const result = resultOf(checked, agent, meta);
    if ('refusal' in checked) tellRefusal(checked.refusal, agent, hub);
    if (result.ok) tell({ type: 'agent:complete', agentName, runId, success: true });
    else tell({ type: 'agent:failed', agentName, runId, error: result.error });
    return result;
  } catch (thrown) {
    tell({ type: 'agent:failed', agentName, runId, error: toErrorRecord(thrown) });
    throw thrown;
  }
}

/** After an abort, the work's result is ignored. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(stopListening);
  });
}

interface PureRunMeta {
  readonly startedAt: number;
  readonly given: GivenMeta;
}

function metaOf(
  { name, kind }: RegisteredAgent,
  { clock, runId }: PureAgentScope,
  { startedAt, given }: PureRunMeta,
): AgentMeta {
  return {
    ...{ kind, tags: {}, redacted: false },
    ...given,
    agent_name: name,
    request_id: runId,
    started_at: new Date(startedAt).toISOString(),
    ended_at: new Date(clock.now()).toISOString(),
    latency_ms: elapsedSince(startedAt, clock),
  };
}

function resultOf(checked: CheckedResult, agent: RegisteredAgent, meta: AgentMeta): AgentResult {
  if ('result' in checked) return { ...checked.result, meta };
  return { ok: false, data: null, error: violation(checked.refusal, agent), meta };
}

/** Never recoverable, because the agent would violate its contract again. */
function violation({ reason, message, path }: ResultRefusal, { name }: RegisteredAgent): AgentFailure {
  const what = reason === 'agent_threw' ? message : `returned an invalid result: ${placeText(path)} ${message}`;
  return {
    code: 'contract_violation',
    message: `The agent "${name}" ${what}`,
    recoverable: false,
    details: { reason, ...(path.length === 0 ? {} : { path: [...path] }) },
  };
}

/** Number of path segments shown at each end. */
const shownSteps = 6;

/** Formats a path within a result. Shortens long paths in the middle; the details contain the full path. */
function placeText(path: ResultRefusal['path']): string {
  const steps = ['result', ...path];
  if (steps.length <= 2 * shownSteps) return steps.join('.');
  return `${steps.slice(0, shownSteps).join('.')}…${steps.slice(-shownSteps).join('.')}`;
}

function tellRefusal({ reason, message }: ResultRefusal, { name }: RegisteredAgent, hub: PureAgentScope['hub']): void {
  if (reason === 'agent_threw') return;
  hub.emit({
    type: 'governance:decision',
    allowed: false,
    rule: reason,
    effect: 'output',
    target: name,
    reason: message,
  });
}
