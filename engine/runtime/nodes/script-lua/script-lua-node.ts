import { defineNodeType } from '../../flow/node-type.ts';
import { scriptLuaType } from './script-lua-type.ts';

export const scriptLuaNode = defineNodeType(scriptLuaType, {
  isGoverned: true,
  capabilities: ['code'],
  run: ({ input, config: { code }, can, nodeId, runId, hub, signal, source }) =>
    can.code.run({ language: 'lua', code, input, path: ['config', 'code'] }, { nodeId, runId, hub, signal, source }),
});
