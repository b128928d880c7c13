/**
 * Whose turn would come when a flow runs again: what the conditions of nodes and edges say to what is known.
 */
import type { BindingContext } from '../flowspec/binding-path.ts';
import type { CompiledFlow, CompiledNode } from '../flowspec/compiled-flow.ts';
import type { WhenExpr } from '../flowspec/flow-doc.ts';
import { evaluateWhen } from '../flowspec/when.ts';

/** Whether a node's turn would come. */
export interface Turn {
  /** False when it would be skipped. */
  readonly comes: boolean;
  /** Roots of the paths that its conditions read. */
  readonly roots: readonly string[];
}

/** The conditions of a flow, asked of what is known. */
export class RerunTurns {
  /** By id of the node that they lead to: the conditions of its edges; absent where one of them has none. */
  readonly #conditions = new Map<string, readonly WhenExpr[]>();

  constructor({ nodes }: CompiledFlow) {
    const always = new Set<string>();
    for (const { to, when } of nodes.flatMap(({ outgoing }) => outgoing)) {
      if (when === undefined) always.add(to);
      else this.#conditions.set(to, [...(this.#conditions.get(to) ?? []), when]);
    }
    for (const id of always) this.#conditions.delete(id);
  }

  /** As things look in `context`, where what is not known yet is missing. */
  of({ id, when }: CompiledNode, context: BindingContext): Turn {
    const roots = new Set<string>();
    const noting: BindingContext = {
      get(root) {
        roots.add(root);
        return context.get(root);
      },
    };
    // All are evaluated, so that all roots are noted.
    const ways = this.#conditions.get(id)?.map((condition) => evaluateWhen(condition, noting).result);
    const isWanted = when === undefined || evaluateWhen(when, noting).result;
    return { comes: isWanted && (ways === undefined || ways.includes(true)), roots: [...roots] };
  }
}
