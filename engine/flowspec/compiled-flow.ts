/**
 * A flow that passed all checks, in the shape the runner wants: defaults filled in, edges resolved, order fixed.
 * A compiled flow never changes; a run holds on to the one it started with.
 */
import type { AutonomyLevel } from './autonomy.ts';
import type { WhenExpr } from './flow-doc.ts';
import type { InputDocs } from './flow-interface.ts';
import type { JsonMap, JsonValue } from './json-value.ts';
import type { NodeTypeData } from './node-type-spec.ts';

/** An edge with its name. */
export interface CompiledEdge {
  /** From the file, else `from->to`, with `#2`… for repeats. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly when: WhenExpr | undefined;
}

export interface CompiledNodePolicy {
  /** Milliseconds for one attempt; null = no limit. */
  readonly timeoutMs: number | null;
  /** Undefined when the file says nothing, which is not the same as an explicit false. */
  readonly continueOnError: boolean | undefined;
  /** The file says how often the node is tried. */
  readonly hasRetry?: true | undefined;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  /** Which failures are worth another attempt; absent = every one. */
  readonly retryIf?: RetryCondition | undefined;
}

/** Failures that another attempt may mend. */
export interface RetryCondition {
  /** Only those that say so of themselves. */
  readonly recoverable: boolean;
  /** Of those only these codes; empty = all. */
  readonly codes: readonly string[];
}

/** A node with its defaults and its neighbours. */
export interface CompiledNode {
  readonly id: string;
  readonly type: string;
  readonly input: Readonly<Record<string, JsonValue>>;
  readonly config: Readonly<Record<string, JsonValue>>;
  readonly when: WhenExpr | undefined;
  readonly disabled: boolean;
  readonly policy: CompiledNodePolicy;
  /** Place in the file, from 0: of the nodes that could start, the one with the lowest starts next. */
  readonly position: number;
  /** Ids of the nodes that must be terminal first, without repeats. */
  readonly upstream: readonly string[];
  /** Counts repeats. */
  readonly incomingCount: number;
  readonly outgoing: readonly CompiledEdge[];
  /** What a loop runs for each item. These nodes stand nowhere else in the flow. */
  readonly body?: CompiledGraph | undefined;
}

/** Nodes with the edges among them. */
export interface CompiledGraph {
  /** In start order: every node stands after its upstream nodes; ties keep the order of the file. */
  readonly nodes: readonly CompiledNode[];
  readonly edges: readonly CompiledEdge[];
}

export interface CompiledFlowPolicy {
  readonly failFast: boolean;
  readonly maxParallel: number;
  /** What one node may give, in bytes of JSON text; absent = 64 MiB. */
  readonly maxOutputBytes?: number;
  /** What its nodes may do without being asked; absent = no level, nothing is held back. */
  readonly autonomy?: AutonomyLevel;
}

/** What a flow that was written as steps means beside its graph. */
export interface StepDialect {
  readonly kind: 'steps';
  /** The id of the flow. */
  readonly flowId: string;
  /** The product that it belongs to, as its path says; absent = none. */
  readonly product?: string;
}

/** A graph that can run. */
export interface CompiledFlow extends CompiledGraph {
  readonly name: string;
  /** Defaults of the inputs. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** The inputs that it takes; absent = any. */
  readonly inputDocs?: InputDocs;
  /** What it gives, with bindings; absent = what its last nodes give. */
  readonly outputs?: JsonMap;
  /** Of a part of a flow: the nodes whose outputs it gives; absent = those that nothing follows. */
  readonly ends?: readonly string[];
  readonly policy: CompiledFlowPolicy;
  /** How it was written, where that changes what it means; absent = as nodes and edges. */
  readonly dialect?: StepDialect;
  /** Agents that are types of its nodes; absent = none. */
  readonly types?: readonly NodeTypeData[];
}
