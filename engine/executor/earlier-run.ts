/**
 * A run of the history, read for a later one that takes results over from it.
 */
import { asRunId, type RunId, taskIdOf } from '../base/ids.ts';
import type { NodeType, NodeTypeLookup } from '../flow/node-type.ts';
import type { TakenOutput, TakenOutputs } from '../flow/run-scope.ts';
import { calledFileOf } from '../flowspec/called-flows.ts';
import { prepareInput } from '../flowspec/coerce-input.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../flowspec/compiled-flow.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { CalledFlow, SchemaFiles } from '../flowspec/schema-files.ts';
import { calledDefinition } from '../flowspec/stored-definition.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import type { SharedCapabilities } from '../kernel/capabilities.ts';
import { foldRun } from '../kernel/fold-run.ts';
import type { RunPart } from '../kernel/run-event.ts';
import { emptyRunState, type NodeState, type RunState } from '../kernel/run-state.ts';
import type { RunStore } from '../store/run-store.ts';
import { usesOf } from './part-of-flow.ts';
import { readLog } from './read-log.ts';
import { missingOutputs } from './refusals.ts';

/** A run of the history, with what its nodes were and gave. */
export interface EarlierRun {
  readonly runId: RunId;
  readonly flow: CompiledFlow;
  readonly nodeSettings: Readonly<Record<string, string>>;
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** What steps have noted about their calls, by their ids. */
  readonly metas: ReadonlyMap<string, JsonMap>;
  /** The nodes of the runs that a node of this one, by its full name, has called, and of those below; with what they are. */
  readonly calledBy: (name: string) => readonly CalledNode[];
  /** The value itself where a handle stands for it. */
  readonly whole: (value: JsonValue) => JsonValue;
  /** SHA-256 of text, in hex, as handles have it. */
  readonly hash: (text: string) => string;
}

/** A node of a called run. */
export interface CalledNode {
  readonly type: string;
  /** Undefined when the flow that it is of is not known. */
  readonly node: CompiledNode | undefined;
  readonly state: NodeState;
}

/**
 * Reads an earlier run from the history. A node that was reused in it has no input in its own log, and a loop no nodes of its body:
 * those of the run it was taken from count.
 */
export function readEarlierRun(
  { runId, flow, called }: Pick<EarlierRun, 'runId' | 'flow'> & { readonly called: ReadonlyMap<string, CompiledFlow> },
  { store, hash }: { readonly store: RunStore; readonly hash: (text: string) => string },
): EarlierRun {
  const log = [...readLog(store, runId)];
  const state = foldRun(emptyRunState, log);
  const metas = log.flatMap(({ event, rootRunId }) =>
    event.type === 'step:meta' && rootRunId === undefined ? [[event.nodeId, event.meta] as const] : [],
  );
  return {
    runId,
    flow,
    nodeSettings: store.getRun(runId)?.nodeSettings ?? {},
    nodes: readNodes(state, store),
    metas: new Map(metas),
    calledBy: (name) => nodesCalledBy(taskIdOf(name), { state, callerId: runId, called }),
    whole: (value) => wholeIn(store, value),
    hash,
  };
}

interface CalledRuns {
  readonly state: RunState;
  readonly callerId: RunId;
  /** By path. */
  readonly called: ReadonlyMap<string, CompiledFlow>;
}

function nodesCalledBy(taskId: string | undefined, { state, callerId, called }: CalledRuns): readonly CalledNode[] {
  return [...state.children].flatMap(([id, run]) => {
    if (run.parentRunId !== callerId || (taskId !== undefined && run.parentTaskId !== taskId)) return [];
    const known = new Map((called.get(run.sourcePath)?.nodes.flatMap(nodesIn) ?? []).map((node) => [node.id, node]));
    const own = [...run.nodes].map(([name, one]): CalledNode => {
      const node = known.get(name.slice(name.lastIndexOf('.') + 1));
      return { type: node?.type ?? one.nodeType ?? '', node, state: one };
    });
    return [...own, ...nodesCalledBy(undefined, { state, callerId: asRunId(id), called })];
  });
}

/** A node and those of its body, at any depth. */
export function nodesIn(node: CompiledNode): readonly CompiledNode[] {
  return [node, ...(node.body?.nodes.flatMap(nodesIn) ?? [])];
}

function readNodes(state: RunState, store: RunStore): ReadonlyMap<string, NodeState> {
  const nodes = new Map(state.nodes);
  const sources = new Map<RunId, ReadonlyMap<string, NodeState>>();
  for (const [id, node] of nodes) {
    const { status, fromRunId } = node;
    if (status !== 'reused' || fromRunId === undefined) continue;
    let source = sources.get(fromRunId);
    if (source === undefined) {
      source = readNodes(foldRun(emptyRunState, [...readLog(store, fromRunId)]), store);
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
  /** What the definition names, the flows that it calls among them. */
  readonly files: SchemaFiles;
  readonly compiled: (flow: CalledFlow) => CompiledFlow;
  readonly capabilities: SharedCapabilities;
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
    const file = calledFileOf(node, world.files);
    if (file !== undefined && 'flow' in file) found.push([node.id, await callSettings(file.flow, world)]);
    if (node.body !== undefined) await collect(node.body, world, found);
  }
}

/** A called flow counts as a whole: its text, those of the flows below, and what their nodes work with. */
async function callSettings(flow: CalledFlow, world: SettingsWorld): Promise<string> {
  const files = new Map(flow.files);
  const inner = await readNodeSettings(world.compiled(flow), { ...world, files });
  return world.capabilities.hash.sha256(`${calledDefinition(flow)}\n${JSON.stringify(inner)}`);
}

async function settingsText(node: CompiledNode, nodeType: NodeType, capabilities: SharedCapabilities): Promise<string> {
  const { version = '' } = nodeType;
  const config = prepareInput(nodeType.configSchema, node.config);
  // A config that does not fit fails the node; there is no result to be taken over.
  if (!config.ok) return version;
  const can = Object.fromEntries(
    nodeType.capabilities.map((name) => [name, name === 'flows' || name === 'ask' ? undefined : capabilities[name]]),
  );
  // The type's own schema has parsed the config, and it gets what it declared.
  const settings = await nodeType.settingsOf?.(config.value as never, can as never, node.input);
  return `${version}\n${settings ?? ''}`;
}

/** Older runs are not looked into: the flow has changed since. */
const mostRuns = 20;

/** What of a flow is to run, and outputs that its nodes give instead. */
interface PartRequest {
  readonly path: string;
  readonly part?: RunPart;
  readonly pins?: Readonly<Record<string, JsonValue>>;
}

/**
 * The outputs that nodes take instead of running: pinned ones, and for a node alone what those that it uses gave last. Undefined when
 * all of the flow runs.
 * @throws EngineError `run.missing-outputs` when a node alone would fail without one that nobody has
 */
export function takenOutputs(
  flow: CompiledFlow,
  { path, part, pins = {} }: PartRequest,
  store: RunStore,
): TakenOutputs | undefined {
  const pinned = Object.entries(pins).map(([id, output]) => [id, { output, pin: true }] as const);
  if (part === undefined || 'to' in part) return pinned.length === 0 ? undefined : new Map(pinned);
  const { all, strict } = usesOf(flow, part.only);
  const wanted = all.filter((id) => !Object.hasOwn(pins, id));
  const found = latestOutputs(path, wanted, store);
  const missing = wanted.filter((id) => strict.has(id) && !found.has(id));
  if (missing.length > 0) throw missingOutputs(part.only, missing);
  return new Map<string, TakenOutput>([...found, ...pinned]);
}

/** What a node gave, and in which run. */
export interface GivenOutput {
  readonly output: JsonValue;
  readonly fromRunId: RunId;
}

/**
 * What nodes gave last, whichever run of the flow at a path that was in; of those that gave something. What they failed of or were
 * skipped for does not count, and neither does what was pinned then: a pin holds as long as it is there.
 */
export function latestOutputs(
  sourcePath: string,
  ids: readonly string[],
  store: RunStore,
): ReadonlyMap<string, GivenOutput> {
  const found = new Map<string, GivenOutput>();
  const wanted = new Set(ids);
  for (const { runId, kind } of wanted.size === 0 ? [] : store.listRuns({ sourcePath, limit: mostRuns })) {
    if (kind !== 'flow') continue;
    const { nodes } = foldRun(emptyRunState, [...readLog(store, runId)]);
    for (const id of wanted) {
      const { status, output, isPinned } = nodes.get(id) ?? {};
      if ((status !== 'completed' && status !== 'reused') || output === undefined || isPinned === true) continue;
      found.set(id, { output: wholeIn(store, output), fromRunId: runId });
      wanted.delete(id);
    }
    if (wanted.size === 0) break;
  }
  return found;
}

/** What the latest run of the flow at a path was given; empty when there is none. */
export function latestInputs(sourcePath: string, store: RunStore): JsonMap {
  const latest = store.listRuns({ sourcePath, limit: mostRuns }).find(({ kind }) => kind === 'flow');
  const inputs = latest === undefined ? undefined : store.getRun(latest.runId)?.inputs;
  return isJsonMap(inputs) ? inputs : {};
}

/** What of its flow an earlier run was about, with the outputs that were pinned in it; empty for a run of the whole. */
export function partThatRan(
  runId: RunId,
  store: RunStore,
): { readonly part?: RunPart; readonly pins?: Readonly<Record<string, JsonValue>> } {
  const start = store.readEvents(runId, -1, 1)[0]?.event;
  if (start?.type !== 'run:start') return {};
  const part = start.scope === undefined ? {} : { part: start.scope };
  if (start.pinned === undefined) return part;
  const pinned = [...readLog(store, runId)].flatMap(({ event }) =>
    event.type === 'node:reused' && event.pin === true ? [[event.nodeId, wholeIn(store, event.output)] as const] : [],
  );
  return { ...part, pins: Object.fromEntries(pinned) };
}

/** The value itself where a handle stands for it. */
function wholeIn(store: RunStore, value: JsonValue): JsonValue {
  return isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value;
}
