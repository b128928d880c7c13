/**
 * Running an earlier run again from one node on: what it, or another of the latest runs, gave is taken over wherever nothing has
 * changed.
 */
import type { RunId } from '../base/ids.ts';
import type { NodeTypeLookup } from '../flow/node-type.ts';
import { resolveInput } from '../flow/prepare-node.ts';
import type { ReuseSource, StartingLoop, TakenOutputs } from '../flow/run-scope.ts';
import { stepTypesOf } from '../flow/step-run.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import { prepareInput } from '../flowspec/coerce-input.ts';
import type { CompiledFlow, CompiledNode } from '../flowspec/compiled-flow.ts';
import { callType } from '../flowspec/flow-doc.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { itemLoop } from '../flowspec/loops.ts';
import { isMarker, skipMarker } from '../flowspec/markers.ts';
import type { StepValues } from '../flowspec/steps/step-templates.ts';
import { StepView } from '../flowspec/steps/step-view.ts';
import { EarlierResults, type Given, type PresentRun, skippedBefore, type WhyPart } from './earlier-results.ts';
import { type EarlierRun, nodesIn } from './earlier-run.ts';
import { nodesBefore, nodesBehind, rootsOf, seesBeside } from './node-dependencies.ts';
import { RerunPlace } from './rerun-place.ts';
import { inReachedOrder, type RerunStep, stepFor } from './rerun-step.ts';
import { RerunTurns } from './rerun-turns.ts';
import { itemsIn, reusableItems } from './reusable-items.ts';

/** An earlier run, the others that results may come from, and the one that is to begin. */
export interface RerunRequest extends PresentRun {
  readonly earlier: EarlierRun;
  /** Other runs of the same file, the latest first. */
  readonly others: readonly EarlierRun[];
  /** Any other run of the history; undefined when it is gone. */
  readonly readRun: (runId: RunId) => EarlierRun | undefined;
  /** From here on everything runs: a node, or one item of a loop; undefined = only what has changed, or did not complete, runs. */
  readonly fromNode: string | undefined;
  /** Outputs that nodes take without running. */
  readonly taken?: TakenOutputs;
}

/** What the plan knows of the nodes so far: what they would give. */
type KnownNodes = ReadonlyMap<string, Given>;

/** What decides whether a node's result may be taken over. */
export class Rerun implements ReuseSource {
  readonly #request: RerunRequest;
  readonly #place: RerunPlace;
  readonly #behind: ReadonlySet<string>;
  readonly #runs: readonly [EarlierResults, ...EarlierResults[]];
  readonly #turns: RerunTurns;
  readonly #ran = new Set<string>();
  /** Runs that results came from before this one was cut, where they are none of the latest any more. */
  readonly #sources = new Map<RunId, EarlierResults>();
  /** What nodes of this run have taken over. */
  readonly #taken = new Map<string, Given>();

  /** @throws EngineError `node.not-found` when the flow itself has no such node, or the loop no such item */
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
      // What the nodes of a body and conditions see beside the node's input is not in the log as one value.
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
    // Running an unchanged loop again means all of its items.
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
   * What would happen to each node, as far as it can be known without running. In the order in which the run comes to them. `registry`:
   * knows what types do outside.
   */
  plan(registry: NodeTypeLookup): readonly RerunStep[] {
    const known = new Map<string, Given>();
    const { flow, taken, earlier } = this.#request;
    const types = flow.dialect === undefined ? registry : stepTypesOf(registry);
    const steps = flow.nodes.map((node) => {
      const pinned = taken?.get(node.id);
      if (pinned !== undefined) {
        known.set(node.id, pinned);
        return stepFor(node.id, 'pinned', []);
      }
      const { step, given } = this.#planned(node, known);
      if (given !== undefined) known.set(node.id, given);
      else if (!node.disabled && this.#hasActed(node, types)) return { ...step, repeatsOutside: true as const };
      return step;
    });
    return inReachedOrder(flow, steps, earlier.nodes.keys());
  }

  #planned(node: CompiledNode, known: KnownNodes): { readonly step: RerunStep; readonly given?: Given } {
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

  /** An earlier run that had the node with the same input, and gave the same before it. */
  #sameAsIn(node: CompiledNode, input: JsonMap, known: KnownNodes): EarlierResults | undefined {
    const before = this.#seesMore(node) ? nodesBefore(this.#request.flow, node) : [];
    const givenBy = (id: string): Given | undefined => {
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

  #contextOf(known: KnownNodes): BindingContext {
    const { flow, inputs } = this.#request;
    const flowRoot = { input: { ...flow.inputs, ...inputs } };
    const stepValues = flow.dialect === undefined ? undefined : () => stepValuesOf(flow, flowRoot.input, known);
    return { get: (root) => (root === 'flow' ? flowRoot : known.get(root)?.output), stepValues };
  }

  /** The runs whose result the node may take, if its input is the same. */
  *#usableFor(node: CompiledNode): Generator<EarlierResults, undefined> {
    if (this.#reasonOfPlace(node) !== undefined) return undefined;
    const [anchor] = this.#runs;
    for (const results of this.#isOfAgent(node) ? [anchor] : this.#runs) {
      if (results !== anchor && !results.hasSameDefinition(node)) continue;
      if (this.#reasonIn(results, node) === undefined) yield results;
    }
    return undefined;
  }

  /** With a node to run from, everything before it stays as it is: also a loop with items that failed. */
  #reasonIn(results: EarlierResults, node: CompiledNode): readonly WhyPart[] | undefined {
    const reason = results.reasonToRun(node);
    if (reason !== undefined || node.type !== itemLoop) return reason;
    const bad = results.badItems(node.id);
    if (bad.suggested > 0) return ['some of its items were only suggested before'];
    const isNamed = this.#request.fromNode !== undefined;
    return bad.failed === 0 || isNamed ? undefined : [`${bad.failed} of its items failed before`];
  }

  /** Whether it acted outside in the earlier run, itself or for an item of its body. */
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

  /** Nodes whose outputs it uses and that are not taken over. */
  #openRoots(node: CompiledNode, known: KnownNodes): readonly string[] {
    const { flow } = this.#request;
    return this.#openAmong(this.#seesMore(node) ? nodesBefore(flow, node) : rootsOf(node), known);
  }

  /** Whether it sees more of the run than its input: a step sees all that the steps before it gave. */
  #seesMore(node: CompiledNode): boolean {
    return this.#request.flow.dialect !== undefined || seesBeside(node);
  }

  #openAmong(ids: readonly string[], known: KnownNodes): readonly string[] {
    return ids.filter((id) => !known.has(id) && this.#request.flow.nodes.some((other) => other.id === id));
  }

  /** A person who names the node to run from also reuses the steps with agents before it. */
  #reasonOfPlace(node: CompiledNode): readonly WhyPart[] | undefined {
    const { id } = node;
    const { nodeId, isItem } = this.#place;
    if (id === nodeId) return isItem ? [`${this.#request.fromNode ?? ''} runs again`] : ['it is the node to run from'];
    if (nodeId !== undefined) return this.#behind.has(id) ? ['it comes after ', { nodeId }] : undefined;
    return this.#isOfAgent(node) ? ['its agent may have changed'] : undefined;
  }

  /** The history does not record the agent of a step, so it may have been another one in other runs. */
  #isOfAgent({ config }: CompiledNode): boolean {
    return this.#request.flow.dialect !== undefined && config['agent'] !== undefined;
  }
}

function stepValuesOf({ nodes }: CompiledFlow, payload: JsonMap, known: KnownNodes): StepValues {
  const view = {
    payload,
    outputOf: (id: string) => known.get(id)?.output,
    metaOf: (id: string) => known.get(id)?.meta,
  };
  return new StepView(nodes, view).values();
}

/** What can be said of a node before its input is known; undefined when it is. */
function undecidedStep(
  nodeId: string,
  { comes, undecided, open }: { comes: boolean; undecided: readonly string[]; open: readonly string[] },
): RerunStep | undefined {
  if (undecided.length > 0)
    return stepFor(nodeId, 'maybe', ['whether its turn comes depends on ', ...listed(undecided)]);
  if (!comes) return stepFor(nodeId, 'runs', ['its conditions no longer hold, so it is skipped']);
  if (open.length === 0) return undefined;
  return stepFor(nodeId, 'maybe', ['its input depends on ', ...listed(open), ', and is only known then']);
}

/** With commas between. */
function listed(ids: readonly string[]): readonly WhyPart[] {
  return ids.flatMap((nodeId, at) => (at === 0 ? [{ nodeId }] : [', ', { nodeId }]));
}

/** Whether running a node does something outside. What nobody can tell counts as acting: a type that is gone, or settings that do not fit it. */
export function actsOutside(node: CompiledNode, registry: NodeTypeLookup, resolvedInput: JsonValue): boolean {
  const type = registry.get(node.type);
  if (type?.effectsOf === undefined) return (type?.effects ?? 'external') === 'external';
  const [input, config] = [
    prepareInput(type.inputSchema, resolvedInput as JsonMap),
    prepareInput(type.configSchema, node.config),
  ];
  return !input.ok || !config.ok || type.effectsOf(config.value as never, input.value as never) === 'external';
}
