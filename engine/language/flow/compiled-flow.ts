/**
 * A validated flow in the form used by the runner: with defaults, resolved edges and a fixed order. A compiled flow
 * never changes; a run keeps the one with which it started.
 */

import type { JsonMap, JsonValue } from '../json/json-value.ts';
import type { BudgetDoc } from '../triggers/budget-doc.ts';
import type { NodeTypeData } from '../types/node-type-spec.ts';
import type { AutonomyLevel } from './autonomy.ts';
import type { WhenExpr } from './flow-doc.ts';
import type { InputDocs } from './flow-interface.ts';

/** An edge with its name. */
export interface CompiledEdge {
  /** ID from the file, or `from->to`, with `#2`… for duplicates. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly when: WhenExpr | undefined;
}

export interface CompiledNodePolicy {
  /** Time limit of one attempt in milliseconds; null for no limit. */
  readonly timeoutMs: number | null;
  /** Undefined if not set in the file, which differs from an explicit false. */
  readonly continueOnError: boolean | undefined;
  /** Whether the file sets the number of attempts. */
  readonly hasRetry?: true | undefined;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  /** Failures that are retried; absent for all. */
  readonly retryIf?: RetryCondition | undefined;
}

/** Failures worth retrying. */
export interface RetryCondition {
  /** Whether only errors marked as recoverable are retried. */
  readonly recoverable: boolean;
  /** Error codes that are retried, in addition to that restriction; empty for all. */
  readonly codes: readonly string[];
}

/** A node with its defaults and its neighbors. */
export interface CompiledNode {
  readonly id: string;
  readonly type: string;
  readonly input: Readonly<Record<string, JsonValue>>;
  readonly config: Readonly<Record<string, JsonValue>>;
  readonly when: WhenExpr | undefined;
  readonly disabled: boolean;
  readonly policy: CompiledNodePolicy;
  /** Index in the file, from 0. Of the nodes that could start, the one with the lowest index starts next. */
  readonly position: number;
  /** IDs of the nodes that must settle first, without duplicates. */
  readonly upstream: readonly string[];
  /** Includes duplicates. */
  readonly incomingCount: number;
  readonly outgoing: readonly CompiledEdge[];
  /** Nodes that a loop runs for each item. They occur only here. */
  readonly body?: CompiledGraph | undefined;
}

/** Nodes, and the edges between them. */
export interface CompiledGraph {
  /** In start order: every node comes after its upstream nodes; ties keep file order. */
  readonly nodes: readonly CompiledNode[];
  readonly edges: readonly CompiledEdge[];
}

export interface CompiledFlowPolicy {
  readonly failFast: boolean;
  readonly maxParallel: number;
  /** Maximum size of a node's output, in bytes of JSON text; absent for 64 MiB. */
  readonly maxOutputBytes?: number;
  /** What its nodes may do without approval; absent for no level and no restrictions. */
  readonly autonomy?: AutonomyLevel;
  /** What a run may use before it is paused; absent for no limit. */
  readonly budget?: BudgetDoc;
}

/** Additional semantics of a flow written as steps. */
export interface StepDialect {
  readonly kind: 'steps';
  /** The flow's ID. */
  readonly flowId: string;
  /** The product that contains it, derived from its path; absent if there is none. */
  readonly product?: string;
}

/** An executable graph. */
export interface CompiledFlow extends CompiledGraph {
  readonly name: string;
  /** Default input values. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** The accepted inputs; absent if all are accepted. */
  readonly inputDocs?: InputDocs;
  /** The output with bindings; absent for the outputs of its last nodes. */
  readonly outputs?: JsonMap;
  /** For a part of a flow: the nodes that provide its output; absent for the nodes without outgoing edges. */
  readonly ends?: readonly string[];
  readonly policy: CompiledFlowPolicy;
  /** How the flow was written, if this affects its meaning; absent for nodes and edges. */
  readonly dialect?: StepDialect;
  /** Agents that are node types in this flow; absent if there are none. */
  readonly types?: readonly NodeTypeData[];
}
