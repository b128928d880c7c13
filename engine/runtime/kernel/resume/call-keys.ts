/**
 * Identifies an attempt's calls by their requests. An attempt that is called again after a request to a person or an
 * interruption finds the earlier results.
 */
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { CallEvent, ModelEvent, RunEvent } from '../events/run-event.ts';
import type { AgentToolEvent, ToolEvent } from '../events/tool-event.ts';
import { canonicalText } from '../requests/ask.ts';

/** The end of a successful call, with its complete result. */
export type FinishedCall =
  | Extract<ModelEvent, { readonly type: 'model:response' }>
  | Extract<ToolEvent, { readonly type: 'tool:result' }>
  | CallEvent
  /** Not the end of a call, but a record that it was emitted, so that it is emitted only once. */
  | AgentToolEvent;

/**
 * Returns the call that an event ends, with its key; undefined for other events and for a response that is not in its
 * event.
 */
export function finishedBy(event: RunEvent): readonly [callKey: string, call: FinishedCall] | undefined {
  if (event.type === 'call:complete' || event.type === 'tool:result') return [event.callKey, event];
  if (event.type === 'agent:tool:start' || event.type === 'agent:tool:complete')
    return [toolCallKeyOf(event), bare(event)];
  if (event.type !== 'model:response' || event.callKey === undefined || event.text === undefined) return undefined;
  return [event.callKey, event];
}

function toolCallKeyOf({ callKey, type }: AgentToolEvent): string {
  return `${callKey} ${type}`;
}

/** Only whether it was emitted matters, and a tool's result may be large. */
function bare(event: AgentToolEvent): AgentToolEvent {
  return event.type === 'agent:tool:start' ? { ...event, input: null } : { ...event, result: null };
}

/** Returns the call with its handles resolved. */
export function wholeCall(call: FinishedCall, whole: (value: JsonValue) => JsonValue): FinishedCall {
  if (call.type === 'agent:tool:start' || call.type === 'agent:tool:complete') return call;
  if (call.type !== 'model:response') return { ...call, result: whole(call.result) };
  const { text, reasoning, toolCalls, providerState } = call;
  return {
    ...call,
    ...(text === undefined ? {} : { text: whole(text) }),
    ...(reasoning === undefined ? {} : { reasoning: whole(reasoning) }),
    ...(toolCalls === undefined ? {} : { toolCalls: whole(toolCalls) }),
    ...(providerState === undefined ? {} : { providerState: whole(providerState) }),
  };
}

interface CallKeysWorld {
  readonly sha256: (text: string) => string;
  /** Replaces secret placeholders, which differ between processes, with the secrets' names. */
  readonly mask?: (<Value>(value: Value) => Value) | undefined;
}

/** Assigns keys to an attempt's calls during one execution of its work. */
export class CallKeys {
  readonly #finished: Map<string, FinishedCall>;
  readonly #world: CallKeysWorld;
  readonly #counts = new Map<string, number>();

  /** @param finished calls from an earlier execution of the work, by call key; new calls are added */
  constructor(finished: Map<string, FinishedCall>, world: CallKeysWorld) {
    this.#finished = finished;
    this.#world = world;
  }

  /**
   * Returns the key of the next call, `kind:hash:n` with the SHA-256 hash of its request and the number of identical
   * earlier calls, and the call's end if it was made before.
   * @param request JSON value
   */
  next(kind: string, request: unknown): { readonly callKey: string; readonly finished: FinishedCall | undefined } {
    const { mask = unchanged, sha256 } = this.#world;
    const place = `${kind}:${sha256(canonicalText(mask(request) as JsonValue))}`;
    const count = this.#counts.get(place) ?? 0;
    this.#counts.set(place, count + 1);
    const callKey = `${place}:${count}`;
    return { callKey, finished: this.#finished.get(callKey) };
  }

  /** Whether this was emitted in an earlier execution of the work. */
  isTold(event: AgentToolEvent): boolean {
    return this.#finished.has(toolCallKeyOf(event));
  }

  /**
   * Records how a call ended, and returns the result as the log has it, so that the caller sees the same result now and
   * whenever it is called again.
   */
  note<Call extends FinishedCall>(call: Call): Call {
    const { mask = unchanged } = this.#world;
    const shown = mask(call);
    const finished = finishedBy(shown);
    if (finished !== undefined) this.#finished.set(...finished);
    return shown;
  }
}

function unchanged<Value>(value: Value): Value {
  return value;
}
