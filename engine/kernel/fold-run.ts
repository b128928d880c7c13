/**
 * Events → the state of a run. The canvas, the run list, the command line's progress and the history all read the state that
 * this one function makes. ARCHITECTURE.md ("Who interprets events") lists the other files that name events of tasks, with the
 * reason of each; a test compares that list with the sources.
 */
import type { RunId } from '../base/ids.ts';
import { PersistentMap } from './persistent-map.ts';
import { RunDraft } from './run-draft.ts';
import type { EventEnvelope } from './run-event.ts';
import { emptyRunState, type RunState } from './run-state.ts';

/**
 * Folds a batch. Never changes `state`, which stays valid and shares with the result all that the batch did not touch.
 * Events that are part of `state` already (by `seq`) are passed over, so overlapping batches do no harm; of events of
 * a type that this version does not know only the number is taken.
 */
export function foldRun(state: RunState, events: readonly EventEnvelope[]): RunState {
  const tree = new RunTree(state);
  for (const envelope of events) {
    if (envelope.seq > tree.root.seq) tree.apply(envelope);
  }
  return tree.finished();
}

/** Folds one event; 100,000 of them one by one cost little more than in one batch. */
export function reduceRun(state: RunState, event: EventEnvelope): RunState {
  return foldRun(state, [event]);
}

/** A root and the runs below it, which share its log. */
class RunTree {
  readonly root: RunDraft;
  readonly #base: RunState;
  /** Runs below the root that the batch touches. */
  readonly #children = new Map<string, RunDraft>();

  constructor(base: RunState) {
    this.#base = base;
    this.root = new RunDraft(base);
  }

  /** The state after all applied events; the very same object when there were none. */
  finished(): RunState {
    if (this.root.seq === this.#base.seq) return this.#base;
    const root = this.root.finished();
    if (this.#children.size > 0) {
      const touched = new Map<string, RunState>();
      for (const [runId, draft] of this.#children) touched.set(runId, draft.finished());
      root.children = PersistentMap.of(this.#base.children).withAll(touched);
    }
    return root;
  }

  apply(envelope: EventEnvelope): void {
    const { runId, rootRunId, event } = envelope;
    if (rootRunId === undefined) {
      this.root.apply(envelope);
      return;
    }
    this.root.passOver(envelope);
    const called = this.#childOf(runId);
    called.apply(envelope);
    if (event.type === 'run:suspended' || event.type === 'run:resumed') this.#tellCaller(called, event.type);
    this.root.addProgressOf(envelope);
    if (event.type === 'model:response') this.root.addSpending(event, this.#rootTaskOf(runId));
  }

  /** What a node of a flow has called waits, and so the node does. */
  #tellCaller(called: RunDraft, type: 'run:suspended' | 'run:resumed'): void {
    const { parentTaskId, parentRunId } = called;
    if (parentTaskId === null || parentRunId === null) return;
    const caller = parentRunId === this.root.runId ? this.root : this.#childOf(parentRunId);
    if (caller !== this.root && caller.kind !== 'flow') return;
    caller.setCallRequest(parentTaskId, type === 'run:suspended' ? called.request : undefined);
  }

  /** The task of the root that called the run, or called the one that called it, and so on; null when there is none. */
  #rootTaskOf(runId: RunId): string | null {
    let run = this.#calledRun(runId);
    while (run !== undefined && run.parentRunId !== null && run.parentRunId !== this.root.runId) {
      // Whoever calls has begun before whom it calls: the way up has an end.
      run = this.#calledRun(run.parentRunId);
    }
    return run?.parentTaskId ?? null;
  }

  #calledRun(runId: RunId): Pick<RunState, 'parentRunId' | 'parentTaskId'> | undefined {
    return this.#children.get(runId) ?? this.#base.children.get(runId);
  }

  #childOf(runId: RunId): RunDraft {
    const known = this.#children.get(runId);
    if (known !== undefined) return known;
    const draft = new RunDraft(this.#base.children.get(runId) ?? emptyRunState);
    this.#children.set(runId, draft);
    return draft;
  }
}
