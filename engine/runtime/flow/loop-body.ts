/**
 * Runs a loop's body as a separate graph, once per item.
 */
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { BindingContext } from '../../language/bindings/binding-path.ts';
import { isMarker, markAgain } from '../../language/bindings/markers.ts';
import { evaluateWhen } from '../../language/bindings/when.ts';
import type { CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import type { WhenExpr } from '../../language/flow/flow-doc.ts';
import { DEFAULT_OUTPUT_BYTES } from '../../language/flow/flow-limits.ts';
import { deepFreeze, leastBytes } from '../../language/json/checked-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { outputTooLarge } from '../../language/json/too-large.ts';
import { type CancelScope, createCancelScope, Stopped } from '../kernel/hub/cancel-scope.ts';
import { type Harness, Suspension } from '../kernel/hub/harness.ts';
import { createBindingContext, planOf } from './graph-plan.ts';
import { NodeOutputs } from './node-outputs.ts';
import type { LoopBody, LoopItem, LoopItemResult } from './node-type.ts';
import type { Activity } from './run-activity.ts';
import { closeOpenTasks, type ReusedItem, type RunScope } from './run-scope.ts';

interface LoopRun {
  /** The loop node's full name. */
  readonly name: string;
  /** The harness with the loop's task. */
  readonly harness: Harness;
  readonly scope: RunScope;
  /** Tracks the activity in the loop's items. */
  readonly activity: Activity;
  /** The loop's own context. */
  readonly context: BindingContext;
  /** Items that do not have to run, by index. */
  readonly reused: ReadonlyMap<number, ReusedItem>;
}

/** The loop body as the runner sees it. */
interface RunnableBody extends LoopBody {
  /** Whether a node in an item waits for a person, so that the loop cannot end yet. */
  isSuspended(): boolean;
}

/** Creates the body for a loop node. */
export function createLoopBody(
  graph: CompiledGraph,
  { name, harness, scope, activity, context, reused }: LoopRun,
): RunnableBody {
  let isSuspended = false;
  const slots = scope.run.itemSlots.forLoop();
  const { maxOutputBytes = DEFAULT_OUTPUT_BYTES } = scope.run.policy;
  let bytesLeft = maxOutputBytes;
  // Called before all items have run and all their outputs are in memory.
  const count = (outputs: NodeOutputs): JsonMap => {
    const all = Object.fromEntries(outputs.toMap());
    bytesLeft -= leastBytes(all, bytesLeft);
    if (bytesLeft < 0) throw outputTooLarge(`The output of loop "${name}"`, maxOutputBytes);
    return all;
  };
  return {
    isSuspended: () => isSuspended,
    async run({ index, roots, signal, place }: LoopItem): Promise<LoopItemResult> {
      const entered = slots.enter();
      const leave = typeof entered === 'function' ? entered : await entered;
      const outer: BindingContext = {
        get: (root) => (Object.hasOwn(roots, root) ? roots[root] : context.get(root)),
        keepsFailure: (root) => !Object.hasOwn(roots, root) && context.keepsFailure?.(root) === true,
      };
      deepFreeze(Object.values(roots));
      const cancel = createCancelScope(signal);
      const outputs = new NodeOutputs(planOf(graph));
      let error: ErrorRecord | undefined;
      try {
        // The loop may have been canceled while the item waited for a slot.
        signal.throwIfAborted();
        const prefix = `${name}[${index}].`;
        const { run } = scope;
        // Listing the fields takes a fifth of the time that a spread plus more fields takes for a small item.
        const item = { run, prefix, outer, harness, activity, cancel, place, reused: reused.get(index) };
        await run.runGraph(graph, item, outputs);
      } catch (thrown) {
        isSuspended ||= thrown instanceof Suspension;
        // An earlier process stopped this item because of another item, which will stop it again.
        if (thrown instanceof Stopped && !signal.aborted) await stoppedAgain(cancel, activity);
        if (isSuspended || signal.aborted) throw thrown;
        // Other nodes of the failed item may wait for a person. Their requests are closed.
        closeOpenTasks(scope.run, harness.hub, { prefix: `${name}[${index}].`, reason: 'fail-fast' });
        error = toErrorRecord(thrown);
      } finally {
        cancel.close();
        leave();
      }
      const seen = createBindingContext(planOf(graph), { outputs, outer, failFast: scope.run.policy.failFast });
      const holds = (condition: WhenExpr): boolean => evaluateWhen(condition, seen).result;
      return { outputs: count(outputs), holds, ...(error === undefined ? {} : { error }) };
    },
  };
}

/** Waits for the cause that will stop the item: it is either running already or needs time to occur. */
async function stoppedAgain(cancel: CancelScope, activity: Activity): Promise<void> {
  activity.begin();
  try {
    await whenCancelled(cancel);
  } finally {
    activity.end();
  }
}

/**
 * Records the markers of body nodes in their loop's output.
 * @param marked receives the full names of these nodes
 * @param wasMarked returns whether a node in another run had a marker, if the value was reused from that run
 */
export function recordMarkers(
  node: CompiledNode,
  output: { readonly name: string; readonly value: JsonValue },
  { marked, wasMarked }: { readonly marked: Set<string>; readonly wasMarked: ((name: string) => boolean) | undefined },
): void {
  if (output.name !== node.id && isMarker(output.value)) marked.add(output.name);
  const noting = (name: string): boolean => {
    const isMarked = wasMarked?.(name) === true;
    if (isMarked) marked.add(name);
    return isMarked;
  };
  if (wasMarked !== undefined) markIterations(node, output, noting);
  else if (marked.size > 0) markIterations(node, output, (name) => marked.has(name));
}

/**
 * Restores the markers in a loop's output, including those of nested loops. The output is a copy or comes from a log.
 * @param loop a node's full name and output; ignored unless the node is a loop
 * @param wasMarked returns whether the body node with this full name had a marker
 */
function markIterations(
  { body }: CompiledNode,
  { name, value }: { readonly name: string; readonly value: JsonValue | undefined },
  wasMarked: (name: string) => boolean,
): void {
  if (body === undefined) return;
  const iterations = iterationsOf(value);
  const all = [...iterations.entries()].map(([index, iteration]) => ({
    index,
    outputs: ownValue(iteration, 'outputs'),
  }));
  // The output of a `control.loop` contains the last iteration's output twice.
  const last = { index: iterations.length - 1, outputs: ownValue(value, 'last') };
  for (const { index, outputs } of [...all, last]) {
    for (const node of body.nodes) {
      const inner = { name: `${name}[${index}].${node.id}`, value: ownValue(outputs, node.id) };
      if (wasMarked(inner.name)) markAgain(inner.value);
      else markIterations(node, inner, wasMarked);
    }
  }
}

function iterationsOf(output: JsonValue | undefined): readonly JsonValue[] {
  const iterations = ownValue(output, 'iterations');
  return isJsonList(iterations) ? iterations : [];
}

function ownValue(map: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonMap(map) && Object.hasOwn(map, key) ? map[key] : undefined;
}

function whenCancelled(scope: CancelScope): Promise<void> {
  return new Promise((resolve) => {
    scope.onCancel(resolve);
  });
}
