/**
 * What the nodes of one graph share while it runs: the flow's own nodes, or one item's pass through the body of a loop.
 */
import type { Clock } from '../base/clock.ts';
import type { IdSource } from '../base/ids.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import type { CompiledGraph } from '../flowspec/compiled-flow.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { Harness } from '../kernel/harness.ts';
import type { InboxRouter } from '../kernel/inbox.ts';
import type { Spending } from '../kernel/spending.ts';
import type { Breather } from './breather.ts';
import type { NodeTypeLookup } from './node-type.ts';
import type { ResumePoint } from './resume-point.ts';
import type { ReuseSource } from './reuse-source.ts';
import type { WorkGuard } from './work-guard.ts';

/** What all graphs of one run share. */
export interface RunWorld {
  readonly registry: NodeTypeLookup;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly capabilities: Partial<Capabilities>;
  readonly policy: { readonly failFast: boolean; readonly maxParallel: number };
  readonly spending: Spending;
  readonly breather: Breather;
  readonly inboxes: InboxRouter | undefined;
  readonly resume: ResumePoint | undefined;
  readonly reuse: ReuseSource | undefined;
  /** Every node whose task failed, tolerated or not, in order. */
  readonly failedNodes: string[];
  /** Tasks that an earlier process left open and nobody has taken up yet, by full node name. */
  readonly openTasks: Set<string>;
  /** The first node that waits for a person. */
  suspendedNode: string | undefined;
  /** `runGraph`, for nodes that have a graph of their own. */
  readonly runGraph: (graph: CompiledGraph, scope: RunScope, outputs: Map<string, JsonValue>) => Promise<void>;
}

export interface RunScope {
  readonly world: RunWorld;
  /** Stands before the ids of the graph's nodes in events: empty, or `<loop>[<item>].`. */
  readonly prefix: string;
  /** What bindings see beside the outputs of the graph's own nodes. */
  readonly outer: BindingContext;
  readonly harness: Harness;
  /** Asks all nodes of the graph to stop. */
  readonly cancel: CancelScope;
}

/** Where a node runs: what its whole graph shares. */
export interface NodePlace {
  readonly scope: RunScope;
  readonly guard: WorkGuard;
  /** What bindings see. */
  readonly context: BindingContext;
}
