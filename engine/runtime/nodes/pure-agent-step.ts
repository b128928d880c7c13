/**
 * Calls a pure agent from a step: its input, and the meaning of its result for the step.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { NodeRunContext } from '../flow/node-type.ts';

type PureAgentNodeContext = NodeRunContext<JsonMap, { readonly agent: string }, 'pureAgents' | 'model'>;

/**
 * Runs the step's agent once.
 * @returns its data
 * @throws EngineError with the code of the agent's error, which determines whether a retry could help; errors from
 * `pureAgents.run`
 */
export async function runPureAgent(context: PureAgentNodeContext): Promise<JsonMap | null> {
  const { input, config, can, hub, signal, clock, runId, step, formerCalls: former = [] } = context;
  if (step === undefined) throw new RangeError('An agent of the contract pure can only run in a list of steps');
  const { product, payload, artifacts, autonomyLevel, attempt, maxAttempts, budgetsLeft } = step;
  const result = await can.pureAgents.run(
    {
      agent: config.agent,
      ...(product === undefined ? {} : { product }),
      step: {
        ...{ params: input, payload, artifacts: Object.fromEntries(artifacts) },
        constraints: { autonomyLevel, attempt, maxAttempts, budgetsLeft },
      },
    },
    { hub, signal, clock, runId, model: can.model, former },
  );
  if (!result.ok) {
    const { code, message, recoverable, details } = result.error;
    throw new EngineError({ code, message, recoverable, details: { agent: config.agent, ...details } });
  }
  step.note(result.meta as unknown as JsonMap);
  return result.data;
}
