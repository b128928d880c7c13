/**
 * Events for flows written as a list of steps, in addition to the events of their nodes.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';

/** Short form of a plan. */
export interface PlanSummary {
  readonly summary: string;
  readonly steps_count: number;
  /** Ids of the first ten steps. */
  readonly step_ids: readonly string[];
  readonly required_tools: readonly string[];
  readonly approvals_count: number;
  readonly estimated_cost: JsonValue;
}

export type StepEvent =
  /** Describes a successful call of a step's agent or tool: who did it, when, how long it took and what it cost. */
  | { readonly type: 'step:meta'; readonly nodeId: string; readonly meta: JsonMap }
  /** An agent proposed a plan. No part of it runs. */
  | { readonly type: 'plan:proposed'; readonly nodeId: string; readonly plan: PlanSummary }
  /** An agent's proposal is not a valid plan. */
  | { readonly type: 'plan:invalid'; readonly nodeId: string; readonly error: string };
