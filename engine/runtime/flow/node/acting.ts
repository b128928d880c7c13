/**
 * Determines which nodes act, that is, have a lasting effect outside their run. Autonomy levels apply to these nodes.
 */

import type { CompiledNode } from '../../../language/flow/compiled-flow.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { prepareInput } from '../../../language/schema/coerce-input.ts';
import type { NodeType, NodeTypeLookup } from '../node-type.ts';

/** Type of nodes that call the tool named in their settings. */
export const toolType = 'tool';

/**
 * `itself`: it acts when it runs. `tool`: it calls the one tool named in its settings. `below`: it acts only through
 * tools that its model chooses and through nodes in child runs and loop bodies, which are judged separately.
 */
export type EffectKind = 'not' | 'itself' | 'tool' | 'below';

/** The known facts about a node that is about to run or has run. */
interface ActingNode {
  readonly node: CompiledNode;
  readonly nodeType: NodeType;
  /** As parsed by the type's schemas. */
  readonly input: unknown;
  readonly config: unknown;
}

export function actingOf({ node, nodeType, input, config }: ActingNode, registry: NodeTypeLookup): EffectKind {
  const { capabilities, effects, resumesCalls, type } = nodeType;
  if (nodeType.runsBody === true) return node.body?.nodes.some((inner) => mayAct(inner, registry)) ? 'below' : 'not';
  if (type === toolType) return 'tool';
  if (capabilities.includes('agents')) return 'itself';
  if (capabilities.includes('flows')) return 'below';
  const isExternal = (nodeType.effectsOf?.(config as never, input as never) ?? effects) === 'external';
  if (isExternal) return resumesCalls === true && capabilities.includes('tools') ? 'below' : 'itself';
  return nodeType.writes?.(config as never, input as never) === true ? 'itself' : 'not';
}

/**
 * Like `actingOf`, for a node with its input from the log or the file.
 * @param input undefined if the input is unknown
 */
export function actingWith(node: CompiledNode, input: JsonMap | undefined, registry: NodeTypeLookup): EffectKind {
  const nodeType = registry.get(node.type);
  if (nodeType === undefined) return 'itself';
  const given = input === undefined ? undefined : prepareInput(nodeType.inputSchema, input);
  const config = prepareInput(nodeType.configSchema, node.config);
  // A node with invalid input would not have run. If the input is unknown, assumes the most that the type can do.
  if (given?.ok !== true || !config.ok)
    return nodeType.effects === 'pure' && nodeType.capabilities.length === 0 ? 'not' : 'itself';
  return actingOf({ node, nodeType, input: given.value, config: config.value }, registry);
}

/** Whether a body node could act, judging by its type and settings. */
function mayAct(node: CompiledNode, registry: NodeTypeLookup): boolean {
  return !node.disabled && actingWith(node, node.input as JsonMap, registry) !== 'not';
}
