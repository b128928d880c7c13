/**
 * Accepts requests, holds the runs that go on, and tells their events. It alone starts, redoes and cancels runs.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { checkFlow } from '../flowspec/check-flow.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import { isJsonMap } from '../flowspec/json-value.ts';
import type { NodeTypeCatalog } from '../flowspec/node-type-spec.ts';
import { cancellation } from '../kernel/cancel-scope.ts';
import type { RunListener } from '../kernel/hub.ts';
import type { RunSummary } from '../kernel/run-summary.ts';
import type { AcceptedRun } from './action.ts';
import { type ActionQueue, createActionQueue } from './action-queue.ts';
import { type ActiveRun, createActiveRun, type RunWorld } from './active-run.ts';
import type { StartRun } from './engine-api.ts';
import { invalidFlow, runNotFound } from './refusals.ts';
import { createRunSlots } from './run-slots.ts';

export interface ExecutorWorld extends Omit<RunWorld, 'listener'> {
  readonly registry: RunWorld['registry'] & NodeTypeCatalog;
  /** The present text of a definition. @throws EngineError `files.not-found` and others */
  readonly readDefinition: (path: string) => Promise<string>;
  readonly maxConcurrentRuns: number;
}

export interface Executor {
  readonly send: ActionQueue['send'];
  /** The run's end while it is queued or running; undefined for any other. */
  whenActiveEnded(runId: RunId): Promise<RunSummary> | undefined;
  /** Stored events of all runs, in order. Returns the subscription's end. */
  subscribe(listener: RunListener): () => void;
  /** Takes no more actions, cancels what runs and waits for it. */
  close(): Promise<void>;
}

/** Makes the executor of one store. */
export function createExecutor(world: ExecutorWorld): Executor {
  const core = new ExecutorCore(world);
  const queue = createActionQueue({
    cmdRun: async ({ request }) => core.accept(request),
    redo: ({ runId, text }) => core.redo(runId, text),
    cancelRun: async ({ runId }) => core.cancel(runId),
  });
  return {
    send: queue.send,
    whenActiveEnded: (runId) => core.whenEnded(runId),
    subscribe: (listener) => core.subscribe(listener),
    async close() {
      await queue.close();
      await core.end();
    },
  };
}

interface RedoOrigin {
  readonly redoOf?: RunId;
}

class ExecutorCore {
  readonly #world: ExecutorWorld;
  readonly #slots;
  readonly #active = new Map<RunId, { readonly run: ActiveRun; readonly skipLine: () => void }>();
  readonly #listeners = new Set<RunListener>();

  constructor(world: ExecutorWorld) {
    this.#world = world;
    this.#slots = createRunSlots(world.maxConcurrentRuns);
  }

  accept(request: StartRun, redo: RedoOrigin = {}): AcceptedRun {
    const flow = this.#compiled(request);
    const runId = this.#world.ids.runId();
    const { path: sourcePath, inputs } = request;
    const definitionHash = this.#record(request, { runId, name: flow.name, ...redo });
    const run = createActiveRun(
      { runId, flow, inputs, origin: { sourcePath, definitionHash, ...redo } },
      { ...this.#world, listener: (events) => this.#tell(events) },
    );
    this.#active.set(runId, { run, ...this.#slots.enter(() => this.#execute(run)) });
    return { runId, ended: run.ended };
  }

  async redo(runId: RunId, text: string | undefined): Promise<AcceptedRun> {
    const earlier = this.#world.store.getRun(runId);
    if (earlier === undefined) throw runNotFound(runId);
    const { sourcePath: path, inputs } = earlier;
    const present = text ?? (await this.#world.readDefinition(path));
    return this.accept({ path, text: present, inputs: isJsonMap(inputs) ? inputs : {} }, { redoOf: runId });
  }

  cancel(runId: RunId | undefined): undefined {
    for (const { run, skipLine } of this.#active.values()) {
      if (runId !== undefined && run.runId !== runId) continue;
      run.cancel(cancellation());
      skipLine();
    }
  }

  whenEnded(runId: RunId): Promise<RunSummary> | undefined {
    return this.#active.get(runId)?.run.ended;
  }

  subscribe(listener: RunListener): () => void {
    // A wrapper of its own, so that one function may subscribe twice and each end ends its own.
    const own: RunListener = (events) => listener(events);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async end(): Promise<void> {
    this.cancel(undefined);
    await Promise.all(Array.from(this.#active.values(), ({ run }) => run.ended));
  }

  async #execute(run: ActiveRun): Promise<void> {
    // A turn of its own, so that whoever asked for the run learns its id before its first event.
    await Promise.resolve();
    try {
      await run.start();
    } finally {
      this.#active.delete(run.runId);
    }
  }

  #compiled({ path, text, maxParallel }: StartRun): CompiledFlow {
    const { flow, diagnostics } = checkFlow(text, this.#world.registry);
    if (flow === null) throw invalidFlow(path, diagnostics);
    return maxParallel === undefined ? flow : { ...flow, policy: { ...flow.policy, maxParallel } };
  }

  #record({ path, text, inputs }: StartRun, run: { runId: RunId; name: string } & RedoOrigin): string {
    const { store, sessionId, clock, onRecordFailure } = this.#world;
    try {
      return store.createRun({
        ...run,
        sessionId,
        kind: 'flow',
        sourcePath: path,
        definition: text,
        inputs,
        queuedAt: clock.now(),
      }).definitionHash;
    } catch (error) {
      if (EngineError.is(error)) onRecordFailure(error);
      throw error;
    }
  }

  #tell(events: Parameters<RunListener>[0]): void {
    for (const listener of this.#listeners) {
      try {
        listener(events);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  }
}
