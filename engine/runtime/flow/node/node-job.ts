/**
 * A node that is ready to run, and the possible outcomes of an attempt.
 */
import type { ErrorRecord } from '../../../base/engine-error.ts';
import type { CompiledNode } from '../../../language/flow/compiled-flow.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { NodeEffects } from '../../../language/types/node-type-spec.ts';
import type { SuspendReason } from '../../kernel/events/run-event.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import type { Spending } from '../../kernel/hub/spending.ts';
import type { Ask } from '../../kernel/requests/ask.ts';
import type { ResumePoint } from '../../kernel/resume/resume-point.ts';
import type { LoopBody } from '../node-type.ts';
import type { LoopActivity } from '../run-activity.ts';
import type { NodeScope } from '../run-scope.ts';
import type { PreparedNode } from './prepare-node.ts';

export interface NodeJob {
  readonly node: CompiledNode;
  /** The node's full name in the run: its ID or `<loop>[<item>].<id>`. */
  readonly name: string;
  readonly prepared: PreparedNode;
  /** Hub in the context of the node's task. */
  readonly hub: Hub;
  readonly place: NodeScope;
  readonly body?: LoopBody;
  /** Activity of a loop with a timeout. The timeout is paused while everything in the loop waits for people. */
  readonly activity?: LoopActivity | undefined;
  /** Tracks the attempt's spending; absent to use the run's. */
  readonly spending?: Spending;
  /** What earlier parts of the attempt have begun, if its host keeps it in parts. */
  readonly begun?: BegunWork;
}

/** Work that an attempt has begun and resumes. */
export interface BegunWork {
  /** Child runs, in order. */
  readonly calls: readonly ResumePoint[];
  /** See `OpenTask.cutTools`. */
  readonly cutTools: ReadonlyMap<string, number>;
}

/** The outcome of an attempt, consisting only of JSON values. */
export type AttemptEnd =
  /** `meta`: a step's notes about its call. */
  | { readonly kind: 'value'; readonly value: JsonValue; readonly meta?: JsonMap }
  /** Set if another attempt may improve the output: the output, the reason for the attempt, and the delay before it. */
  | {
      readonly kind: 'unwanted';
      readonly value: JsonValue;
      readonly error: ErrorRecord;
      readonly delayMs: number | undefined;
    }
  /** `isDeaf`: the attempt timed out and may still be running. */
  | { readonly kind: 'failed'; readonly error: ErrorRecord; readonly isDeaf: boolean }
  | { readonly kind: 'skipped'; readonly reason: string }
  /** A node in a child run waits for a person; `inner` is its name. */
  | { readonly kind: 'suspended'; readonly inner: string | undefined; readonly reason: SuspendReason }
  /** The attempt has made requests that are not answered yet. */
  | { readonly kind: 'asks'; readonly asks: readonly Ask[] }
  /** The node was interrupted, and a person did not allow it to run again. */
  | { readonly kind: 'rejected' }
  | { readonly kind: 'cancelled' };

/** Returns the effects of running the node twice. */
export function effectsOf({ prepared: { nodeType, config, input } }: NodeJob): NodeEffects {
  // Both were parsed by the type's own schemas.
  return nodeType.effectsOf?.(config as never, input as never) ?? nodeType.effects;
}
