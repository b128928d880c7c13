/**
 * A run of the history, read for a later one that takes results over from it.
 */
import type { RunId } from '../base/ids.ts';
import type { NodeType, NodeTypeLookup } from '../flow/node-type.ts';
import { prepareInput } from '../flowspec/coerce-input.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../flowspec/compiled-flow.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import { foldRun } from '../kernel/fold-run.ts';
import { emptyRunState, type NodeState } from '../kernel/run-state.ts';
import type { RunStore } from '../store/run-store.ts';
import { readLog } from './history.ts';

/** A run of the history, with what its nodes were and gave. */
export interface EarlierRun {
  readonly runId: RunId;
  readonly flow: CompiledFlow;
  readonly nodeSettings: Readonly<Record<string, string>>;
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** The value itself where a handle stands for it. */
  readonly whole: (value: JsonValue) => JsonValue;
  /** SHA-256 of text, in hex, as handles have it. */
  readonly hash: (text: string) => string;
}

/**
 * Reads an earlier run from the history. A node that was reused in it has no input in its own log, and a loop no nodes of its body:
 * those of the run it was taken from count.
 */
export function readEarlierRun(
  { runId, flow }: { readonly runId: RunId; readonly flow: CompiledFlow },
  { store, hash }: { readonly store: RunStore; readonly hash: (text: string) => string },
): EarlierRun {
  return {
    runId,
    flow,
    nodeSettings: store.getRun(runId)?.nodeSettings ?? {},
    nodes: readNodes(runId, store),
    whole: (value) => (isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value),
    hash,
  };
}

function readNodes(runId: RunId, store: RunStore): ReadonlyMap<string, NodeState> {
  const nodes = new Map(foldRun(emptyRunState, [...readLog(store, runId)]).nodes);
  const sources = new Map<RunId, ReadonlyMap<string, NodeState>>();
  for (const [id, node] of nodes) {
    const { status, fromRunId } = node;
    if (status !== 'reused' || fromRunId === undefined) continue;
    let source = sources.get(fromRunId);
    if (source === undefined) {
      source = readNodes(fromRunId, store);
      sources.set(fromRunId, source);
    }
    const input = source.get(id)?.input;
    if (input !== undefined) nodes.set(id, { ...node, input });
    for (const [name, inner] of source) if (name.startsWith(`${id}[`)) nodes.set(name, inner);
  }
  return nodes;
}

interface SettingsWorld {
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
  const settings = await nodeType.settingsOf?.(config.value as never, can as never, node.input);
  return `${version}\n${settings ?? ''}`;
}
