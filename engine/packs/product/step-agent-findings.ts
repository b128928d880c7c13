/**
 * Finds problems with agents that steps name, before a flow runs. A missing agent only makes its step fail when the
 * step is about to run.
 */
import type { EngineError } from '../../base/engine-error.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import type { FlowWithPath } from './product-findings.ts';

/** Codes that other checks of products and of the file report. */
const reportedElsewhere: ReadonlySet<string> = new Set(['agent.isolated', 'agent.not-found']);

interface StepAgents {
  /** Returns why an existing agent cannot work for a step. */
  problemOf(name: string, product: string | undefined): Promise<EngineError | undefined>;
}

/** Returns the problems in the order of the steps. */
export async function findStepAgentProblems(
  { doc, text, path }: FlowWithPath,
  agents: StepAgents,
): Promise<readonly Diagnostic[]> {
  if (doc?.steps === undefined) return [];
  const product = productOfPath(path);
  const found = await Promise.all(
    doc.nodes.map(async ({ config }) => {
      const name = config?.['agent'];
      return typeof name === 'string' ? await agents.problemOf(name, product) : undefined;
    }),
  );
  const parsed = parseFlow(text);
  return found.flatMap((error, index): Diagnostic[] => {
    if (error === undefined || reportedElsewhere.has(error.code)) return [];
    const nodeId = doc.nodes[index]?.id;
    const range = parsed.problemRange(['nodes', index, 'config', 'agent']);
    return [
      {
        code: codeOf(error),
        severity: 'error',
        message: error.message,
        range,
        ...(nodeId === undefined ? {} : { nodeId }),
      },
    ];
  });
}

function codeOf({ code }: EngineError): Diagnostic['code'] {
  return code === 'agent.not-pure' ? 'step.agent-not-pure' : 'step.agent-unusable';
}
