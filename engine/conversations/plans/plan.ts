/**
 * Implements plans: a flow that decomposes a task, its parts on top of it, the review after each part, and the final
 * assessment, which is the only way to complete a plan.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { type Catalogue, type FlowType, planIntent } from '../catalog/catalogue.ts';
import { activateTop, endAsInvalid, nextFlowId, openFlow, pushFlow, userFacingType } from '../session/flow-stack.ts';
import { OperationDraft, type OperationOutcome, type RefusedOperation, refuse } from '../session/operation.ts';
import { writeNotes } from '../session/scratchpad.ts';
import type { PlanCandidate } from '../session/session-event.ts';
import { type FlowInstance, isOver, type SessionState } from '../session/session-state.ts';

/** A planned part. */
export interface PlanFlowEntry {
  readonly flowName: string;
  readonly slots?: JsonMap;
}

/** Maximum number of parts that one step can add. */
const mostSubFlows = 32;

/**
 * Decomposes the Active plan: puts its parts on top of it and makes the first one Active. The search for the best
 * decomposition must already be complete, because nothing is pushed while candidates are scored.
 * @param plan.subFlows in order of execution
 * @returns refused as `flow.unknown` | `flow.ended` | `flow.not-active` | `plan.not-a-plan` | `plan.bad-parts` |
 * `flow.unknown-type` | `flow.internal` | `plan.holds-itself`
 */
export function decomposePlan(
  state: SessionState,
  catalogue: Catalogue,
  plan: {
    readonly planId: string;
    readonly subFlows: readonly PlanFlowEntry[];
    readonly method: 'direct' | 'lats';
    readonly candidates?: readonly PlanCandidate[];
  },
): OperationOutcome<{ readonly flowIds: readonly string[] }> {
  const flow = activePlan(state, plan.planId);
  if ('refused' in flow) return flow;
  const types = partTypes(state, catalogue, { plan: flow, parts: plan.subFlows });
  if ('refused' in types) return types;
  const draft = new OperationDraft(state);
  const subFlows = namedParts(state, plan.subFlows);
  const { planId, method, candidates } = plan;
  draft.emit({
    type: 'plan:decomposed',
    ...{ planId, subFlows, method },
    ...(candidates === undefined ? {} : { candidates }),
  });
  pushParts(draft, planId, types, plan.subFlows);
  return { events: draft.events, flowIds: subFlows.map(({ flowId }) => flowId) };
}

/** A decision about how the rest of a plan continues. */
export type Replanning =
  | { readonly decision: 'continue' }
  /** Ids of all Pending parts, the next one first. */
  | { readonly decision: 'reorder'; readonly order: readonly string[] }
  | { readonly decision: 'expand'; readonly add: readonly PlanFlowEntry[] }
  /** Ids of Pending parts to remove. */
  | { readonly decision: 'prune'; readonly remove: readonly string[] };

/**
 * Applies the decision about the rest of a plan after one of its parts. Added parts are put on top, and the first one
 * becomes Active. Otherwise, no flow is Active until `activateNext`; call `popFinished` before it to pop pruned parts.
 * Flows that are not part of the plan keep their positions.
 * @returns refused as `plan.not-due` | `plan.bad-order` | `plan.bad-parts` | `flow.unknown-type` | `flow.internal` |
 * `plan.holds-itself`
 */
export function replan(
  state: SessionState,
  catalogue: Catalogue,
  { planId, change, reason }: { readonly planId: string; readonly change: Replanning; readonly reason: string },
): OperationOutcome {
  const flow = openFlow(state, planId);
  if ('refused' in flow) return flow;
  if (!state.plans.some((plan) => plan.planId === planId && plan.isReplanDue))
    return refuse('plan.not-due', `No part of plan ${flow.flowName} has ended since it was last reviewed.`);
  const before = remainingParts(state, planId).map(({ flowId }) => flowId);
  const said = { type: 'plan:replan', planId, before, reason } as const;
  const draft = new OperationDraft(state);
  switch (change.decision) {
    case 'continue':
      draft.emit({ ...said, decision: 'continue', after: before, added: [] });
      break;
    case 'reorder': {
      const isSame = change.order.length === before.length && before.every((id) => change.order.includes(id));
      if (!isSame)
        return refuse('plan.bad-order', `An order must contain each remaining part once: ${before.join(', ')}.`);
      draft.emit({ ...said, decision: 'reorder', after: change.order, added: [] });
      break;
    }
    case 'expand': {
      const types = partTypes(state, catalogue, { plan: flow, parts: change.add });
      if ('refused' in types) return types;
      const added = namedParts(state, change.add);
      draft.emit({ ...said, decision: 'expand', after: [...added.map(({ flowId }) => flowId), ...before], added });
      pushParts(draft, planId, types, change.add);
      break;
    }
    case 'prune': {
      const { remove } = change;
      if (remove.length === 0 || !remove.every((id) => before.includes(id)))
        return refuse('plan.bad-parts', `Only remaining parts can be removed: ${before.join(', ')}.`);
      draft.emit({ ...said, decision: 'prune', after: before.filter((id) => !remove.includes(id)), added: [] });
      for (const part of remainingParts(state, planId).filter(({ flowId }) => remove.includes(flowId)))
        endAsInvalid(draft, part, 'prune');
      break;
    }
  }
  return { events: draft.events };
}

/** The result of assessing a plan. */
export type Assessment =
  | { readonly done: true; readonly result: JsonValue; readonly entries?: readonly string[] }
  | { readonly done: false; readonly subFlows: readonly PlanFlowEntry[] };

/**
 * Applies the assessment of a plan after all its parts have ended: completes the plan, or puts more parts on top and
 * continues.
 * @returns refused as `flow.unknown` | `flow.ended` | `flow.not-active` | `plan.not-a-plan` | `plan.bad-parts` |
 * `flow.unknown-type` | `flow.internal` | `plan.holds-itself`
 */
export function assessPlan(
  state: SessionState,
  catalogue: Catalogue,
  { planId, found, reason }: { readonly planId: string; readonly found: Assessment; readonly reason: string },
): OperationOutcome {
  const flow = activePlan(state, planId);
  if ('refused' in flow) return flow;
  const draft = new OperationDraft(state);
  if (found.done) {
    writeNotes(draft, flow, found.entries ?? []);
    draft.emit({ type: 'plan:assessed', planId, done: true, newSubFlows: [], reason });
    draft.emit({ type: 'stack:complete', flowId: planId, result: found.result });
    return { events: draft.events };
  }
  const types = partTypes(state, catalogue, { plan: flow, parts: found.subFlows });
  if ('refused' in types) return types;
  draft.emit({ type: 'plan:assessed', planId, done: false, newSubFlows: namedParts(state, found.subFlows), reason });
  pushParts(draft, planId, types, found.subFlows);
  return { events: draft.events };
}

/** Progress of a plan: the number of completed parts and of all required parts. */
export interface PlanProgress {
  readonly done: number;
  /** Number of parts without pruned ones. */
  readonly total: number;
  /** Number of parts that failed and were skipped. */
  readonly skipped: number;
}

/** Returns the progress of a plan; undefined if the id is unknown. */
export function planProgress({ plans }: SessionState, planId: string): PlanProgress | undefined {
  const plan = plans.find((one) => one.planId === planId);
  if (plan === undefined) return undefined;
  const count = (status: string) => plan.subFlows.filter((sub) => sub.status === status).length;
  return { done: count('completed'), total: plan.subFlows.length - count('pruned'), skipped: count('skipped') };
}

/** Returns a plan's parts that have not ended, from the top. A review sees only these parts. */
export function remainingParts({ stack }: SessionState, planId: string): readonly FlowInstance[] {
  return stack.filter((flow) => flow.planId === planId && !isOver(flow));
}

/** Returns the plan that must be reviewed before anything else continues; undefined if there is none. */
export function planToReplan({ stack, plans }: SessionState): string | undefined {
  const top = stack.find((flow) => !isOver(flow));
  return plans.find(({ planId, isReplanDue }) => isReplanDue && planId === top?.planId)?.planId;
}

/**
 * Returns the plan if it is Active, or a refusal. A plan with a part on the stack is not on top, and therefore not
 * Active.
 */
function activePlan(state: SessionState, planId: string): FlowInstance | RefusedOperation {
  const flow = openFlow(state, planId);
  if ('refused' in flow) return flow;
  if (flow.intent !== planIntent) return refuse('plan.not-a-plan', `Flow ${flow.flowName} is not a plan.`);
  if (flow.status !== 'Active') return refuse('flow.not-active', `Plan ${flow.flowName} is waiting.`);
  return flow;
}

/** Returns the types of parts, or a refusal if they are not possible. */
function partTypes(
  state: SessionState,
  catalogue: Catalogue,
  { plan, parts }: { readonly plan: FlowInstance; readonly parts: readonly PlanFlowEntry[] },
): readonly FlowType[] | RefusedOperation {
  if (parts.length === 0 || parts.length > mostSubFlows)
    return refuse(
      'plan.bad-parts',
      `1 to ${mostSubFlows} parts can be added to a plan at a time, not ${parts.length}.`,
    );
  const above = plansAbove(state, plan);
  const types: FlowType[] = [];
  for (const { flowName } of parts) {
    const type = userFacingType(catalogue, flowName);
    if ('refused' in type) return type;
    if (above.includes(flowName))
      return refuse('plan.holds-itself', `Plan ${flowName} cannot be a part of itself, because it would never end.`);
    types.push(type);
  }
  return types;
}

/** Returns the types of the plan and of the plans that contain it. */
function plansAbove(state: SessionState, plan: FlowInstance): readonly string[] {
  const above = state.stack.find(({ flowId }) => flowId === plan.planId);
  return [plan.flowName, ...(above === undefined ? [] : plansAbove(state, above))];
}

/** Assigns ids in push order. The last part is pushed first, so that the first one ends up on top. */
function namedParts(
  state: SessionState,
  parts: readonly PlanFlowEntry[],
): readonly { readonly flowId: string; readonly flowName: string }[] {
  return parts.map(({ flowName }, index) => ({
    flowId: nextFlowId({ flowCount: state.flowCount + parts.length - 1 - index }),
    flowName,
  }));
}

function pushParts(
  draft: OperationDraft,
  planId: string,
  types: readonly FlowType[],
  parts: readonly PlanFlowEntry[],
): void {
  for (const [index, type] of [...types.entries()].reverse()) {
    const { flowName, slots = {} } = parts[index] ?? { flowName: type.name };
    pushFlow(draft, type, { request: { flowName, slots, by: 'agent' }, position: 0, origin: { planId } });
  }
  activateTop(draft);
}
