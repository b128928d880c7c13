/**
 * Adds the semantics of steps to the equivalent flow: when they are retried, and that they are steps.
 */
import type { CompiledFlow, CompiledNode } from '../flow/compiled-flow.ts';
import type { StepDoc, StepFlowDoc } from './step-flow-doc.ts';

/** Step types that are retried. A person is asked only once, and so is a planner. */
const triedAgain: ReadonlySet<StepDoc['type']> = new Set(['agent', 'tool']);

/** Returns the graph of a flow of steps, with the rules for its steps. */
export function asSteps(flow: CompiledFlow, { id, steps }: StepFlowDoc): CompiledFlow {
  const stepOf = new Map(steps.map((step) => [step.id, step]));
  return {
    ...flow,
    dialect: { kind: 'steps', flowId: id },
    nodes: flow.nodes.map((node) => withRetry(node, stepOf.get(node.id))),
  };
}

function withRetry(node: CompiledNode, step: StepDoc | undefined): CompiledNode {
  const { retry, type } = step ?? {};
  const isTried = type !== undefined && triedAgain.has(type);
  return {
    ...node,
    policy: {
      ...node.policy,
      maxAttempts: isTried ? node.policy.maxAttempts : 1,
      retryIf: { recoverable: true, codes: retry?.retry_on_codes ?? [] },
    },
  };
}
