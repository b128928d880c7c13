/**
 * The one way events go: the hub numbers them, hands them to the recorder, then tells listeners.
 */
import { type Clock, systemClock } from '../base/clock.ts';
import { nodeNameOf, type RunId, type SessionId } from '../base/ids.ts';
import { Listeners } from '../base/listeners.ts';
import { type AutonomyLevel, lowerOf } from '../flowspec/autonomy.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isBarrier, withInternedValues, withShortTexts } from './event-traits.ts';
import type { EventContext, EventEnvelope, RunEvent } from './run-event.ts';

export type RunListener = (events: readonly EventEnvelope[]) => void;

/** Where a scope's events go out. `scoped` gives the same hub with more context. */
export interface Hub {
  emit(event: RunEvent): void;
  /** Adds to the context of all events of the returned view. */
  scoped(context: Partial<HubScope>): Hub;
  /** The hub of a run that this one calls: its events carry `runId`, and the id of this run as their parent's. */
  child(runId: RunId): Hub;
  /** Makes everything emitted so far durable and visible before it returns. */
  flush(): void;
  /** Keeps the text that a called run executes, so that it can go on with it later; absent where nothing is kept. */
  keepDefinition?(text: string): void;
  /** The run whose events go out here. */
  readonly runId: RunId;
  /** The task in whose context events go out; undefined outside of tasks. */
  readonly taskId: string | undefined;
  /** The products that the run and those above it are of, from the outermost on: what their rules say holds here. Absent = none. */
  readonly products?: readonly string[] | undefined;
  /**
   * A run wrote the definition, and no person has seen it since: the run acts as in a workspace that is not trusted, and so does
   * everything it calls.
   */
  readonly isUnseen?: boolean | undefined;
  /** How much whatever tells here may do without being asked; undefined = no level holds. Runs that are called have it too. */
  readonly autonomy: AutonomyLevel | undefined;
}

/** What a view of a hub adds. */
export interface HubScope extends EventContext {
  /** Of two that are given the lower holds. It is no part of what is told. */
  readonly autonomy: AutonomyLevel;
}

export interface HubOptions {
  readonly runId: RunId;
  readonly parentRunId?: RunId;
  readonly sessionId: SessionId;
  /** The machine's own time when absent. */
  readonly clock?: Clock;
  /** The first event's number; 0 unless the run began in an earlier process. */
  readonly firstSeq?: number;
  /**
   * Makes a group of events durable before it returns; without it nothing is recorded. A throw marks the hub as failed for
   * the rest of the run.
   */
  readonly record?: (events: readonly EventEnvelope[]) => void;
  /**
   * Called with each event of the run and of all that it calls when it has gone out; large values may stand for themselves.
   * `isOfCalled`: it is of a run that this one calls.
   */
  readonly onEmit?: (event: RunEvent, isOfCalled: boolean) => void;
  /** Stores the text of a definition under its hash. */
  readonly keepDefinition?: (text: string) => void;
  /** Exchanges a large value for its handle. Called only for values that may be over the limit. */
  readonly intern?: (value: JsonValue) => JsonValue;
  /** Called once, with what `record`, `intern` or `keepDefinition` threw. From then on events reach listeners unrecorded. */
  readonly onRecordFailure?: (thrown: unknown) => void;
  /** Called with what a listener threw; nothing else comes of it. */
  readonly onListenerError?: (thrown: unknown) => void;
}

/** A run's hub and its two ends: who listens, and when it is over. */
export interface RunHub {
  readonly hub: Hub;
  /** Tells `listener` about groups of recorded events, in order. Returns the subscription's end. */
  subscribe(listener: RunListener): () => void;
  /** Records and tells what is left, then ends its timer and all subscriptions. Later events go nowhere. */
  close(): void;
}

/** Longest time in milliseconds that an event waits to be recorded together with others. */
const groupMs = 16;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type MutableEnvelope = Mutable<EventEnvelope>;

/** Makes the hub of one run. See `HubOptions` for what it needs of the world. */
export function createHub(options: HubOptions): RunHub {
  const core = new HubCore({ clock: systemClock, ...options });
  return {
    hub: new HubView(core, originOf(options), { sessionId: options.sessionId }),
    subscribe: (listener) => core.subscribe(listener),
    close: () => core.close(),
  };
}

/** Whose events a view tells. */
interface Origin {
  readonly runId: RunId;
  readonly parentRunId: RunId | undefined;
}

function originOf({ runId, parentRunId }: HubOptions): Origin {
  return { runId, parentRunId };
}

class HubView implements Hub {
  readonly #core: HubCore;
  readonly #origin: Origin;
  readonly #context: EventContext;
  readonly autonomy: AutonomyLevel | undefined;

  constructor(core: HubCore, origin: Origin, context: EventContext, autonomy?: AutonomyLevel) {
    this.#core = core;
    this.#origin = origin;
    this.#context = context;
    this.autonomy = autonomy;
  }

  emit(event: RunEvent): void {
    this.#core.emit(event, this.#context, this.#origin);
  }

  scoped(context: Partial<HubScope>): Hub {
    const autonomy = lowerOf(this.autonomy, context.autonomy);
    return new HubView(this.#core, this.#origin, joined(this.#context, context), autonomy);
  }

  child(runId: RunId): Hub {
    const { sessionId, task, node = nodeOf(task?.id) } = this.#context;
    const context = node === undefined ? { sessionId } : { sessionId, node };
    return new HubView(this.#core, { runId, parentRunId: this.#origin.runId }, context, this.autonomy);
  }

  flush(): void {
    this.#core.flush();
  }

  keepDefinition(text: string): void {
    this.#core.keepDefinition(text);
  }

  get runId(): RunId {
    return this.#origin.runId;
  }

  get taskId(): string | undefined {
    return this.#context.task?.id;
  }
}

function nodeOf(taskId: string | undefined): EventContext['node'] {
  const id = nodeNameOf(taskId);
  return id === undefined ? undefined : { id };
}

type CoreOptions = HubOptions & { readonly clock: Clock };

/** Spelled out, because every task gets a context and spreading two objects costs several times as much. */
function joined(outer: EventContext, inner: Partial<EventContext>): EventContext {
  const { sessionId = outer.sessionId, phase = outer.phase, task = outer.task } = inner;
  const { agent = outer.agent, node = outer.node } = inner;
  // That of a node: made at once it takes half the memory.
  if (phase !== undefined && task !== undefined && agent === undefined && node === undefined)
    return { sessionId, phase, task };
  const context: Mutable<EventContext> = { sessionId };
  if (phase !== undefined) context.phase = phase;
  if (task !== undefined) context.task = task;
  if (agent !== undefined) context.agent = agent;
  if (node !== undefined) context.node = node;
  return context;
}

class HubCore {
  readonly #options: CoreOptions;
  readonly #listeners = new Listeners<[readonly EventEnvelope[]]>();
  readonly #onListenerError: (thrown: unknown) => void;
  #nextSeq: number;
  #pending: MutableEnvelope[] = [];
  /** Recorded, but not told yet. */
  #recorded: (readonly EventEnvelope[])[] = [];
  /** Per task, the pending text event that further text may still be added to. */
  readonly #openText = new Map<string, MutableEnvelope>();
  /** Left armed when a barrier flushes early, so that a fast run does not set and clear a timer per node. */
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

  subscribe(listener: RunListener): () => void {
    return this.#listeners.add(listener);
  }

  flush(): void {
    this.#options.clock.release?.();
    if (this.#pending.length > 0) {
      const group = this.#pending;
      this.#pending = [];
      // Also an empty map makes a new table when it is cleared.
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

  /** A listener may cause a flush of its own; the loop keeps the order the same for everybody. */
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
