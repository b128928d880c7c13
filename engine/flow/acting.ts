/**
 * Which nodes act: do something outside of their run that stays. Where a level of autonomy holds, these are put before it.
 */
import { prepareInput } from '../flowspec/coerce-input.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import type { NodeType, NodeTypeLookup } from './node-type.ts';

/** Type of the nodes that call a tool which their settings name. */
export const toolType = 'tool';

/**
 * `itself`: it acts when it runs. `tool`: it calls the one tool that its settings name. `below`: all that it does outside is done by tools
 * that its model chooses, and by nodes of runs and bodies that it runs, each of which is judged for itself.
 */
export type Acting = 'not' | 'itself' | 'tool' | 'below';

/** What of a node is known that is about to run, or has run. */
interface ActingNode {
  readonly node: CompiledNode;
  readonly nodeType: NodeType;
  /** As the type's schemas give them. */
  readonly input: unknown;
  readonly config: unknown;
}

export function actingOf({ node, nodeType, input, config }: ActingNode, registry: NodeTypeLookup): Acting {
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
 * As `actingOf`, of a node with its input as the log or the file has it.
 * @param input undefined = nobody knows what it is given
 */
export function actingWith(node: CompiledNode, input: JsonMap | undefined, registry: NodeTypeLookup): Acting {
  const nodeType = registry.get(node.type);
  if (nodeType === undefined) return 'itself';
  const given = input === undefined ? undefined : prepareInput(nodeType.inputSchema, input);
  const config = prepareInput(nodeType.configSchema, node.config);
  // Who would not have run has done nothing, and where nobody can tell, the most is taken that the type does.
  if (given?.ok !== true || !config.ok)
    return nodeType.effects === 'pure' && nodeType.capabilities.length === 0 ? 'not' : 'itself';
  return actingOf({ node, nodeType, input: given.value, config: config.value }, registry);
}

/** Whether a node of a body could act, by what its type and its settings say. */
function mayAct(node: CompiledNode, registry: NodeTypeLookup): boolean {
  return !node.disabled && actingWith(node, node.input as JsonMap, registry) !== 'not';
}
