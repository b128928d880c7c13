/**
 * Provides agent files with a pure contract as agents for steps. As for every agent file, each call is a separate run,
 * with the step as its only input.
 */

import { toErrorRecord } from '../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { RegisteredAgent } from '../../runtime/agent/pure/agent-registry.ts';
import {
  type CheckedResult,
  failedWith,
  refusalOfThrown,
  refusalOfValue,
  resultOfValue,
  timedOut,
  withSpent,
} from '../../runtime/agent/pure/agent-result.ts';
import type { AgentAnswer, AgentsCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import { Suspension } from '../../runtime/kernel/hub/harness.ts';

/** Matches error codes for failures of the engine rather than the agent. */
const notItsOwn =
  /^(?:agent\.(?:not-found|invalid|not-pure|too-deep|cancelled)|pack\..*|files\..*|config\..*|lua\.(?:crashed|closed))$/;

/**
 * Creates an agent from a file.
 * @param file its name in steps, and its path, relative to the workspace with `/`
 */
export function fileAgent(
  { name, path }: { readonly name: string; readonly path: string },
  agents: AgentsCapability,
): RegisteredAgent {
  return {
    ...{ name, kind: 'other', origin: path, tellsItself: true },
    async run(step, { hub, signal, former }) {
      const call = { agent: path, inputs: [step as unknown as JsonValue], mustBePure: true } as const;
      try {
        const caller = { hub, signal, depth: 0, isDry: false, followsRedo: false, ...(former && { former }) };
        const answer = await agents.run(call, caller);
        return withSpent(resultIn(answer), spentBy(answer));
      } catch (thrown) {
        if (signal.aborted || thrown instanceof Suspension) throw thrown;
        return outcomeOfFailure(thrown);
      }
    },
  };
}

/**
 * Returns the result of After All if there is one, otherwise the result of the only input. A skipped input counts as
 * done, without data.
 */
function resultIn({ outputs, afterAll, skipReason }: AgentAnswer): CheckedResult {
  if (skipReason !== undefined) return resultOfValue(null);
  if (afterAll !== null) return resultOfValue(afterAll);
  const [output, ...others] = outputs ?? [];
  if (output !== undefined && others.length === 0) return resultOfValue(output);
  const message = `is missing: the agent returned ${outputs?.length ?? 0} outputs. Keep the input unchanged in "# Before All", or return the result in "# After All"`;
  return refusalOfValue([], message);
}

function spentBy({ usage, costUsd }: AgentAnswer) {
  return {
    ...(usage === undefined ? {} : { token_estimate: usage.promptTokens + usage.completionTokens }),
    ...(costUsd === undefined ? {} : { cost_estimate: costUsd }),
  };
}

/** @throws EngineError if the engine could not run the agent */
function outcomeOfFailure(thrown: unknown): CheckedResult {
  const { code, message, recoverable = false, line } = toErrorRecord(thrown);
  if (notItsOwn.test(code)) throw thrown;
  const details: JsonMap = { cause: code, ...(line === undefined ? {} : { line }) };
  if (code === 'lua.timeout') return timedOut(message);
  if (code.startsWith('model.')) return failedWith({ code: 'model_error', message, recoverable, details });
  if (code === 'effect.denied') return failedWith({ code: 'policy_blocked', message, recoverable: false, details });
  return refusalOfThrown(thrown);
}
