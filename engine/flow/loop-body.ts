/**
 * The body of a loop, run once for each item as a graph of its own.
 */
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import { deepFreeze, leastBytes } from '../flowspec/checked-json.ts';
import type { CompiledGraph, CompiledNode } from '../flowspec/compiled-flow.ts';
import type { WhenExpr } from '../flowspec/flow-doc.ts';
import { DEFAULT_OUTPUT_BYTES } from '../flowspec/flow-limits.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { isMarker, markAgain } from '../flowspec/markers.ts';
import { outputTooLarge } from '../flowspec/too-large.ts';
import { evaluateWhen } from '../flowspec/when.ts';
import { type CancelScope, createCancelScope, Stopped } from '../kernel/cancel-scope.ts';
import { type Harness, Suspension } from '../kernel/harness.ts';
import { contextIn, planOf } from './graph-plan.ts';
import { NodeOutputs } from './node-outputs.ts';
import type { LoopBody, LoopItem, LoopItemResult } from './node-type.ts';
import type { Activity } from './run-activity.ts';
import { closeOpenTasks, type ReusedItem, type RunScope } from './run-scope.ts';

interface LoopRun {
  /** Full name of the loop's node. */
  readonly name: string;
  /** Carries the loop's task. */
  readonly harness: Harness;
  readonly scope: RunScope;
  /** Notes what is at work in its items. */
  readonly activity: Activity;
  /** What the loop itself sees. */
  readonly context: BindingContext;
  /** Items that need not run, by their index. */
  readonly reused: ReadonlyMap<number, ReusedItem>;
}

/** The body as the runner holds it. */
interface RunnableBody extends LoopBody {
  /** True when a node of some item waits for a person, so that the loop cannot end now. */
  isSuspended(): boolean;
}

/** Makes the body that a loop's node is handed. */
export function createLoopBody(
  graph: CompiledGraph,
  { name, harness, scope, activity, context, reused }: LoopRun,
): RunnableBody {
  let isSuspended = false;
  const slots = scope.run.itemSlots.forLoop();
  const { maxOutputBytes = DEFAULT_OUTPUT_BYTES } = scope.run.policy;
  let bytesLeft = maxOutputBytes;
  // Said before all items have run, and all that they gave is held in memory.
  const count = (outputs: NodeOutputs): JsonMap => {
    const all = Object.fromEntries(outputs.toMap());
    bytesLeft -= leastBytes(all, bytesLeft);
    if (bytesLeft < 0) throw outputTooLarge(`What the items of loop "${name}" give`, maxOutputBytes);
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
        // An item that had to wait may come too late.
        signal.throwIfAborted();
        const prefix = `${name}[${index}].`;
        const { run } = scope;
        // Field by field: a spread followed by further fields takes a fifth of the time of a small item.
        const item = { run, prefix, outer, harness, activity, cancel, place, reused: reused.get(index) };
        await run.runGraph(graph, item, outputs);
      } catch (thrown) {
        isSuspended ||= thrown instanceof Suspension;
        // An earlier process has stopped this item because of another one, which will do so again.
        if (thrown instanceof Stopped && !signal.aborted) await stoppedAgain(cancel, activity);
        if (isSuspended || signal.aborted) throw thrown;
        // Beside what has failed, others may wait for a person, whom nobody has to ask any more.
        closeOpenTasks(scope.run, harness.hub, { prefix: `${name}[${index}].`, reason: 'fail-fast' });
        error = toErrorRecord(thrown);
      } finally {
        cancel.close();
        leave();
      }
      const seen = contextIn(planOf(graph), { outputs, outer, failFast: scope.run.policy.failFast });
      const holds = (condition: WhenExpr): boolean => evaluateWhen(condition, seen).result;
      return { outputs: count(outputs), holds, ...(error === undefined ? {} : { error }) };
    },
  };
}

/** What will stop it is at work, or time that must go on until then. */
async function stoppedAgain(cancel: CancelScope, activity: Activity): Promise<void> {
  activity.begin();
  try {
    await whenCancelled(cancel);
  } finally {
    activity.end();
  }
}

/**
 * What stands for a node of a body is a marker also in what its loop gives.
 * @param marked gets the full names of such nodes
 * @param wasMarked tells of those of another run, when the value was taken over from there
 */
export function noteMarkers(
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
 * What a loop gives is a copy, or comes from a log: makes the markers in it markers again, those of loops in its body too.
 * @param loop the full name of a node and what it gave; nothing is done unless it is a loop
 * @param wasMarked whether a marker stands for the node of a body with this full name
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
  // What the last pass gave stands in the output of a loop of passes once more.
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
