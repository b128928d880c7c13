/**
 * Tools that an input's model may call on behalf of the agent run. The same call is never executed twice.
 */
import { EngineError } from '../../base/engine-error.ts';
import { refuseIfPure } from '../../language/agent/agent-contract.ts';
import type { AgentOptions } from '../../language/agent/agent-doc.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { ToolDescription, ToolResult, ToolsCapability } from '../kernel/capabilities/tool-capability.ts';
import { Suspension } from '../kernel/hub/harness.ts';
import { type AvailableTools, usualSteps } from '../kernel/models/tool-loop.ts';
import type { AskCapability } from '../kernel/requests/ask.ts';
import { unexpired } from '../kernel/requests/ask-deadline.ts';
import type { CallKeys } from '../kernel/resume/call-keys.ts';
import { toolRounds } from '../kernel/resume/tool-rounds.ts';
import { type AgentRequest, type AgentRun, isDryRequest } from './agent-request.ts';
import type { StageContext } from './agent-stage.ts';
import { asker } from './ask-directive.ts';
import { hashOf, type StartedAgentInput } from './input-asks.ts';

/** Returns the tools from the options and a function that calls them; undefined if there are no tools. */
export function toolsOf(
  run: AgentRun,
  { tools: names = [], max_steps: maxSteps = usualSteps }: AgentOptions,
  place: StageContext,
): { readonly given: AvailableTools; readonly tools: ToolsCapability } | undefined {
  if (names.length === 0) return undefined;
  refuseIfPure(run.request, 'gives its model tools');
  const { request } = run;
  const { clock, runId, depth, answers, flows } = request;
  const isDry = isDryRequest(request);
  const { hub, signal, input, modelCalls, calls } = place;
  const ask = answers === undefined || isDry || input === undefined ? {} : { ask: asking(run, input, place) };
  const scope = { hub, signal, clock, runId, depth, isDry, ...(flows && { flows }), ...ask };
  const { tools } = request.capabilities;
  return {
    given: { names, maxSteps, scope, admit: (tool) => admit(tool, request) },
    tools:
      input === undefined || modelCalls === undefined
        ? tools
        : calledOnce(tools, input, { keys: modelCalls, runs: calls }),
  };
}

/** Restricts agents in third-party packs to read-only tools and tools of the same pack. */
function admit({ name, kind, risk, effects, pack: from }: ToolDescription, { place: { pack } }: AgentRequest): void {
  // Compares the origin, because a server or another pack may have the same name.
  if (pack === undefined || from === `${pack.namespace}@${pack.name}`) return;
  if (kind === 'core' && effects === 'idempotent' && risk === 'low') return;
  throw new EngineError({
    code: 'tool.not-for-packs',
    message: `An agent of the pack ${pack.namespace}@${pack.name} can only give its model tools of the pack and read-only tools of core, and "${name}" is neither. Copy the agent into the workspace to allow more tools.`,
  });
}

/** Returns the logged result of a call that completed when the input ran before. */
function calledOnce(
  tools: ToolsCapability,
  { finished, cutTools }: StartedAgentInput,
  { keys, runs }: { readonly keys: CallKeys; readonly runs: StageContext['calls'] },
): ToolsCapability {
  return {
    describe: (names) => tools.describe(names),
    async call(call, scope) {
      const { tool, callKey = tool } = call;
      const former = finished.get(callKey);
      if (former?.type === 'tool:result') return resultIn(former.result);
      const begun = runs?.takeOfTool(callKey) ?? [];
      const answers = runs?.answers;
      const rounds = toolRounds(callKey, finished, (event) => scope.hub.emit(keys.note(event)));
      const result = await tools.call(call, {
        ...scope,
        rounds,
        former: begun,
        // The work of a resuming child run is not repeated.
        cutAttempts: begun.length > 0 ? 0 : (cutTools.get(callKey) ?? 0),
        ...(answers === undefined ? {} : { answers }),
      });
      const told = { type: 'tool:result', callKey, tool, attempts: 0, durationMs: 0, backend: 'none' } as const;
      const isError = result.status === 'error';
      // Uses the value from the log, so that the model receives the same result when the input starts again.
      return resultIn(keys.note({ ...told, isError, result: result as unknown as JsonValue }).result);
    },
  };
}

function resultIn(result: JsonValue): ToolResult {
  // Written only by the executor.
  return result as unknown as ToolResult;
}

function onlyNodesAskLive(): EngineError {
  const message = 'Only nodes of flows can ask while they keep running, and an agent cannot.';
  return new EngineError({ code: 'ask.unavailable', message });
}

/** Asks on behalf of the input, which then waits for the answer. */
function asking(run: AgentRun, { name }: StartedAgentInput, { hub }: StageContext): AskCapability {
  return async (key, request, { live } = {}) => {
    if (live !== undefined) throw onlyNodesAskLive();
    const requestHash = hashOf({ request }, run);
    const former = run.asks.of(name).get(key);
    if (former?.answer !== undefined && former.requestHash === requestHash) {
      return unexpired(former.answer, former.request, asker);
    }
    run.asks.tell(name, { key, requestHash, request, askedAt: run.request.clock.now() }, hub);
    throw new Suspension(undefined, 'approval');
  };
}
