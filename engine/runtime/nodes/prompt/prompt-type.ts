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
    role: z.enum(['user', 'assistant', 'system']).describe('Who says it'),
    content: z.string().meta({ editor: 'prompt' }).describe('What is said'),
  });

const inputSchema = () =>
  z
    .object({
      prompt: z.string().optional().meta({ editor: 'prompt' }).describe('What to ask'),
      messages: z
        .array(messageSchema())
        .min(1)
        .optional()
        .describe('A conversation instead of a prompt: what was said before, and what to answer last'),
      system: z.string().optional().meta({ editor: 'prompt' }).describe('How the model should behave'),
      attachments: attachmentsSchema()
        .optional()
        .describe('Pictures and PDFs: paths in the workspace, or what file.read gives with as: base64'),
    })
    .refine(({ prompt, messages }) => (prompt === undefined) !== (messages === undefined), {
      error: 'must have exactly one of "prompt" and "messages"',
    });

/** Pattern for a tool such as `core.file_read`, or `core.*` for all tools with this prefix. */
const toolName = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*(?:\.\*)?$/;
const toolNameForm = 'must be the name of a tool, such as "core.file_read", or of all of a server, such as "core.*"';

const configSchema = () =>
  z.object({
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
    tools: z
      .array(z.string().regex(toolName, { error: toolNameForm }).meta({ editor: 'tool' }))
      .optional()
      .describe('Tools that the model may call before it answers, such as core.file_read; core.* = all of core'),
    maxSteps: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('So many answers at most, those that call tools included; 8 when empty. More is a failure'),
    output: z
      .object(schemaFields())
      .superRefine((output, context) => {
        refuseTwoSchemas(output, context);
        if (output.schema === undefined && output.schemaFile === undefined)
          context.addIssue({ code: 'custom', message: 'needs a "schema", or a "schemaFile" that holds one' });
      })
      .optional()
      .meta({ title: 'Answer as JSON' })
      .describe('Makes the answer a value that nodes behind can use by its fields'),
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
    text: z.string().describe('The whole answer'),
    value: z.exactOptional(anyJson).describe('The answer as a value, where a schema is given'),
    model: z.string().describe('The model that answered'),
    usage: z.exactOptional(usageSchema()).describe('Tokens used'),
    costUsd: z.exactOptional(z.number()).describe('Price in US dollars, where it is known'),
  });

export const promptType = describeType({
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
  schemaPlaces: [['output']],
  unusedSettings: ({ config }) =>
    config['maxSteps'] !== undefined && config['tools'] === undefined
      ? [{ path: ['config', 'maxSteps'], message: 'It has no effect without config.tools: the model answers once.' }]
      : [],
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
  // Shows the prompt's own text, which distinguishes one prompt from another. The model has a separate row.
  summary: (_config, { prompt, messages }) => {
    const last = isJsonList(messages) ? messages.at(-1) : undefined;
    const words = wordsOf(prompt ?? (isJsonMap(last) ? last['content'] : messages));
    return words.length === 0 ? ['Asks nothing yet'] : words;
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
  // The schemas true and false give no information, and neither does a schema file that was not read.
  return isJsonMap(schema) ? schema : {};
}
