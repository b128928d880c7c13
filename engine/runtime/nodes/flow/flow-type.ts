/**
 * Description of `flow`: runs another flow as a child run.
 */
import { z } from 'zod';
import { callType } from '../../../language/flow/flow-doc.ts';
import { isJsonMap } from '../../../language/json/json-value.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, noConfig } from '../shared-schemas.ts';

export const flowType = describeType({
  type: callType,
  title: 'Flow',
  description: 'Runs another flow as a child run and returns its outputs.',
  example: 'Runs flows/translate.flow.yaml with this text.',
  category: 'flow',
  icon: 'workflow',
  inputSchema: () =>
    z.object({
      flow: z
        .string()
        .min(1)
        .meta({ editor: 'flow' })
        .describe('Flow file, relative to the folder of this flow, or namespace@pack/name.flow.yaml'),
      input: z
        .record(z.string(), anyJson)
        .optional()
        .meta({ editor: 'call' })
        .describe('Inputs of the called flow, by name'),
    }),
  configSchema: () => noConfig,
  outputSchema: () =>
    z.object({
      outputs: anyJson.describe('Outputs of the called flow: those it declares, or the outputs of its last nodes'),
    }),
  // Effects come from the called flow's nodes, which are checked individually.
  effects: 'pure',
  start: () => ({ input: { flow: 'other.flow.yaml' } }),
  summary: (_config, { flow, input = null }) => {
    if (typeof flow !== 'string' || flow === '') return ['No flow yet'];
    const names = isJsonMap(input) ? Object.keys(input) : [];
    return names.length === 0 ? ['Runs ', { chip: flow }] : ['Runs ', { chip: flow }, ` with ${names.join(', ')}`];
  },
});
