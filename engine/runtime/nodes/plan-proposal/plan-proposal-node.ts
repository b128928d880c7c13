import { z } from 'zod';
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { changedType } from '../../../language/types/describe-type.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import type { PlanSummary } from '../../kernel/events/step-event.ts';
import { runPureAgent } from '../pure-agent-step.ts';
import { anyJson } from '../shared-schemas.ts';
import { planProposalType, planSchema } from './plan-proposal-type.ts';

/** Maximum number of step IDs in an event about a plan. */
const mostStepIds = 10;

/** In a list of steps: an agent creates the plan. */
const planProposalStep = defineNodeType(
  changedType(planProposalType, {
    inputSchema: () => z.record(z.string(), anyJson),
    configSchema: () => z.object({ agent: z.string() }),
    effects: 'idempotent',
  }),
  {
    isGoverned: true,
    resumesCalls: true,
    capabilities: ['pureAgents', 'model'],
    async run(context) {
      const { hub, nodeId } = context;
      const plan = await runPureAgent(context);
      try {
        const proposal = checkedPlan(plan);
        hub.emit({ type: 'plan:proposed', nodeId, plan: summaryOf(proposal) });
        return { proposal };
      } catch (thrown) {
        hub.emit({ type: 'plan:invalid', nodeId, error: toErrorRecord(thrown).message });
        throw thrown;
      }
    },
  },
);

export const planProposalNode = defineNodeType(planProposalType, {
  inSteps: planProposalStep,
  capabilities: ['answers'],
  async run({ input: { plan }, can, signal }) {
    const read =
      typeof plan === 'string' ? await can.answers.read({ text: plan, find: 'first' }, signal) : { value: plan };
    if (!('value' in read)) throw invalid('it is text that contains no valid JSON');
    return { proposal: checkedPlan(read.value) };
  },
});

type ParsedPlanProposal = z.output<ReturnType<typeof planSchema>>;

/** @throws EngineError `plan.invalid` with all problems */
function checkedPlan(value: JsonValue): ParsedPlanProposal {
  const checked = planSchema().safeParse(value);
  if (checked.success) return checked.data;
  const [first, ...others] = checked.error.issues;
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  throw invalid(`${first?.path.join('.') || 'the plan'}: ${first?.message}.${more}`, {
    problems: checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

function summaryOf({ summary, steps, required_tools, approvals, estimated_cost }: ParsedPlanProposal): PlanSummary {
  return {
    ...{ summary, steps_count: steps.length, required_tools, approvals_count: approvals.length, estimated_cost },
    step_ids: steps.slice(0, mostStepIds).map(({ step_id: id }) => id),
  };
}

/** @param details the problems and their positions */
function invalid(why: string, details: Readonly<Record<string, JsonValue>> = {}): EngineError {
  return new EngineError({ code: 'plan.invalid', message: `The plan is not valid: ${why}`, details });
}
