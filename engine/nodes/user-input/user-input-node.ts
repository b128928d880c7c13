import { z } from 'zod';
import { defineNodeType } from '../../flow/node-type.ts';
import { changedType } from '../../flowspec/describe-type.ts';
import type { JsonMap } from '../../flowspec/json-value.ts';
import { type InputRequestDoc, inputOf, inputRequestSchema } from '../../flowspec/steps/input-request.ts';
import type { InputRequest } from '../../kernel/ask.ts';
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
