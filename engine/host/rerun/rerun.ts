/**
 * Runs an earlier run again from a node. Reuses results from that run or other recent runs wherever nothing has
 * changed.
 */
import type { RunId } from '../../base/ids.ts';
import type { BindingContext } from '../../language/bindings/binding-path.ts';
import { isMarker, skipMarker } from '../../language/bindings/markers.ts';
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { callType } from '../../language/flow/flow-doc.ts';
import { itemLoop } from '../../language/flow/loops.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { prepareInput } from '../../language/schema/coerce-input.ts';
import type { StepValues } from '../../language/steps/step-templates.ts';
import { StepView } from '../../language/steps/step-view.ts';
import { resolveInput } from '../../runtime/flow/node/prepare-node.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import type { ReuseSource, StartingLoop, TakenOutputs } from '../../runtime/flow/run-scope.ts';
import { stepTypesOf } from '../../runtime/flow/step-run.ts';
import {
  type EarlierNodeResult,
  EarlierResults,
  type PresentRun,
  skippedBefore,
  type WhyPart,
} from './earlier-results.ts';
import { type EarlierRun, nodesIn } from './earlier-run.ts';
import { nodesBefore, nodesBehind, rootsOf, seesBeside } from './node-dependencies.ts';
import { RerunPlace } from './rerun-place.ts';
import { inReachedOrder, type RerunStep, stepFor } from './rerun-step.ts';
import { RerunTurns } from './rerun-turns.ts';
import { itemsIn, reusableItems } from './reusable-items.ts';

/** An earlier run, the other runs that results may come from, and the new run. */
export interface RerunRequest extends PresentRun {
  readonly earlier: EarlierRun;
  /** Other runs of the same file, latest first. */
  readonly others: readonly EarlierRun[];
  /** Reads any other run in the history; returns undefined if it was deleted. */
  readonly readRun: (runId: RunId) => EarlierRun | undefined;
  /** The node or loop item to run from; undefined to run only what has changed or did not complete. */
  readonly fromNode: string | undefined;
  /** Outputs that replace nodes. */
  readonly taken?: TakenOutputs;
}

/** The outputs that nodes would produce, as far as the plan knows them. */
type RerunKnownNodes = ReadonlyMap<string, EarlierNodeResult>;

/** Decides whether a node's result may be reused. */
export class Rerun implements ReuseSource {
  readonly #request: RerunRequest;
  readonly #place: RerunPlace;
  readonly #behind: ReadonlySet<string>;
  readonly #runs: readonly [EarlierResults, ...EarlierResults[]];
  readonly #turns: RerunTurns;
  readonly #ran = new Set<string>();
  /** Runs whose results were reused before this run was interrupted and that are no longer among the latest. */
  readonly #sources = new Map<RunId, EarlierResults>();
  /** Results that nodes of this run have reused. */
  readonly #taken = new Map<string, EarlierNodeResult>();

  /** @throws EngineError `node.not-found` if the flow has no such top-level node or the loop has no such item */
  constructor(request: RerunRequest) {
    const { earlier, others, flow, fromNode, taken = new Map() } = request;
    this.#request = request;
    const anchor = new EarlierResults(earlier, request);
    this.#runs = [anchor, ...others.map((run) => new EarlierResults(run, request))];
    this.#place = new RerunPlace(fromNode, flow, anchor);
    const { nodeId } = this.#place;
    this.#behind = nodeId === undefined || this.#place.isItem ? new Set() : nodesBehind(flow, nodeId);
    this.#turns = new RerunTurns(flow);
    for (const [id, { output }] of taken) this.#taken.set(id, { output });
  }

  find(node: CompiledNode, resolvedInput: JsonMap): ReturnType<ReuseSource['find']> {
    for (const results of this.#usableFor(node)) {
      if (!results.hasSameInput(node, resolvedInput)) continue;
      // For the values that body nodes and conditions read besides the node's input, the log contains no single value
      // to compare.
      const before = this.#seesMore(node) ? nodesBefore(this.#request.flow, node) : [];
      if (before.some((id) => this.#ran.has(id) || !results.gave(id, this.#taken.get(id)))) continue;
      const given = results.givenBy(node.id);
      this.#taken.set(node.id, given);
      return { ...given, fromRunId: results.run.runId };
    }
    return undefined;
  }

  itemsOf(loop: StartingLoop): ReturnType<ReuseSource['itemsOf']> {
    const found = reusableItems(loop, this.#runs, (place) => !this.#place.leadsThrough(place));
    // An unchanged loop that is selected explicitly runs again with all its items.
    const isAskedFor = loop.name === this.#request.fromNode;
    return isAskedFor && found.size === itemsIn(loop).length ? new Map() : found;
  }

  isMarker(fromRunId: RunId, name: string): boolean {
    const known = this.#runs.find(({ run }) => run.runId === fromRunId) ?? this.#sources.get(fromRunId);
    if (known !== undefined) return known.isMarker(name);
    const run = this.#request.readRun(fromRunId);
    if (run === undefined) return false;
    const results = new EarlierResults(run, this.#request);
    this.#sources.set(fromRunId, results);
    return results.isMarker(name);
  }

  noteRun(nodeId: string): void {
    this.#ran.add(nodeId);
  }

  /**
   * Plans what would happen to each node, as far as that is known without running. Steps are in execution order.
   * `registry` determines which types have outside effects.
   */
  plan(registry: NodeTypeLookup): readonly RerunStep[] {
    const known = new Map<string, EarlierNodeResult>();
    const { flow, taken, earlier } = this.#request;
    const types = flow.dialect === undefined ? registry : stepTypesOf(registry);
    const steps = flow.nodes.map((node) => {
      const pinned = taken?.get(node.id);
      if (pinned !== undefined) {
        known.set(node.id, pinned);
        return stepFor(node.id, 'given' in pinned ? 'given' : 'pinned', []);
      }
      const { step, given } = this.#planned(node, known);
      if (given !== undefined) known.set(node.id, given);
      else if (!node.disabled && this.#hasActed(node, types)) return { ...step, repeatsOutside: true as const };
      return step;
    });
    return inReachedOrder(flow, steps, earlier.nodes.keys());
  }

  #planned(
    node: CompiledNode,
    known: RerunKnownNodes,
  ): { readonly step: RerunStep; readonly given?: EarlierNodeResult } {
    const nodeId = node.id;
    const context = this.#contextOf(known);
    const turn = this.#turns.of(node, context);
    const undecided = this.#openAmong(turn.roots, known);
    const why = this.#reasonOfPlace(node) ?? this.#reasonIn(this.#runs[0], node);
    if (why === skippedBefore && (node.disabled || (undecided.length === 0 && !turn.comes))) {
      const given = { output: skipMarker(node.disabled ? 'disabled' : 'edge') };
      return { step: stepFor(nodeId, 'skipped', []), given };
    }
    const sight = { comes: turn.comes, undecided, open: this.#openRoots(node, known) };
    const isUsable = this.#usableFor(node).next().done !== true;
    const early = undecidedStep(nodeId, sight);
    if (isUsable && early !== undefined) return { step: early };
    const input = early === undefined ? resolveInput(node, context) : undefined;
    const found = input === undefined ? undefined : this.#sameAsIn(node, input, known);
    if (found === undefined)
      return { step: this.#runsAgain(node, why ?? ['its input has changed'], { input, context }) };
    const { runId } = found.run;
    const from = runId === this.#runs[0].run.runId ? {} : { fromRunId: runId };
    return { step: { ...stepFor(nodeId, 'reused', []), ...from }, given: found.givenBy(nodeId) };
  }

  /** Returns an earlier run in which the node had the same input and the nodes before it had the same outputs. */
  #sameAsIn(node: CompiledNode, input: JsonMap, known: RerunKnownNodes): EarlierResults | undefined {
    const before = this.#seesMore(node) ? nodesBefore(this.#request.flow, node) : [];
    const givenBy = (id: string): EarlierNodeResult | undefined => {
      const given = known.get(id);
      return given !== undefined && isMarker(given.output) ? undefined : given;
    };
    for (const results of this.#usableFor(node)) {
      if (results.hasSameInput(node, input) && before.every((id) => results.gave(id, givenBy(id)))) return results;
    }
    return undefined;
  }

  #runsAgain(
    node: CompiledNode,
    why: readonly WhyPart[],
    { input: resolvedInput, context }: { readonly input: JsonMap | undefined; readonly context: BindingContext },
  ): RerunStep {
    const step = stepFor(node.id, 'runs', why);
    if (node.type !== itemLoop || resolvedInput === undefined || node.disabled) return step;
    const loop = { node, name: node.id, resolvedInput, context };
    const [reused, total] = [this.itemsOf(loop).size, itemsIn(loop).length];
    if (reused === 0) return step;
    return { ...stepFor(node.id, 'runs', [...why, ` (${reused} of ${total} items reused)`]), items: { reused, total } };
  }

  #contextOf(known: RerunKnownNodes): BindingContext {
    const { flow, inputs } = this.#request;
    const flowRoot = { input: { ...flow.inputs, ...inputs } };
    const stepValues = flow.dialect === undefined ? undefined : () => stepValuesOf(flow, flowRoot.input, known);
    return { get: (root) => (root === 'flow' ? flowRoot : known.get(root)?.output), stepValues };
  }

  /** Yields the runs whose result the node may reuse, provided that its input is the same. */
  *#usableFor(node: CompiledNode): Generator<EarlierResults, undefined> {
    if (this.#reasonOfPlace(node) !== undefined) return undefined;
    const [anchor] = this.#runs;
    for (const results of this.#isOfAgent(node) ? [anchor] : this.#runs) {
      if (results !== anchor && !results.hasSameDefinition(node)) continue;
      if (this.#reasonIn(results, node) === undefined) yield results;
    }
    return undefined;
  }

  /**
   * Returns why a node's results cannot be reused; undefined if they can. If a start node was named, the results of all
   * nodes before it are kept, including loops with failed items.
   */
  #reasonIn(results: EarlierResults, node: CompiledNode): readonly WhyPart[] | undefined {
    const reason = results.reasonToRun(node);
    if (reason !== undefined || node.type !== itemLoop) return reason;
    const bad = results.badItems(node.id);
    if (bad.suggested > 0) return ['some of its items were only suggested before'];
    const isNamed = this.#request.fromNode !== undefined;
    return bad.failed === 0 || isNamed ? undefined : [`${bad.failed} of its items failed before`];
  }

  /** Returns whether the node itself, or an item of its body, had an outside effect in the earlier run. */
  #hasActed(node: CompiledNode, registry: NodeTypeLookup): boolean {
    const { earlier } = this.#request;
    const inner = new Map(nodesIn(node).map((one) => [one.id, one]));
    for (const [place, { status, input }] of earlier.nodes) {
      const ran = inner.get(place.slice(place.lastIndexOf('.') + 1));
      if (ran === undefined || status === 'skipped') continue;
      if (actsOutside(ran, registry, earlier.whole(input ?? ran.input))) return true;
      const acts = earlier.calledBy(place).some(({ type, node: inside, state }) => {
        if (state.status === 'skipped' || type === callType) return false;
        return inside === undefined || actsOutside(inside, registry, earlier.whole(state.input ?? inside.input));
      });
      if (acts) return true;
    }
    return false;
  }

  /** Returns the nodes that provide outputs to this node and are not reused. */
  #openRoots(node: CompiledNode, known: RerunKnownNodes): readonly string[] {
    const { flow } = this.#request;
    return this.#openAmong(this.#seesMore(node) ? nodesBefore(flow, node) : rootsOf(node), known);
  }

  /** Returns whether the node sees more of the run than its input, as a step sees the outputs of all earlier steps. */
  #seesMore(node: CompiledNode): boolean {
    return this.#request.flow.dialect !== undefined || seesBeside(node);
  }

  #openAmong(ids: readonly string[], known: RerunKnownNodes): readonly string[] {
    return ids.filter((id) => !known.has(id) && this.#request.flow.nodes.some((other) => other.id === id));
  }

  /**
   * Returns why a node runs again because of its position. If a start node is named, the agent steps before it are also
   * reused.
   */
  #reasonOfPlace(node: CompiledNode): readonly WhyPart[] | undefined {
    const { id } = node;
    const { nodeId, isItem } = this.#place;
    if (id === nodeId) return isItem ? [`${this.#request.fromNode ?? ''} runs again`] : ['it is the node to run from'];
    if (nodeId !== undefined) return this.#behind.has(id) ? ['it comes after ', { nodeId }] : undefined;
    return this.#isOfAgent(node) ? ['its agent may have changed'] : undefined;
  }

  /**
   * Returns whether a node is an agent step. The history does not record its agent, so other runs may have used a
   * different one.
   */
  #isOfAgent({ config }: CompiledNode): boolean {
    return this.#request.flow.dialect !== undefined && config['agent'] !== undefined;
  }
}

function stepValuesOf({ nodes }: CompiledFlow, payload: JsonMap, known: RerunKnownNodes): StepValues {
  const view = {
    payload,
    outputOf: (id: string) => known.get(id)?.output,
    metaOf: (id: string) => known.get(id)?.meta,
  };
  return new StepView(nodes, view).values();
}

/** Returns a node's plan step while its input is unknown; undefined once the input is known. */
function undecidedStep(
  nodeId: string,
  { comes, undecided, open }: { comes: boolean; undecided: readonly string[]; open: readonly string[] },
): RerunStep | undefined {
  if (undecided.length > 0) return stepFor(nodeId, 'maybe', ['whether it runs depends on ', ...listed(undecided)]);
  if (!comes) return stepFor(nodeId, 'runs', ['its conditions no longer hold, so it is skipped']);
  if (open.length === 0) return undefined;
  return stepFor(nodeId, 'maybe', ['its input depends on ', ...listed(open), ', and is known only then']);
}

/** Joins IDs with commas. */
function listed(ids: readonly string[]): readonly WhyPart[] {
  return ids.flatMap((nodeId, at) => (at === 0 ? [{ nodeId }] : [', ', { nodeId }]));
}

/**
 * Returns whether running a node has an outside effect. Also returns true if this cannot be determined, for an unknown
 * type or settings that do not match the type.
 */
export function actsOutside(node: CompiledNode, registry: NodeTypeLookup, resolvedInput: JsonValue): boolean {
  const type = registry.get(node.type);
  if (type?.effectsOf === undefined) return (type?.effects ?? 'external') === 'external';
  const [input, config] = [
    prepareInput(type.inputSchema, resolvedInput as JsonMap),
    prepareInput(type.configSchema, node.config),
  ];
  return !input.ok || !config.ok || type.effectsOf(config.value as never, input.value as never) === 'external';
}
