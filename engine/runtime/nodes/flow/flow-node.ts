import { defineNodeType } from '../../flow/node-type.ts';
import { flowType } from './flow-type.ts';

export const flowNode = defineNodeType(flowType, {
  resumesCalls: true,
  hosting: 'workflow',
  capabilities: ['flows'],
  async run({ input: { flow, input = {} }, hub, signal, can, formerCalls = [], host, answers }) {
    return {
      outputs: await can.flows.run(
        { flow, input },
        {
          ...{ hub, signal, former: formerCalls },
          ...(host === undefined ? {} : { host }),
          ...(answers === undefined ? {} : { answers }),
        },
      ),
    };
  },
});
