/**
 * Steps of step flows as node types, for cards, forms and lists. They use the names of node types with settings
 * elsewhere, because a step separates its input from its definition.
 */
import { z } from 'zod';
import type { FlowDoc } from '../../language/flow/flow-doc.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { inputRequestSchema } from '../../language/steps/input-request.ts';
import { describeType } from '../../language/types/describe-type.ts';
import type { NodeTypeCatalog, NodeTypeSpec } from '../../language/types/node-type-spec.ts';
import { anyJson } from './shared-schemas.ts';
import { chipOf } from './summary-text.ts';

const anyMap = () => z.record(z.string(), anyJson);
const agentField = () => z.string().min(1).describe('The agent, as product.name');

function named(words: string, value: JsonValue | undefined, otherwise: string) {
  return typeof value === 'string' && value !== '' ? [words, { chip: value }] : [otherwise];
}

function asked(...texts: readonly (JsonValue | undefined)[]) {
  const text = texts.find((one) => typeof one === 'string' && one.trim() !== '');
  return ['Asks a person ', chipOf(text) ?? 'nothing yet'];
}

const agentStep = describeType({
  type: 'agent',
  title: 'Agent',
  description: 'Has an agent of the product work on the params, and keeps what it gives for later steps.',
  example: 'shop.writer → artifacts.agent.shop.writer.output',
  category: 'agent',
  icon: 'bot',
  inputSchema: anyMap,
  configSchema: () => z.object({ agent: agentField() }),
  outputSchema: () => anyJson,
  effects: 'external',
  start: () => ({ input: {}, config: { agent: 'product.agent' } }),
  summary: ({ agent }) => named('Asks ', agent, 'No agent yet'),
});

const toolStep = describeType({
  type: 'tool',
  title: 'Tool',
  description: 'Calls a tool with the params: one of the product, a shared one, or one that comes with the program.',
  example: 'shop.order_lookup with { order: "{{payload.order_id}}" }',
  category: 'flow',
  icon: 'tool',
  inputSchema: anyMap,
  configSchema: () =>
    z.object({
      tool: z.string().min(1).meta({ editor: 'tool' }).describe('The tool, as product.name'),
    }),
  outputSchema: () => anyJson,
  effects: 'external',
  start: () => ({ input: { glob: '**' }, config: { tool: 'core.file_list' } }),
  summary: ({ tool }) => named('Calls ', tool, 'No tool yet'),
});

const approvalStep = describeType({
  type: 'human_approval',
  title: 'Approval',
  description: 'Stops until a person approves. When the person rejects, the run fails.',
  example: 'Pay this refund?',
  category: 'human',
  icon: 'approval',
  inputSchema: () =>
    z.looseObject({
      approval_context: z
        .looseObject({
          reason: z.string().optional().describe('Why it is asked'),
          decision_notes: z
            .union([z.string(), z.array(z.string())])
            .optional()
            .describe('What led to the question'),
          recommended_action: z.string().optional().describe('The answer that is recommended, such as APPROVE'),
        })
        .optional()
        .describe('What whoever decides is shown beside the message'),
    }),
  configSchema: () =>
    z.object({
      title: z.string().optional().describe('What is asked, in one line'),
      message: z.string().optional().meta({ editor: 'long-text' }).describe('What whoever decides has to know'),
    }),
  outputSchema: () => anyJson,
  effects: 'pure',
  start: () => ({ input: {}, config: { message: 'May the flow go on?' } }),
  summary: ({ title, message }, { approval_context: context }) =>
    asked(title, message, isJsonMap(context ?? null) ? (context as JsonMap)['reason'] : undefined),
});

const inputStep = describeType({
  type: 'user_input',
  title: 'User input',
  description: 'Stops until a person has filled in a form, whose values later steps can read.',
  example: 'Why is the customer unhappy? → artifacts.user_input.refund_reason.values',
  category: 'human',
  icon: 'form',
  inputSchema: () =>
    inputRequestSchema().extend({
      schema: anyMap()
        .exactOptional()
        .meta({ editor: 'schema' })
        .describe('JSON Schema of the values, a property for each field'),
    }),
  configSchema: () => z.object({}),
  outputSchema: () => anyJson,
  effects: 'pure',
  start: () => ({
    input: {
      form_id: 'answer',
      title: 'What is missing?',
      mode: 'choice_input',
      schema: { type: 'object', properties: { text: { type: 'string' } } },
      required: ['text'],
    },
  }),
  summary: (_settings, { title, prompt }) => asked(title, prompt),
});

const planStep = describeType({
  type: 'plan_proposal',
  title: 'Plan proposal',
  description: 'Has an agent propose a plan, and checks its shape. Nothing of the plan is carried out by itself.',
  example: 'shop.refund_planner → artifacts.plan.proposal',
  category: 'agent',
  icon: 'plan',
  inputSchema: anyMap,
  configSchema: () => z.object({ agent: agentField() }),
  outputSchema: () => anyJson,
  effects: 'external',
  start: () => ({ input: { instruction: 'Propose the smallest plan' }, config: { agent: 'product.planner' } }),
  summary: ({ agent }) => named('Plan of ', agent, 'No agent yet'),
});

/** In display order. */
export const stepNodeTypes: readonly NodeTypeSpec[] = [agentStep, toolStep, approvalStep, inputStep, planStep];

const byType = new Map<string, NodeTypeSpec>(stepNodeTypes.map((spec) => [spec.type, spec]));

/** The types available to nodes of a step flow. */
export const stepCatalog: NodeTypeCatalog = {
  get: (type) => byType.get(type),
  list: () => stepNodeTypes,
  packs: () => [],
  allowsLongLived: () => false,
};

/** Returns the types available to the nodes of a flow: those of the catalog, or the step types for a step flow. */
export function typesOfFlow(doc: Pick<FlowDoc, 'steps'> | null, catalog: NodeTypeCatalog): NodeTypeCatalog {
  return doc?.steps === undefined ? catalog : stepCatalog;
}
