/**
 * Runs that a run had called when its process was lost: they have no end, and nobody goes on with them.
 */
import type { RunId } from '../base/ids.ts';
import type { Hub } from '../kernel/hub.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';

/** A called run without an end, with what is open in it. */
export interface OpenChild {
  readonly runId: RunId;
  /** Those that called it, from the one that the root called on. */
  readonly callers: readonly RunId[];
  readonly phases: readonly string[];
  /** By task: the phase it belongs to. */
  readonly tasks: ReadonlyMap<string, string | undefined>;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly lastAt: number;
}

interface Draft {
  readonly runId: RunId;
  readonly callers: readonly RunId[];
  readonly phases: string[];
  readonly tasks: Map<string, string | undefined>;
  readonly startedAt: number;
  lastAt: number;
}

/** Collects them while a log is read. */
export class OpenChildren {
  readonly #open = new Map<RunId, Draft>();

  /** Takes an event of a called run. */
  take({ runId, parentRunId, at, context, event }: EventEnvelope): void {
    if (event.type === 'run:start') this.#open.set(runId, this.#begun(runId, { parentRunId, at }));
    const child = this.#open.get(runId);
    if (child === undefined) return;
    child.lastAt = at;
    switch (event.type) {
      case 'run:end':
        this.#open.delete(runId);
        break;
      case 'phase:start':
        child.phases.push(event.name);
        break;
      case 'phase:complete':
      case 'phase:failed':
      case 'phase:cancelled':
        child.phases.splice(child.phases.indexOf(event.name), 1);
        break;
      case 'task:start':
        child.tasks.set(event.taskId, context.phase?.name);
        break;
      case 'task:complete':
      case 'task:failed':
      case 'task:cancelled':
      case 'task:skipped':
        child.tasks.delete(event.taskId);
        break;
      default:
    }
  }

  /** Inner ones first. */
  list(): readonly OpenChild[] {
    return [...this.#open.values()].reverse();
  }

  #begun(runId: RunId, { parentRunId, at }: { parentRunId: RunId | undefined; at: number }): Draft {
    const parent = parentRunId === undefined ? undefined : this.#open.get(parentRunId);
    const callers = parent === undefined ? [] : [...parent.callers, parent.runId];
    return { runId, callers, phases: [], tasks: new Map(), startedAt: at, lastAt: at };
  }
}

/** Tells of each of them that it is cancelled, with all that was open in it. `hub` is the root's. */
export function closeOpenChildren(children: readonly OpenChild[], hub: Hub): void {
  for (const { runId, callers, phases, tasks, startedAt, lastAt } of children) {
    const own = [...callers, runId].reduce((outer, id) => outer.child(id), hub);
    for (const [taskId, phase] of tasks) {
      const scope = phase === undefined ? own : own.scoped({ phase: { name: phase } });
      scope.emit({ type: 'task:cancelled', taskId, reason: 'cancel' });
    }
    for (const name of [...phases].reverse()) own.emit({ type: 'phase:cancelled', name });
    own.emit({ type: 'run:end', status: 'cancelled', failedNodes: [], durationMs: Math.max(0, lastAt - startedAt) });
  }
}
