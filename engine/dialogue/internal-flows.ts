/**
 * Housekeeping beside the conversation: any number of Internal flows at the same time, each after those that it depends on. What
 * one has done is one operation on the state as it then is, so that none loses what another has written.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import { type Catalogue, type FlowType, flowTypeNamed, internalIntent } from './catalogue.ts';
import { dependencyCycle } from './dependency-order.ts';
import { nextFlowId } from './flow-stack.ts';
import { Draft, type Outcome, type Refused, refuse } from './operation.ts';
import { mergeNotes, writeNotes } from './scratchpad.ts';
import type { FlowInstance, SessionState } from './session-state.ts';

/** A flow that is to run in the background. */
export interface InternalRequest {
  readonly flowName: string;
  /** Types in the same call, or ids of Internal flows that are there; beside those that the catalogue says. */
  readonly dependsOn?: readonly string[];
}

/**
 * Takes up housekeeping: which of it may start is told by `readyInternals`. A type that waits or runs already is not taken up twice.
 * @returns refused as `flow.unknown-type` | `internal.user-facing` | `internal.unknown-dependency` | `internal.cycle`
 */
export function scheduleInternals(
  state: SessionState,
  catalogue: Catalogue,
  requests: readonly InternalRequest[],
): Outcome<{ readonly flowIds: readonly string[] }> {
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
      return refuse('internal.unknown-dependency', `${type.name} is to wait for "${unknown}", which is not there.`);
    // Those that the catalogue says count where they run at the same time.
    const all = [
      ...wanted.map((name) => ids.get(name) ?? name),
      ...type.dependsOn.flatMap((name) => ids.get(name) ?? []),
    ];
    dependencies.set(ids.get(type.name) ?? '', [...new Set(all)]);
  }
  const circle = dependencyCycle(dependencies);
  if (circle !== undefined)
    return refuse('internal.cycle', `Internal flows wait for each other: ${circle.join(' → ')}.`);
  const draft = new Draft(state);
  for (const { type } of fresh) {
    const flowId = ids.get(type.name) ?? '';
    const dependsOn = dependencies.get(flowId) ?? [];
    draft.emit({ type: 'internal:schedule', flowId, flowName: type.name, dependsOn });
  }
  return { events: draft.events, flowIds: fresh.map(({ type }) => ids.get(type.name) ?? '') };
}

/** Internal flows that may start now: all that they depend on has ended, however. */
export function readyInternals({ internal }: SessionState): readonly FlowInstance[] {
  const open = new Set(internal.map(({ flowId }) => flowId));
  return internal.filter(({ status, dependsOn }) => status === 'Pending' && !dependsOn.some((id) => open.has(id)));
}

/**
 * An Internal flow begins.
 * @returns refused as `internal.unknown` | `internal.started` | `internal.waits`
 */
export function startInternal(state: SessionState, flowId: string): Outcome {
  const flow = internalFlow(state, flowId);
  if ('refused' in flow) return flow;
  if (flow.status !== 'Pending') return refuse('internal.started', `${flow.flowName} has started already.`);
  if (!readyInternals(state).includes(flow))
    return refuse('internal.waits', `${flow.flowName} waits for other Internal flows.`);
  return { events: [{ type: 'internal:start', flowId, dependsOn: flow.dependsOn }] };
}

/** What an Internal flow has done. */
export interface InternalResult {
  readonly flowId: string;
  readonly status: 'Completed' | 'Invalid';
  readonly result: JsonValue;
  readonly entries?: readonly string[];
  /** Ids of notes that are not needed any more, or for which `entries` stand from now on. */
  readonly replaces?: readonly string[];
  /** Ids of all notes, where what is written hangs on that there are these and no others. */
  readonly seen?: readonly string[];
  /** The conversation, summed up. */
  readonly summary?: string;
}

/**
 * An Internal flow has ended, and all that it writes is written with it.
 * @returns refused as `internal.unknown` | `internal.waits` (it never began) | `scratchpad.stale` (it is to look again)
 */
export function endInternal(state: SessionState, ended: InternalResult): Outcome {
  const { flowId, status, result, entries = [], replaces, seen, summary } = ended;
  const flow = internalFlow(state, flowId);
  if ('refused' in flow) return flow;
  if (flow.status !== 'Active') return refuse('internal.waits', `${flow.flowName} has not begun.`);
  if (seen !== undefined && !isAllOf(state, seen))
    return refuse('scratchpad.stale', 'Notes were written or removed since they were read. Read them again.');
  const draft = new Draft(state);
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

/** Housekeeping that is due behind the turn that ends: types with `every`, each so-manieth turn. */
export function dueInternals({ turnCount }: SessionState, { flows }: Catalogue): readonly InternalRequest[] {
  const due = [...flows.values()].filter(
    ({ every }) => every !== undefined && turnCount > 0 && turnCount % every === 0,
  );
  return due.map(({ name }) => ({ flowName: name }));
}

function internalFlow({ internal }: SessionState, flowId: string): FlowInstance | Refused {
  const flow = internal.find((one) => one.flowId === flowId);
  return flow ?? refuse('internal.unknown', `There is no Internal flow ${flowId}, or it has ended.`);
}

function internalTypes(
  catalogue: Catalogue,
  requests: readonly InternalRequest[],
): readonly { readonly type: FlowType; readonly request: InternalRequest }[] | Refused {
  const found: { readonly type: FlowType; readonly request: InternalRequest }[] = [];
  for (const request of requests) {
    const type = flowTypeNamed(catalogue, request.flowName);
    if ('refused' in type) return type;
    if (type.intent !== internalIntent)
      return refuse('internal.user-facing', `${type.name} is for people, so it cannot run in the background.`);
    found.push({ type, request });
  }
  return found;
}
