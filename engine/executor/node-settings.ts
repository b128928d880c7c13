/**
 * What decides the outputs of nodes beside the flow itself: versions of packs, settings of models. Kept with each run, so
 * that a later one knows whether a result may be taken over.
 */
import type { NodeType, NodeTypeLookup } from '../flow/node-type.ts';
import { prepareInput } from '../flowspec/coerce-input.ts';
import type { CompiledGraph, CompiledNode } from '../flowspec/compiled-flow.ts';
import type { Capabilities } from '../kernel/capabilities.ts';

export interface SettingsWorld {
  readonly registry: NodeTypeLookup;
  readonly capabilities: Capabilities;
}

/** By id of each node that has any, bodies of loops included: a hash of its settings. */
export async function readNodeSettings(
  graph: CompiledGraph,
  world: SettingsWorld,
): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = [];
  await collect(graph, world, found);
  return Object.fromEntries(found);
}

async function collect(graph: CompiledGraph, world: SettingsWorld, found: [string, string][]): Promise<void> {
  for (const node of graph.nodes) {
    const nodeType = world.registry.get(node.type);
    if (nodeType?.settingsOf !== undefined || nodeType?.version !== undefined) {
      found.push([node.id, world.capabilities.hash.sha256(await settingsText(node, nodeType, world.capabilities))]);
    }
    if (node.body !== undefined) await collect(node.body, world, found);
  }
}

async function settingsText(node: CompiledNode, nodeType: NodeType, capabilities: Capabilities): Promise<string> {
  const { version = '' } = nodeType;
  const config = prepareInput(nodeType.configSchema, node.config);
  // A config that does not fit fails the node; there is no result to be taken over.
  if (!config.ok) return version;
  const can = Object.fromEntries(nodeType.capabilities.map((name) => [name, capabilities[name]]));
  // The type's own schema has parsed the config, and it gets what it declared.
  const settings = await nodeType.settingsOf?.(config.value as never, can as never);
  return `${version}\n${settings ?? ''}`;
}
