/**
 * Runs nodes whose type is an agent.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { specOfData } from '../../language/types/data-type.ts';
import type { NodeTypeData } from '../../language/types/node-type-spec.ts';
import { defineNodeType, NodeSkip, type NodeType, type NodeTypeLookup } from '../flow/node-type.ts';
import type { AnswerProblem, Capabilities } from '../kernel/capabilities/capabilities.ts';

/** Returns a run's node types: those in a registry, and the agents that the flow names. */
export function withAgentNodes(registry: NodeTypeLookup, types: readonly NodeTypeData[] = []): NodeTypeLookup {
  if (types.length === 0) return registry;
  const agents = new Map(types.map((data) => [data.type, agentNodeType(data)]));
  return {
    get: (type) => registry.get(type) ?? agents.get(type),
    allowsLongLived: (type) => registry.allowsLongLived?.(type) === true,
  };
}

const made = new WeakMap<NodeTypeData, NodeType>();

/** Passes the input to the agent as its only input. The single output is validated and becomes the node's output. */
function agentNodeType(data: NodeTypeData): NodeType {
  const known = made.get(data);
  if (known !== undefined) return known;
  const { type, input: inputSchema, output: outputSchema } = data;
  const spec = specOfData(data);
  const nodeType = defineNodeType(
    { ...spec, outputSchema: spec.outputSchema as never },
    {
      capabilities: ['agents', 'answers'],
      resumesCalls: true,
      async run({ nodeId, input, hub, signal, can, formerCalls = [], answers }) {
        const given = input as JsonMap;
        // If the node was interrupted, its input was already validated.
        if (formerCalls.length === 0) {
          const problems = await problemsOf(given, inputSchema, { can, signal });
          if (problems.length > 0) throw unfit('input', nodeId, { type, problems });
        }
        const { outputs, skipReason } = await can.agents.run(
          { agent: type, inputs: [given] },
          { hub, signal, depth: 0, isDry: false, followsRedo: true, former: formerCalls, ...(answers && { answers }) },
        );
        if (skipReason !== undefined) throw new NodeSkip(skipReason);
        const [output, ...others] = outputs ?? [];
        if (output === undefined || others.length > 0) throw notOneOutput(type, outputs?.length ?? 0);
        const problems = await problemsOf(output, outputSchema, { can, signal });
        if (problems.length > 0) throw unfit('output', nodeId, { type, problems });
        return output as never;
      },
    },
  );
  made.set(data, nodeType);
  return nodeType;
}

interface Checker {
  readonly can: Pick<Capabilities, 'answers'>;
  readonly signal: AbortSignal;
}

/** Validates against the full schema. Its patterns may take long, so they run in a thread that can be terminated. */
async function problemsOf(
  value: JsonValue,
  schema: JsonMap | boolean,
  { can, signal }: Checker,
): Promise<readonly AnswerProblem[]> {
  if (schema === true) return [];
  const read = await can.answers.read({ text: JSON.stringify(value), find: 'whole', schema }, signal);
  return 'problems' in read ? read.problems : [];
}

function unfit(
  part: 'input' | 'output',
  nodeId: string,
  { type, problems }: { readonly type: string; readonly problems: readonly AnswerProblem[] },
): EngineError {
  const [first] = problems;
  const where = first?.pointer === '' ? 'it' : first?.pointer;
  const what =
    part === 'input'
      ? `The input does not match the input schema of the agent ${type}`
      : `The output of the agent ${type} does not match its output schema`;
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  return new EngineError({
    code: `node.bad-${part}`,
    message: `Node "${nodeId}": ${what}: at ${where}, expected ${first?.expected}, found ${first?.found}.${more}`,
    nodeId,
    details: { problems: problems.map((problem) => ({ ...problem })) },
  });
}

function notOneOutput(agent: string, count: number): EngineError {
  return new EngineError({
    code: 'agent.not-one-output',
    message: `The agent ${agent} returned ${count} outputs, but a node of its type needs exactly one. Keep the inputs unchanged in its "# Before All", or run it with a node of type agent.`,
    details: { agent, count },
  });
}
