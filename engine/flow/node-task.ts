/**
 * The task of one node. Objects instead of closures: every node has one, and each closure takes as much memory as an event.
 */
import { taskIdOf } from '../base/ids.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { CallingTask, Harness, TaskEnd, TaskInfo, TaskOutcome } from '../kernel/harness.ts';
import { runNode } from './run-node.ts';
import type { NodeScope } from './run-scope.ts';

/** The graph whose node it is. */
export interface NodeOwner {
  /** Called once when the task has ended. Must not throw. @param end `thrown`: what the hub threw */
  ended(rank: number, end: TaskOutcome | { readonly thrown: unknown }): void;
}

/** What a loop does is done by the nodes of its body. */
export function isOwnWork({ body }: CompiledNode): boolean {
  return body === undefined;
}

export class NodeTask implements CallingTask {
  readonly id: string;
  readonly info: TaskInfo;
  readonly #owner: NodeOwner;
  readonly #place: NodeScope;
  readonly #node: CompiledNode;
  readonly #rank: number;

  constructor(
    owner: NodeOwner,
    { rank, node, place }: { readonly rank: number; readonly node: CompiledNode; readonly place: NodeScope },
    info: TaskInfo,
  ) {
    this.id = taskIdOf(place.scope.prefix + node.id);
    this.info = info;
    this.#owner = owner;
    this.#place = place;
    this.#node = node;
    this.#rank = rank;
  }

  begin(inner: Harness, end: TaskEnd): TaskOutcome | undefined {
    return runNode(this.#node, inner, this.#place, end);
  }

  settle(outcome: TaskOutcome): void {
    this.#owner.ended(this.#rank, outcome);
  }

  fail(thrown: unknown): void {
    this.#owner.ended(this.#rank, { thrown });
  }
}
