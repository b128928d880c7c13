/**
 * One node's task. Uses objects instead of closures, because every node has a task, and each closure takes as much
 * memory as an event.
 */
import { taskIdOf } from '../../../base/ids.ts';
import type { CompiledNode } from '../../../language/flow/compiled-flow.ts';
import type { CallingTask, Harness, TaskCompletion, TaskInfo, TaskOutcome } from '../../kernel/hub/harness.ts';
import type { NodeInGraph } from '../run-scope.ts';
import { runNode } from './run-node.ts';

/** The graph that the node belongs to. */
export interface NodeOwner {
  /** Called once when the task has ended. Must not throw. @param end `thrown`: the hub's error */
  ended(rank: number, end: TaskOutcome | { readonly thrown: unknown }): void;
}

/** Whether a node does its own work. A loop's work is done by its body nodes. */
export function isOwnWork({ body }: CompiledNode): boolean {
  return body === undefined;
}

export class NodeTask implements CallingTask {
  readonly id: string;
  readonly info: TaskInfo;
  readonly #owner: NodeOwner;
  readonly #of: NodeInGraph;

  constructor(owner: NodeOwner, of: NodeInGraph, info: TaskInfo) {
    this.id = taskIdOf(of.place.scope.prefix + of.node.id);
    this.info = info;
    this.#owner = owner;
    this.#of = of;
  }

  begin(inner: Harness, end: TaskCompletion): TaskOutcome | undefined {
    return runNode(this.#of, inner, end);
  }

  settle(outcome: TaskOutcome): void {
    this.#owner.ended(this.#of.rank, outcome);
  }

  fail(thrown: unknown): void {
    this.#owner.ended(this.#of.rank, { thrown });
  }
}
