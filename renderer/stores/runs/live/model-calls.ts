/**
 * The model calls of a run, by node: what the model received, and its response as it arrives.
 */
import {
  baseNodeId,
  type EventEnvelope,
  endedTask,
  type JsonValue,
  PersistentMap,
  type RunEvent,
  type RunId,
  startedTask,
  taskIdOf,
  taskNameOf,
} from '../../../../engine/isomorphic.ts';
import { placeOfEvent } from './event-place.ts';
import { type ByPlace, maxStoredToolCalls } from './tool-calls.ts';

/** Models count tokens differently; for a speed or a size, this estimate is accurate enough. */
export const charactersPerToken = 4;

/** Minimum time between two measurements of a stream, in milliseconds. The shown number changes at most that often. */
const measureMs = 500;
/** Time over which a speed is smoothed, in milliseconds. */
const smoothMs = 2000;

/** The speed of a stream, measured by the times of its pieces. */
interface StreamRate {
  /** Start of the current measurement in epoch milliseconds, and the number of characters since then. */
  readonly since: number;
  readonly characters: number;
  /** Estimated. Null before the first measurement. */
  readonly tokensPerSecond: number | null;
}

type ModelResponse = Extract<RunEvent, { type: 'model:response' }>;

/** How a call ended. */
interface ModelCallEnd {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undefined without a complete response. */
  readonly response: Omit<ModelResponse, 'type' | 'text' | 'reasoning' | 'toolCalls' | 'providerState'> | undefined;
  /** The message of the error that ended its node or attempt before there was a response. */
  readonly problem: string | undefined;
}

export interface ModelCall {
  /** Number of its first event, which is unique among the calls of the run. */
  readonly seq: number;
  /** The run that made the call, and its task. The task is null outside tasks. */
  readonly runId: RunId;
  readonly taskId: string | null;
  /** Path of its node in the run. Empty outside nodes. */
  readonly place: string;
  readonly callKey: string | undefined;
  /** `provider::model`. Undefined if the request is not known. */
  readonly model: string | undefined;
  /** What it received in addition to the messages of the call before. */
  readonly messages: JsonValue;
  readonly thinking: JsonValue;
  /** The text of the response, or what has arrived of it. */
  readonly text: JsonValue;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Time of the first piece of its thinking or text. */
  readonly firstAt: number | undefined;
  readonly rate: StreamRate | undefined;
  /** Undefined until it ends. */
  readonly end: ModelCallEnd | undefined;
}

/** The streams of a node in all items of its loop. */
interface NodeStreams {
  readonly count: number;
  /** Estimated, of all streams together. */
  readonly tokensPerSecond: number;
}

export interface FollowedCalls {
  /** By path in the run, oldest first. */
  readonly ended: ByPlace<ModelCall>;
  /** Calls without an end. Streamed text changes only this part. */
  readonly open: ByPlace<ModelCall>;
  /** By node ID. Nodes that do not stream, or only since a moment ago, are missing. */
  readonly streams: ReadonlyMap<string, NodeStreams>;
}

export const noModelCalls: FollowedCalls = {
  ended: PersistentMap.of(new Map()),
  open: new Map(),
  streams: new Map(),
};

function newCall(envelope: EventEnvelope): ModelCall {
  const { seq, runId, context, at, event } = envelope;
  const isRequest = event.type === 'model:request';
  return {
    seq,
    runId,
    taskId: context.task?.id ?? null,
    place: placeOfEvent(envelope) ?? '',
    callKey: isRequest ? event.callKey : undefined,
    model: isRequest ? `${event.provider}::${event.model}` : undefined,
    messages: (isRequest ? event.messages : undefined) ?? [],
    thinking: '',
    text: '',
    startedAt: at,
    firstAt: undefined,
    rate: undefined,
    end: undefined,
  };
}

function rateAfter(rate: StreamRate | undefined, at: number, length: number): StreamRate {
  if (rate === undefined) return { since: at, characters: length, tokensPerSecond: null };
  const characters = rate.characters + length;
  const ms = at - rate.since;
  if (ms < measureMs) return { ...rate, characters };
  const measured = characters / charactersPerToken / (ms / 1000);
  const before = rate.tokensPerSecond ?? measured;
  const share = 1 - Math.exp(-ms / smoothMs);
  return { since: at, characters: 0, tokensPerSecond: before + (measured - before) * share };
}

type StreamEvent = Extract<RunEvent, { type: 'agent:text' | 'agent:thinking' }>;

function withText(call: ModelCall, { type, content }: StreamEvent, at: number): ModelCall {
  const part = type === 'agent:text' ? 'text' : 'thinking';
  const rate = rateAfter(call.rate, at, content.length);
  return { ...call, [part]: `${String(call[part])}${content}`, firstAt: call.firstAt ?? at, rate };
}

function withResponse(call: ModelCall, event: ModelResponse, at: number): ModelCall {
  const { type: _, text, reasoning, toolCalls: _calls, providerState: _state, ...response } = event;
  const end = { at, response, problem: undefined };
  return { ...call, text: text ?? call.text, thinking: reasoning ?? call.thinking, rate: undefined, end };
}

/** Applies events to calls. The former calls are not modified. */
class ModelCallDraft {
  readonly #former: FollowedCalls;
  readonly #ended = new Map<string, readonly ModelCall[]>();
  readonly #open: ModelCall[];
  #hasChanged = false;

  constructor(former: FollowedCalls) {
    this.#former = former;
    this.#open = [...former.open.values()].flat();
  }

  take(envelope: EventEnvelope): void {
    const { event, at } = envelope;
    switch (event.type) {
      case 'model:request':
        this.#set(-1, newCall(envelope));
        break;
      case 'agent:text':
      case 'agent:thinking': {
        const index = this.#indexOf(envelope);
        this.#set(index, withText(this.#open[index] ?? newCall(envelope), event, at));
        break;
      }
      case 'model:response': {
        const index = this.#indexOf(envelope, event.callKey);
        const call = this.#open[index] ?? newCall(envelope);
        if (index !== -1) this.#open.splice(index, 1);
        this.#end(withResponse(call, event, at));
        break;
      }
      default:
        this.#takeEnd(envelope);
    }
  }

  /** Ends the calls that got no response, because their attempt failed, or their task ended or was interrupted. */
  #takeEnd(envelope: EventEnvelope): void {
    const { event, at } = envelope;
    const task = endedTask(event) ?? startedTask(event);
    const isRetry = event.type === 'node:retry';
    if (task === undefined && !isRetry) return;
    const taskId = isRetry ? taskIdOf(event.nodeId) : task?.taskId;
    const error = isRetry ? event.error : task !== undefined && 'error' in task ? task.error : undefined;
    for (const call of this.#open.filter((one) => one.runId === envelope.runId && one.taskId === taskId)) {
      this.#open.splice(this.#open.indexOf(call), 1);
      this.#end({ ...call, rate: undefined, end: { at, response: undefined, problem: error?.message } });
    }
  }

  /** Returns the position of the call with the key, or else of the last call of the same work, or -1. */
  #indexOf({ runId, context }: EventEnvelope, callKey?: string): number {
    const taskId = context.task?.id ?? null;
    const isOwn = (call: ModelCall): boolean => call.runId === runId && call.taskId === taskId;
    const named = callKey === undefined ? -1 : this.#open.findIndex((call) => isOwn(call) && call.callKey === callKey);
    return named === -1 ? this.#open.findLastIndex(isOwn) : named;
  }

  /** Replaces the call at a position, or adds one at -1. */
  #set(index: number, call: ModelCall): void {
    this.#hasChanged = true;
    if (index === -1) this.#open.push(call);
    else this.#open[index] = call;
  }

  #end(call: ModelCall): void {
    this.#hasChanged = true;
    const ended = this.#ended.get(call.place) ?? this.#former.ended.get(call.place) ?? [];
    this.#ended.set(call.place, [...ended, call].slice(-maxStoredToolCalls));
  }

  /** Returns the same objects for what has not changed. */
  done(): FollowedCalls {
    if (!this.#hasChanged) return this.#former;
    const { ended, open: formerOpen, streams } = this.#former;
    const open = new Map<string, readonly ModelCall[]>();
    for (const [place, calls] of byPlace(this.#open)) {
      const before = formerOpen.get(place);
      const isSame = before?.length === calls.length && calls.every((call, index) => call === before[index]);
      open.set(place, isSame ? before : calls);
    }
    return { ended: PersistentMap.of(ended).withAll(this.#ended), open, streams: streamsOf(this.#open, streams) };
  }
}

function byPlace(calls: readonly ModelCall[]): Map<string, ModelCall[]> {
  const groups = new Map<string, ModelCall[]>();
  for (const call of calls) {
    const group = groups.get(call.place);
    if (group === undefined) groups.set(call.place, [call]);
    else group.push(call);
  }
  return groups;
}

/** Returns the streams of each node, and the same objects for numbers that have not changed. */
function streamsOf(open: readonly ModelCall[], former: FollowedCalls['streams']): FollowedCalls['streams'] {
  const streams = new Map<string, NodeStreams>();
  for (const { place, rate } of open) {
    if (rate?.tokensPerSecond == null) continue;
    const nodeId = baseNodeId(place);
    const { count, tokensPerSecond } = streams.get(nodeId) ?? { count: 0, tokensPerSecond: 0 };
    streams.set(nodeId, { count: count + 1, tokensPerSecond: tokensPerSecond + rate.tokensPerSecond });
  }
  let isSame = streams.size === former.size;
  for (const [nodeId, stream] of streams) {
    const before = former.get(nodeId);
    if (before?.count === stream.count && before.tokensPerSecond === stream.tokensPerSecond)
      streams.set(nodeId, before);
    else isSame = false;
  }
  return isSame ? former : streams;
}

/** Returns the calls including further events of the run, or the same object if none of them is about a call. */
export function followModelCalls(former: FollowedCalls, events: readonly EventEnvelope[]): FollowedCalls {
  let draft: ModelCallDraft | null = null;
  for (const envelope of events) {
    const { type } = envelope.event;
    const isAboutCall = type.startsWith('model:') || type === 'agent:text' || type === 'agent:thinking';
    if (!isAboutCall && former.open.size === 0 && draft === null) continue;
    draft ??= new ModelCallDraft(former);
    draft.take(envelope);
  }
  return draft?.done() ?? former;
}

/** Returns the calls of a child run, by path in that run, from those of its root run. */
export function callsOfChild({ ended, open }: FollowedCalls, runId: RunId): FollowedCalls {
  const ownOf = (calls: ByPlace<ModelCall>): ModelCall[] => {
    const own = [...calls.values()].flat().filter((call) => call.runId === runId);
    return own.map((call) => ({ ...call, place: taskNameOf(call.taskId ?? '') }));
  };
  const openCalls = ownOf(open);
  return {
    ended: PersistentMap.of(byPlace(ownOf(ended))),
    open: byPlace(openCalls),
    streams: streamsOf(openCalls, new Map()),
  };
}
