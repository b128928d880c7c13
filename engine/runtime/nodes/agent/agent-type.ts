/**
 * `agent`: runs an agent file as a child run, once for all its inputs. The run is repeated as often as the agent
 * requests; the node returns the last result.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, noConfig, usageSchema } from '../shared-schemas.ts';

const optionsSchema = () =>
  z.looseObject({
    model: z.string().optional().meta({ editor: 'model' }).describe('Model as provider::model, or an alias'),
    temperature: z.number().optional(),
    top_p: z.number().optional(),
    input_concurrency: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe('Maximum number of inputs processed at a time'),
    max_waiting: z
      .number()
      .int()
      .positive()
      .optional()
      .describe('Maximum number of inputs that wait for a person at a time'),
    allow_run_on_task_fail: z.boolean().optional().describe('Continue when an input fails'),
    model_aliases: z.record(z.string(), z.string()).optional(),
  });

const inputSchema = () =>
  z.object({
    agent: z.string().min(1).meta({ editor: 'agent' }).describe('Agent file, or namespace@pack/agent'),
    inputs: z.array(anyJson).optional().describe('Inputs of the agent, one task each; without them, the agent decides'),
    options: optionsSchema().optional().describe('Options that override those of the agent file'),
  });

const outputSchema = () =>
  z.object({
    outputs: z.array(anyJson).nullable().describe('Output of the agent for each input, in the same order'),
    after_all: anyJson.describe('Output of its After All stage'),
    usage: z.exactOptional(usageSchema()).describe('Tokens used'),
    costUsd: z.exactOptional(z.number()).describe('Cost in US dollars, as far as known'),
  });

export const agentType = describeType({
  type: 'agent',
  title: 'Agent',
  description: 'Runs an agent file or an agent from a pack.',
  example: 'Runs reviewer.aip once for each of these files.',
  category: 'model',
  icon: 'bot',
  inputSchema,
  configSchema: () => noConfig,
  outputSchema,
  // Its scripts may do anything that the workspace allows.
  effects: 'external',
  // This agent is bundled with the program and needs no key when it has no inputs.
  start: (from) => {
    const inputs = from.list([]);
    return { input: { agent: 'demo@proof', ...(inputs.length === 0 ? {} : { inputs }) } };
  },
  summary: (_config, { agent }) => [typeof agent === 'string' && agent !== '' ? agent : 'No agent yet'],
});
