import { defineNodeType } from '../../flow/node-type.ts';
import type { JsonMap } from '../../flowspec/json-value.ts';
import type { InputRequest } from '../../kernel/ask.ts';
import { userInputType } from './user-input-type.ts';

/** Under it the node asks, and an answer is given. */
const key = 'input';

export const userInputNode = defineNodeType(userInputType, {
  hosting: 'workflow',
  capabilities: ['ask'],
  run: async ({ input, config, can }) => {
    const request = JSON.parse(JSON.stringify({ kind: 'input', ...input, ...config })) as InputRequest;
    const { payload, by, at } = await can.ask(key, request);
    return { values: payload['values'] as JsonMap, comment: String(payload['comment'] ?? ''), by: by ?? null, at };
  },
});
