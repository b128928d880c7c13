/**
 * Computes a run's state from its events. The canvas, the run list, the command line's progress and the history all read the state that
 * this function returns. ARCHITECTURE.md ("Who interprets events") lists the other files that name task events, with the reason for each; a
 * test compares that list with the sources.
 */
import { type RunId, taskNameOf } from '../../../base/ids.ts';
import { PersistentMap } from './persistent-map.ts';
import { RunDraft } from './run-draft.ts';
import type { EventEnvelope, RunEvent } from './run-event.ts';
import { emptyRunState, type RunState } from './run-state.ts';
import { nameOfTask, startedTask } from './task-events.ts';

/**
 * Folds a batch of events. Never changes `state`, which stays valid and shares all unaffected parts with the result.
 * Ignores events that are already part of `state` (by `seq`), so that batches may overlap. For unknown event types,
 * only the number is used.
 */
export function foldRun(state: RunState, events: readonly EventEnvelope[]): RunState {
  const tree = new RunTree(state);
  for (const envelope of events) {
    if (envelope.seq > tree.root.seq) tree.apply(envelope);
  }
  return tree.finished();
}

/** Folds one event. Folding 100,000 events individually costs little more than folding one batch. */
export function reduceRun(state: RunState, event: EventEnvelope): RunState {
  return foldRun(state, [event]);
}

/** A root run and its child runs, which share a log. */
class RunTree {
  readonly root: RunDraft;
  readonly #base: RunState;
  /** Child runs that the batch affects. */
  readonly #children = new Map<string, RunDraft>();

  constructor(base: RunState) {
    this.#base = base;
    this.root = new RunDraft(base);
  }

  /** Returns the state after all applied events; the same object if there were none. */
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
      if (event.type === 'node:held' || !this.root.held.isEmpty) this.#followHeld(event, '');
      return;
    }
    this.root.passOver(envelope);
    const called = this.#childOf(runId);
    called.apply(envelope);
    if (event.type === 'run:suspended' || event.type === 'run:resumed') this.#tellCaller(called, event.type);
    if (event.type === 'node:held' || !this.root.held.isEmpty) this.#followHeld(event, this.#placeOf(called));
    this.root.addProgressOf(envelope);
    if (event.type === 'model:response') this.root.addSpending(event, this.#rootTaskOf(runId));
  }

  /** A node waits while one of its child runs waits. */
  #tellCaller(called: RunDraft, type: 'run:suspended' | 'run:resumed'): void {
    const { parentTaskId, parentRunId } = called;
    if (parentTaskId === null || parentRunId === null) return;
    const caller = parentRunId === this.root.runId ? this.root : this.#childOf(parentRunId);
    if (caller !== this.root && caller.kind !== 'flow') return;
    caller.setCallRequest(parentTaskId, type === 'run:suspended' ? called.request : undefined);
  }

  /** Follows which nodes are held. @param place prefix of the full names of nodes in the event's run */
  #followHeld(event: RunEvent, place: string): void {
    const { held } = this.root;
    const started = startedTask(event);
    if (event.type === 'node:held') held.add(place + event.nodeId, event);
    else if (started !== undefined) held.remove(place + nameOfTask(started));
    else if (event.type === 'node:reused' || event.type === 'node:skipped') held.remove(place + event.nodeId);
    else if (event.type === 'run:end' && place !== '') held.removeBelow(place);
  }

  #placeOf({ parentTaskId, parentRunId }: Pick<RunState, 'parentRunId' | 'parentTaskId'>): string {
    const caller = parentRunId === null ? undefined : this.#calledRun(parentRunId);
    return `${caller === undefined ? '' : this.#placeOf(caller)}${taskNameOf(parentTaskId ?? '')}/`;
  }

  /** Returns the root's task that started the run, directly or indirectly; null if there is none. */
  #rootTaskOf(runId: RunId): string | null {
    let run = this.#calledRun(runId);
    while (run !== undefined && run.parentRunId !== null && run.parentRunId !== this.root.runId) {
      // A caller starts before its child runs, so the loop terminates.
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
