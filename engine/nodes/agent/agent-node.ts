import { defineNodeType, NodeSkip } from '../../flow/node-type.ts';
import type { JsonMap } from '../../flowspec/json-value.ts';
import { spendingOf } from '../../kernel/told-model.ts';
import { agentType } from './agent-type.ts';

export const agentNode = defineNodeType(agentType, {
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
