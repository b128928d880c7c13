/**
 * What is true of a run now. `fold-run.ts` makes it from events.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { SkipReason } from '../flowspec/markers.ts';
import type { WhenTrace } from '../flowspec/when-trace.ts';
import { PersistentMap } from './persistent-map.ts';
import { PersistentSet } from './persistent-set.ts';
import type { ModelUsage, SuspensionRequest } from './run-event.ts';
import type { RunStatus } from './run-summary.ts';

/** A node that has no entry in `RunState.nodes` has not been reached yet. */
export type NodeStatus =
  | 'running'
  | 'retrying'
  | 'suspended'
  | 'completed'
  | 'reused'
  | 'failed'
  | 'skipped'
  | 'cancelled';

/** What is true of a node. */
export interface NodeState {
  /** A node in the body of a loop is named by its place in the run: `<loop>[<item>].<id>`. */
  readonly nodeId: string;
  readonly nodeType?: string | undefined;
  readonly status: NodeStatus;
  /** Epoch milliseconds; absent for a skipped node. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  /** Attempts that ended, or, while it runs, the one that is going on; from 1. */
  readonly attempts: number;
  readonly input?: JsonValue | undefined;
  readonly output?: JsonValue | undefined;
  readonly error?: ErrorRecord | undefined;
  /** Text streamed in the attempt that is going on or was the last. */
  readonly text: string;
  readonly skip?: { readonly reason: SkipReason; readonly detail?: WhenTrace } | undefined;
  readonly usage?: ModelUsage | undefined;
  /** What it asks a person, while it is suspended. */
  readonly request?: SuspensionRequest | undefined;
  /** The run whose result it took over, when it was reused. */
  readonly fromRunId?: RunId | undefined;
}

/** What is true of a run. Its collections are those of `fold-run.ts`; any others work too, and are copied once. */
export interface RunState {
  readonly runId: RunId | null;
  readonly name: string;
  readonly sourcePath: string;
  /** Folding knows no owners, so it never yields `interrupted`. */
  readonly status: RunStatus;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly inputs: JsonValue;
  readonly output: JsonValue | undefined;
  readonly error: ErrorRecord | undefined;
  /** Every node whose task failed, tolerated or not, in order. */
  readonly failedNodes: ReadonlySet<string>;
  readonly redoOf: RunId | null;
  readonly redoCount: number;
  /** The run whose results it took over where nothing had changed, and the node from which all ran again. */
  readonly rerunOf: RunId | null;
  readonly rerunFromNode: string | null;
  /** By node id. An untouched node keeps its identity (`===`) from one state to the next. */
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** Ids of the edges that fired. */
  readonly firedEdges: ReadonlySet<string>;
  /** Ids of the edges whose condition was false. */
  readonly skippedEdges: ReadonlySet<string>;
  readonly usage: ModelUsage;
  /** The last `seq` folded in; -1 before the first. */
  readonly seq: number;
}

const noIds = PersistentSet.of([]);

/** Before the first event. */
export const emptyRunState: RunState = {
  runId: null,
  name: '',
  sourcePath: '',
  status: 'queued',
  startedAt: null,
  durationMs: null,
  inputs: {},
  output: undefined,
  error: undefined,
  failedNodes: noIds,
  redoOf: null,
  redoCount: 0,
  rerunOf: null,
  rerunFromNode: null,
  nodes: PersistentMap.of<NodeState>(new Map()),
  firedEdges: noIds,
  skippedEdges: noIds,
  usage: { promptTokens: 0, completionTokens: 0 },
  seq: -1,
};
