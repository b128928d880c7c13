/**
 * Determines which flow on the stack a request refers to, and which flows belong to one of a person's tasks.
 */
import { type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import type { FlowType } from '../catalog/catalogue.ts';
import { type FlowInstance, isOver, type SessionState } from '../session/session-state.ts';

/**
 * Returns the open flow of a type that a request with these labels refers to; undefined if the request is a separate
 * task.
 */
export function sameTask(state: SessionState, type: FlowType, labels: JsonMap): FlowInstance | undefined {
  const open = state.stack.filter((flow) => flow.flowName === type.name && !isOver(flow));
  return open.find((flow) => {
    const asNew = new type.Flow({ ...flow, slots: {} });
    asNew.fillSlotsByLabel(labels);
    const wanted = Object.entries(asNew.serialize().slots);
    // A policy that has started accepts no new values, so a request with other values is a second task.
    if (hasUsedSlotValues(state, flow))
      return wanted.length > 0 && wanted.every(([name, value]) => holds(flow, name, value));
    const filled = new Set(new type.Flow(flow).emptySlots().map(({ name }) => name));
    return wanted.every(([name, value]) => filled.has(name) || holds(flow, name, value));
  });
}

function holds({ slots }: FlowInstance, name: string, value: JsonValue): boolean {
  return Object.hasOwn(slots, name) && jsonEquals(slots[name] ?? null, value);
}

/** Returns whether a flow's policy has used its values, because its run waits or the plan has parts. */
export function hasUsedSlotValues({ plans }: SessionState, { flowId, waitsFor, metadata }: FlowInstance): boolean {
  const isCovered = typeof metadata[coveredRun] === 'string';
  return waitsFor !== null || isCovered || plans.some(({ planId }) => planId === flowId);
}

/** Metadata key of a flow: the run that waits while another flow is on top of it. */
export const coveredRun = 'covered_run';

/**
 * Returns the flow that a person sees as the task: for a part, its plan; for a stacked flow, the flow that needed it.
 */
export function taskOf(state: SessionState, flow: FlowInstance): FlowInstance {
  const belowId = flow.planId ?? (flow.by === 'agent' ? flow.stackedOn : null);
  const below = belowId === null ? undefined : state.stack.find(({ flowId }) => flowId === belowId);
  return below === undefined || isOver(below) ? flow : taskOf(state, below);
}

/** Returns all open flows of a task, from the top: its parts, and the flows stacked for it. */
export function familyOf(state: SessionState, task: FlowInstance): readonly FlowInstance[] {
  return state.stack.filter((flow) => !isOver(flow) && taskOf(state, flow).flowId === task.flowId);
}
