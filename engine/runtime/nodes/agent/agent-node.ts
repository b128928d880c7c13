import { z } from 'zod';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { changedType } from '../../../language/types/describe-type.ts';
import { defineNodeType, NodeSkip } from '../../flow/node-type.ts';
import { spendingOf } from '../../kernel/models/reporting-model.ts';
import { runPureAgent } from '../pure-agent-step.ts';
import { anyJson } from '../shared-schemas.ts';
import { agentType } from './agent-type.ts';

/** In a list of steps: a pure agent that receives the run's data and returns data. */
const agentStep = defineNodeType(
  changedType(agentType, {
    inputSchema: () => z.record(z.string(), anyJson),
    configSchema: () => z.object({ agent: z.string() }),
    outputSchema: () => z.record(z.string(), anyJson).nullable(),
    // The agent can access only a model.
    effects: 'idempotent',
  }),
  // Forbidden results are denied and reported like policy decisions.
  { isGoverned: true, resumesCalls: true, capabilities: ['pureAgents', 'model'], run: runPureAgent },
);

export const agentNode = defineNodeType(agentType, {
  inSteps: agentStep,
  resumesCalls: true,
  capabilities: ['agents'],
  async run({ input: { agent, inputs, options }, hub, signal, can, formerCalls = [], answers }) {
    const answer = await can.agents.run(
      { agent, inputs: inputs ?? null, ...(options === undefined ? {} : { options: options as JsonMap }) },
      { hub, signal, depth: 0, isDry: false, followsRedo: true, former: formerCalls, ...(answers && { answers }) },
    );
    if (answer.skipReason !== undefined) throw new NodeSkip(answer.skipReason);
    return {
      outputs: answer.outputs === null ? null : [...answer.outputs],
      after_all: answer.afterAll,
      ...spendingOf(answer),
    };
  },
});
