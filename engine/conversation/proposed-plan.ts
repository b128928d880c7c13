/**
 * Plans that a run has proposed: data until somebody says that they are to begin.
 */
import { requestFlow } from '../dialogue/flow-stack.ts';
import { decomposePlan } from '../dialogue/plan.ts';
import type { UiAction } from '../dialogue/session-state.ts';
import type { TurnContext } from './turn-context.ts';

/** Puts the plan and its parts on the stack, the first Active. The plan waits where something else is under way. */
export function beginProposedPlan(turn: TurnContext, { flow = '', slots = {}, plan = [] }: UiAction): void {
  const { journal, catalogue } = turn;
  const { flowId } = journal.take(requestFlow(turn.state, catalogue, { flowName: flow, slots, by: 'user' }));
  if (turn.active?.flowId !== flowId) return;
  journal.take(decomposePlan(turn.state, catalogue, { planId: flowId, subFlows: plan, method: 'direct' }));
}
