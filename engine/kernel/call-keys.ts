/**
 * The calls of one attempt, each named by what it asks for: an attempt that is called again, because it had asked a person or was cut,
 * finds what they gave before.
 */
import type { JsonValue } from '../flowspec/json-value.ts';
import { canonicalText } from './ask.ts';
import type { CallEvent, ModelEvent, RunEvent } from './run-event.ts';
import type { AgentToolEvent, ToolEvent } from './tool-event.ts';

/** The end of a call that gave something, with all that it gave. */
export type FinishedCall =
  | Extract<ModelEvent, { readonly type: 'model:response' }>
  | Extract<ToolEvent, { readonly type: 'tool:result' }>
  | CallEvent
  /** Not how a call has ended: that it was told, once and for all times that the work is done. */
  | AgentToolEvent;

/** The call that an event ends, with its key; undefined for others, and for an answer that does not stand in its event. */
export function finishedBy(event: RunEvent): readonly [callKey: string, call: FinishedCall] | undefined {
  if (event.type === 'call:complete' || event.type === 'tool:result') return [event.callKey, event];
  if (event.type === 'agent:tool:start' || event.type === 'agent:tool:complete') return [toldKeyOf(event), bare(event)];
  if (event.type !== 'model:response' || event.callKey === undefined || event.text === undefined) return undefined;
  return [event.callKey, event];
}

function toldKeyOf({ callKey, type }: AgentToolEvent): string {
  return `${callKey} ${type}`;
}

/** That it was told is all that is asked; what a tool gave may be large. */
function bare(event: AgentToolEvent): AgentToolEvent {
  return event.type === 'agent:tool:start' ? { ...event, input: null } : { ...event, result: null };
}

/** The same with what handles stand for. */
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
  /** Puts names of secrets where something stands for them that differs from process to process. */
  readonly mask?: (<Value>(value: Value) => Value) | undefined;
}

/** Names the calls of an attempt while its work is done once, from the first one on. */
export class CallKeys {
  readonly #finished: Map<string, FinishedCall>;
  readonly #world: CallKeysWorld;
  readonly #counts = new Map<string, number>();

  /** @param finished by call key, what the attempt had called when its work was begun before; gets what it calls from now on */
  constructor(finished: Map<string, FinishedCall>, world: CallKeysWorld) {
    this.#finished = finished;
    this.#world = world;
  }

  /**
   * The next call: its key, `kind:hash:n` with the SHA-256 of what it asks for and the number of equal ones before it, and how it has
   * ended if it was made before.
   * @param request JSON
   */
  next(kind: string, request: unknown): { readonly callKey: string; readonly finished: FinishedCall | undefined } {
    const { mask = unchanged, sha256 } = this.#world;
    const place = `${kind}:${sha256(canonicalText(mask(request) as JsonValue))}`;
    const count = this.#counts.get(place) ?? 0;
    this.#counts.set(place, count + 1);
    const callKey = `${place}:${count}`;
    return { callKey, finished: this.#finished.get(callKey) };
  }

  /** Whether this was told when the work was done before. */
  isTold(event: AgentToolEvent): boolean {
    return this.#finished.has(toldKeyOf(event));
  }

  /** Keeps how a call has ended, and gives it as the log has it: whoever called is to see the same now and whenever it is called again. */
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
