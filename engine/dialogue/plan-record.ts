/**
 * The records of plans in the state: their parts, and how far each is.
 */
import type { PlanRecord, SessionState, SubFlow } from './session-state.ts';

/** Changes the record of a plan. */
export function changePlan(
  state: SessionState,
  planId: string,
  change: (plan: PlanRecord) => Partial<PlanRecord>,
): SessionState {
  return { ...state, plans: state.plans.map((plan) => (plan.planId === planId ? { ...plan, ...change(plan) } : plan)) };
}

/** Records in its plan how far a part is; what has ended stays as it is. */
export function noteProgress(state: SessionState, flowId: string, status: SubFlow['status']): SessionState {
  const isOpen = (sub: SubFlow) => sub.status === 'pending' || sub.status === 'in_progress';
  const plans = state.plans.map((plan) => ({
    ...plan,
    subFlows: plan.subFlows.map((sub) => (sub.flowId === flowId && isOpen(sub) ? { ...sub, status } : sub)),
  }));
  return { ...state, plans };
}

/** Records in its plan which run a part has had, so that the effects of the plan can be found. */
export function noteRun(state: SessionState, flowId: string, runId: string): SessionState {
  if (!state.plans.some(({ subFlows }) => subFlows.some((sub) => sub.flowId === flowId))) return state;
  const plans = state.plans.map((plan) => ({
    ...plan,
    subFlows: plan.subFlows.map((sub) => (sub.flowId === flowId ? { ...sub, runId } : sub)),
  }));
  return { ...state, plans };
}

/** Adds parts to the record of a plan, which begins with the first of them. */
export function addSubFlows(
  state: SessionState,
  planId: string,
  added: readonly { readonly flowId: string; readonly flowName: string }[],
): SessionState {
  const subFlows = added.map((sub): SubFlow => ({ ...sub, status: 'pending' }));
  const isKnown = state.plans.some((plan) => plan.planId === planId);
  if (isKnown) return changePlan(state, planId, (plan) => ({ subFlows: [...plan.subFlows, ...subFlows] }));
  return { ...state, plans: [...state.plans, { planId, subFlows, isReplanDue: false }] };
}
