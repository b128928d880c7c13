/**
 * The calls of tools in a run, and what policies decided in it, by the node for which they happened.
 */
import {
  type EventEnvelope,
  isJsonMap,
  type JsonValue,
  type NodeState,
  type RunEvent,
  type RunId,
} from '../../../engine/isomorphic.ts';
import { placeOfEvent } from './event-place.ts';

/** One try that failed and was followed by another. */
interface FailedTry {
  /** From 1. */
  readonly attempt: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Pause before the next one. */
  readonly delayMs: number;
  readonly message: string;
}

export interface ToolCall {
  /** Number of its first event, which no other call of the run has. */
  readonly seq: number;
  /** The run in which it was made, and the task of it; null outside of tasks. */
  readonly runId: RunId;
  readonly taskId: string | null;
  readonly callKey: string;
  readonly tool: string;
  /** What a model wanted; undefined where no model has asked. */
  readonly asked: JsonValue | undefined;
  /** With what the tool was called, which a person may have edited; undefined until it is. */
  readonly params: JsonValue | undefined;
  /** How many attempts have begun. */
  readonly attempts: number;
  readonly failedTries: readonly FailedTry[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** When there was a result; undefined while there is none. */
  readonly endedAt: number | undefined;
  /** Milliseconds of its attempts. */
  readonly durationMs: number | undefined;
  readonly result: JsonValue | undefined;
  readonly isError: boolean;
  /** What ran it; undefined until it is known. */
  readonly backend: string | undefined;
  readonly isReplayed: boolean;
}

/** What a tool gave, or what went wrong, without the envelope that says which of the two it is. */
export function toolAnswer(result: JsonValue): JsonValue {
  if (!isJsonMap(result)) return result;
  const { status, result: given, message } = result;
  if (status === 'success' && given !== undefined) return given;
  return status === 'error' && typeof message === 'string' ? message : result;
}

/** How a call is shown; `status` of the node or input that made it. */
export type CallState = 'running' | 'retrying' | 'suspended' | 'completed' | 'failed' | 'cancelled';

/** Without a result it is at work only as long as what made it is: a crash or the person cut it then. */
export function callState(
  { endedAt, isError, failedTries, attempts }: ToolCall,
  status: NodeState['status'] | undefined,
): CallState {
  if (endedAt !== undefined) return isError ? 'failed' : 'completed';
  if (status === 'suspended') return 'suspended';
  if (status !== 'running' && status !== 'retrying') return 'cancelled';
  return (failedTries.at(-1)?.attempt ?? 0) === attempts && attempts > 0 ? 'retrying' : 'running';
}

/** What was decided about something that a node wanted to do. */
export interface Decision {
  readonly seq: number;
  readonly isAllowed: boolean;
  readonly rule: string;
  readonly effect: string;
  readonly target: string;
  /** `<file>:<line>`; undefined for rules of the program. */
  readonly place: string | undefined;
  readonly reason: string | undefined;
}

/** By place in the run, oldest first; of what happens outside of nodes and inputs under an empty name. */
export type ByPlace<Thing> = ReadonlyMap<string, readonly Thing[]>;

/** Kept of one node; the history has the others. */
export const maxKeptCalls = 1000;

type CallEvent = Extract<RunEvent, { type: `tool:${string}` | `agent:tool:${string}` }>;

function isCallEvent(event: RunEvent): event is CallEvent {
  return event.type.startsWith('tool:') || event.type.startsWith('agent:tool:');
}

function toolOf(event: CallEvent): string {
  return 'tool' in event ? event.tool : event.toolName;
}

/** Whether the event begins a call although one of its name is known: the work was done again. */
function beginsAnew(call: ToolCall, event: CallEvent): boolean {
  if (event.type === 'agent:tool:start') return call.asked !== undefined || call.attempts > 0;
  return event.type === 'tool:attempt' && event.attempt === 1 && call.endedAt !== undefined;
}

function newCall(envelope: EventEnvelope, event: CallEvent): ToolCall {
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

function withEvent(call: ToolCall, event: CallEvent, at: number): ToolCall {
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
      // What the model is told of a call that was not made, such as a refusal, is all that came of it.
      return call.endedAt === undefined ? { ...call, result: event.result, isError: event.isError, endedAt: at } : call;
  }
}

function isSameCall(call: ToolCall, { runId, context }: EventEnvelope, { callKey }: CallEvent): boolean {
  return call.callKey === callKey && call.runId === runId && call.taskId === (context.task?.id ?? null);
}

/** Changes lists of a map, which stays as it is; each list is copied once. */
class Lists<Thing> {
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

  /** The same map where nothing was touched. */
  done(): ByPlace<Thing> {
    if (this.#touched.size === 0) return this.#former;
    const next = new Map<string, readonly Thing[]>(this.#former);
    for (const [place, list] of this.#touched) next.set(place, list.slice(-maxKeptCalls));
    return next;
  }
}

/** The calls with those of more events; the same map when there are none. */
export function followToolCalls(former: ByPlace<ToolCall>, events: readonly EventEnvelope[]): ByPlace<ToolCall> {
  const lists = new Lists(former);
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
 * What was refused, and what a policy allowed, with what more events say; the same map when they say nothing of it. What rules of the
 * program allow, such as all that a trusted workspace does, stands in the log alone.
 */
export function followDecisions(former: ByPlace<Decision>, events: readonly EventEnvelope[]): ByPlace<Decision> {
  const lists = new Lists(former);
  for (const envelope of events) {
    const { event, seq } = envelope;
    if (event.type !== 'governance:decision') continue;
    const { allowed: isAllowed, rule, effect, target, place, reason } = event;
    if (isAllowed && place === undefined) continue;
    lists.at(placeOfEvent(envelope) ?? '').push({ seq, isAllowed, rule, effect, target, place, reason });
  }
  return lists.done();
}
