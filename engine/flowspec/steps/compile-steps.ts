/**
 * What steps mean beside the flow that they stand for: when they are tried again, and that they are steps.
 */
import type { CompiledFlow, CompiledNode } from '../compiled-flow.ts';
import type { StepDoc, StepFlowDoc } from './step-flow-doc.ts';

/** Steps that are tried again; a person is asked once, and so is who plans. */
const triedAgain: ReadonlySet<StepDoc['type']> = new Set(['agent', 'tool']);

/** The graph of a flow of steps, with the rules of its steps. */
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
