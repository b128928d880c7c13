/**
 * The hooks that an event passes in a view of a hub.
 */
import type { RunId } from '../../../base/ids.ts';
import type { AutonomyLevel } from '../../../language/flow/autonomy.ts';
import type { EventContext, RunEvent } from '../events/run-event.ts';
import { EventMask } from './event-mask.ts';
import type { RunPause } from './run-pause.ts';
import type { RunSecrets } from './run-secrets.ts';
import type { Spending } from './spending.ts';

/** Context added by a hub view. */
export interface HubScope extends EventContext {
  /** If two levels are set, the lower one applies. Not included in events. */
  readonly autonomy: AutonomyLevel;
}

/**
 * The hooks that `Hub.with` adds to a view and to all views derived from it, including those of child runs. An event passes the members in
 * the order of this list, then the view's earlier hooks in the same order.
 */
export interface HubHooks {
  /** 1. Drops events while it is closed. */
  readonly gate?: { readonly isOpen: boolean } | undefined;
  /** 2. Checks the run's own events; child run events pass unchecked. */
  readonly rules?: EmitRules | undefined;
  /** 3. Follows child runs: receives their events, and the run's own events about calls. */
  readonly calls?: CallFollower | undefined;
  /** 4. Receives each of the run's own events. Must not throw. */
  readonly onEmit?: ((event: RunEvent) => void) | undefined;
  /** 5. Counts model calls, including those of child runs. */
  readonly spending?: Spending | undefined;
  /** 6. Masks these secrets. */
  readonly secrets?: RunSecrets | undefined;
  /** 7. Receives events and definitions instead of the view's earlier hooks. */
  readonly recorder?: EventSink | undefined;
  /** The run's product. See `Hub.products`. */
  readonly product?: string | undefined;
  /** See `Hub.isUnseen`. A function is evaluated on each read. */
  readonly isUnseen?: boolean | (() => boolean) | undefined;
  /** See `Hub.pause`. */
  readonly pause?: RunPause | undefined;
}

/** A view that emits. */
interface EmittingView {
  readonly runId: RunId;
  readonly taskId: string | undefined;
}

/** Follows child runs. */
interface CallFollower {
  take(event: RunEvent, at: EmittingView): void;
  /** Registers a child run. @param parent the caller's view */
  noteChild(runId: RunId, parent: EmittingView): void;
}

/** Limits the events that code from outside the engine may emit. */
export interface EmitRules {
  /** Returns the event to emit. @throws EngineError for an event that is not allowed */
  checked(event: RunEvent): RunEvent;
  /** Returns the part of a context that the code may set. */
  contextOf(context: Partial<HubScope>): Partial<HubScope>;
}

/** The run whose events a view emits. */
export interface Origin {
  readonly runId: RunId;
  readonly parentRunId: RunId | undefined;
}

/** Receives the events that have passed all hooks. */
export interface EventSink {
  emit(event: RunEvent, context: EventContext, origin: Origin): void;
  /** See `Hub.flush`. */
  flush(): void;
  /** See `Hub.whenStored`. */
  whenStored?(): Promise<void> | undefined;
  /** See `Hub.keepDefinition`. */
  keepDefinition(text: string): void;
  /** Returns the sink of a view with additional context. */
  scoped(context: Partial<HubScope>): EventSink;
  /** Returns the sink of a child run. */
  child(runId: RunId): EventSink;
}

const ofCalls: ReadonlySet<RunEvent['type']> = new Set(['agent:start', 'agent:complete', 'agent:failed']);

/** Whether a run's event is about one of its child runs. */
export function isAboutCall({ type }: RunEvent): boolean {
  return ofCalls.has(type);
}

/** The hooks that one `Hub.with` call added. */
export class HookLayer {
  /** The next layer that an event passes. */
  readonly outer: HookLayer | undefined;
  /** The mask for the events that `take` returns. */
  readonly mask: EventMask | undefined;
  readonly #hooks: HubHooks;
  readonly #runId: RunId;

  /** @param runId run ID of the view that received the hooks */
  constructor(hooks: HubHooks, runId: RunId, outer: HookLayer | undefined) {
    this.outer = outer;
    this.mask = hooks.secrets === undefined ? undefined : new EventMask(hooks.secrets);
    this.#hooks = hooks;
    this.#runId = runId;
  }

  /**
   * Returns the event for the mask and the next layer; undefined if the event is dropped. @param at the view that emits
   */
  take(event: RunEvent, at: EmittingView): RunEvent | undefined {
    const { gate, rules, calls, onEmit, spending } = this.#hooks;
    if (gate?.isOpen === false) return undefined;
    const isOwn = at.runId === this.#runId;
    const checked = isOwn && rules !== undefined ? rules.checked(event) : event;
    if (calls !== undefined && (!isOwn || isAboutCall(checked))) calls.take(checked, at);
    if (isOwn) onEmit?.(checked);
    if (checked.type === 'model:response') spending?.add(checked);
    return checked;
  }

  /** Returns the part of a new context that the view may set. */
  contextOf(context: Partial<HubScope>, at: EmittingView): Partial<HubScope> {
    const { rules } = this.#hooks;
    return rules === undefined || at.runId !== this.#runId ? context : rules.contextOf(context);
  }

  /** Registers a view for a child run. @param parent the caller's view */
  addChild(runId: RunId, parent: EmittingView): void {
    this.#hooks.calls?.noteChild(runId, parent);
  }
}

/** Whether the hooks process events. */
export function hasEventHooks({ gate, rules, calls, onEmit, spending, secrets }: HubHooks): boolean {
  return (gate ?? rules ?? calls ?? onEmit ?? spending ?? secrets) !== undefined;
}
