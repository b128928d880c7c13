/**
 * Estimates runs before they start, from the latest runs in the history.
 */
import { taskNameOf } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { resolveBindings } from '../../language/bindings/bindings.ts';
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { itemLoop } from '../../language/flow/loops.ts';
import { isJsonList, type JsonMap } from '../../language/json/json-value.ts';
import { estimateFlow, type FlowEstimate } from '../../runtime/flow/estimate-flow.ts';
import type { EstimateBasis, NodeHistory, NodeUse } from '../../runtime/flow/estimate-trials.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import { stepTypesOf } from '../../runtime/flow/step-run.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import {
  emptyRunState,
  type NodeState,
  type RunState,
  type RunSummary,
} from '../../runtime/kernel/events/run-state.ts';
import { withAgentNodes } from '../../runtime/nodes/agent-as-type.ts';
import type { FlowJobs } from '../executor/flow-jobs.ts';
import type { RerunFrom, StartRun } from '../executor/start-request.ts';
import { unlessDamaged } from '../reads/read-log.ts';
import { definitionText } from '../rerun/earlier-results.ts';
import { type EarlierRun, nodesIn } from '../rerun/earlier-run.ts';
import { mostRuns } from '../rerun/latest-outputs.ts';

/** A run to estimate: of a flow, or a rerun, which reuses results. */
export type EstimateRun = StartRun | RerunFrom;

export interface EstimateWorld {
  readonly store: RunStore;
  readonly registry: NodeTypeLookup;
  readonly hash: (text: string) => string;
}

/** What one earlier run says about its nodes. */
interface RunUses {
  readonly number: number;
  readonly nodes: readonly NodeUses[];
}

interface NodeUses {
  readonly id: string;
  /** Hash of its definition and of its settings, such as those of its model. */
  readonly definition: string;
  /** Its type, with the model, the agent or the flow that it uses. */
  readonly likeness: string;
  readonly uses: readonly NodeUse[];
}

/** Runs in memory. Ended runs never change. */
const mostKept = 200;
/** Longer logs are not read, so that an estimate never takes seconds. */
const mostEvents = 200_000;
const eventsAtOnce = 1_000;
/** Items of a loop that are remembered per node and run. */
const mostUses = 200;

const hasEnded: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

export class RunEstimates {
  readonly #flows: FlowJobs;
  readonly #world: EstimateWorld;
  readonly #kept = new Map<string, RunUses>();

  constructor(flows: FlowJobs, world: EstimateWorld) {
    this.#flows = flows;
    this.#world = world;
  }

  /** See `RunPlans.estimate`. */
  async estimate(request: EstimateRun): Promise<FlowEstimate> {
    const { draft, ...plan } = 'runId' in request ? await this.#planned(request) : await this.#started(request);
    const { flow, nodeSettings } = draft;
    const { path: sourcePath } = draft.request;
    const own = await this.#readRuns({ sourcePath });
    const keyOf = (node: CompiledNode) => definitionOf(node, nodeSettings, this.#world);
    const inFlow = historyIn(flow, own, keyOf);
    // Runs of other flows are read only for nodes that the flow's own runs do not have.
    const isMissing = flow.nodes.flatMap(nodesIn).some((node) => inFlow(node) === undefined);
    const historyOf = isMissing ? historyIn(flow, [...own, ...(await this.#readRuns({}))], keyOf) : inFlow;
    return estimateFlow(flow, {
      ...{ historyOf, natureOf: this.#natureIn(flow), runs: own.map(({ number }) => number) },
      ...plan,
    });
  }

  async #started(request: StartRun) {
    const draft = await this.#flows.readStart(request);
    const { flow, taken } = draft;
    const fates = new Map([...(taken?.keys() ?? [])].map((id) => [id, 'never'] as const));
    return { draft, fates, itemCounts: knownItems(flow, { ...flow.inputs, ...request.inputs }) };
  }

  async #planned(request: RerunFrom) {
    const { draft, rerun } = await this.#flows.readRerun(request);
    const steps = rerun.plan(this.#world.registry);
    const fates = steps.flatMap(({ nodeId, fate }) => {
      if (fate === 'runs') return [];
      return [[nodeId, fate === 'maybe' ? ('maybe' as const) : ('never' as const)] as const];
    });
    const known = knownItems(draft.flow, { ...draft.flow.inputs, ...draft.request.inputs });
    const left = steps.flatMap(({ nodeId, items }) =>
      items === undefined ? [] : [[nodeId, items.total - items.reused] as const],
    );
    return { draft, fates: new Map(fates), itemCounts: new Map([...known, ...left]) };
  }

  #natureIn({ types, dialect }: CompiledFlow): EstimateBasis['natureOf'] {
    const registry = withAgentNodes(this.#world.registry, types);
    const lookup = dialect === undefined ? registry : stepTypesOf(registry);
    return ({ type: name }) => {
      const type = lookup.get(name);
      if (type?.effects !== 'pure') return 'work';
      if (type.capabilities.includes('ask')) return 'person';
      const isWork = type.type === 'control.wait' || type.capabilities.some((one) => callers.has(one));
      return isWork ? 'work' : 'quick';
    };
  }

  async #readRuns(query: { readonly sourcePath?: string }): Promise<readonly RunUses[]> {
    const found: RunUses[] = [];
    for (const run of this.#world.store.listRuns({ ...query, limit: mostRuns })) {
      if (run.kind !== 'flow' || !hasEnded.has(run.status) || run.damage !== undefined) continue;
      const uses = this.#kept.get(run.runId) ?? (await this.#read(run));
      if (uses === undefined) continue;
      this.#keep(run.runId, uses);
      found.push(uses);
    }
    return found;
  }

  #keep(runId: string, uses: RunUses): void {
    this.#kept.delete(runId);
    this.#kept.set(runId, uses);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
  }

  /** Returns undefined for a run that is damaged or too long. Yields to other work between pages. */
  async #read({ runId, number }: RunSummary): Promise<RunUses | undefined> {
    const earlier = this.#flows.history.find(runId);
    if (earlier === undefined) return undefined;
    let state = emptyRunState;
    for (let afterSeq = -1; ; ) {
      const events = unlessDamaged(() => this.#world.store.readEvents(runId, afterSeq, eventsAtOnce), undefined);
      const folded = events && unlessDamaged(() => foldRun(state, events), undefined);
      if (events === undefined || folded === undefined || folded.seq > mostEvents) return undefined;
      if (events.length === 0) break;
      state = folded;
      afterSeq = state.seq;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return { number, nodes: usesIn(state, earlier, this.#world) };
  }
}

/** Capabilities whose work takes time although it has no effect of its own. */
const callers: ReadonlySet<string> = new Set(['flows', 'agents', 'pureAgents', 'model']);

/** Returns a function that finds what runs say about a node: the same node, else nodes of the same type and model. */
function historyIn(
  flow: CompiledFlow,
  runs: readonly RunUses[],
  keyOf: (node: CompiledNode) => string,
): EstimateBasis['historyOf'] {
  const found = new Map<CompiledNode, NodeHistory | undefined>();
  for (const node of flow.nodes.flatMap(nodesIn)) {
    const definition = keyOf(node);
    const likeness = likenessOf(node);
    const isAlike = (other: NodeUses) => other.likeness === likeness;
    found.set(
      node,
      collected(runs, 'same', (other) => other.id === node.id && other.definition === definition) ??
        // A loop without changes in its list has as many items as before, whatever its body does.
        collected(runs, 'similar', (other) => other.id === node.id && isAlike(other)) ??
        (node.body === undefined ? collected(runs, 'similar', isAlike) : undefined),
    );
  }
  return (node) => found.get(node);
}

function collected(
  runs: readonly RunUses[],
  basis: NodeHistory['basis'],
  isWanted: (node: NodeUses) => boolean,
): NodeHistory | undefined {
  const uses = new Map<number, readonly NodeUse[]>();
  for (const { number, nodes } of runs) {
    const own = nodes.filter(isWanted).flatMap((node) => node.uses);
    if (own.length > 0) uses.set(number, own);
  }
  const hasRun = [...uses.values()].some((own) => own.some(({ isSkipped }) => isSkipped !== true));
  return hasRun ? { basis, uses } : undefined;
}

function definitionOf(
  node: CompiledNode,
  settings: Readonly<Record<string, string>>,
  { hash }: Pick<EstimateWorld, 'hash'>,
): string {
  return hash(`${definitionText(node)}\n${nodesIn(node).map(({ id }) => settings[id] ?? '')}`);
}

function likenessOf({ type, config, input }: CompiledNode): string {
  return JSON.stringify([type, config['model'], config['agent'], input['flow'], input['agent'], input['tool']]);
}

/** Returns the numbers of items of the top-level loops whose lists depend on nothing but the inputs. */
function knownItems({ nodes }: CompiledFlow, inputs: JsonMap): ReadonlyMap<string, number> {
  const context = { get: (root: string) => (root === 'flow' ? { input: inputs } : undefined) };
  return new Map(
    nodes.flatMap(({ id, type, input: { items } }) => {
      if (type !== itemLoop || items === undefined) return [];
      try {
        const list = resolveBindings(items, context);
        return isJsonList(list) ? [[id, list.length] as const] : [];
      } catch {
        return [];
      }
    }),
  );
}

function usesIn(state: RunState, { flow, nodeSettings }: EarlierRun, world: EstimateWorld): readonly NodeUses[] {
  const byId = new Map<string, { readonly place: readonly number[]; readonly use: NodeUse }[]>();
  const waits = waitsOfCalls(state);
  for (const [name, node] of state.nodes) {
    const use = readUse(node, (waits.get(name) ?? 0) + waitOf(node), state.tallies.loops.get(name)?.items.size);
    if (use === undefined) continue;
    const id = name.slice(name.lastIndexOf('.') + 1);
    const entry = { place: placeOf(name), use };
    const others = byId.get(id);
    if (others === undefined) byId.set(id, [entry]);
    else others.push(entry);
  }
  return flow.nodes.flatMap(nodesIn).flatMap((node): readonly NodeUses[] => {
    const found = byId.get(node.id);
    if (found === undefined) return [];
    const uses = found.toSorted((a, b) => comparePlaces(a.place, b.place)).map(({ use }) => use);
    const definition = definitionOf(node, nodeSettings, world);
    return [{ id: node.id, definition, likeness: likenessOf(node), uses: uses.slice(0, mostUses) }];
  });
}

/** Returns what a node used; undefined for one that did not complete, or whose result was reused. */
function readUse(node: NodeState, waitMs: number, items: number | undefined): NodeUse | undefined {
  const { status, durationMs = 0, usage, costUsd = 0, unpricedCalls = 0 } = node;
  if (status === 'skipped') return { ms: 0, waitMs: 0, tokens: 0, usd: 0, isSkipped: true };
  if (status !== 'completed') return undefined;
  return {
    ms: durationMs,
    waitMs,
    tokens: (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0),
    usd: costUsd,
    ...(unpricedCalls > 0 ? { isUnpriced: true } : {}),
    ...(items === undefined ? {} : { items }),
  };
}

function waitOf({ asks = [] }: NodeState): number {
  return asks.reduce((sum, { askedAt, answer }) => sum + Math.max((answer?.at ?? askedAt) - askedAt, 0), 0);
}

/** Returns how long child runs waited for people, by the full name of the run's own node. */
function waitsOfCalls({ children, runId }: RunState): ReadonlyMap<string, number> {
  const waits = new Map<string, number>();
  for (const child of children.values()) {
    const ms = [...child.nodes.values()].reduce((sum, node) => sum + waitOf(node), 0);
    if (ms === 0) continue;
    let top: RunState | undefined = child;
    while (top !== undefined && top.parentRunId !== runId) top = children.get(top.parentRunId ?? '');
    const name = taskNameOf(top?.parentTaskId ?? '');
    waits.set(name, (waits.get(name) ?? 0) + ms);
  }
  return waits;
}

/** Returns the indices of the items that lead to a node. */
function placeOf(name: string): readonly number[] {
  return Array.from(name.matchAll(/\[(\d+)\]/g), ([, index]) => Number(index));
}

function comparePlaces(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((index, depth) => index !== right[depth]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
