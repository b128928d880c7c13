/**
 * A node that is ready to be tried, and how a try can end.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { NodeEffects } from '../flowspec/node-type-spec.ts';
import type { Ask } from '../kernel/ask.ts';
import type { Hub } from '../kernel/hub.ts';
import type { SuspendReason } from '../kernel/run-event.ts';
import type { Spending } from '../kernel/spending.ts';
import type { LoopBody } from './node-type.ts';
import type { PreparedNode } from './prepare-node.ts';
import type { LoopActivity } from './run-activity.ts';
import type { NodeScope } from './run-scope.ts';

export interface NodeJob {
  readonly node: CompiledNode;
  /** The node's place in the run: its id, or `<loop>[<item>].<id>`. */
  readonly name: string;
  readonly prepared: PreparedNode;
  /** In the context of the node's task. */
  readonly hub: Hub;
  readonly place: NodeScope;
  readonly body?: LoopBody;
  /** Of a loop with a time-out, which stands still while all that is in the loop waits for people. */
  readonly activity?: LoopActivity | undefined;
  /** Counts what the attempt spends; that of the run when absent. */
  readonly spending?: Spending;
}

/** All of it is JSON. */
export type AttemptEnd =
  /** `meta`: what a step has noted about its call. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly meta?: JsonMap }
  /** An output that another attempt may improve, why, and when the node would like to be tried again. */
  | {
      readonly kind: 'unwanted';
      readonly value: JsonValue;
      readonly error: ErrorRecord;
      readonly delayMs: number | undefined;
    }
  /** `isDeaf`: it ran out of time, and may still be at work. */
  | { readonly kind: 'failed'; readonly error: ErrorRecord; readonly isDeaf: boolean }
  | { readonly kind: 'skipped'; readonly reason: string }
  /** Something of a run that it called waits for a person; `inner` names it. */
  | { readonly kind: 'suspended'; readonly inner: string | undefined; readonly reason: SuspendReason }
  /** It has asked what nobody has answered yet. */
  | { readonly kind: 'asks'; readonly asks: readonly Ask[] }
  /** It was cut, and a person did not want it to be run again. */
  | { readonly kind: 'rejected' }
  | { readonly kind: 'cancelled' };

/** What running the node twice would do to the world. */
export function effectsOf({ prepared: { nodeType, config, input } }: NodeJob): NodeEffects {
  // The type's own schemas have parsed both.
  return nodeType.effectsOf?.(config as never, input as never) ?? nodeType.effects;
}
