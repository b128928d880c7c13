/**
 * Events for flows written as a list of steps, in addition to their nodes' events.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';

/** A plan in short form. */
export interface PlanSummary {
  readonly summary: string;
  readonly steps_count: number;
  /** IDs of the first ten steps. */
  readonly step_ids: readonly string[];
  readonly required_tools: readonly string[];
  readonly approvals_count: number;
  readonly estimated_cost: JsonValue;
}

export type StepEvent =
  /** Describes a successful call to a step's agent or tool: who made it, when, how long it took and what it cost. */
  | { readonly type: 'step:meta'; readonly nodeId: string; readonly meta: JsonMap }
  /** An agent proposed a plan. None of it runs. */
  | { readonly type: 'plan:proposed'; readonly nodeId: string; readonly plan: PlanSummary }
  /** An agent's proposal is not a valid plan. */
  | { readonly type: 'plan:invalid'; readonly nodeId: string; readonly error: string };
