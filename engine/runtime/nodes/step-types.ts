/**
 * Step flows' steps as node types, for cards, forms and lists. They share names with node types whose settings are
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
const agentField = () => z.string().min(1).describe('Agent as product.name');

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
  description: 'Runs an agent of the product with the params and stores its output for later steps.',
  example: 'shop.writer → artifacts.agent.shop.writer.output',
  category: 'agent',
  icon: 'bot',
  inputSchema: anyMap,
  configSchema: () => z.object({ agent: agentField() }),
  outputSchema: () => anyJson,
  effects: 'external',
  start: () => ({ input: {}, config: { agent: 'product.agent' } }),
  summary: ({ agent }) => named('Runs ', agent, 'No agent yet'),
});

const toolStep = describeType({
  type: 'tool',
  title: 'Tool',
  description: 'Calls a tool with the params. The tool belongs to the product, is shared, or is built in.',
  example: 'shop.order_lookup with { order: "{{payload.order_id}}" }',
  category: 'flow',
  icon: 'tool',
  inputSchema: anyMap,
  configSchema: () =>
    z.object({
      tool: z.string().min(1).meta({ editor: 'tool' }).describe('Tool as product.name'),
    }),
  outputSchema: () => anyJson,
  effects: 'external',
  start: () => ({ input: { glob: '**' }, config: { tool: 'core.file_list' } }),
  summary: ({ tool }) => named('Calls ', tool, 'No tool yet'),
});

const approvalStep = describeType({
  type: 'human_approval',
  title: 'Approval',
  description: 'Waits until a person approves. If the person rejects, the run fails.',
  example: 'Pay this refund?',
  category: 'human',
  icon: 'approval',
  inputSchema: () =>
    z.looseObject({
      approval_context: z
        .looseObject({
          reason: z.string().optional().describe('Reason for the request'),
          decision_notes: z
            .union([z.string(), z.array(z.string())])
            .optional()
            .describe('Background information for the decision'),
          recommended_action: z.string().optional().describe('Recommended answer, such as APPROVE'),
        })
        .optional()
        .describe('Shown to the approver in addition to the message'),
    }),
  configSchema: () =>
    z.object({
      title: z.string().optional().describe('Request in one line'),
      message: z.string().optional().meta({ editor: 'long-text' }).describe('Information that the approver needs'),
    }),
  outputSchema: () => anyJson,
  effects: 'pure',
  start: () => ({ input: {}, config: { message: 'Continue the flow?' } }),
  summary: ({ title, message }, { approval_context: context }) =>
    asked(title, message, isJsonMap(context ?? null) ? (context as JsonMap)['reason'] : undefined),
});

const inputStep = describeType({
  type: 'user_input',
  title: 'User input',
  description: 'Waits until a person fills in a form. Later steps can read its values.',
  example: 'Why is the customer unhappy? → artifacts.user_input.refund_reason.values',
  category: 'human',
  icon: 'form',
  inputSchema: () =>
    inputRequestSchema().extend({
      schema: anyMap()
        .exactOptional()
        .meta({ editor: 'schema' })
        .describe('JSON Schema of the values, with a property for each field'),
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
  description: 'Asks an agent to propose a plan and validates it. The plan is not executed.',
  example: 'shop.refund_planner → artifacts.plan.proposal',
  category: 'agent',
  icon: 'plan',
  inputSchema: anyMap,
  configSchema: () => z.object({ agent: agentField() }),
  outputSchema: () => anyJson,
  effects: 'external',
  start: () => ({ input: { instruction: 'Propose the smallest plan possible' }, config: { agent: 'product.planner' } }),
  summary: ({ agent }) => named('Plan by ', agent, 'No agent yet'),
});

/** In display order. */
export const stepNodeTypes: readonly NodeTypeSpec[] = [agentStep, toolStep, approvalStep, inputStep, planStep];

const byType = new Map<string, NodeTypeSpec>(stepNodeTypes.map((spec) => [spec.type, spec]));

/** The types available to a step flow's nodes. */
export const stepCatalog: NodeTypeCatalog = {
  get: (type) => byType.get(type),
  list: () => stepNodeTypes,
  packs: () => [],
  allowsLongLived: () => false,
};

/** Returns the types available to a flow's nodes: the catalog's types, or the step types for a step flow. */
export function typesOfFlow(doc: Pick<FlowDoc, 'steps'> | null, catalog: NodeTypeCatalog): NodeTypeCatalog {
  return doc?.steps === undefined ? catalog : stepCatalog;
}
