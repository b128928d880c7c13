/**
 * The core shared by all views of a run's hub. It numbers events, passes them to the recorder, then notifies listeners.
 */
import type { Clock } from '../../../base/clock.ts';
import type { RunId, SessionId } from '../../../base/ids.ts';
import { Listeners } from '../../../base/listeners.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { EventContext, EventEnvelope, RunEvent } from '../events/run-event.ts';
import { isBarrier, withInternedValues, withShortTexts } from './event-traits.ts';
import type { EventSink, Origin } from './hub-hooks.ts';

export type RunListener = (events: readonly EventEnvelope[]) => void;

export interface HubOptions {
  readonly runId: RunId;
  readonly parentRunId?: RunId;
  readonly sessionId: SessionId;
  /** Defaults to the system clock. */
  readonly clock?: Clock;
  /** Number of the first event; 0 unless the run started in an earlier process. */
  readonly firstSeq?: number;
  /**
   * Makes a group of events durable before it returns; absent to record nothing. If it throws, the hub stays failed for
   * the rest of the run.
   */
  readonly record?: (events: readonly EventEnvelope[]) => void;
  /**
   * Called with each event emitted by the run and everything it calls; large values may not be replaced yet.
   * `isOfCalled`: the event belongs to a child run.
   */
  readonly onEmit?: (event: RunEvent, isOfCalled: boolean) => void;
  /** Stores a definition's text under its hash. */
  readonly keepDefinition?: (text: string) => void;
  /** Replaces a large value with its handle. Called only for values that may exceed the limit. */
  readonly intern?: (value: JsonValue) => JsonValue;
  /**
   * Called once, with an error from `record`, `intern` or `keepDefinition`. Afterward, events are delivered unrecorded.
   */
  readonly onRecordFailure?: (thrown: unknown) => void;
  /** Called with the error a listener threw. The error has no other effect. */
  readonly onListenerError?: (thrown: unknown) => void;
}

/** Maximum time in milliseconds that an event waits to be recorded together with other events. */
const groupMs = 16;

type MutableEnvelope = { -readonly [Key in keyof EventEnvelope]: EventEnvelope[Key] };
type CoreOptions = HubOptions & { readonly clock: Clock };

/** The last layer for every event that is not recorded elsewhere. */
export class HubCore implements EventSink {
  readonly #options: CoreOptions;
  readonly #listeners = new Listeners<[readonly EventEnvelope[]]>();
  readonly #onListenerError: (thrown: unknown) => void;
  #nextSeq: number;
  #pending: MutableEnvelope[] = [];
  /** Recorded but not yet delivered to listeners. */
  #recorded: (readonly EventEnvelope[])[] = [];
  /** Each task's pending text event, to which more text may be added. */
  readonly #openText = new Map<string, MutableEnvelope>();
  /** Stays set when a barrier flushes early, so that a fast run does not set and clear a timer for each node. */
  #endTimer: (() => void) | undefined;
  #isDelivering = false;
  #isFailed = false;
  #isClosed = false;

  constructor(options: CoreOptions) {
    this.#options = options;
    this.#onListenerError = (thrown) => options.onListenerError?.(thrown);
    this.#nextSeq = options.firstSeq ?? 0;
  }

  emit(event: RunEvent, context: EventContext, origin: Origin): void {
    if (this.#isClosed || this.#joinsOpenText(event, context)) return;
    const envelope = this.#enveloped(this.#interned(withShortTexts(event)), context, origin);
    this.#pending.push(envelope);
    this.#trackText(envelope);
    if (isBarrier(event, { ofCalledRun: envelope.rootRunId !== undefined })) this.flush();
    else this.#armTimer();
    this.#options.onEmit?.(event, envelope.rootRunId !== undefined);
  }

  scoped(): this {
    return this;
  }

  child(): this {
    return this;
  }

  subscribe(listener: RunListener): () => void {
    return this.#listeners.add(listener);
  }

  flush(): void {
    this.#options.clock.release?.();
    if (this.#pending.length > 0) {
      const group = this.#pending;
      this.#pending = [];
      // Clearing a map allocates a new table, even if the map is empty.
      if (this.#openText.size > 0) this.#openText.clear();
      this.#record(group);
      this.#recorded.push(group);
    }
    this.#deliver();
  }

  keepDefinition(text: string): void {
    const { keepDefinition } = this.#options;
    if (keepDefinition === undefined || this.#isFailed) return;
    try {
      keepDefinition(text);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  close(): void {
    this.flush();
    this.#isClosed = true;
    this.#endTimer?.();
    this.#endTimer = undefined;
    this.#listeners.clear();
  }

  #enveloped(event: RunEvent, context: EventContext, { runId, parentRunId }: Origin): MutableEnvelope {
    const seq = this.#nextSeq++;
    const at = this.#options.clock.now();
    if (parentRunId === undefined) return { seq, at, runId, context, event };
    const rootRunId = this.#options.runId;
    return runId === rootRunId
      ? { seq, at, runId, parentRunId, context, event }
      : { seq, at, runId, parentRunId, rootRunId, context, event };
  }

  #joinsOpenText(event: RunEvent, context: EventContext): boolean {
    if (event.type !== 'agent:text' && event.type !== 'agent:thinking') return false;
    const open = this.#openText.get(context.task?.id ?? '');
    if (open?.event.type !== event.type || open.context !== context) return false;
    open.event = { type: event.type, content: open.event.content + event.content };
    return true;
  }

  #trackText(envelope: MutableEnvelope): void {
    const { type } = envelope.event;
    if (type === 'agent:text' || type === 'agent:thinking') {
      this.#openText.set(envelope.context.task?.id ?? '', envelope);
    } else if (this.#openText.size > 0) {
      this.#openText.delete(envelope.context.task?.id ?? '');
    }
  }

  #interned(event: RunEvent): RunEvent {
    const { intern } = this.#options;
    if (intern === undefined || this.#isFailed) return event;
    try {
      return withInternedValues(event, intern);
    } catch (thrown) {
      this.#fail(thrown);
      return event;
    }
  }

  #record(group: readonly EventEnvelope[]): void {
    const { record } = this.#options;
    if (this.#isFailed || record === undefined) return;
    try {
      record(group);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #fail(thrown: unknown): void {
    this.#isFailed = true;
    this.#options.onRecordFailure?.(thrown);
  }

  /** A listener may cause a nested flush. The loop keeps the same order for all listeners. */
  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    for (let group = this.#recorded.shift(); group !== undefined; group = this.#recorded.shift())
      this.#listeners.tell(this.#onListenerError, group);
    this.#isDelivering = false;
  }

  #armTimer(): void {
    this.#endTimer ??= this.#options.clock.setTimer(() => {
      this.#endTimer = undefined;
      this.flush();
    }, groupMs);
  }
}
