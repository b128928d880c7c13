/**
 * The text of the model and tool calls of a node.
 */
import { type Counted, inLanguage, type Numbered, numberText, plural } from '../../ui/language.ts';

function tokens({ count }: Counted): string {
  return plural(count, { one: '1 token', other: `${numberText(count)} tokens` });
}

export const text = inLanguage('inspector/calls', {
  builtInRule: 'a built-in rule',
  showRule: 'Show the rule in the text',
  allowed: 'Allowed:',
  denied: 'Denied:',
  requested: 'Requested by the model',
  calledWith: 'Called with',
  input: 'Input',
  error: 'Error',
  result: 'Result',
  attempts: 'Attempts',
  kind: 'Kind',
  replayed: ({ kind }: { readonly kind: string }) => `${kind}, replayed`,
  failedAttempt: ({ attempt, message }: { readonly attempt: number; readonly message: string }) =>
    `Attempt ${attempt} failed: ${message}`,
  retriedAttempt: (attempt: { readonly attempt: number; readonly message: string; readonly pause: string }) =>
    `Attempt ${attempt.attempt} failed, retried after ${attempt.pause}: ${attempt.message}`,
  decisions: 'Policy decisions',
  inLog: ({ count }: Counted) =>
    plural(count, {
      one: 'The first call is only in the log.',
      other: `The first ${numberText(count)} calls are only in the log.`,
    }),
  calls: 'Calls',
  model: {
    call: ({ number }: Numbered) => `Call ${numberText(number)}`,
    streaming: ({ count }: Counted) => `streaming at ${tokens({ count })}/s`,
    waiting: 'Waiting for the first token.',
    interrupted: 'The engine stopped during this call.',
    attempt: ({ number }: Numbered) => `attempt ${numberText(number)}`,
    input: ({ number }: Numbered) => `input ${numberText(number)}`,
    firstToken: ({ time }: { readonly time: string }) => `first token after ${time}`,
    prompt: ({ count }: Counted) => `prompt ${tokens({ count })}`,
    cached: ({ count }: Counted) => `${numberText(count)} cached`,
    response: ({ count }: Counted) => `response ${tokens({ count })}`,
    speed: ({ count }: Counted) => `${tokens({ count })}/s`,
    ended: ({ reason }: { readonly reason: string }) => `ended with ${reason}`,
    replayed: 'replayed',
    roles: { system: 'System', user: 'User', assistant: 'Earlier response', tool: 'Tool result' },
    messages: 'Messages',
    attachments: 'Attachments',
    toolCalls: 'Tool calls',
    thinking: 'Thinking',
    answer: 'Response',
  },
});
