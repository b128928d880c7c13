/**
 * Implementation of `prompt`.
 */
import type { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { type AgentDefinition, runAgent } from '../../kernel/capabilities/agent-definition.ts';
import type { Capabilities } from '../../kernel/capabilities/capabilities.ts';
import { askForValue, type ValueAnswer } from '../../kernel/models/ask-for-value.ts';
import { askModel } from '../../kernel/models/ask-model.ts';
import type { ModelAttachment, ModelRequest, SpokenMessage } from '../../kernel/models/model-capability.ts';
import { type ModelAnswer, spendingOf } from '../../kernel/models/reporting-model.ts';
import { type AvailableTools, ToolLoop, usualSteps } from '../../kernel/models/tool-loop.ts';
import { warnOfJson } from '../json-notes.ts';
import { attachmentsText, readAttachments } from '../prompt-attachments.ts';
import { schemaIn } from '../shared-schemas.ts';
import { promptType } from './prompt-type.ts';

export const promptNode = defineNodeType(promptType, {
  capabilities: ['model', 'hash', 'answers', 'files', 'tools', 'ask'],
  resumesCalls: true,
  // The effects of its tools are known only when a run looks them up.
  effectsOf: ({ tools = [] }) => (tools.length === 0 ? 'idempotent' : 'external'),
  settingsOf: async (config, can, input = {}) => {
    const settings = await can.model.settingsOf(config.model);
    const attached = await attachmentsText(input, can);
    return attached === '' ? settings : `${settings}\n${attached}`;
  },
  run: async ({ input, config, runId, hub, signal, clock, can }) => {
    const attachments = await readAttachments(input.attachments ?? [], can.files, signal);
    const request = requestOf(input, config, attachments);
    const { tools: names = [], maxSteps = usualSteps } = config;
    const scope = { hub, signal, clock, runId, depth: 0, isDry: false };
    const tools = names.length === 0 ? undefined : { names, maxSteps, scope };
    return await runAgent(promptAgent({ can, clock, tools }), request, { hub, runId, signal });
  },
});

function requestOf(
  input: z.output<typeof promptType.inputSchema>,
  config: z.output<typeof promptType.configSchema>,
  attachments: readonly ModelAttachment[],
): ModelRequest {
  const answerSchema = schemaIn(config.output ?? {});
  const said: readonly SpokenMessage[] = input.messages ?? [{ role: 'user', content: input.prompt ?? '' }];
  const messages = withAttachments(said, attachments);
  if (input.system !== undefined) messages.unshift({ role: 'system', content: input.system });
  return {
    model: config.model,
    messages,
    ...(config.maxTokens === undefined ? {} : { maxTokens: config.maxTokens }),
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    ...(config.top_p === undefined ? {} : { topP: config.top_p }),
    ...(answerSchema === undefined ? {} : { answerSchema }),
  };
}

/** Attachments belong to the last user message. */
function withAttachments(messages: readonly SpokenMessage[], attachments: readonly ModelAttachment[]): SpokenMessage[] {
  if (attachments.length === 0) return [...messages];
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[last];
  if (message === undefined) return [...messages, { role: 'user', content: '', attachments }];
  return messages.with(last, { ...message, attachments });
}

interface Prompting {
  readonly can: Pick<Capabilities, 'model' | 'hash' | 'answers' | 'tools'>;
  readonly clock: Clock;
  /** Tools that the model may call; absent if there are none. */
  readonly tools: AvailableTools | undefined;
}

function promptAgent({
  can,
  clock,
  tools,
}: Prompting): AgentDefinition<ModelRequest, z.output<typeof promptType.outputSchema>> {
  return {
    name: 'prompt',
    async execute(request, { hub, signal }) {
      const caller = { can, hub, signal, clock };
      const { answerSchema } = request;
      const loop = tools === undefined ? undefined : await ToolLoop.open(tools, caller);
      const ask = (asked: ModelRequest) => loop?.ask(asked) ?? askModel(asked, caller);
      const answered: ModelAnswer & Partial<Pick<ValueAnswer, 'value' | 'notes'>> =
        answerSchema === undefined ? await ask(request) : await askForValue({ ...request, answerSchema }, caller, ask);
      const { target, reply, value, notes } = answered;
      warnOfJson(hub, 'The response', notes);
      return {
        text: reply.text,
        ...(value === undefined ? {} : { value }),
        model: `${target.provider}::${target.model}`,
        ...spendingOf(reply),
      };
    },
  };
}
