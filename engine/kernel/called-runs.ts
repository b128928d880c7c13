/**
 * Called runs that have no end, because the process was lost or whoever called them has given them up: nobody goes on with
 * them, and they are told to be over.
 */
import type { Clock } from '../base/clock.ts';
import { type EngineError, toErrorRecord } from '../base/engine-error.ts';
import { nodeNameOf, type RunId, taskIdOf } from '../base/ids.ts';
import { cancellation, isCancellation } from './cancel-scope.ts';
import type { Hub } from './hub.ts';
import type { OpenTask, Orphan, ResumePoint } from './resume-point.ts';
import type { RunEndEvent, RunEvent } from './run-event.ts';
import { RunReader } from './run-reader.ts';

/**
 * Tells of each that has no end that it is cancelled, with all that is open in it, inner ones first; and its callers of
 * each that has one which they do not know yet.
 * @param hub that of the run that called them, in the context of the task that did
 * @param why what was thrown that has ended their caller, or asked it to stop
 */
export function closeCalls(calls: readonly ResumePoint[], hub: Hub, why: EngineError): void {
  for (const call of calls) {
    if (call.isReported) continue;
    if (call.end === undefined) closeCall(call, hub, why);
    else if (!isFlow(call)) report(call, call.end, hub);
  }
}

/** Ends what was called by somebody that is over. `hub` is that of the root. */
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

/** The caller of a flow is told of its end by nothing but that end. */
function isFlow({ start }: ResumePoint): boolean {
  return start?.kind === 'flow';
}

/** What is in the body of a loop before the loop: the longer name is the inner one. */
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

/** What a tracker knows. */
interface KnownCalls {
  readonly root: RunReader;
  readonly readers: Map<RunId, RunReader>;
  /** By id of a run: the one whose hub it was given its own by. */
  readonly parents: Map<RunId, RunId>;
}

/** Knows which runs somebody has called on a hub and which of them go on. */
export class CallTracker {
  readonly #hub: Hub;
  readonly #clock: Clock;
  /** Made with the first call: most callers call nothing. */
  #known: KnownCalls | undefined;

  /**
   * @param hub that of the caller
   * @param former runs that were called before and go on now
   */
  constructor(hub: Hub, clock: Clock, former: readonly ResumePoint[]) {
    this.#hub = hub;
    this.#clock = clock;
    for (const point of former) {
      const { root, readers } = this.#calls;
      root.adopt(point, hub.taskId, (reader) => readers.set(reader.runId, reader));
    }
  }

  /** A run is given a hub of its own by the hub of another one. */
  noteChild(runId: RunId, parent: Pick<Hub, 'runId'>): void {
    this.#calls.parents.set(runId, parent.runId);
  }

  /** Takes an event of the caller, or of a run that was called. */
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
    this.#known ??= {
      root: new RunReader(this.#hub.runId, { whole: (value) => value }),
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

  /** The called runs, as far as they are. */
  list(): readonly ResumePoint[] {
    return this.#known === undefined ? [] : [...this.#known.root.point(undefined).calls.values()].flat();
  }

  /** Tells of those that go on that they are over. `hub` is the caller's, in the context of its task. */
  close(hub: Hub, why: () => EngineError): void {
    const open = this.list().filter((call) => !call.isReported && (call.end === undefined || !isFlow(call)));
    // An error costs more than all the rest, and mostly there is nothing to close.
    if (open.length > 0) closeCalls(open, hub, why());
  }
}
