/**
 * The tool calls of a run and the policy decisions in it, by node.
 */
import {
  type EventEnvelope,
  isJsonMap,
  type JsonValue,
  type NodeState,
  type RunEvent,
  type RunId,
} from '../../../../engine/isomorphic.ts';
import { placeOfEvent } from './event-place.ts';

/** A failed attempt that was followed by another. */
interface FailedTry {
  /** From 1. */
  readonly attempt: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Pause before the next attempt. */
  readonly delayMs: number;
  readonly message: string;
}

export interface ToolCallRecord {
  /** Number of its first event, which is unique among the calls of the run. */
  readonly seq: number;
  /** The run that made the call, and its task. The task is null outside tasks. */
  readonly runId: RunId;
  readonly taskId: string | null;
  readonly callKey: string;
  readonly tool: string;
  /** Arguments requested by a model. Undefined if no model requested the call. */
  readonly asked: JsonValue | undefined;
  /** Actual arguments, which a person may have edited. Undefined before the call. */
  readonly params: JsonValue | undefined;
  /** Number of attempts that have started. */
  readonly attempts: number;
  readonly failedTries: readonly FailedTry[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Time of the result. Undefined while there is none. */
  readonly endedAt: number | undefined;
  /** Duration of its attempts, in milliseconds. */
  readonly durationMs: number | undefined;
  readonly result: JsonValue | undefined;
  readonly isError: boolean;
  /** The backend that ran the tool. Undefined until it is known. */
  readonly backend: string | undefined;
  readonly isReplayed: boolean;
}

/** Returns the result or the error of a tool, without the envelope that distinguishes them. */
export function toolAnswer(result: JsonValue): JsonValue {
  if (!isJsonMap(result)) return result;
  const { status, result: given, message } = result;
  if (status === 'success' && given !== undefined) return given;
  return status === 'error' && typeof message === 'string' ? message : result;
}

/** The display state of a call. `status` is that of the node or input that made it. */
export type CallState = 'running' | 'retrying' | 'suspended' | 'completed' | 'failed' | 'cancelled';

/** A call without a result is running only as long as its node. Otherwise it was interrupted by a crash or canceled. */
export function callState(
  { endedAt, isError, failedTries, attempts }: ToolCallRecord,
  status: NodeState['status'] | undefined,
): CallState {
  if (endedAt !== undefined) return isError ? 'failed' : 'completed';
  if (status === 'suspended') return 'suspended';
  if (status !== 'running' && status !== 'retrying') return 'cancelled';
  return (failedTries.at(-1)?.attempt ?? 0) === attempts && attempts > 0 ? 'retrying' : 'running';
}

/** A policy decision about an action of a node. */
export interface RecordedDecision {
  readonly seq: number;
  readonly isAllowed: boolean;
  readonly rule: string;
  readonly effect: string;
  readonly target: string;
  /** `<file>:<line>`. Undefined for built-in rules. */
  readonly place: string | undefined;
  readonly reason: string | undefined;
}

/** By path in the run, oldest first. Events outside nodes and inputs are under an empty name. */
export type ByPlace<Thing> = ReadonlyMap<string, readonly Thing[]>;

/** Maximum number of calls to keep per node. The history contains the others. */
export const maxStoredToolCalls = 1000;

type ToolCallEvent = Extract<RunEvent, { type: `tool:${string}` | `agent:tool:${string}` }>;

function isCallEvent(event: RunEvent): event is ToolCallEvent {
  return event.type.startsWith('tool:') || event.type.startsWith('agent:tool:');
}

function toolOf(event: ToolCallEvent): string {
  return 'tool' in event ? event.tool : event.toolName;
}

/**
 * Returns whether the event starts a new call although one with the same name is known, because the work was repeated.
 */
function beginsAnew(call: ToolCallRecord, event: ToolCallEvent): boolean {
  if (event.type === 'agent:tool:start') return call.asked !== undefined || call.attempts > 0;
  return event.type === 'tool:attempt' && event.attempt === 1 && call.endedAt !== undefined;
}

function newCall(envelope: EventEnvelope, event: ToolCallEvent): ToolCallRecord {
  return {
    seq: envelope.seq,
    runId: envelope.runId,
    taskId: envelope.context.task?.id ?? null,
    callKey: event.callKey,
    tool: toolOf(event),
    asked: undefined,
    params: undefined,
    attempts: 0,
    failedTries: [],
    startedAt: envelope.at,
    endedAt: undefined,
    durationMs: undefined,
    result: undefined,
    isError: false,
    backend: undefined,
    isReplayed: false,
  };
}

function withEvent(call: ToolCallRecord, event: ToolCallEvent, at: number): ToolCallRecord {
  switch (event.type) {
    case 'agent:tool:start':
      return { ...call, asked: event.input };
    case 'tool:attempt':
      return { ...call, params: event.params, attempts: event.attempt };
    case 'tool:retry': {
      const { attempt, delayMs, error } = event;
      const tried = { attempt: attempt - 1, at, delayMs, message: error.message };
      return { ...call, failedTries: [...call.failedTries, tried] };
    }
    case 'tool:result': {
      const { attempts, result, isError, durationMs, backend, fromCassette } = event;
      const isReplayed = fromCassette === true;
      return { ...call, attempts, result, isError, durationMs, backend, isReplayed, endedAt: at };
    }
    case 'agent:tool:complete':
      // For a call that was not made, such as after a denial, the message for the model is the only result.
      return call.endedAt === undefined ? { ...call, result: event.result, isError: event.isError, endedAt: at } : call;
  }
}

function isSameCall(call: ToolCallRecord, { runId, context }: EventEnvelope, { callKey }: ToolCallEvent): boolean {
  return call.callKey === callKey && call.runId === runId && call.taskId === (context.task?.id ?? null);
}

/** Changes lists of a map without modifying the map. Each changed list is copied once. */
class CopyOnWriteLists<Thing> {
  readonly #former: ByPlace<Thing>;
  readonly #touched = new Map<string, Thing[]>();

  constructor(former: ByPlace<Thing>) {
    this.#former = former;
  }

  at(place: string): Thing[] {
    const list = this.#touched.get(place) ?? [...(this.#former.get(place) ?? [])];
    this.#touched.set(place, list);
    return list;
  }

  /** Returns the same map if nothing was changed. */
  done(): ByPlace<Thing> {
    if (this.#touched.size === 0) return this.#former;
    const next = new Map<string, readonly Thing[]>(this.#former);
    for (const [place, list] of this.#touched) next.set(place, list.slice(-maxStoredToolCalls));
    return next;
  }
}

/** Returns the calls including those of further events, or the same map if there are none. */
export function followToolCalls(
  former: ByPlace<ToolCallRecord>,
  events: readonly EventEnvelope[],
): ByPlace<ToolCallRecord> {
  const lists = new CopyOnWriteLists(former);
  for (const envelope of events) {
    const { event } = envelope;
    if (!isCallEvent(event)) continue;
    const calls = lists.at(placeOfEvent(envelope) ?? '');
    const index = calls.findLastIndex((call) => isSameCall(call, envelope, event));
    const known = calls[index];
    if (known === undefined || beginsAnew(known, event)) {
      calls.push(withEvent(newCall(envelope, event), event, envelope.at));
    } else calls[index] = withEvent(known, event, envelope.at);
  }
  return lists.done();
}

/**
 * Returns what was denied, and what a policy allowed, including further events, or the same map if there are none.
 * Actions allowed by built-in rules, such as everything in a trusted workspace, are only in the log.
 */
export function followDecisions(
  former: ByPlace<RecordedDecision>,
  events: readonly EventEnvelope[],
): ByPlace<RecordedDecision> {
  const lists = new CopyOnWriteLists(former);
  for (const envelope of events) {
    const { event, seq } = envelope;
    if (event.type !== 'governance:decision') continue;
    const { allowed: isAllowed, rule, effect, target, place, reason } = event;
    if (isAllowed && place === undefined) continue;
    lists.at(placeOfEvent(envelope) ?? '').push({ seq, isAllowed, rule, effect, target, place, reason });
  }
  return lists.done();
}
