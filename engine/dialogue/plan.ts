/**
 * Plans: a flow that takes a task apart, the parts on top of it, the look at what is left after each part, and the assessment
 * that alone can end it.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { type Catalogue, type FlowType, planIntent } from './catalogue.ts';
import { activateTop, endAsInvalid, nextFlowId, openFlow, pushFlow, userFacingType } from './flow-stack.ts';
import { Draft, type Outcome, type Refused, refuse } from './operation.ts';
import { writeNotes } from './scratchpad.ts';
import type { PlanCandidate } from './session-event.ts';
import { type FlowInstance, isOver, type SessionState } from './session-state.ts';

/** A part of a plan that is to be. */
export interface PlannedFlow {
  readonly flowName: string;
  readonly slots?: JsonMap;
}

/** Parts that one step may add. */
const mostSubFlows = 32;

/**
 * The Active plan is taken apart: its parts are put on top of it, the first Active. Whoever searches for the best way does so before:
 * nothing is pushed while candidates are weighed.
 * @param plan.subFlows the first comes first
 * @returns refused as `flow.unknown` | `flow.ended` | `flow.not-active` | `plan.not-a-plan` | `plan.bad-parts` |
 *   `flow.unknown-type` | `flow.internal` | `plan.holds-itself`
 */
export function decomposePlan(
  state: SessionState,
  catalogue: Catalogue,
  plan: {
    readonly planId: string;
    readonly subFlows: readonly PlannedFlow[];
    readonly method: 'direct' | 'lats';
    readonly candidates?: readonly PlanCandidate[];
  },
): Outcome<{ readonly flowIds: readonly string[] }> {
  const flow = activePlan(state, plan.planId);
  if ('refused' in flow) return flow;
  const types = partTypes(state, catalogue, { plan: flow, parts: plan.subFlows });
  if ('refused' in types) return types;
  const draft = new Draft(state);
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

/** How the rest of a plan goes on. */
export type Replanning =
  | { readonly decision: 'continue' }
  /** Ids of all Pending parts, the next first. */
  | { readonly decision: 'reorder'; readonly order: readonly string[] }
  | { readonly decision: 'expand'; readonly add: readonly PlannedFlow[] }
  /** Ids of Pending parts. */
  | { readonly decision: 'prune'; readonly remove: readonly string[] };

/**
 * Takes the decision about what is left of a plan after one of its parts. Parts that are added are on top, the first Active; else
 * nothing is Active until `activateNext`, and pruned parts are popped by `popFinished` before that. Flows that are not part of the plan
 * stay where they are.
 * @returns refused as `plan.not-due` | `plan.bad-order` | `plan.bad-parts` | `flow.unknown-type` | `flow.internal` |
 *   `plan.holds-itself`
 */
export function replan(
  state: SessionState,
  catalogue: Catalogue,
  { planId, change, reason }: { readonly planId: string; readonly change: Replanning; readonly reason: string },
): Outcome {
  const flow = openFlow(state, planId);
  if ('refused' in flow) return flow;
  if (!state.plans.some((plan) => plan.planId === planId && plan.isReplanDue))
    return refuse('plan.not-due', `Nothing of the plan ${flow.flowName} has ended since it was looked at last.`);
  const before = remainingParts(state, planId).map(({ flowId }) => flowId);
  const said = { type: 'plan:replan', planId, before, reason } as const;
  const draft = new Draft(state);
  switch (change.decision) {
    case 'continue':
      draft.emit({ ...said, decision: 'continue', after: before, added: [] });
      break;
    case 'reorder': {
      const isSame = change.order.length === before.length && before.every((id) => change.order.includes(id));
      if (!isSame) return refuse('plan.bad-order', `An order has each part that is left once: ${before.join(', ')}.`);
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
        return refuse('plan.bad-parts', `Only parts that are left can be removed: ${before.join(', ')}.`);
      draft.emit({ ...said, decision: 'prune', after: before.filter((id) => !remove.includes(id)), added: [] });
      for (const part of remainingParts(state, planId).filter(({ flowId }) => remove.includes(flowId)))
        endAsInvalid(draft, part, 'prune');
      break;
    }
  }
  return { events: draft.events };
}

/** What whoever assesses a plan has found. */
export type Assessment =
  | { readonly done: true; readonly result: JsonValue; readonly entries?: readonly string[] }
  | { readonly done: false; readonly subFlows: readonly PlannedFlow[] };

/**
 * Takes the assessment of a plan whose parts have all ended: done completes it, else more parts are put on top and it goes on.
 * @returns refused as `flow.unknown` | `flow.ended` | `flow.not-active` | `plan.not-a-plan` | `plan.bad-parts` |
 *   `flow.unknown-type` | `flow.internal` | `plan.holds-itself`
 */
export function assessPlan(
  state: SessionState,
  catalogue: Catalogue,
  { planId, found, reason }: { readonly planId: string; readonly found: Assessment; readonly reason: string },
): Outcome {
  const flow = activePlan(state, planId);
  if ('refused' in flow) return flow;
  const draft = new Draft(state);
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

/** How far a plan is: parts that are done, of all that are wanted. */
export interface PlanProgress {
  readonly done: number;
  /** Without those that were pruned. */
  readonly total: number;
  /** Failed, and left out. */
  readonly skipped: number;
}

/** How far a plan is; undefined when there is none of that id. */
export function planProgress({ plans }: SessionState, planId: string): PlanProgress | undefined {
  const plan = plans.find((one) => one.planId === planId);
  if (plan === undefined) return undefined;
  const count = (status: string) => plan.subFlows.filter((sub) => sub.status === status).length;
  return { done: count('completed'), total: plan.subFlows.length - count('pruned'), skipped: count('skipped') };
}

/** The parts of a plan that have not ended, from the top: what a look at it sees, and nothing else. */
export function remainingParts({ stack }: SessionState, planId: string): readonly FlowInstance[] {
  return stack.filter((flow) => flow.planId === planId && !isOver(flow));
}

/** The plan that is to be looked at before anything goes on; undefined = none. */
export function planToReplan({ stack, plans }: SessionState): string | undefined {
  const top = stack.find((flow) => !isOver(flow));
  return plans.find(({ planId, isReplanDue }) => isReplanDue && planId === top?.planId)?.planId;
}

/** While a part of it is on the stack, a plan is not the top, so it is not Active. */
function activePlan(state: SessionState, planId: string): FlowInstance | Refused {
  const flow = openFlow(state, planId);
  if ('refused' in flow) return flow;
  if (flow.intent !== planIntent) return refuse('plan.not-a-plan', `The flow ${flow.flowName} is no plan.`);
  if (flow.status !== 'Active') return refuse('flow.not-active', `The plan ${flow.flowName} waits.`);
  return flow;
}

/** The types of parts, or why there cannot be such parts. */
function partTypes(
  state: SessionState,
  catalogue: Catalogue,
  { plan, parts }: { readonly plan: FlowInstance; readonly parts: readonly PlannedFlow[] },
): readonly FlowType[] | Refused {
  if (parts.length === 0 || parts.length > mostSubFlows)
    return refuse('plan.bad-parts', `A plan gets 1 to ${mostSubFlows} parts at a time, not ${parts.length}.`);
  const above = plansAbove(state, plan);
  const types: FlowType[] = [];
  for (const { flowName } of parts) {
    const type = userFacingType(catalogue, flowName);
    if ('refused' in type) return type;
    if (above.includes(flowName))
      return refuse('plan.holds-itself', `The plan ${flowName} cannot be a part of itself: it would never end.`);
    types.push(type);
  }
  return types;
}

/** Types of the plan and of those that it is a part of. */
function plansAbove(state: SessionState, plan: FlowInstance): readonly string[] {
  const above = state.stack.find(({ flowId }) => flowId === plan.planId);
  return [plan.flowName, ...(above === undefined ? [] : plansAbove(state, above))];
}

/** Ids as the pushes will give them: the last is pushed first, so that the first is on top. */
function namedParts(
  state: SessionState,
  parts: readonly PlannedFlow[],
): readonly { readonly flowId: string; readonly flowName: string }[] {
  return parts.map(({ flowName }, index) => ({
    flowId: nextFlowId({ flowCount: state.flowCount + parts.length - 1 - index }),
    flowName,
  }));
}

function pushParts(draft: Draft, planId: string, types: readonly FlowType[], parts: readonly PlannedFlow[]): void {
  for (const [index, type] of [...types.entries()].reverse()) {
    const { flowName, slots = {} } = parts[index] ?? { flowName: type.name };
    pushFlow(draft, type, { request: { flowName, slots, by: 'agent' }, position: 0, origin: { planId } });
  }
  activateTop(draft);
}
