/**
 * Housekeeping in parallel with the conversation: any number of Internal flows run at the same time, each after its
 * dependencies. Each writes its result in one operation on the current state, so that no update is lost.
 */
import type { JsonValue } from '../../language/json/json-value.ts';
import { type Catalogue, type FlowType, flowTypeNamed, internalIntent } from '../catalog/catalogue.ts';
import { dependencyCycle } from '../catalog/dependency-order.ts';
import { nextFlowId } from './flow-stack.ts';
import { OperationDraft, type OperationOutcome, type RefusedOperation, refuse } from './operation.ts';
import { mergeNotes, writeNotes } from './scratchpad.ts';
import type { FlowInstance, SessionState } from './session-state.ts';

/** A flow to run in the background. */
export interface InternalRequest {
  readonly flowName: string;
  /** Dependencies in addition to those in the catalog: types in the same call, or ids of existing Internal flows. */
  readonly dependsOn?: readonly string[];
}

/**
 * Schedules housekeeping. `readyInternals` returns which flows may start. A type that is already waiting or running is
 * not scheduled again.
 * @returns refused as `flow.unknown-type` | `internal.user-facing` | `internal.unknown-dependency` | `internal.cycle`
 */
export function scheduleInternals(
  state: SessionState,
  catalogue: Catalogue,
  requests: readonly InternalRequest[],
): OperationOutcome<{ readonly flowIds: readonly string[] }> {
  const types = internalTypes(catalogue, requests);
  if ('refused' in types) return types;
  const open = new Map(state.internal.map(({ flowName, flowId }) => [flowName, flowId]));
  const fresh = types.filter(({ type }, index) => {
    const isFirst = types.findIndex((other) => other.type === type) === index;
    return isFirst && !open.has(type.name);
  });
  const ids = new Map([
    ...open,
    ...fresh.map(({ type }, index): [string, string] => [
      type.name,
      nextFlowId({ flowCount: state.flowCount + index }),
    ]),
  ]);
  const known = new Set(state.internal.map(({ flowId }) => flowId));
  const dependencies = new Map<string, readonly string[]>();
  for (const { type, request } of fresh) {
    const wanted = request.dependsOn ?? [];
    const unknown = wanted.find((name) => !ids.has(name) && !known.has(name));
    if (unknown !== undefined)
      return refuse('internal.unknown-dependency', `${type.name} cannot wait for "${unknown}", which does not exist.`);
    // Dependencies in the catalog apply only to flows that run at the same time.
    const all = [
      ...wanted.map((name) => ids.get(name) ?? name),
      ...type.dependsOn.flatMap((name) => ids.get(name) ?? []),
    ];
    dependencies.set(ids.get(type.name) ?? '', [...new Set(all)]);
  }
  const circle = dependencyCycle(dependencies);
  if (circle !== undefined)
    return refuse('internal.cycle', `Internal flows wait for each other in a cycle: ${circle.join(' → ')}.`);
  const draft = new OperationDraft(state);
  for (const { type } of fresh) {
    const flowId = ids.get(type.name) ?? '';
    const dependsOn = dependencies.get(flowId) ?? [];
    draft.emit({ type: 'internal:schedule', flowId, flowName: type.name, dependsOn });
  }
  return { events: draft.events, flowIds: fresh.map(({ type }) => ids.get(type.name) ?? '') };
}

/** Returns the Internal flows that may start now, because all their dependencies have ended, whatever the outcome. */
export function readyInternals({ internal }: SessionState): readonly FlowInstance[] {
  const open = new Set(internal.map(({ flowId }) => flowId));
  return internal.filter(({ status, dependsOn }) => status === 'Pending' && !dependsOn.some((id) => open.has(id)));
}

/**
 * Starts an Internal flow.
 * @returns refused as `internal.unknown` | `internal.started` | `internal.waits`
 */
export function startInternal(state: SessionState, flowId: string): OperationOutcome {
  const flow = internalFlow(state, flowId);
  if ('refused' in flow) return flow;
  if (flow.status !== 'Pending') return refuse('internal.started', `${flow.flowName} has already started.`);
  if (!readyInternals(state).includes(flow))
    return refuse('internal.waits', `${flow.flowName} is waiting for other Internal flows.`);
  return { events: [{ type: 'internal:start', flowId, dependsOn: flow.dependsOn }] };
}

/** The result of an Internal flow. */
export interface InternalResult {
  readonly flowId: string;
  readonly status: 'Completed' | 'Invalid';
  readonly result: JsonValue;
  readonly entries?: readonly string[];
  /** Ids of notes that are no longer needed, or that `entries` replaces. */
  readonly replaces?: readonly string[];
  /** Ids of all notes, if the result depends on exactly these notes. */
  readonly seen?: readonly string[];
  /** Summary of the conversation. */
  readonly summary?: string;
}

/**
 * Ends an Internal flow and writes its whole result.
 * @returns refused as `internal.unknown` | `internal.waits` (it never started) | `scratchpad.stale` (it has to read
 * again)
 */
export function endInternal(state: SessionState, ended: InternalResult): OperationOutcome {
  const { flowId, status, result, entries = [], replaces, seen, summary } = ended;
  const flow = internalFlow(state, flowId);
  if ('refused' in flow) return flow;
  if (flow.status !== 'Active') return refuse('internal.waits', `${flow.flowName} has not started.`);
  if (seen !== undefined && !isAllOf(state, seen))
    return refuse('scratchpad.stale', 'The notes have changed since they were read. Read them again.');
  const draft = new OperationDraft(state);
  if (replaces === undefined) writeNotes(draft, flow, entries);
  else {
    const merged = mergeNotes(state, { flow, replaces, texts: entries });
    if ('refused' in merged) return merged;
    for (const event of merged.events) draft.emit(event);
  }
  if (summary !== undefined) draft.emit({ type: 'conversation:summary', text: summary });
  draft.emit({ type: 'internal:end', flowId, status, result });
  return { events: draft.events };
}

function isAllOf({ scratchpad }: SessionState, ids: readonly string[]): boolean {
  return scratchpad.length === ids.length && scratchpad.every(({ id }) => ids.includes(id));
}

/** Returns the housekeeping that is due after the current turn: types with `every`, after every n-th turn. */
export function dueInternals({ turnCount }: SessionState, { flows }: Catalogue): readonly InternalRequest[] {
  const due = [...flows.values()].filter(
    ({ every }) => every !== undefined && turnCount > 0 && turnCount % every === 0,
  );
  return due.map(({ name }) => ({ flowName: name }));
}

function internalFlow({ internal }: SessionState, flowId: string): FlowInstance | RefusedOperation {
  const flow = internal.find((one) => one.flowId === flowId);
  return flow ?? refuse('internal.unknown', `Internal flow ${flowId} does not exist or has ended.`);
}

function internalTypes(
  catalogue: Catalogue,
  requests: readonly InternalRequest[],
): readonly { readonly type: FlowType; readonly request: InternalRequest }[] | RefusedOperation {
  const found: { readonly type: FlowType; readonly request: InternalRequest }[] = [];
  for (const request of requests) {
    const type = flowTypeNamed(catalogue, request.flowName);
    if ('refused' in type) return type;
    if (type.intent !== internalIntent)
      return refuse('internal.user-facing', `${type.name} interacts with people, so it cannot run in the background.`);
    found.push({ type, request });
  }
  return found;
}
