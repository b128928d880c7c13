import { defineNodeType } from '../../flow/node-type.ts';
import { scriptJsType } from './script-js-type.ts';

export const scriptJsNode = defineNodeType(scriptJsType, {
  capabilities: ['code'],
  run: ({ input, config: { code }, can, nodeId, runId, hub, signal, source }) =>
    can.code.run(
      { language: 'javascript', code, input, path: ['config', 'code'] },
      { nodeId, runId, hub, signal, source },
    ),
});
