import { z } from 'zod';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { type InputRequestDoc, inputOf, inputRequestSchema } from '../../../language/steps/input-request.ts';
import { changedType } from '../../../language/types/describe-type.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import type { InputRequest } from '../../kernel/requests/ask.ts';
import { userInputType } from './user-input-type.ts';

/** Key of the question and its answer. */
const key = 'input';

/** In a list of steps: its params are the request. */
const userInputStep = defineNodeType(
  changedType(userInputType, { inputSchema: inputRequestSchema, configSchema: () => z.object({}) }),
  {
    hosting: 'workflow',
    capabilities: ['ask'],
    run: async ({ nodeId, input, can }) => {
      const { payload, by, at } = await can.ask(key, stepRequest(nodeId, input));
      return { values: payload['values'] as JsonMap, comment: String(payload['comment'] ?? ''), by: by ?? null, at };
    },
  },
);

function stepRequest(id: string, form: InputRequestDoc): InputRequest {
  return { kind: 'input', ...inputOf(id, form), form: { ...form, mode: form.mode ?? 'choice_input' } as JsonMap };
}

export const userInputNode = defineNodeType(userInputType, {
  inSteps: userInputStep,
  hosting: 'workflow',
  capabilities: ['ask'],
  run: async ({ input, config, can }) => {
    const request = JSON.parse(JSON.stringify({ kind: 'input', ...input, ...config })) as InputRequest;
    const { payload, by, at } = await can.ask(key, request);
    return { values: payload['values'] as JsonMap, comment: String(payload['comment'] ?? ''), by: by ?? null, at };
  },
});
