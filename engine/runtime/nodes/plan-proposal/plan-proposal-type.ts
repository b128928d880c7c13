/**
 * `plan_proposal`: a plan as data, validated and never run. It has the format of a step flow's plan, version 1.0.
 */
import { z } from 'zod';
import { late } from '../../../base/late.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const stepSchema = () =>
  z.strictObject({
    step_id: z.string().min(1),
    description: z.string(),
    step_type: z.string().min(1),
    tool: z.string().exactOptional(),
    agent: z.string().exactOptional(),
    requires_approval: z.boolean().default(false),
  });

/** Schema of a plan; missing keys get their defaults. */
export const planSchema = late(() =>
  z
    .strictObject({
      schema_version: z.literal('1.0').default('1.0'),
      summary: z.string().min(1),
      steps: z.array(stepSchema()),
      required_tools: z.array(z.string()).default([]),
      approvals: z.array(z.strictObject({ step_id: z.string().min(1), reason: z.string() })).default([]),
      estimated_cost: z.strictObject({
        currency: z.string().default('USD'),
        amount: z.number().min(0).default(0),
        tokens: z.int().min(0).exactOptional(),
        details: z.record(z.string(), anyJson).default({}),
      }),
    })
    .superRefine(({ steps, approvals }, { addIssue }) => {
      const ids = steps.map(({ step_id: id }) => id);
      for (const [index, id] of ids.entries()) {
        if (ids.indexOf(id) === index) continue;
        addIssue({
          code: 'custom',
          path: ['steps', index, 'step_id'],
          message: `is "${id}", which an earlier step already uses`,
        });
      }
      for (const [index, { step_id: id }] of approvals.entries()) {
        if (ids.includes(id)) continue;
        addIssue({
          code: 'custom',
          path: ['approvals', index, 'step_id'],
          message: `is "${id}", which is not a step of the plan`,
        });
      }
    }),
);

export const planProposalType = describeType({
  type: 'plan_proposal',
  title: 'Check a plan',
  description: 'Validates a plan from a model or a person and returns it as data. It does not execute the plan.',
  example: 'A prompt’s plan of three steps → proposal.steps.',
  category: 'human',
  icon: 'plan',
  inputSchema: () =>
    z.object({
      plan: anyJson.describe('Plan: a map with summary, steps and estimated_cost, or its JSON text'),
    }),
  configSchema: () => z.object({}),
  outputSchema: () => z.object({ proposal: planSchema().describe('Plan, with defaults for missing keys') }),
  effects: 'pure',
  // The previous node's output is rarely a plan.
  start: () => ({ input: { plan: { summary: 'Nothing to do', steps: [], estimated_cost: { amount: 0 } } } }),
  summary: (_config, { plan }) => ['Checks ', chipOf(plan) ?? 'a plan'],
});
