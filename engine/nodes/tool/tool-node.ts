import { defineNodeType } from '../../flow/node-type.ts';
import { rejectedCode } from '../../kernel/ask.ts';
import { toolError } from '../../kernel/tool-capability.ts';
import { toolType } from './tool-type.ts';

export const toolNode = defineNodeType(toolType, {
  asksWhenCut: true,
  resumesCalls: true,
  capabilities: ['tools', 'ask'],
  async run({ input, config, can, hub, signal, clock, runId, isWired }) {
    const scope = { hub, signal, clock, runId, depth: 0, isDry: false };
    const result = await can.tools.call({ tool: config.tool, params: input }, scope);
    if (result.status === 'error') {
      const { code, comment = '' } = result.metadata;
      if (code === rejectedCode && isWired('rejected')) return { route: 'rejected', message: result.message, comment };
      throw toolError(result);
    }
    return result.result;
  },
});
