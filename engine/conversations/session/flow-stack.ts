/**
 * Manages the stack of flows that people see. All changes are made here, so that at most one flow is Active, the Active
 * flow is on top, and ended flows stay ended. The agent decides what happens after a failure.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { RejectedSlot } from '../catalog/base-flow.ts';
import { type Catalogue, type FlowType, flowTypeNamed, internalIntent, planIntent } from '../catalog/catalogue.ts';
import { sameTask } from '../meaning/same-task.ts';
import { OperationDraft, type OperationOutcome, type RefusedOperation, refuse } from './operation.ts';
import { writeNotes } from './scratchpad.ts';
import type { InvalidReason, SessionEvent } from './session-event.ts';
import {
  activeFlow,
  type FlowBirth,
  type FlowInstance,
  isOver,
  type Objective,
  type SessionState,
} from './session-state.ts';

/** A requested flow. */
export interface FlowPushRequest {
  readonly flowName: string;
  /** Labels for slots. Values that do not fit are omitted and reported as `rejected`. */
  readonly slots?: JsonMap;
  readonly metadata?: JsonMap;
  readonly isUncertain?: boolean;
  readonly by: 'user' | 'agent';
}

export interface StartedFlow {
  readonly flowId: string;
  readonly rejected: readonly RejectedSlot[];
}

/** Properties of a pushed flow in addition to the request. */
export interface StackedFlowOrigin {
  readonly planId?: string | null;
  readonly stackedOn?: string | null;
  readonly fallbackFrom?: readonly string[];
  /** For a plan that replaces an earlier one. */
  readonly objective?: Objective;
}

/** Returns the id of the next flow. Ids are never reused in a session. */
export function nextFlowId({ flowCount }: Pick<SessionState, 'flowCount'>): string {
  return `f${flowCount + 1}`;
}

/**
 * Stacks a flow that the Active one needs. The new flow becomes the Active top, and the flow below waits.
 * @returns refused as `flow.unknown-type` | `flow.internal`
 */
export function stackOn(
  state: SessionState,
  catalogue: Catalogue,
  request: FlowPushRequest,
): OperationOutcome<StartedFlow> {
  const type = userFacingType(catalogue, request.flowName);
  if ('refused' in type) return type;
  const draft = new OperationDraft(state);
  const begun = pushFlow(draft, type, {
    request,
    position: 0,
    origin: { stackedOn: activeFlow(state)?.flowId ?? null },
  });
  activateTop(draft);
  return { events: draft.events, ...begun };
}

/**
 * Handles a person's request. An open flow of the type continues with the new values if they describe the same task; a
 * second task is a separate flow. The new flow becomes Active if no other flow is; otherwise, it is Pending below the
 * Active flow and its family.
 * @returns refused as `flow.unknown-type` | `flow.internal`
 */
export function requestFlow(
  state: SessionState,
  catalogue: Catalogue,
  request: FlowPushRequest,
): OperationOutcome<StartedFlow & { readonly isContinued: boolean }> {
  const type = userFacingType(catalogue, request.flowName);
  if ('refused' in type) return type;
  const draft = new OperationDraft(state);
  const same = sameTask(state, type, request.slots ?? {});
  if (same !== undefined) {
    const rejected = fillByLabels(draft, type, same, request.slots ?? {});
    return { events: draft.events, flowId: same.flowId, rejected, isContinued: true };
  }
  const active = activeFlow(state);
  const position = active === undefined ? 0 : familyEnd(state.stack, active);
  const begun = pushFlow(draft, type, { request, position, origin: {} });
  if (active === undefined) activateTop(draft);
  return { events: draft.events, ...begun, isContinued: false };
}

/**
 * Fills slots of a flow from the labels of a prediction or form.
 * @param labels.isCorrection whether they replace the current values
 * @returns refused as `flow.unknown` | `flow.ended` | `flow.unknown-type`
 */
export function fillSlots(
  state: SessionState,
  catalogue: Catalogue,
  {
    flowId,
    labels,
    isCorrection = false,
  }: { readonly flowId: string; readonly labels: JsonMap; readonly isCorrection?: boolean },
): OperationOutcome<{ readonly rejected: readonly RejectedSlot[]; readonly isFilled: boolean }> {
  const flow = openFlow(state, flowId);
  if ('refused' in flow) return flow;
  const type = flowTypeNamed(catalogue, flow.flowName);
  if ('refused' in type) return type;
  const draft = new OperationDraft(state);
  const filling = new type.Flow(flow);
  if (isCorrection) filling.correctSlots(labels);
  else filling.fillSlotsByLabel(labels);
  emitFilling(draft, filling, flowId);
  const { rejected } = filling;
  const after = draft.state.stack.find((one) => one.flowId === flowId) ?? flow;
  return { events: draft.events, rejected, isFilled: new type.Flow(after).isFilled() };
}

/**
 * Makes the waiting top Active.
 * @returns refused as `stack.empty` | `stack.active` | `stack.unswept` (the top has ended and must be popped first) |
 * `plan.replan-due` (the rest of its plan must be reviewed first)
 */
export function activateNext(state: SessionState): OperationOutcome<{ readonly flowId: string }> {
  const [top] = state.stack;
  if (top === undefined) return refuse('stack.empty', 'No flow is waiting.');
  if (top.status === 'Active') return refuse('stack.active', `Flow ${top.flowName} is already Active.`);
  if (isOver(top)) return refuse('stack.unswept', `Flow ${top.flowName} has ended but is still on the stack.`);
  const isDue = state.plans.some(({ planId, isReplanDue }) => planId === top.planId && isReplanDue);
  if (isDue)
    return refuse('plan.replan-due', `The rest of the plan must be reviewed before ${top.flowName} continues.`);
  const draft = new OperationDraft(state);
  activateTop(draft);
  return { events: draft.events, flowId: top.flowId };
}

/**
 * Completes the Active flow. Its findings are recorded first, so that the plan's next review includes them. The flow
 * stays on the stack until the reply starts.
 * @param ended.entries sentences for the scratchpad
 * @returns refused as `flow.unknown` | `flow.ended` | `flow.not-active` | `plan.not-assessed` (a plan ends by
 * `assessPlan`)
 */
export function completeFlow(
  state: SessionState,
  ended: { readonly flowId: string; readonly result: JsonValue; readonly entries?: readonly string[] },
): OperationOutcome {
  const flow = openFlow(state, ended.flowId);
  if ('refused' in flow) return flow;
  if (flow.status !== 'Active')
    return refuse('flow.not-active', `Flow ${flow.flowName} is waiting, so it cannot be completed.`);
  if (flow.intent === planIntent)
    return refuse('plan.not-assessed', `Plan ${flow.flowName} can only end after it was assessed as done.`);
  const draft = new OperationDraft(state);
  writeNotes(draft, flow, ended.entries ?? []);
  draft.emit({ type: 'stack:complete', flowId: flow.flowId, result: ended.result });
  return { events: draft.events };
}

/**
 * Ends a flow that is wrong, has failed, or is no longer wanted. All parts of a plan end with it and are popped; the
 * flow itself stays until the reply starts.
 * @returns refused as `flow.unknown` | `flow.ended`
 */
export function invalidateFlow(
  state: SessionState,
  { flowId, reason }: { readonly flowId: string; readonly reason: Exclude<InvalidReason, 'fallback'> },
): OperationOutcome {
  const flow = openFlow(state, flowId);
  if ('refused' in flow) return flow;
  const draft = new OperationDraft(state);
  endAsInvalid(draft, flow, reason);
  return { events: draft.events };
}

/** Removes ended flows from the stack before a reply, at any position. The stack may be empty. */
export function popFinished(state: SessionState): { readonly events: readonly SessionEvent[] } {
  const over = state.stack.filter(isOver);
  return { events: over.map(({ flowId, status }) => ({ type: 'stack:pop', flowId, status, by: 'res' })) };
}

/** Returns the type of that name, or a refusal if its flows run in parallel with the stack. */
export function userFacingType(catalogue: Catalogue, flowName: string): FlowType | RefusedOperation {
  const type = flowTypeNamed(catalogue, flowName);
  if ('refused' in type || type.intent !== internalIntent) return type;
  return refuse(
    'flow.internal',
    `${flowName} is an Internal flow, which runs in the background and never on the stack.`,
  );
}

/** Returns the flow with that id on the stack, unless it has ended. */
export function openFlow({ stack }: SessionState, flowId: string): FlowInstance | RefusedOperation {
  const flow = stack.find((one) => one.flowId === flowId);
  if (flow === undefined) return refuse('flow.unknown', `Flow ${flowId} is not on the stack.`);
  const words = `Flow ${flow.flowName} has already ended (${flow.status}).`;
  return isOver(flow) ? refuse('flow.ended', words) : flow;
}

/** Puts a new flow on the stack as Pending. */
export function pushFlow(
  draft: OperationDraft,
  type: FlowType,
  at: { readonly request: FlowPushRequest; readonly position: number; readonly origin: StackedFlowOrigin },
): StartedFlow {
  const { request, position, origin } = at;
  const { planId = null, stackedOn = null, fallbackFrom = [], objective } = origin;
  const birth: FlowBirth = {
    flowId: nextFlowId(draft.state),
    flowName: type.name,
    intent: type.intent,
    metadata: request.metadata ?? {},
    planId,
    stackedOn,
    fallbackFrom,
    by: request.by,
    isUncertain: request.isUncertain ?? false,
    ...(objective === undefined ? {} : { objective }),
  };
  draft.emit({ type: 'stack:push', position, depth: draft.state.stack.length + 1, ...birth });
  const flow = draft.state.stack[position];
  const rejected = flow === undefined ? [] : fillByLabels(draft, type, flow, request.slots ?? {});
  return { flowId: birth.flowId, rejected };
}

/** Makes the top Active. The previously Active flow must wait. */
export function activateTop(draft: OperationDraft): void {
  const [top] = draft.state.stack;
  const active = activeFlow(draft.state);
  if (active !== undefined && active !== top) draft.emit({ type: 'stack:cover', flowId: active.flowId });
  if (top !== undefined) draft.emit({ type: 'stack:activate', flowId: top.flowId });
}

/** Ends a flow as Invalid. A plan ends together with all its parts. */
export function endAsInvalid(draft: OperationDraft, flow: FlowInstance, reason: InvalidReason): void {
  draft.emit({ type: 'stack:invalidate', flowId: flow.flowId, reason });
  const parts = partsOf(draft.state.stack, flow.flowId).filter((part) => !isOver(part));
  if (draft.state.plans.some(({ planId }) => planId === flow.flowId))
    draft.emit({ type: 'plan:abandoned', planId: flow.flowId, flowIds: parts.map(({ flowId }) => flowId) });
  for (const { flowId } of parts) {
    draft.emit({ type: 'stack:invalidate', flowId, reason: 'abandon' });
    draft.emit({ type: 'stack:pop', flowId, status: 'Invalid', by: 'abandon' });
  }
}

/** Returns all of a plan's flows, including those of nested plans. */
function partsOf(stack: readonly FlowInstance[], planId: string): readonly FlowInstance[] {
  const own = stack.filter((flow) => flow.planId === planId);
  return own.flatMap((flow) => [flow, ...partsOf(stack, flow.flowId)]);
}

/** Returns the position below a flow, the flows it was stacked on, and all flows of their plans. */
function familyEnd(stack: readonly FlowInstance[], flow: FlowInstance): number {
  const rootOf = (one: FlowInstance): FlowInstance => {
    const aboveId = one.planId ?? one.stackedOn;
    const above = aboveId === null ? undefined : stack.find(({ flowId }) => flowId === aboveId);
    return above === undefined ? one : rootOf(above);
  };
  const root = rootOf(flow);
  return stack.findLastIndex((one) => rootOf(one) === root) + 1;
}

function fillByLabels(
  draft: OperationDraft,
  type: FlowType,
  flow: FlowInstance,
  labels: JsonMap,
): readonly RejectedSlot[] {
  const filling = new type.Flow(flow);
  filling.fillSlotsByLabel(labels);
  emitFilling(draft, filling, flow.flowId);
  return filling.rejected;
}

/** Emits events for the values that a flow object has accepted and rejected. */
function emitFilling(draft: OperationDraft, filling: InstanceType<FlowType['Flow']>, flowId: string): void {
  const empty = new Set(filling.emptySlots().map(({ name }) => name));
  for (const { slot, value, system } of filling.filled)
    draft.emit({ type: 'slot:filled', flowId, slot, value, system, ...(empty.has(slot) ? { partial: true } : {}) });
  for (const rejected of filling.rejected) draft.emit({ type: 'slot:rejected', flowId, ...rejected });
}

/**
 * Returns the events of a flow object that was filled, by either system.
 * @returns refused as `flow.unknown` | `flow.ended`
 */
export function takeFilling(state: SessionState, flow: InstanceType<FlowType['Flow']>): OperationOutcome {
  const { flowId } = flow.serialize();
  const open = openFlow(state, flowId);
  if ('refused' in open) return open;
  const draft = new OperationDraft(state);
  emitFilling(draft, flow, flowId);
  return { events: draft.events };
}
