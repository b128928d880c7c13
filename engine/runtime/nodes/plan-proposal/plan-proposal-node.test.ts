import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { testRun } from '../../../testing/test-run.ts';

const plan = {
  summary: 'Refund the shipping',
  steps: [{ step_id: 's1', description: 'refund 4.90', step_type: 'tool', tool: 'shop.refund' }],
  approvals: [{ step_id: 's1', reason: 'payment' }],
  estimated_cost: { amount: 0.01 },
};

/** Returns the result of a flow that validates a plan. */
async function checked(value: JsonValue) {
  const { state, end } = await testRun(
    JSON.stringify({
      flow: { name: 'x' },
      nodes: [{ id: 'p', type: 'plan_proposal', input: { plan: value } }],
      edges: [],
    }),
  );
  return { output: state.nodes.get('p')?.output, error: end.error };
}

describe('plan_proposal', () => {
  test('returns a plan with its defaults filled in and runs none of it', async () => {
    const { output } = await checked(plan);
    expect(output).toEqual({
      proposal: {
        ...plan,
        schema_version: '1.0',
        required_tools: [],
        steps: [{ ...plan.steps[0], requires_approval: false }],
        estimated_cost: { currency: 'USD', amount: 0.01, details: {} },
      },
    });
  });

  test("finds the plan in a model's response", async () => {
    const { output } = await checked(`Here it is:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\``);
    expect(output).toMatchObject({ proposal: { summary: 'Refund the shipping' } });
  });

  test.each([
    ['a key that is missing', { ...plan, summary: undefined }, 'summary'],
    ['an unknown key', { ...plan, executed: true }, 'executed'],
    ['a version that there is not', { ...plan, schema_version: '2.0' }, 'schema_version'],
    ['two steps of one id', { ...plan, steps: [plan.steps[0], plan.steps[0]] }, 'steps.1.step_id'],
    ['an approval of no step', { ...plan, approvals: [{ step_id: 's9', reason: 'x' }] }, 'approvals.0.step_id'],
    ['a text without a plan', 'Let us see.', 'no valid JSON'],
    ['a list', [plan], 'plan'],
  ])('rejects %s', async (_what, value, said) => {
    const { error } = await checked(value as JsonValue);
    expect(error?.code).toBe('plan.invalid');
    expect(error?.message).toContain(said);
  });
});
