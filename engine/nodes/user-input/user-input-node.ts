import { z } from 'zod';
import { cutText } from '../../base/cut-text.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import type { JsonMap } from '../../flowspec/json-value.ts';
import { answerSchemaOf, type InputRequestDoc, inputRequestSchema } from '../../flowspec/steps/input-request.ts';
import type { InputRequest } from '../../kernel/ask.ts';
import { userInputType } from './user-input-type.ts';

/** Under it the node asks, and an answer is given. */
const key = 'input';

/** In a list of steps: its params are the request. */
const userInputStep = defineNodeType(
  { ...userInputType, inputSchema: inputRequestSchema, configSchema: z.object({}) },
  {
    hosting: 'workflow',
    capabilities: ['ask'],
    run: async ({ nodeId, input, can }) => {
      const { payload, by, at } = await can.ask(key, stepRequest(nodeId, input));
      return { values: payload['values'] as JsonMap, comment: String(payload['comment'] ?? ''), by: by ?? null, at };
    },
  },
);

const longestTitle = 200;

function stepRequest(id: string, form: InputRequestDoc): InputRequest {
  const { prompt = '', title = '', description, defaults } = form;
  const asked = title.trim() || prompt.trim() || `Fill in what the step "${id}" asks for`;
  const message = [prompt.trim() === asked ? '' : prompt, description ?? '']
    .filter((text) => text.trim() !== '')
    .join('\n\n');
  return {
    kind: 'input',
    title: cutText(asked, longestTitle),
    ...(message === '' ? {} : { message }),
    schema: answerSchemaOf(form),
    ...(defaults === undefined ? {} : { defaults }),
    form: { ...form, mode: form.mode ?? 'choice_input' } as JsonMap,
  };
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
