/**
 * What is told of the steps of a flow that is a list of them, beside what is told of every node.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';

/** A plan in short. */
export interface PlanSummary {
  readonly summary: string;
  readonly steps_count: number;
  /** The first ten. */
  readonly step_ids: readonly string[];
  readonly required_tools: readonly string[];
  readonly approvals_count: number;
  readonly estimated_cost: JsonValue;
}

export type StepEvent =
  /** About the call of a step's agent or tool that succeeded: who did it, when, for how long, at what cost. */
  | { readonly type: 'step:meta'; readonly nodeId: string; readonly meta: JsonMap }
  /** An agent has proposed a plan. Nothing of it is carried out. */
  | { readonly type: 'plan:proposed'; readonly nodeId: string; readonly plan: PlanSummary }
  /** What an agent proposed is no plan. */
  | { readonly type: 'plan:invalid'; readonly nodeId: string; readonly error: string };
