/**
 * Changes or cancels open tasks.
 */
import type { JsonMap } from '../../language/json/json-value.ts';
import { type Catalogue, flowTypeNamed, planIntent } from '../catalog/catalogue.ts';
import { activateTop, endAsInvalid, openFlow, pushFlow } from '../session/flow-stack.ts';
import { OperationDraft, type OperationOutcome } from '../session/operation.ts';
import { activeFlow, type FlowInstance, isOver, type SessionState } from '../session/session-state.ts';
import { familyOf } from './same-task.ts';

/**
 * Ends a task that is no longer wanted, including its parts and the flows stacked for it.
 * @returns refused as `flow.unknown` | `flow.ended`
 */
export function cancelTask(state: SessionState, { flowId }: { readonly flowId: string }): OperationOutcome {
  const flow = openFlow(state, flowId);
  if ('refused' in flow) return flow;
  const draft = new OperationDraft(state);
  endFamily(draft, flow, 'abandon');
  return { events: draft.events };
}

/**
 * Applies corrected values to a task after its run was stopped, so that the policy runs again. A plan is restarted as a
 * new flow in the same position, because its parts depend on the old values.
 * @returns refused as `flow.unknown` | `flow.ended` | `flow.unknown-type`
 */
export function restartTask(
  state: SessionState,
  catalogue: Catalogue,
  { flowId, labels }: { readonly flowId: string; readonly labels: JsonMap },
): OperationOutcome<{ readonly flowId: string }> {
  const flow = openFlow(state, flowId);
  if ('refused' in flow) return flow;
  const type = flowTypeNamed(catalogue, flow.flowName);
  if ('refused' in type) return type;
  const draft = new OperationDraft(state);
  const look = new type.Flow(flow);
  look.correctSlots(labels);
  if (flow.intent === planIntent) return replacePlan(draft, flow, { ...flow.slots, ...look.serialize().slots }, type);
  if (flow.runId !== null) draft.emit({ type: 'flow:stopped', flowId, runId: flow.runId, reason: 'corrected' });
  for (const { slot, value, system } of look.filled) draft.emit({ type: 'slot:filled', flowId, slot, value, system });
  for (const part of familyOf(state, flow))
    if (part.flowId !== flowId) draft.emit({ type: 'stack:invalidate', flowId: part.flowId, reason: 'corrected' });
  return { events: draft.events, flowId };
}

function replacePlan(
  draft: OperationDraft,
  plan: FlowInstance,
  slots: JsonMap,
  type: Parameters<typeof pushFlow>[1],
): OperationOutcome<{ readonly flowId: string }> {
  const wasActive = familyOf(draft.state, plan).some(({ status }) => status === 'Active');
  endFamily(draft, plan, 'corrected');
  const position = draft.state.stack.findIndex(({ flowId }) => flowId === plan.flowId);
  const { metadata, planId, stackedOn, by, objective } = plan;
  const begun = pushFlow(draft, type, {
    request: { flowName: plan.flowName, slots, metadata, by },
    position: Math.max(0, position),
    origin: { planId, stackedOn, ...(objective === undefined ? {} : { objective }) },
  });
  draft.emit({ type: 'stack:pop', flowId: plan.flowId, status: 'Invalid', by: 'abandon' });
  if (wasActive && activeFlow(draft.state) === undefined && draft.state.stack[0]?.flowId === begun.flowId)
    activateTop(draft);
  return { events: draft.events, flowId: begun.flowId };
}

function endFamily(draft: OperationDraft, task: FlowInstance, reason: 'abandon' | 'corrected'): void {
  for (const flow of familyOf(draft.state, task)) {
    const now = draft.state.stack.find(({ flowId }) => flowId === flow.flowId);
    // Parts of a plan end with the plan and are popped.
    if (now === undefined || isOver(now) || (flow.planId !== null && flow.flowId !== task.flowId)) continue;
    endAsInvalid(draft, now, reason);
  }
}
