/**
 * The body of a loop, run once for each item as a graph of its own.
 */
import { toErrorRecord } from '../base/engine-error.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import type { CompiledGraph } from '../flowspec/compiled-flow.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { type CancelScope, createCancelScope, Stopped } from '../kernel/cancel-scope.ts';
import { type Harness, Suspension } from '../kernel/harness.ts';
import type { LoopBody, LoopItem, LoopItemResult } from './node-type.ts';
import type { RunScope } from './run-scope.ts';

interface LoopRun {
  /** Full name of the loop's node. */
  readonly name: string;
  /** Carries the loop's task. */
  readonly harness: Harness;
  readonly scope: RunScope;
  /** What the loop itself sees. */
  readonly context: BindingContext;
}

/** The body as the runner holds it. */
interface RunnableBody extends LoopBody {
  /** True when a node of some item waits for a person, so that the loop cannot end now. */
  isSuspended(): boolean;
}

/** Makes the body that a loop's node is handed. */
export function createLoopBody(graph: CompiledGraph, { name, harness, scope, context }: LoopRun): RunnableBody {
  let isSuspended = false;
  const slots = scope.run.itemSlots.forLoop();
  return {
    isSuspended: () => isSuspended,
    async run({ index, roots, signal }: LoopItem): Promise<LoopItemResult> {
      const entered = slots.enter();
      const leave = typeof entered === 'function' ? entered : await entered;
      const outer = { get: (root: string) => (Object.hasOwn(roots, root) ? roots[root] : context.get(root)) };
      const cancel = createCancelScope(signal);
      const outputs = new Map<string, JsonValue>();
      try {
        // An item that had to wait may come too late.
        signal.throwIfAborted();
        const prefix = `${name}[${index}].`;
        await scope.run.runGraph(graph, { ...scope, prefix, outer, harness, cancel }, outputs);
        return { outputs: Object.fromEntries(outputs) };
      } catch (thrown) {
        isSuspended ||= thrown instanceof Suspension;
        // An earlier process has stopped this item because of another one, which will do so again.
        if (thrown instanceof Stopped && !signal.aborted) await whenCancelled(cancel);
        if (isSuspended || signal.aborted) throw thrown;
        return { outputs: Object.fromEntries(outputs), error: toErrorRecord(thrown) };
      } finally {
        cancel.close();
        leave();
      }
    },
  };
}

function whenCancelled(scope: CancelScope): Promise<void> {
  return new Promise((resolve) => {
    scope.onCancel(resolve);
  });
}
