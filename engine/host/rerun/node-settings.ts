/**
 * Determines what affects a node's output besides its definition and input, such as model settings or a called flow.
 */

import { calledFileOf } from '../../language/flow/called-flows.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import type { CalledFlow, SchemaFiles } from '../../language/flow/schema-files.ts';
import { calledDefinition } from '../../language/flow/stored-definition.ts';
import { prepareInput } from '../../language/schema/coerce-input.ts';
import type { NodeType, NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import type { SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';

interface SettingsWorld {
  readonly registry: NodeTypeLookup;
  /** The files that the definition references, including the flows that it calls. */
  readonly files: SchemaFiles;
  readonly compiled: (flow: CalledFlow) => CompiledFlow;
  readonly capabilities: SharedCapabilities;
}

/** Returns, by node ID, a hash of the settings of each node that has any, including nodes in loop bodies. */
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
    const file = calledFileOf(node, world.files);
    if (file !== undefined && 'flow' in file) found.push([node.id, await callSettings(file.flow, world)]);
    if (node.body !== undefined) await collect(node.body, world, found);
  }
}

/** Hashes a called flow as a whole: its text, the flows that it calls, and the settings of their nodes. */
async function callSettings(flow: CalledFlow, world: SettingsWorld): Promise<string> {
  const files = new Map(flow.files);
  const inner = await readNodeSettings(world.compiled(flow), { ...world, files });
  return world.capabilities.hash.sha256(`${calledDefinition(flow)}\n${JSON.stringify(inner)}`);
}

async function settingsText(node: CompiledNode, nodeType: NodeType, capabilities: SharedCapabilities): Promise<string> {
  const { version = '' } = nodeType;
  const config = prepareInput(nodeType.configSchema, node.config);
  // An invalid config makes the node fail, so there is no result to reuse.
  if (!config.ok) return version;
  const can = Object.fromEntries(
    nodeType.capabilities.map((name) => [name, name === 'flows' || name === 'ask' ? undefined : capabilities[name]]),
  );
  // The config was parsed by the type's own schema, and the type receives the capabilities it declared.
  const settings = await nodeType.settingsOf?.(config.value as never, can as never, node.input);
  return `${version}\n${settings ?? ''}`;
}
