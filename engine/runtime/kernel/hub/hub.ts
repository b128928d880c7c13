/**
 * A run's hub: views that carry a context and hooks. Events from all views pass the hooks and end in one core or recorder.
 */

import { systemClock } from '../../../base/clock.ts';
import { nodeNameOf, type RunId, taskNameOf } from '../../../base/ids.ts';
import { type AutonomyLevel, lowerOf } from '../../../language/flow/autonomy.ts';
import type { EventContext, RunEvent } from '../events/run-event.ts';
import type { EventMask } from './event-mask.ts';
import { HubCore, type HubOptions, type RunListener } from './hub-core.ts';
import { type EventSink, HookLayer, type HubHooks, type HubScope, hasEventHooks, type Origin } from './hub-hooks.ts';
import type { RunPause } from './run-pause.ts';

/** Emits a scope's events. `scoped` returns the same hub with more context. */
export interface Hub {
  emit(event: RunEvent): void;
  /** Returns a view that adds to the context of all its events. */
  scoped(context: Partial<HubScope>): Hub;
  /** Returns a child run's hub: its events contain `runId`, and this run's ID as their parent. */
  child(runId: RunId): Hub;
  /** Returns a view with the same context that processes its events further, as do all views derived from it. */
  with(hooks: HubHooks): Hub;
  /** Makes everything emitted so far durable and visible before it returns. */
  flush(): void;
  /**
   * Resolves when everything emitted so far is stored, for work that must not be repeated and must not be lost. Undefined
   * if `flush` does this, because the run's host keeps a log.
   */
  whenStored?(): Promise<void> | undefined;
  /** Stores the text that a child run executes, so that the run can be resumed later; absent if nothing is stored. */
  keepDefinition?(text: string): void;
  /** The run that emits events here. */
  readonly runId: RunId;
  /** The run at the top, whose log contains the events. */
  readonly rootRunId: RunId;
  /** The task in the event context; undefined outside tasks. */
  readonly taskId: string | undefined;
  /** The products of the run and its callers, outermost first. Their rules apply here. Absent if there are none. */
  readonly products?: readonly string[] | undefined;
  /**
   * Whether a run wrote the definition and no person has seen it since. The run, and everything it calls, is then
   * restricted as in an untrusted workspace.
   */
  readonly isUnseen?: boolean | undefined;
  /** Whether new work may start here; absent if the run cannot be paused. Child runs inherit it. */
  readonly pause?: RunPause | undefined;
  /** The actions allowed here without approval; undefined if no level applies. Child runs inherit it. */
  readonly autonomy: AutonomyLevel | undefined;
}

/** A run's hub, with its subscriptions and its end. */
export interface RunHub {
  readonly hub: Hub;
  /** Delivers groups of recorded events to `listener`, in order. Returns a function that ends the subscription. */
  subscribe(listener: RunListener): () => void;
  /** Records and delivers pending events, then ends the hub's timer and all subscriptions. Later events are dropped. */
  close(): void;
}

/** Creates a run's hub. See `HubOptions` for its dependencies. */
export function createHub(options: HubOptions): RunHub {
  const core = new HubCore({ clock: systemClock, ...options });
  return {
    hub: new HubView(routeTo(core, options), { sessionId: options.sessionId }),
    subscribe: (listener) => core.subscribe(listener),
    close: () => core.close(),
  };
}

/** State shared by a run's views that have the same hooks. */
interface EventRoute extends Origin {
  readonly rootRunId: RunId;
  readonly sink: EventSink;
  readonly layer: HookLayer | undefined;
  readonly autonomy: AutonomyLevel | undefined;
  readonly products: readonly string[] | undefined;
  readonly isUnseen: boolean | (() => boolean);
  readonly pause: RunPause | undefined;
}

function routeTo(sink: EventSink, { runId, parentRunId }: HubOptions): EventRoute {
  const nothing = { layer: undefined, autonomy: undefined, products: undefined, isUnseen: false, pause: undefined };
  return { runId, parentRunId, rootRunId: runId, sink, ...nothing };
}

class HubView implements Hub {
  readonly #route: EventRoute;
  readonly #context: EventContext;

  constructor(route: EventRoute, context: EventContext) {
    this.#route = route;
    this.#context = context;
  }

  emit(event: RunEvent): void {
    this.#pass(event, this.#route.layer);
  }

  scoped(given: Partial<HubScope>): Hub {
    const route = this.#route;
    let context = given;
    for (let { layer } = route; layer !== undefined; layer = layer.outer) context = layer.contextOf(context, this);
    const autonomy = lowerOf(route.autonomy, context.autonomy);
    const sink = route.sink.scoped(context);
    const isSame = autonomy === route.autonomy && sink === route.sink;
    return new HubView(isSame ? route : { ...route, autonomy, sink }, joined(this.#context, context));
  }

  child(runId: RunId): Hub {
    const route = this.#route;
    for (let { layer } = route; layer !== undefined; layer = layer.outer) layer.addChild(runId, this);
    const { sessionId, task, node = nodeOf(task?.id) } = this.#context;
    const context = node === undefined ? { sessionId } : { sessionId, node };
    const pause = route.pause?.below(taskNameOf(task?.id ?? ''));
    const own = { runId, parentRunId: route.runId, sink: route.sink.child(runId), pause };
    return new HubView({ ...route, ...own }, context);
  }

  with(hooks: HubHooks): Hub {
    return new HubView(routeWith(this.#route, hooks), this.#context);
  }

  flush(): void {
    this.#route.sink.flush();
  }

  whenStored(): Promise<void> | undefined {
    return this.#route.sink.whenStored?.();
  }

  keepDefinition(text: string): void {
    this.#route.sink.keepDefinition(text);
  }

  get runId(): RunId {
    return this.#route.runId;
  }

  get rootRunId(): RunId {
    return this.#route.rootRunId;
  }

  get taskId(): string | undefined {
    return this.#context.task?.id;
  }

  get products(): readonly string[] | undefined {
    return this.#route.products;
  }

  get isUnseen(): boolean {
    const { isUnseen } = this.#route;
    return typeof isUnseen === 'boolean' ? isUnseen : isUnseen();
  }

  get pause(): RunPause | undefined {
    return this.#route.pause;
  }

  get autonomy(): AutonomyLevel | undefined {
    return this.#route.autonomy;
  }

  #pass(event: RunEvent, from: HookLayer | undefined): void {
    let passing: RunEvent | undefined = event;
    for (let layer = from; layer !== undefined; layer = layer.outer) {
      passing = layer.take(passing, this);
      if (passing !== undefined && layer.mask !== undefined) passing = this.#masked(passing, layer.mask, layer.outer);
      if (passing === undefined) return;
    }
    this.#route.sink.emit(passing, this.#context, this.#route);
  }

  #masked(event: RunEvent, mask: EventMask, outer: HookLayer | undefined): RunEvent | undefined {
    return mask.take(event, this.#context, (masked) => this.#pass(masked, outer));
  }
}

function routeWith(route: EventRoute, hooks: HubHooks): EventRoute {
  const { product, recorder } = hooks;
  const { products = [] } = route;
  const outer = recorder === undefined ? route.layer : undefined;
  return {
    ...route,
    sink: recorder ?? route.sink,
    layer: hasEventHooks(hooks) ? new HookLayer(hooks, route.runId, outer) : outer,
    products: product === undefined || products.at(-1) === product ? route.products : [...products, product],
    isUnseen: eitherUnseen(route.isUnseen, hooks.isUnseen ?? false),
    // A recorded step does not stop halfway, because its host repeats it as a whole.
    pause: recorder === undefined ? (hooks.pause ?? route.pause) : undefined,
  };
}

function eitherUnseen(outer: EventRoute['isUnseen'], own: EventRoute['isUnseen']): EventRoute['isUnseen'] {
  if (own === false || outer === true) return outer;
  if (own === true || outer === false) return own;
  return () => outer() || own();
}

function nodeOf(taskId: string | undefined): EventContext['node'] {
  const id = nodeNameOf(taskId);
  return id === undefined ? undefined : { id };
}

/** Written out, because every task has a context and spreading two objects takes several times as long. */
function joined(outer: EventContext, inner: Partial<EventContext>): EventContext {
  const { sessionId = outer.sessionId, phase = outer.phase, task = outer.task } = inner;
  const { agent = outer.agent, node = outer.node } = inner;
  // A node's context: creating it in one step takes half the memory.
  if (phase !== undefined && task !== undefined && agent === undefined && node === undefined)
    return { sessionId, phase, task };
  const context: { -readonly [Key in keyof EventContext]: EventContext[Key] } = { sessionId };
  if (phase !== undefined) context.phase = phase;
  if (task !== undefined) context.task = task;
  if (agent !== undefined) context.agent = agent;
  if (node !== undefined) context.node = node;
  return context;
}
