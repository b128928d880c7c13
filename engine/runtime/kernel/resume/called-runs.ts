/**
 * Ends child runs that have no end because the process was killed or their caller abandoned them. They are not resumed,
 * and their end is emitted.
 */
import type { Clock } from '../../../base/clock.ts';
import { type EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import { nodeNameOf, type RunId, taskIdOf } from '../../../base/ids.ts';
import type { RunEndEvent, RunEvent } from '../events/run-event.ts';
import { cancellation, isCancellation } from '../hub/cancel-scope.ts';
import type { Hub } from '../hub/hub.ts';
import type { OpenTask, Orphan, ResumePoint, RunLogSource, SuspensionAnswer } from './resume-point.ts';
import { RunReader } from './run-reader.ts';

/**
 * Emits the cancellation of each run without an end, with everything open in it, inner runs first, and notifies
 * callers of ends that they do not know yet.
 * @param hub the calling run's hub, in the context of the calling task
 * @param why the error that ended or stopped the caller
 */
export function closeCalls(calls: readonly ResumePoint[], hub: Hub, why: EngineError): void {
  for (const call of calls) {
    if (call.isReported) continue;
    if (call.end === undefined) closeCall(call, hub, why);
    else if (!isFlow(call)) report(call, call.end, hub);
  }
}

/** Ends runs whose callers have ended. `hub` is the root's. */
export function closeOrphans(orphans: readonly Orphan[], hub: Hub): void {
  for (const { point, callers, taskId } of [...orphans].reverse()) {
    const caller = callers.reduce((outer, id) => outer.child(id), hub);
    closeCall(point, taskId === undefined ? caller : caller.scoped({ task: { id: taskId } }), cancellation());
  }
}

function report({ runId, agentName }: ResumePoint, { status, error }: RunEndEvent, hub: Hub): void {
  if (status === 'completed' || status === 'skipped') {
    hub.emit({ type: 'agent:complete', agentName, runId, success: true });
  } else {
    hub.emit({ type: 'agent:failed', agentName, runId, error: error ?? toErrorRecord(cancellation()) });
  }
}

/** The end event of a called flow is the only notification for its caller. */
function isFlow({ start }: ResumePoint): boolean {
  return start?.kind === 'flow';
}

/** Sorts body tasks before their loop: the longer name is the inner one. */
function innerFirst(open: ResumePoint['open']): readonly (readonly [string, OpenTask])[] {
  return [...open].sort(([one], [other]) => other.length - one.length);
}

function closeCall(call: ResumePoint, hub: Hub, why: EngineError): void {
  const { runId, agentName, start, open, phases, calls, activeMs } = call;
  const child = hub.child(runId);
  const own = isFlow(call) ? child : child.scoped({ agent: { name: agentName } });
  const idOf = (task: string): string => (isFlow(call) ? taskIdOf(task) : task);
  for (const [task, below] of [...calls].reverse()) {
    closeCalls(below, task === '' ? own : own.scoped({ task: { id: idOf(task) } }), why);
  }
  const reason = isCancellation(why) ? 'cancel' : 'fail-fast';
  for (const [name, { phase }] of isFlow(call) ? innerFirst(open) : open) {
    const scope = phase === undefined ? own : own.scoped({ phase: { name: phase } });
    const node = nodeNameOf(idOf(name));
    scope.emit({ type: 'task:cancelled', taskId: idOf(name), reason, ...(node === undefined ? {} : { nodeId: node }) });
  }
  const openPhases = [...phases].flatMap(([name, status]) => (status === 'open' ? [name] : []));
  for (const name of openPhases.reverse()) own.emit({ type: 'phase:cancelled', name });
  if (start !== undefined) {
    own.emit({ type: 'run:end', status: 'cancelled', failedNodes: [], durationMs: activeMs });
  }
  if (isFlow(call)) return;
  hub.emit({ type: 'agent:failed', agentName, runId, error: toErrorRecord(why) });
}

/** A tracker's state. */
interface KnownCalls {
  readonly root: RunReader;
  readonly readers: Map<RunId, RunReader>;
  /** Each run's parent, by run ID. */
  readonly parents: Map<RunId, RunId>;
}

/** Tracks which runs were started on a hub and which are in progress. */
export class CallTracker {
  readonly #hub: Hub;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #readDefinition: RunLogSource['readDefinition'];
  /** Created with the first call, because most callers call nothing. */
  #known: KnownCalls | undefined;

  /**
   * @param hub the caller's hub
   * @param former runs that were started earlier and are now resumed
   * @param readDefinition see `RunLogSource`
   */
  constructor(
    hub: Hub,
    clock: Pick<Clock, 'now'>,
    former: readonly ResumePoint[],
    readDefinition?: RunLogSource['readDefinition'],
  ) {
    this.#hub = hub;
    this.#clock = clock;
    this.#readDefinition = readDefinition;
    for (const point of former) {
      const { root, readers } = this.#calls;
      root.adopt(point, hub.taskId, (reader) => readers.set(reader.runId, reader));
    }
  }

  /** Records that a run was created as another run's child. */
  noteChild(runId: RunId, parent: Pick<Hub, 'runId'>): void {
    this.#calls.parents.set(runId, parent.runId);
  }

  /** Processes an event of the caller or of a child run. */
  take(event: RunEvent, { runId, taskId }: Pick<Hub, 'runId' | 'taskId'>): void {
    const { parents, readers } = this.#calls;
    let reader = this.#readerOf(runId);
    if (reader === undefined && event.type === 'run:start') {
      reader = this.#readerOf(parents.get(runId))?.call(runId, { agentName: event.name, taskId: event.parentTaskId });
      if (reader !== undefined) readers.set(runId, reader);
    }
    const called = reader?.take(event, this.#clock.now(), taskId);
    if (called !== undefined) readers.set(called.runId, called);
  }

  get #calls(): KnownCalls {
    const readDefinition = this.#readDefinition;
    const source = { whole: <Value>(value: Value) => value, ...(readDefinition && { readDefinition }) };
    this.#known ??= {
      root: new RunReader(this.#hub.runId, source),
      readers: new Map(),
      parents: new Map(),
    };
    return this.#known;
  }

  #readerOf(runId: RunId | undefined): RunReader | undefined {
    if (runId === undefined) return undefined;
    const { root, readers } = this.#calls;
    return runId === root.runId ? root : readers.get(runId);
  }

  /** Returns the child runs with their progress. @param answer a person's decision about interrupted work */
  list(answer?: SuspensionAnswer): readonly ResumePoint[] {
    return this.#known === undefined ? [] : [...this.#known.root.point(answer).calls.values()].flat();
  }

  /** Emits the end of runs in progress. `hub` is the caller's, in the context of its task. */
  close(hub: Hub, why: () => EngineError): void {
    const open = this.list().filter((call) => !call.isReported && (call.end === undefined || !isFlow(call)));
    // Creating an error is expensive, and there is usually nothing to close.
    if (open.length > 0) closeCalls(open, hub, why());
  }
}
