/**
 * The body of a loop, run once for each item as a graph of its own.
 */
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import type { CompiledGraph } from '../flowspec/compiled-flow.ts';
import { DEFAULT_OUTPUT_BYTES } from '../flowspec/flow-limits.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { leastBytes } from '../flowspec/non-json.ts';
import { outputTooLarge } from '../flowspec/too-large.ts';
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
  const { maxOutputBytes = DEFAULT_OUTPUT_BYTES } = scope.run.policy;
  let bytesLeft = maxOutputBytes;
  // Said before all items have run, and all that they gave is held in memory.
  const count = (outputs: ReadonlyMap<string, JsonValue>): JsonMap => {
    const all = Object.fromEntries(outputs);
    bytesLeft -= leastBytes(all, bytesLeft);
    if (bytesLeft < 0) throw outputTooLarge(`What the items of loop "${name}" give`, maxOutputBytes);
    return all;
  };
  return {
    isSuspended: () => isSuspended,
    async run({ index, roots, signal }: LoopItem): Promise<LoopItemResult> {
      const entered = slots.enter();
      const leave = typeof entered === 'function' ? entered : await entered;
      const outer = { get: (root: string) => (Object.hasOwn(roots, root) ? roots[root] : context.get(root)) };
      const cancel = createCancelScope(signal);
      const outputs = new Map<string, JsonValue>();
      let error: ErrorRecord | undefined;
      try {
        // An item that had to wait may come too late.
        signal.throwIfAborted();
        const prefix = `${name}[${index}].`;
        await scope.run.runGraph(graph, { ...scope, prefix, outer, harness, cancel }, outputs);
      } catch (thrown) {
        isSuspended ||= thrown instanceof Suspension;
        // An earlier process has stopped this item because of another one, which will do so again.
        if (thrown instanceof Stopped && !signal.aborted) await whenCancelled(cancel);
        if (isSuspended || signal.aborted) throw thrown;
        error = toErrorRecord(thrown);
      } finally {
        cancel.close();
        leave();
      }
      return error === undefined ? { outputs: count(outputs) } : { outputs: count(outputs), error };
    },
  };
}

function whenCancelled(scope: CancelScope): Promise<void> {
  return new Promise((resolve) => {
    scope.onCancel(resolve);
  });
}
