/**
 * Changes the plan records in the state: each plan's parts and their status.
 */
import type { PlanRecord, SessionState, SubFlow } from '../session/session-state.ts';

/** Changes a plan's record. */
export function changePlan(
  state: SessionState,
  planId: string,
  change: (plan: PlanRecord) => Partial<PlanRecord>,
): SessionState {
  return { ...state, plans: state.plans.map((plan) => (plan.planId === planId ? { ...plan, ...change(plan) } : plan)) };
}

/** Records a part's status in its plan. Ended parts do not change. */
export function recordPlanProgress(state: SessionState, flowId: string, status: SubFlow['status']): SessionState {
  const isOpen = (sub: SubFlow) => sub.status === 'pending' || sub.status === 'in_progress';
  const plans = state.plans.map((plan) => ({
    ...plan,
    subFlows: plan.subFlows.map((sub) => (sub.flowId === flowId && isOpen(sub) ? { ...sub, status } : sub)),
  }));
  return { ...state, plans };
}

/** Records a part's run in its plan, so that the plan's effects can be found. */
export function recordPlanRun(state: SessionState, flowId: string, runId: string): SessionState {
  if (!state.plans.some(({ subFlows }) => subFlows.some((sub) => sub.flowId === flowId))) return state;
  const plans = state.plans.map((plan) => ({
    ...plan,
    subFlows: plan.subFlows.map((sub) => (sub.flowId === flowId ? { ...sub, runId } : sub)),
  }));
  return { ...state, plans };
}

/** Adds parts to a plan's record. The first parts create the record. */
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
