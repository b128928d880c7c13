/**
 * Notices about model responses that did not end normally: truncated, stopped by a filter, or refused.
 */
import type { ModelReply, ModelRequest } from './model-capability.ts';

type ResponseTokenLimits = Pick<ModelRequest, 'maxTokens'>;

/**
 * Returns notices for a run's log: how the response ended, if not normally, and anything that the provider's adapter
 * reported.
 */
export function noticesOf(reply: ModelReply, limits: ResponseTokenLimits): readonly string[] {
  const ending = endingOf(reply, limits);
  return [...(ending === undefined ? [] : [ending]), ...(reply.notices ?? [])];
}

/**
 * Describes how a response ended, if not normally. The same request would end the same way again.
 * @returns one or two sentences; undefined if it ended normally
 */
export function endingOf(reply: ModelReply, limits: ResponseTokenLimits): string | undefined {
  switch (reply.finishReason) {
    case 'length':
      return cutOff(reply, limits);
    case 'content-filter':
      return `A content filter of the provider stopped the model's response${reply.text === '' ? '' : ', so its end is missing'}. Rephrase the prompt or use another model.`;
    case 'refusal':
      return 'The model refused to answer. Rephrase the prompt or use another model.';
    default:
      return undefined;
  }
}

function cutOff({ text, reasoning, usage }: ModelReply, { maxTokens }: ResponseTokenLimits): string {
  const used = usage === undefined ? '' : ` after ${counted(usage.completionTokens)}`;
  const limit =
    maxTokens === undefined
      ? `at the provider's own limit${used}`
      : `at its limit of ${counted(maxTokens)} (maxTokens)`;
  const onlyThinking = text === '' && reasoning !== undefined ? ' All of them were thinking.' : '';
  const fix =
    maxTokens === undefined ? 'Set maxTokens to a higher number, if the model allows it,' : 'Raise maxTokens,';
  return `The model's response was cut off ${limit}.${onlyThinking} ${fix} or request a shorter response.`;
}

function counted(tokens: number): string {
  return tokens === 1 ? '1 token' : `${tokens.toLocaleString('en')} tokens`;
}
