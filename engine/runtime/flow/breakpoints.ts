/**
 * Decides whether a run stops at a node, and what a person sees of the node that it stops at.
 */
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { BindingContext } from '../../language/bindings/binding-path.ts';
import { evaluateWhen, type WhenTrace } from '../../language/bindings/when.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { HeldEvent } from '../kernel/events/held-nodes.ts';
import { innermostStep } from '../kernel/events/node-places.ts';
import type { ActiveBreakpoint, NeededBudget, RunPause } from '../kernel/hub/run-pause.ts';

/** A node that is about to start. */
export interface StartingNode {
  /** Full name in its run. */
  readonly name: string;
  /** ID in its file. */
  readonly id: string;
  /** Number of the item that it belongs to, from 1. */
  readonly item: number | undefined;
  /** Whether nothing in the item has started yet. */
  readonly isFirst: () => boolean;
  readonly context: BindingContext;
  readonly needs: NeededBudget;
  /** @throws EngineError if a binding cannot be resolved */
  readonly resolve: () => JsonValue;
}

interface Hold {
  readonly run: { readonly source?: { readonly path: string } | undefined };
  readonly pause: RunPause;
  /** Why it was held before; undefined if it was not. */
  readonly known: HeldEvent['reason'] | undefined;
}

/**
 * Returns undefined if the node may start now. Otherwise the reason, and the event if the node was not held for it before.
 * A breakpoint pauses the run, and so does a budget that is used up.
 */
export function holdOf(
  node: StartingNode,
  { run, pause, known }: Hold,
): { readonly reason: HeldEvent['reason']; readonly event?: HeldEvent } | undefined {
  const all = known === undefined && run.source !== undefined ? pause.breakpointsIn(run.source.path) : [];
  const breakpoints = all.filter((breakpoint) => concerns(breakpoint, node));
  const isLetGo = pause.mayStart;
  if (breakpoints.length === 0 && pause.admits(node.needs)) return undefined;
  // A person has let it go from its breakpoint, and now the budget holds it.
  if (known === 'breakpoint' && !isLetGo) return { reason: known };
  const seen = inputOf(node);
  const hit = hitOf(breakpoints, node.context, seen.input);
  if (breakpoints.length > 0 && hit === undefined && pause.admits(node.needs)) return undefined;
  const reason = hit === undefined ? pause.reasonFor(node.needs) : 'breakpoint';
  if (reason === known) return { reason };
  if (hit !== undefined) pause.hit();
  pause.noteHeld(node.name, reason);
  return { reason, event: { type: 'node:held', nodeId: node.name, reason, ...seen, ...hit } };
}

/** Like `holdOf`, for an input of an agent. Its ID for breakpoints is `input`. */
export function holdOfInput(
  { name, index, input }: { readonly name: string; readonly index: number; readonly input: JsonValue },
  hold: Hold,
): ReturnType<typeof holdOf> {
  const context = { get: () => undefined };
  const inItem = { id: 'input', item: index + 1, isFirst: () => false };
  return holdOf({ name, ...inItem, context, needs: 'model', resolve: () => input }, hold);
}

function inputOf({ resolve }: StartingNode): { readonly input?: JsonValue; readonly error?: ErrorRecord } {
  try {
    return { input: resolve() };
  } catch (thrown) {
    return { error: toErrorRecord(thrown) };
  }
}

function hitOf(
  breakpoints: readonly ActiveBreakpoint[],
  context: BindingContext,
  input: JsonValue | undefined,
): { readonly because?: WhenTrace } | undefined {
  const seen: BindingContext = {
    ...context,
    get: (root) => context.get(root) ?? (root === 'input' ? input : undefined),
  };
  for (const breakpoint of breakpoints) {
    if (breakpoint.condition === undefined) return {};
    const because = evaluateWhen(breakpoint.condition, seen);
    if (mayHold(because) !== false) return { because };
  }
  return undefined;
}

/** Whether a breakpoint is on this node, or on the item of a loop that starts with it. */
function concerns({ node: id, item }: ActiveBreakpoint, node: StartingNode): boolean {
  if (item !== undefined && item !== node.item) return false;
  if (id === node.id) return true;
  const loop = item === undefined ? undefined : innermostStep(node.name)?.loop;
  return loop !== undefined && loop.slice(loop.lastIndexOf('.') + 1) === id && node.isFirst();
}

/** Returns whether a condition holds; undefined if that depends on a value that is missing or cannot be compared. */
function mayHold(trace: WhenTrace): boolean | undefined {
  if ('of' in trace) return mayHoldOf(trace.op, trace.of.map(mayHold));
  if (trace.op === 'exists' || trace.result) return trace.result;
  if (trace.actual === undefined) return undefined;
  const isOrder = trace.op === 'lt' || trace.op === 'lte' || trace.op === 'gt' || trace.op === 'gte';
  return isOrder && typeof trace.actual !== typeof trace.value ? undefined : false;
}

function mayHoldOf(op: 'not' | 'and' | 'or', parts: readonly (boolean | undefined)[]): boolean | undefined {
  const [first] = parts;
  if (op === 'not') return first === undefined ? undefined : !first;
  const decides = op === 'or';
  if (parts.includes(decides)) return decides;
  return parts.includes(undefined) ? undefined : !decides;
}
