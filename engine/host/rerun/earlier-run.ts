/**
 * Reads a run in the history for a later run that reuses its results.
 */
import { asRunId, type RunId, taskIdOf, taskNameOf } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { compileFlow } from '../../language/flow/compile-flow.ts';
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState, type NodeState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { type CalledRun, CallReader } from '../executor/called-runs.ts';
import { readLog, unlessDamaged } from '../reads/read-log.ts';

/**
 * A run in the history, with its nodes and their results. It is read on demand, because most of the recent runs are not
 * needed.
 */
export interface EarlierRun {
  readonly runId: RunId;
  readonly flow: CompiledFlow;
  /** The caller's inputs, without the defaults of its flow. */
  readonly inputs: JsonMap;
  readonly nodeSettings: Readonly<Record<string, string>>;
  /** Nodes by full name. */
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** Full names of nodes that asked a person, themselves or in a child run. */
  readonly asked: ReadonlySet<string>;
  /** Returns the child runs of an agent's input; undefined if they are no longer known. */
  readonly callsOf: (task: string) => readonly CalledRun[] | undefined;
  /** Metadata, by step id, that steps have recorded about their calls. */
  readonly metas: ReadonlyMap<string, JsonMap>;
  /** Returns the nodes, with their definitions, in the child runs of a node (by full name) and in their descendants. */
  readonly calledBy: (name: string) => readonly CalledNode[];
  /** Replaces a handle with its value. */
  readonly whole: (value: JsonValue) => JsonValue;
  /** Returns whether the value of a handle is missing from the history. */
  readonly isLost: (value: JsonValue | undefined) => boolean;
  /** Returns the SHA-256 of text in hexadecimal, as used in handles. */
  readonly hash: (text: string) => string;
}

/** A node of a child run. */
export interface CalledNode {
  readonly type: string;
  /** Undefined if its flow is unknown. */
  readonly node: CompiledNode | undefined;
  readonly state: NodeState;
}

interface Definitions {
  readonly flow: CompiledFlow;
  /** Flows by path. */
  readonly called: ReadonlyMap<string, CompiledFlow>;
}

interface EarlierWorld {
  readonly store: RunStore;
  readonly hash: (text: string) => string;
  /** Whether a damaged run is read as one without nodes; otherwise reading it throws. */
  readonly isTolerant: boolean;
  /** `seq` of the event after which the run is read as it was; undefined for the whole run. */
  readonly until: number | undefined;
}

const noDefinitions: Definitions = {
  flow: compileFlow({ flow: { name: '' }, nodes: [], edges: [] }),
  called: new Map(),
};

/**
 * Creates an earlier run from the history. A run's log does not contain the inputs of reused nodes or the body nodes of
 * reused loops. They are read from the original run.
 * @param define compiles the definition that was run
 */
export function earlierRun(
  { runId, inputs, nodeSettings }: Pick<RunRecord, 'runId' | 'inputs' | 'nodeSettings'>,
  define: () => Definitions,
  { store, hash, isTolerant, until }: EarlierWorld,
): EarlierRun {
  const calls = new CallReader(store);
  const definitions = once(() => (isTolerant ? unlessDamaged(define, noDefinitions) : define()));
  const read = once(() => {
    const readIt = () => readWhole(runId, store, until);
    return isTolerant ? unlessDamaged(readIt, nothingRead) : readIt();
  });
  return {
    runId,
    inputs: isJsonMap(inputs) ? inputs : {},
    nodeSettings,
    get flow() {
      return definitions().flow;
    },
    get nodes() {
      return read().nodes;
    },
    get asked() {
      return read().asked;
    },
    callsOf: (task) => calls.callsOf(runId, task),
    get metas() {
      return read().metas;
    },
    calledBy: (name) =>
      nodesCalledBy(taskIdOf(name), { state: read().state, callerId: runId, called: definitions().called }),
    whole: (value) => readStoredValue(store, value),
    isLost: (value) => isStoredValueLost(store, value),
    hash,
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function readWhole(runId: RunId, store: RunStore, until: number | undefined) {
  const log = [...readLog(store, runId, until)];
  const state = foldRun(emptyRunState, log);
  const nodes = readNodes(state, store);
  const metas = log.flatMap(({ event, rootRunId }) =>
    event.type === 'step:meta' && rootRunId === undefined ? [[event.nodeId, event.meta] as const] : [],
  );
  return { state, nodes, metas: new Map(metas), asked: askedIn(state, nodes) };
}

const nothingRead: ReturnType<typeof readWhole> = {
  state: emptyRunState,
  nodes: new Map(),
  metas: new Map(),
  asked: new Set(),
};

function askedIn({ children, runId }: RunState, nodes: ReadonlyMap<string, NodeState>): ReadonlySet<string> {
  const hasAsks = ({ asks = [] }: NodeState): boolean => asks.length > 0;
  const asked = new Set([...nodes].flatMap(([name, node]) => (hasAsks(node) ? [name] : [])));
  for (const child of children.values()) {
    if (![...child.nodes.values()].some(hasAsks)) continue;
    let top: RunState | undefined = child;
    while (top !== undefined && top.parentRunId !== runId) top = children.get(top.parentRunId ?? '');
    if (top !== undefined) asked.add(taskNameOf(top.parentTaskId ?? ''));
  }
  return asked;
}

interface EarlierChildRuns {
  readonly state: RunState;
  readonly callerId: RunId;
  /** Flows by path. */
  readonly called: ReadonlyMap<string, CompiledFlow>;
}

function nodesCalledBy(
  taskId: string | undefined,
  { state, callerId, called }: EarlierChildRuns,
): readonly CalledNode[] {
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

/** Returns a node and the nodes in its body, at any depth. */
export function nodesIn(node: CompiledNode): readonly CompiledNode[] {
  return [node, ...(node.body?.nodes.flatMap(nodesIn) ?? [])];
}

function readNodes(state: RunState, store: RunStore): ReadonlyMap<string, NodeState> {
  const nodes = new Map(state.nodes);
  const sources = new Map<RunId, SourceRun>();
  for (const [id, node] of state.nodes) {
    const { status, fromRunId, fromNodeId: from = id } = node;
    if (status !== 'reused' || fromRunId === undefined) continue;
    const source = sources.get(fromRunId) ?? readSource(fromRunId, store);
    sources.set(fromRunId, source);
    const input = source.nodes.get(from)?.input;
    if (input !== undefined) nodes.set(id, { ...node, input });
    for (const name of source.insideOf(from)) {
      const inner = source.nodes.get(name);
      const own = id + name.slice(from.length);
      if (inner !== undefined) nodes.set(own, { ...inner, nodeId: own });
    }
  }
  return nodes;
}

/** A run with reused results. */
interface SourceRun {
  readonly nodes: ReadonlyMap<string, NodeState>;
  /** Returns the names of all nodes inside a loop. */
  insideOf(loop: string): readonly string[];
}

function readSource(runId: RunId, store: RunStore): SourceRun {
  const nodes = unlessDamaged(
    () => readNodes(foldRun(emptyRunState, [...readLog(store, runId)]), store),
    nothingRead.nodes,
  );
  const byLoop = once(() => {
    const found = new Map<string, string[]>();
    for (const name of nodes.keys()) {
      for (let at = name.indexOf('['); at !== -1; at = name.indexOf('[', at + 1)) {
        const loop = name.slice(0, at);
        const inside = found.get(loop);
        if (inside === undefined) found.set(loop, [name]);
        else inside.push(name);
      }
    }
    return found;
  });
  return { nodes, insideOf: (loop) => byLoop().get(loop) ?? [] };
}

/** Returns whether the value of a handle is missing from the history. */
export function isStoredValueLost(store: RunStore, value: JsonValue | undefined): boolean {
  return value !== undefined && isValueHandle(value) && store.readValue(value.$value) === undefined;
}

/** Replaces a handle with its value. */
export function readStoredValue(store: RunStore, value: JsonValue): JsonValue {
  return isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value;
}
