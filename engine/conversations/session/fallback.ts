/**
 * Handles a flow that was the wrong choice or has failed: another flow takes over, or the flow is skipped.
 */
import type { JsonMap } from '../../language/json/json-value.ts';
import type { Catalogue } from '../catalog/catalogue.ts';
import { isEmptyValue } from '../catalog/slot-kind.ts';
import { takeValue } from '../catalog/slot-types.ts';
import { activateTop, endAsInvalid, nextFlowId, openFlow, pushFlow, userFacingType } from './flow-stack.ts';
import { OperationDraft, type OperationOutcome, refuse } from './operation.ts';
import type { SessionState } from './session-state.ts';

export interface FellBack {
  readonly flowId: string;
  readonly mappedSlots: readonly string[];
  readonly droppedSlots: readonly string[];
}

/**
 * Replaces the Active flow with one of another type: creates the new flow, copies the metadata, including the plan, and
 * the values of slots with the same name; makes the old flow Invalid and pops it; and makes the new flow the Active
 * top.
 * @param request.toFlowName type from the catalog's `fallback` or a new prediction
 * @returns refused as `flow.unknown` | `flow.ended` | `flow.not-active` | `flow.unknown-type` | `flow.internal` |
 * `fallback.loop` (the type was already tried for this)
 */
export function fallBack(
  state: SessionState,
  catalogue: Catalogue,
  { flowId, toFlowName }: { readonly flowId: string; readonly toFlowName: string },
): OperationOutcome<FellBack> {
  const old = openFlow(state, flowId);
  if ('refused' in old) return old;
  if (old.status !== 'Active')
    return refuse('flow.not-active', `Flow ${old.flowName} is waiting, so it cannot be replaced.`);
  const type = userFacingType(catalogue, toFlowName);
  if ('refused' in type) return type;
  const tried = [...old.fallbackFrom, old.flowName];
  if (tried.includes(toFlowName))
    return refuse('fallback.loop', `${toFlowName} was already tried: ${tried.join(', ')}. Ask the user instead.`);
  const slots: Record<string, JsonMap[string]> = {};
  const droppedSlots: string[] = [];
  for (const [name, raw] of Object.entries(old.slots).filter(([, value]) => !isEmptyValue(value))) {
    const slot = type.slots.get(name);
    const taken = slot === undefined ? undefined : takeValue(slot.type, slot.params, { raw });
    if (taken === undefined || 'problem' in taken) droppedSlots.push(name);
    else slots[name] = taken.value;
  }
  const draft = new OperationDraft(state);
  const mappedSlots = Object.keys(slots);
  const newId = nextFlowId(state);
  draft.emit({ type: 'stack:fallback', fromFlowId: flowId, toFlowId: newId, toFlowName, mappedSlots, droppedSlots });
  endAsInvalid(draft, old, 'fallback');
  draft.emit({ type: 'stack:pop', flowId, status: 'Invalid', by: 'fallback' });
  const { metadata, planId, stackedOn, by } = old;
  pushFlow(draft, type, {
    request: { flowName: toFlowName, slots, metadata, by },
    position: 0,
    origin: { planId, stackedOn, fallbackFrom: tried },
  });
  activateTop(draft);
  return { events: draft.events, flowId: newId, mappedSlots, droppedSlots };
}

/**
 * Skips a failed part of a plan, which continues without it.
 * @returns refused as `flow.unknown` | `flow.ended` | `recovery.no-plan` (there is no plan to continue)
 */
export function skipFlow(state: SessionState, { flowId }: { readonly flowId: string }): OperationOutcome {
  const flow = openFlow(state, flowId);
  if ('refused' in flow) return flow;
  if (flow.planId === null)
    return refuse('recovery.no-plan', `Flow ${flow.flowName} is not part of a plan, so it cannot be skipped.`);
  const draft = new OperationDraft(state);
  draft.emit({ type: 'recovery:step', flowId, step: 'skip', ok: true });
  endAsInvalid(draft, flow, 'failure');
  return { events: draft.events };
}
