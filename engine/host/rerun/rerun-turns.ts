/**
 * Determines which nodes would run in a rerun, by evaluating node and edge conditions with the known values.
 */
import type { BindingContext } from '../../language/bindings/binding-path.ts';
import { evaluateWhen } from '../../language/bindings/when.ts';
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import type { WhenExpr } from '../../language/flow/flow-doc.ts';

/** Whether a node would run. */
export interface Turn {
  /** False if the node would be skipped. */
  readonly comes: boolean;
  /** First segments of the paths that the node's conditions read. */
  readonly roots: readonly string[];
}

/** Evaluates the conditions of a flow with the known values. */
export class RerunTurns {
  /** Conditions of each node's incoming edges, by node ID; absent if one of the edges has no condition. */
  readonly #conditions = new Map<string, readonly WhenExpr[]>();

  constructor({ nodes }: CompiledFlow) {
    const always = new Set<string>();
    for (const { to, when } of nodes.flatMap(({ outgoing }) => outgoing)) {
      if (when === undefined) always.add(to);
      else this.#conditions.set(to, [...(this.#conditions.get(to) ?? []), when]);
    }
    for (const id of always) this.#conditions.delete(id);
  }

  /** Evaluates the node in `context`, where unknown values are missing. */
  of({ id, when }: CompiledNode, context: BindingContext): Turn {
    const roots = new Set<string>();
    const noting: BindingContext = {
      get(root) {
        roots.add(root);
        return context.get(root);
      },
    };
    // Evaluates all conditions, without short-circuiting, so that all roots are recorded.
    const ways = this.#conditions.get(id)?.map((condition) => evaluateWhen(condition, noting).result);
    const isWanted = when === undefined || evaluateWhen(when, noting).result;
    return { comes: isWanted && (ways === undefined || ways.includes(true)), roots: [...roots] };
  }
}
