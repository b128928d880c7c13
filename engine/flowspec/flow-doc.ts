/**
 * The FlowSpec document as data: what a `*.flow.yaml` file holds after it was read, before it is compiled.
 */
import type { JsonValue } from './json-value.ts';

/** Condition on a node: exactly one of the four forms. */
export type WhenExpr =
  | { readonly equals: { readonly var: string; readonly value: JsonValue } }
  | { readonly not: WhenExpr }
  | { readonly and: readonly WhenExpr[] }
  | { readonly or: readonly WhenExpr[] };

export interface RetryPolicy {
  /** Total attempts, the first included; at least 1. */
  readonly maxAttempts: number;
  /** Pause between attempts in milliseconds, always the same; 0 when absent. */
  readonly backoffMs?: number;
}

export interface NodePolicy {
  /** Limit of one attempt in milliseconds; absent or 0 = none. */
  readonly timeoutMs?: number;
  readonly continueOnError?: boolean;
  readonly retry?: RetryPolicy;
}

export interface NodeDoc {
  readonly id: string;
  readonly type: string;
  readonly input: Readonly<Record<string, JsonValue>>;
  readonly config?: Readonly<Record<string, JsonValue>>;
  readonly when?: WhenExpr;
  readonly policy?: NodePolicy;
  readonly name?: string;
  readonly description?: string;
  readonly disabled?: boolean;
}

export interface EdgeDoc {
  readonly from: string;
  readonly to: string;
  readonly id?: string;
}

/** Position of a card on the canvas, in logical pixels. */
export interface NodePosition {
  readonly x: number;
  readonly y: number;
}

/** Editor-only part of the file; running ignores it. */
export interface LayoutDoc {
  readonly nodes?: Readonly<Record<string, NodePosition>>;
}

export interface FlowDoc {
  readonly flow: {
    readonly name: string;
    readonly version?: number;
    readonly description?: string;
    /** Default inputs; those of the caller are merged over them, key by key. */
    readonly input?: Readonly<Record<string, JsonValue>>;
    readonly policy?: { readonly failFast?: boolean; readonly maxParallel?: number };
  };
  readonly nodes: readonly NodeDoc[];
  readonly edges: readonly EdgeDoc[];
  readonly layout?: LayoutDoc;
}
