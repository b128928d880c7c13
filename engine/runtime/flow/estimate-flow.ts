/**
 * Estimates the time, tokens and cost of a run from earlier runs of the same nodes.
 *
 * Each trial schedules the flow as a run does, with what every node has used in one of the earlier runs. The ranges cover
 * the middle of all trials. Values of one run stay together, because branches and the size of the input affect all of
 * its nodes.
 */
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { type EstimateBasis, EstimateTrials, type NodeHistory, nothing, type Sums } from './estimate-trials.ts';
import { planOf } from './graph-plan.ts';

/** The 10th and the 90th percentile. */
export interface EstimateRange {
  readonly low: number;
  readonly high: number;
}

/** Ranges of what is used. */
export interface EstimatedUse {
  /** Milliseconds of work. For the flow, this takes parallel nodes into account. */
  readonly ms: EstimateRange;
  /** Model tokens: prompts and responses. */
  readonly tokens: EstimateRange;
  /** US dollars. */
  readonly usd: EstimateRange;
}

/** The estimate of a top-level node, with the nodes in its body. */
export interface EstimatedNode extends EstimatedUse {
  readonly nodeId: string;
  readonly basis: NodeHistory['basis'] | 'none';
  /** For a loop: the number of items. */
  readonly items?: EstimateRange;
}

/** What a run of a flow will probably use. */
export interface FlowEstimate extends EstimatedUse {
  /** How many earlier runs of the flow were used. */
  readonly runCount: number;
  /** The parts, in file order: loops and nodes that work, without those that do not run. */
  readonly nodes: readonly EstimatedNode[];
  /** The node with the largest share of the uncertainty; absent if nothing varies. */
  readonly mostUncertain?: string;
  /** IDs of nodes without history, also in loops. They count as nothing, so the real values are higher. */
  readonly noHistory: readonly string[];
  /** IDs of nodes with model calls that have no known price. They count as free, so the real cost is higher. */
  readonly unpriced: readonly string[];
  /** Nodes that wait for a person, and the milliseconds for which they waited in earlier runs; not part of `ms`. */
  readonly waits: { readonly nodeIds: readonly string[]; readonly ms: EstimateRange };
}

/** @param flow the flow, or the part of it that runs */
export function estimateFlow(flow: CompiledFlow, basis: EstimateBasis): FlowEstimate {
  return new FlowEstimation(flow, basis).estimate();
}

/** Enough for stable percentiles; large flows have fewer, so that an estimate takes milliseconds. */
const mostTrials = 100;
const leastTrials = 20;
const nodesInTrials = 100_000;

class FlowEstimation {
  readonly #flow: CompiledFlow;
  readonly #basis: EstimateBasis;
  readonly #histories = new Map<CompiledNode, NodeHistory | undefined>();
  readonly #noHistory = new Set<string>();
  readonly #unpriced = new Set<string>();
  readonly #waiting = new Set<string>();

  constructor(flow: CompiledFlow, basis: EstimateBasis) {
    this.#flow = flow;
    this.#basis = basis;
  }

  estimate(): FlowEstimate {
    const { runs } = this.#basis;
    const nodes = planOf(this.#flow).nodes.filter(
      (node) => !node.disabled && this.#basis.fates?.get(node.id) !== 'never',
    );
    for (const node of nodes) this.#look(node);
    const trials = new EstimateTrials(this.#flow, this.#basis, this.#histories);
    const first = { trial: 0, run: runs[0] ?? 0, index: 0, isFull: true };
    const count = trialsFor(trials.sizeOf(nodes, first), runs.length);
    const parts = new Map(nodes.map((node) => [node.id, [] as Sums[]]));
    const items = new Map<string, number[]>();
    const totals = Array.from({ length: count }, (_, trial) => {
      const isFull = Math.floor(trial / Math.max(runs.length, 1)) % 2 === 0;
      const place = { trial, run: runs[trial % Math.max(runs.length, 1)] ?? 0, index: trial, isFull };
      return trials.run(place, (node, sums) => {
        parts.get(node.id)?.push(sums ?? nothing());
        if (sums !== undefined && node.body !== undefined) push(items, node.id, trials.itemsOf(node, place));
      });
    });
    return this.#result(totals, nodes, { parts, items });
  }

  #result(
    totals: readonly Sums[],
    nodes: readonly CompiledNode[],
    { parts, items }: { readonly parts: ReadonlyMap<string, Sums[]>; readonly items: ReadonlyMap<string, number[]> },
  ): FlowEstimate {
    const whole = rangesOf(totals);
    const shown = nodes.filter((node) => node.body !== undefined || this.#basis.natureOf(node) === 'work');
    const estimated = shown.map((node): EstimatedNode => {
      const counts = items.get(node.id);
      return {
        nodeId: node.id,
        basis: this.#histories.get(node)?.basis ?? 'none',
        ...rangesOf(parts.get(node.id) ?? []),
        ...(counts === undefined ? {} : { items: rangeOf(counts) }),
      };
    });
    const mostUncertain = mostUncertainOf(estimated, whole);
    return {
      runCount: this.#basis.runs.length,
      ...whole,
      nodes: estimated,
      ...(mostUncertain === undefined ? {} : { mostUncertain }),
      noHistory: [...this.#noHistory],
      unpriced: [...this.#unpriced],
      waits: { nodeIds: [...this.#waiting], ms: rangeOf(totals.map(({ waitMs }) => waitMs)) },
    };
  }

  #isQuick(node: CompiledNode): boolean {
    return node.body === undefined && this.#basis.natureOf(node) === 'quick';
  }

  /** Looks up what is known about a node and the nodes in its body. */
  #look(node: CompiledNode): void {
    if (node.disabled) return;
    const history = this.#basis.historyOf(node);
    this.#histories.set(node, history);
    const uses = [...(history?.uses.values() ?? [])].flat();
    if (uses.some(({ isUnpriced }) => isUnpriced === true)) this.#unpriced.add(node.id);
    const isPerson = this.#basis.natureOf(node) === 'person';
    if (isPerson || uses.some(({ waitMs }) => waitMs > 0)) this.#waiting.add(node.id);
    const isKnown = history !== undefined || (node.body !== undefined && this.#basis.itemCounts?.has(node.id));
    if (isKnown !== true && !isPerson && !this.#isQuick(node)) this.#noHistory.add(node.id);
    for (const inner of node.body?.nodes ?? []) this.#look(inner);
  }
}

/** Returns an even multiple of the number of runs, so that each run counts equally, with and without reused nodes. */
function trialsFor(nodes: number, runs: number): number {
  const wanted = Math.min(mostTrials, Math.max(leastTrials, Math.floor(nodesInTrials / Math.max(nodes, 1))));
  const step = 2 * Math.max(runs, 1);
  return Math.ceil(wanted / step) * step;
}

function push(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function rangesOf(sums: readonly Sums[]): EstimatedUse {
  return {
    ms: rangeOf(sums.map(({ ms }) => Math.round(ms))),
    tokens: rangeOf(sums.map(({ tokens }) => Math.round(tokens))),
    usd: rangeOf(sums.map(({ usd }) => usd)),
  };
}

function rangeOf(values: readonly number[]): EstimateRange {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? 0;
  return { low: at(0.1), high: at(0.9) };
}

function mostUncertainOf(nodes: readonly EstimatedNode[], whole: EstimatedUse): string | undefined {
  let most: { readonly nodeId: string; readonly share: number } | undefined;
  for (const node of nodes) {
    const share = (['ms', 'tokens', 'usd'] as const).reduce((sum, name) => {
      const { low, high } = node[name];
      return sum + (whole[name].high === 0 ? 0 : (high - low) / whole[name].high);
    }, 0);
    if (share > (most?.share ?? 0)) most = { nodeId: node.nodeId, share };
  }
  return most?.nodeId;
}
