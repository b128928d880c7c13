/**
 * Agent files of the contract pure as agents of steps: each run is a run of its own, as that of every agent file is, with the step as its
 * one input.
 */
import type { RegisteredAgent } from '../agent/pure/agent-registry.ts';
import {
  type CheckedResult,
  failedWith,
  refusalOfThrown,
  refusalOfValue,
  resultOfValue,
  timedOut,
  withSpent,
} from '../agent/pure/agent-result.ts';
import { toErrorRecord } from '../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { AgentAnswer, AgentsCapability } from '../kernel/capabilities.ts';
import { Suspension } from '../kernel/harness.ts';

/** Codes that say that the engine could not run the agent: nothing that it did itself. */
const notItsOwn =
  /^(?:agent\.(?:not-found|invalid|not-pure|too-deep|cancelled)|pack\..*|files\..*|config\..*|lua\.(?:crashed|closed))$/;

/**
 * Makes an agent of a file.
 * @param file its name for steps, and its path, relative to the workspace with `/`
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

/** What After All gives, where it gives something; else what came of the one input. A skipped one is done, with nothing to say. */
function resultIn({ outputs, afterAll, skipReason }: AgentAnswer): CheckedResult {
  if (skipReason !== undefined) return resultOfValue(null);
  if (afterAll !== null) return resultOfValue(afterAll);
  const [output, ...others] = outputs ?? [];
  if (output !== undefined && others.length === 0) return resultOfValue(output);
  const message = `is missing: the agent gave ${outputs?.length ?? 0} outputs. Have "# Before All" leave its input as it is, or "# After All" give the result`;
  return refusalOfValue([], message);
}

function spentBy({ usage, costUsd }: AgentAnswer) {
  return {
    ...(usage === undefined ? {} : { token_estimate: usage.promptTokens + usage.completionTokens }),
    ...(costUsd === undefined ? {} : { cost_estimate: costUsd }),
  };
}

/** @throws EngineError when it is the engine that could not run it */
function outcomeOfFailure(thrown: unknown): CheckedResult {
  const { code, message, recoverable = false, line } = toErrorRecord(thrown);
  if (notItsOwn.test(code)) throw thrown;
  const details: JsonMap = { cause: code, ...(line === undefined ? {} : { line }) };
  if (code === 'lua.timeout') return timedOut(message);
  if (code.startsWith('model.')) return failedWith({ code: 'model_error', message, recoverable, details });
  if (code === 'effect.denied') return failedWith({ code: 'policy_blocked', message, recoverable: false, details });
  return refusalOfThrown(thrown);
}
