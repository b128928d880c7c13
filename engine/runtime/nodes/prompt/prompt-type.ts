/**
 * `prompt`: sends one prompt to a language model. Agent-backed: the response is streamed as `agent:text`.
 */
import { z } from 'zod';
import { isJsonList, isJsonMap, type JsonMap } from '../../../language/json/json-value.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { attachmentsSchema } from '../attachments-schema.ts';
import { anyJson, refuseTwoSchemas, schemaFields, usageSchema } from '../shared-schemas.ts';
import { wordsOf } from '../summary-text.ts';

const messageSchema = () =>
  z.object({
    role: z.enum(['user', 'assistant', 'system']).describe('Author of the message'),
    content: z.string().meta({ editor: 'prompt' }).describe('Text of the message'),
  });

const inputSchema = () =>
  z
    .object({
      prompt: z.string().optional().meta({ editor: 'prompt' }).describe('Prompt for the model'),
      messages: z
        .array(messageSchema())
        .min(1)
        .optional()
        .describe('Messages to send instead of a prompt; the last one is the one to respond to'),
      system: z.string().optional().meta({ editor: 'prompt' }).describe('System prompt: how the model should behave'),
      attachments: attachmentsSchema()
        .optional()
        .describe('Images and PDFs: paths in the workspace, or outputs of file.read with as: base64'),
    })
    .refine(({ prompt, messages }) => (prompt === undefined) !== (messages === undefined), {
      error: 'must have exactly one of "prompt" and "messages"',
    });

/** Pattern for a tool such as `core.file_read`, or `core.*` for all tools with this prefix. */
const toolName = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*(?:\.\*)?$/;
const toolNameForm =
  'must be the name of a tool, such as "core.file_read", or of all tools of a server, such as "core.*"';

const configSchema = () =>
  z.object({
    model: z
      .string()
      .min(1)
      .optional()
      .meta({ editor: 'model' })
      .describe('Model as provider::model; defaults to the default model'),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .optional()
      .meta({ isAdvanced: true })
      .describe('Temperature: 0 is the most predictable, higher values are more varied'),
    top_p: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ isAdvanced: true })
      .describe('Nucleus sampling: share of the probability mass to choose tokens from'),
    maxTokens: z
      .int()
      .min(1)
      .max(10_000_000)
      .optional()
      .meta({ isAdvanced: true })
      .describe(
        'Maximum length of the response in tokens; a longer one is truncated. Defaults to the limit of the provider',
      ),
    tools: z
      .array(z.string().regex(toolName, { error: toolNameForm }).meta({ editor: 'tool' }))
      .optional()
      .describe('Tools that the model may call before it responds, such as core.file_read; core.* = all tools of core'),
    maxSteps: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .meta({ isAdvanced: true })
      .describe('Maximum number of responses, including those that call tools; more is a failure. Default 8'),
    output: z
      .object(schemaFields())
      .superRefine((output, context) => {
        refuseTwoSchemas(output, context);
        if (output.schema === undefined && output.schemaFile === undefined)
          context.addIssue({ code: 'custom', message: 'needs a "schema" or a "schemaFile"' });
      })
      .optional()
      .meta({ title: 'Respond with JSON' })
      .describe('Turns the response into a value with fields that later nodes can use'),
  });

/** Default output schema: one of a few labels, and a reason. */
const labelAndReason = {
  type: 'object',
  properties: { label: { type: 'string', enum: ['yes', 'no'] }, reason: { type: 'string' } },
  required: ['label', 'reason'],
  additionalProperties: false,
};

const outputSchema = () =>
  z.object({
    text: z.string().describe('Text of the response'),
    value: z.exactOptional(anyJson).describe('Parsed response, if a schema is set'),
    model: z.string().describe('Model that responded'),
    usage: z.exactOptional(usageSchema()).describe('Tokens used'),
    costUsd: z.exactOptional(z.number()).describe('Cost in US dollars, if known'),
  });

export const promptType = describeType({
  type: 'prompt',
  title: 'Prompt',
  description: 'Sends a prompt to a language model and returns its response.',
  example: '“Summarize {{read.text}}” → the response of the model.',
  category: 'model',
  icon: 'message',
  inputSchema,
  configSchema,
  outputSchema,
  effects: 'idempotent',
  schemaPlaces: [['output']],
  unusedSettings: ({ config }) =>
    config['maxSteps'] !== undefined && config['tools'] === undefined
      ? [{ path: ['config', 'maxSteps'], message: 'It has no effect without config.tools: the model responds once.' }]
      : [],
  start: (from) => ({
    input: { prompt: from.text('Say hello in one sentence.', 'Summarize this in one sentence:\n\n') },
  }),
  variants: [
    {
      id: 'json',
      title: 'Prompt for JSON',
      description: 'Asks a language model for a response with named fields that later nodes can use.',
      example: '“Is it a bug?” → { label: yes, reason: “It crashes” }.',
      start: (from) => ({
        input: { prompt: from.text('Is the earth round?', 'Is this about software? Say why.\n\n') },
        config: { output: { schema: labelAndReason } },
      }),
    },
  ],
  // Shows the prompt's own text, which distinguishes one prompt from another. The model has a separate row.
  summary: (_config, { prompt, messages }) => {
    const last = isJsonList(messages) ? messages.at(-1) : undefined;
    const words = wordsOf(prompt ?? (isJsonMap(last) ? last['content'] : messages));
    return words.length === 0 ? ['No prompt yet'] : words;
  },
  givenSchemas: ({ config }) => {
    const schema = schemaOfAnswer(config);
    return { value: schema ?? false };
  },
});

/** Returns the output schema in a flow file; undefined if there is none. */
function schemaOfAnswer({ output }: JsonMap): JsonMap | undefined {
  if (!isJsonMap(output)) return undefined;
  const { schema } = output;
  // The schemas true and false provide no information, and neither does a schema file that was not read.
  return isJsonMap(schema) ? schema : {};
}
