/**
 * Extracts the result of a policy's run, based on the policy's definition rather than on key names.
 */
import { z } from 'zod';
import type { ParsedFlow } from '../../language/flow/parse-flow.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { NodeRegistry } from '../../runtime/nodes/node-registry.ts';

interface EndedRunResult {
  /** Output in the run's last event. */
  readonly output: JsonValue;
  readonly definition: ParsedFlow;
  readonly registry: Pick<NodeRegistry, 'get'>;
  /** Returns whether a node of the flow has completed. A node that was skipped or has failed has no output. */
  readonly hasCompleted: (nodeId: string) => boolean;
}

/**
 * Returns the declared outputs of a flow, or the whole data of a step flow. For a flow without declared outputs,
 * returns a map of its last nodes' outputs; if only one of them has an output, returns that output.
 */
export function runResult({ output, definition, registry, hasCompleted }: EndedRunResult): JsonValue {
  const { doc, steps } = definition;
  if (steps !== undefined || doc?.flow.outputs !== undefined || !isJsonMap(output)) return output;
  const [only, ...others] = Object.keys(output).filter(hasCompleted);
  if (only === undefined || others.length > 0) return output;
  const type = doc?.nodes.find(({ id }) => id === only)?.type ?? '';
  return resultOfNode(type, output[only] ?? null, registry);
}

function resultOfNode(type: string, given: JsonValue, registry: Pick<NodeRegistry, 'get'>): JsonValue {
  if (!isJsonMap(given)) return given;
  switch (type) {
    case 'prompt':
      return given['value'] ?? given['text'] ?? null;
    case 'agent':
      return resultOfAgent(given);
    case 'flow':
      return given['outputs'] ?? null;
    default: {
      const field = onlyField(registry.get(type)?.outputSchema);
      return field === undefined ? given : (given[field] ?? null);
    }
  }
}

function resultOfAgent({ after_all = null, outputs = null }: JsonMap): JsonValue {
  if (after_all !== null || !isJsonList(outputs)) return after_all;
  return outputs.length === 1 ? (outputs[0] ?? null) : outputs;
}

/** Returns the only field of a node type's output, such as `text` of a template. */
function onlyField(schema: unknown): string | undefined {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return fields.length === 1 ? fields[0] : undefined;
}
