import { EngineError } from '../../base/engine-error.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import type { JsonValue } from '../../flowspec/json-value.ts';
import { planProposalType, planSchema } from './plan-proposal-type.ts';

export const planProposalNode = defineNodeType(planProposalType, {
  capabilities: ['answers'],
  async run({ input: { plan }, can, signal }) {
    const read =
      typeof plan === 'string' ? await can.answers.read({ text: plan, find: 'first' }, signal) : { value: plan };
    if (!('value' in read)) throw invalid('it is a text without JSON that could be read');
    const checked = planSchema.safeParse(read.value);
    if (checked.success) return { proposal: checked.data };
    const [first, ...others] = checked.error.issues;
    const more = others.length === 0 ? '' : ` And ${others.length} more.`;
    throw invalid(`${first?.path.join('.') || 'the plan'}: ${first?.message}.${more}`, {
      problems: checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    });
  },
});

/** @param details what is wrong, and where */
function invalid(why: string, details: Readonly<Record<string, JsonValue>> = {}): EngineError {
  return new EngineError({ code: 'plan.invalid', message: `The plan is not valid: ${why}`, details });
}
