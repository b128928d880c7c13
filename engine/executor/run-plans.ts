/**
 * What runs would do and take, before they are started.
 */
import type { NodeTypeLookup } from '../flow/node-type.ts';
import type { RunStore } from '../store/run-store.ts';
import { type GivenOutput, latestOutputs } from './earlier-run.ts';
import type { FlowJobs, RerunFrom } from './flow-jobs.ts';
import { type NodePlan, type PlanNode, planNode } from './node-plan.ts';
import type { RerunStep } from './rerun.ts';

/** What a rerun would do. */
export type PlanRerun = RerunFrom;

/** Nothing runs because of any of these. */
export interface RunPlans {
  /**
   * What `rerunFrom` would do, node by node in start order. Without a node: what has to run anew because of what has changed
   * since. @throws EngineError as `rerunFrom` does
   */
  planRerun(request: PlanRerun): Promise<readonly RerunStep[]>;
  /**
   * What a node would get and do if it ran alone, and what is missing for that.
   * @throws EngineError `flow.invalid` | `node.not-found` | `node.in-loop`
   */
  planNode(request: PlanNode): Promise<NodePlan>;
  /** What a node of the flow at a path gave last, unless that was pinned; undefined when none of the latest runs has it. */
  latestOutput(request: { readonly path: string; readonly nodeId: string }): GivenOutput | undefined;
}

/** Makes those of one store. */
export function createRunPlans(
  flows: FlowJobs,
  world: { readonly store: RunStore; readonly registry: NodeTypeLookup },
): RunPlans {
  return {
    planRerun: async (request) => (await flows.readRerun(request)).rerun.plan(world.registry),
    planNode: async (request) => planNode((await flows.definitions.compiled(request)).flow, request, world),
    latestOutput: ({ path, nodeId }) => latestOutputs(path, [nodeId], world.store).get(nodeId),
  };
}
