/**
 * `prompt`: asks a language model once. Agent-backed: its answer arrives piece by piece as `agent:text`.
 */
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../flowspec/json-value.ts';
import { type AgentDefinition, runAgent } from '../../kernel/agent-definition.ts';
import { askForValue } from '../../kernel/ask-for-value.ts';
import { askModel, type ModelAnswer, spendingOf } from '../../kernel/ask-model.ts';
import type { Capabilities, ModelAttachment, ModelMessage, ModelRequest } from '../../kernel/capabilities.ts';
import { attachmentsSchema, attachmentsText, readAttachments } from '../prompt-attachments.ts';
import { anyJson, refuseTwoSchemas, schemaFields, schemaIn, usageSchema } from '../shared-schemas.ts';
import { wordsOf } from '../summary-text.ts';

const messageSchema = z.object({
  role: z.enum(['user', 'assistant', 'system']).describe('Who says it'),
  content: z.string().meta({ editor: 'prompt' }).describe('What is said'),
});

const inputSchema = z
  .object({
    prompt: z.string().optional().meta({ editor: 'prompt' }).describe('What to ask'),
    messages: z
      .array(messageSchema)
      .min(1)
      .optional()
      .describe('A conversation instead of a prompt: what was said before, and what to answer last'),
    system: z.string().optional().meta({ editor: 'prompt' }).describe('How the model should behave'),
    attachments: attachmentsSchema
      .optional()
      .describe('Pictures and PDFs: paths in the workspace, or what file.read gives with as: base64'),
  })
  .refine(({ prompt, messages }) => (prompt === undefined) !== (messages === undefined), {
    error: 'must have exactly one of "prompt" and "messages"',
  });

const configSchema = z.object({
  model: z
    .string()
    .min(1)
    .optional()
    .meta({ editor: 'model' })
    .describe('Model as provider::model; the default model when empty'),
  temperature: z.number().min(0).max(2).optional().describe('0 = the likeliest words, higher = more varied'),
  top_p: z.number().min(0).max(1).optional().describe('Share of the likeliest words to choose from'),
  maxTokens: z
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .describe('Longest answer in tokens; it is cut there. What the provider allows when empty'),
  output: z
    .object(schemaFields)
    .superRefine((output, context) => {
      refuseTwoSchemas(output, context);
      if (output.schema === undefined && output.schemaFile === undefined)
        context.addIssue({ code: 'custom', message: 'needs a "schema", or a "schemaFile" that holds one' });
    })
    .optional()
    .meta({ title: 'Answer as JSON' })
    .describe('Makes the answer a value that nodes behind can use by its fields'),
});

/** An answer to begin with: what it is, out of a few, and why. */
const labelAndReason = {
  type: 'object',
  properties: { label: { type: 'string', enum: ['yes', 'no'] }, reason: { type: 'string' } },
  required: ['label', 'reason'],
  additionalProperties: false,
};

const outputSchema = z.object({
  text: z.string().describe('The whole answer'),
  value: z.exactOptional(anyJson).describe('The answer as a value, where a schema is given'),
  model: z.string().describe('The model that answered'),
  usage: z.exactOptional(usageSchema).describe('Tokens used'),
  costUsd: z.exactOptional(z.number()).describe('Price in US dollars, where it is known'),
});

export const promptNode = defineNodeType({
  type: 'prompt',
  title: 'Prompt',
  description: 'Asks a language model and gives its answer.',
  example: "“Summarize {{read.text}}” → the model's answer.",
  category: 'model',
  icon: 'message',
  inputSchema,
  configSchema,
  outputSchema,
  effects: 'idempotent',
  capabilities: ['model', 'hash', 'answers', 'files'],
  schemaPlaces: [['output']],
  start: (from) => ({
    input: { prompt: from.text('Say hello in one sentence.', 'Summarize this in one sentence:\n\n') },
  }),
  variants: [
    {
      id: 'json',
      title: 'Ask for JSON',
      description: 'Asks a language model for an answer with named fields, which nodes behind it use one by one.',
      example: '“Is it a bug?” → { label: yes, reason: “It crashes” }.',
      start: (from) => ({
        input: { prompt: from.text('Is the earth round?', 'Is this about software? Say why.\n\n') },
        config: { output: { schema: labelAndReason } },
      }),
    },
  ],
  // The prompt in its own words: they distinguish one question from another, and the model has a row of its own.
  summary: (_config, { prompt, messages }) => {
    const last = isJsonList(messages) ? messages.at(-1) : undefined;
    const words = wordsOf(prompt ?? (isJsonMap(last) ? last['content'] : messages));
    return words.length === 0 ? ['Asks nothing yet'] : words;
  },
  givenSchemas: ({ config }) => {
    const schema = schemaOfAnswer(config);
    return schema === undefined ? {} : { value: schema };
  },
  settingsOf: async (config, can, input = {}) => {
    const settings = await can.model.settingsOf(config.model);
    const attached = await attachmentsText(input, can);
    return attached === '' ? settings : `${settings}\n${attached}`;
  },
  run: async ({ input, config, runId, hub, signal, clock, can }) => {
    const attachments = await readAttachments(input.attachments ?? [], can.files, signal);
    const request = requestOf(input, config, attachments);
    return await runAgent(promptAgent(can, clock), request, { hub, runId, signal });
  },
});

function requestOf(
  input: z.output<typeof inputSchema>,
  config: z.output<typeof configSchema>,
  attachments: readonly ModelAttachment[],
): ModelRequest {
  const answerSchema = schemaIn(config.output ?? {});
  const said: readonly ModelMessage[] = input.messages ?? [{ role: 'user', content: input.prompt ?? '' }];
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

/** They go with what the user said last. */
function withAttachments(messages: readonly ModelMessage[], attachments: readonly ModelAttachment[]): ModelMessage[] {
  if (attachments.length === 0) return [...messages];
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[last];
  if (message === undefined) return [...messages, { role: 'user', content: '', attachments }];
  return messages.with(last, { ...message, attachments });
}

/** What a flow file says of the answer's shape; undefined when it says nothing. */
function schemaOfAnswer({ output }: JsonMap): JsonMap | undefined {
  if (!isJsonMap(output)) return undefined;
  const { schema } = output;
  // True and false are schemas as well, of which nobody knows more; nor of one in a file that was not read.
  return isJsonMap(schema) ? schema : {};
}

function promptAgent(
  can: Pick<Capabilities, 'model' | 'hash' | 'answers'>,
  clock: Clock,
): AgentDefinition<ModelRequest, z.output<typeof outputSchema>> {
  return {
    name: 'prompt',
    async execute(request, { hub, signal }) {
      const caller = { can, hub, signal, clock };
      const { answerSchema } = request;
      const answered: ModelAnswer & { readonly value?: JsonValue } =
        answerSchema === undefined
          ? await askModel(request, caller)
          : await askForValue({ ...request, answerSchema }, caller);
      const { target, reply, value } = answered;
      return {
        text: reply.text,
        ...(value === undefined ? {} : { value }),
        model: `${target.provider}::${target.model}`,
        ...spendingOf(reply),
      };
    },
  };
}
