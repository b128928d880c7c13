/**
 * Running an earlier run again from one node on: what it gave before is taken over wherever nothing has changed.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { NodeTypeLookup } from '../flow/node-type.ts';
import { resolveInput } from '../flow/prepare-node.ts';
import type { ReuseSource, TakenOutputs } from '../flow/run-scope.ts';
import { stepTypesOf } from '../flow/step-run.ts';
import { holdsBinding } from '../flowspec/bindings.ts';
import { prepareInput } from '../flowspec/coerce-input.ts';
import type { CompiledFlow, CompiledNode } from '../flowspec/compiled-flow.ts';
import { callType } from '../flowspec/flow-doc.ts';
import { type JsonMap, type JsonValue, jsonEquals } from '../flowspec/json-value.ts';
import { skipMarker } from '../flowspec/markers.ts';
import { didYouMean } from '../flowspec/nearest.ts';
import type { StepValues } from '../flowspec/steps/step-templates.ts';
import { StepView } from '../flowspec/steps/step-view.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import type { NodeState } from '../kernel/run-state.ts';
import { type EarlierRun, nodesIn } from './earlier-run.ts';
import { nodesBefore, nodesBehind, rootsOf, seesBeside } from './node-dependencies.ts';
import { RerunTurns } from './rerun-turns.ts';

/** Words, or a node that is spoken of. */
export type WhyPart = string | { readonly nodeId: string };

/** What a rerun would do with one node. */
export interface RerunStep {
  readonly nodeId: string;
  /** `maybe`: reused if the nodes before it give what they gave. `skipped`: as it was before. `pinned`: it gives what the caller gave. */
  readonly fate: 'reused' | 'runs' | 'maybe' | 'skipped' | 'pinned';
  /** Why it does not simply stay as it was, with the ids of the nodes that it speaks of; empty for `reused`, `skipped` and `pinned`. */
  readonly why: string;
  /** The same in parts, for those who show nodes by other names. */
  readonly whyParts: readonly WhyPart[];
  /** It, or a node of its body, acted outside in the earlier run, and would or might do so again. */
  readonly repeatsOutside?: true;
}

/** Both runs, side by side. */
export interface RerunRequest {
  readonly earlier: EarlierRun;
  /** As it is now. */
  readonly flow: CompiledFlow;
  /** What the caller gave the earlier run, which the new one gets again. */
  readonly inputs: JsonMap;
  readonly nodeSettings: Readonly<Record<string, string>>;
  /** From here on everything runs; undefined = only what has changed, or did not complete, runs. */
  readonly fromNode: string | undefined;
  /** Outputs that nodes take without running. */
  readonly taken?: TakenOutputs;
}

/** What decides whether a node's result may be taken over, read from both runs once. */
export class Rerun implements ReuseSource {
  readonly fromRunId: RunId;
  readonly #request: RerunRequest;
  readonly #behind: ReadonlySet<string>;
  readonly #formerNodes: ReadonlyMap<string, CompiledNode>;
  readonly #turns: RerunTurns;
  readonly #ran = new Set<string>();

  /** @throws EngineError `node.not-found` when the flow has no such node of its own */
  constructor(request: RerunRequest) {
    const { earlier, flow, fromNode, taken = new Map() } = request;
    if (fromNode !== undefined && !flow.nodes.some(({ id }) => id === fromNode)) throw nodeNotFound(fromNode, flow);
    this.fromRunId = earlier.runId;
    this.#request = request;
    this.#behind = fromNode === undefined ? new Set() : nodesBehind(flow, fromNode);
    this.#turns = new RerunTurns(flow);
    this.#formerNodes = new Map(earlier.flow.nodes.map((node) => [node.id, node]));
    // As good as run anew, for those behind it that see more than their input.
    for (const [id, { output }] of taken) {
      if (earlier.nodes.get(id)?.output === undefined || !jsonEquals(this.#outputOf(id), output)) this.#ran.add(id);
    }
  }

  find(node: CompiledNode, resolvedInput: JsonMap): ReturnType<ReuseSource['find']> {
    if (this.#reasonToRun(node) !== undefined || !this.#hasSameInput(node, resolvedInput)) return undefined;
    // What the nodes of a body and conditions see beside the node's input does not stand in the log as one value.
    if (this.#seesMore(node) && nodesBefore(this.#request.flow, node).some((id) => this.#ran.has(id))) return undefined;
    const meta = this.#request.earlier.metas.get(node.id);
    return { output: this.#outputOf(node.id), ...(meta === undefined ? {} : { meta }) };
  }

  readonly isMarker = (name: string): boolean => {
    const status = this.#request.earlier.nodes.get(name)?.status;
    return status === 'skipped' || status === 'failed';
  };

  noteRun(nodeId: string): void {
    this.#ran.add(nodeId);
  }

  /** What would happen to each node, as far as it can be known without running. In start order. `registry`: knows what types do outside. */
  plan(registry: NodeTypeLookup): readonly RerunStep[] {
    const known = new Map<string, JsonValue>();
    const { flow, taken } = this.#request;
    const types = flow.dialect === undefined ? registry : stepTypesOf(registry);
    return flow.nodes.map((node) => {
      const pinned = taken?.get(node.id);
      if (pinned !== undefined) {
        known.set(node.id, pinned.output);
        return stepFor(node.id, 'pinned', []);
      }
      const step = this.#stepOf(node, known);
      if (step.fate === 'reused') known.set(node.id, this.#outputOf(node.id));
      else if (step.fate === 'skipped') known.set(node.id, skipMarker(node.disabled ? 'disabled' : 'edge'));
      else if (!node.disabled && this.#hasActed(node, types)) return { ...step, repeatsOutside: true };
      return step;
    });
  }

  #stepOf(node: CompiledNode, known: ReadonlyMap<string, JsonValue>): RerunStep {
    const nodeId = node.id;
    const { flow, inputs } = this.#request;
    const flowRoot = { input: { ...flow.inputs, ...inputs } };
    const { metas } = this.#request.earlier;
    const stepValues =
      flow.dialect === undefined ? undefined : () => stepValuesOf(flow, flowRoot.input, { known, metas });
    const context = { get: (root: string) => (root === 'flow' ? flowRoot : known.get(root)), stepValues };
    const turn = this.#turns.of(node, context);
    const undecided = this.#openAmong(turn.roots, known);
    const why = this.#reasonToRun(node);
    if (why === skippedBefore && (node.disabled || (undecided.length === 0 && !turn.comes))) {
      return stepFor(nodeId, 'skipped', []);
    }
    if (why !== undefined) return stepFor(nodeId, 'runs', why);
    if (undecided.length > 0)
      return stepFor(nodeId, 'maybe', ['whether its turn comes depends on ', ...listed(undecided)]);
    if (!turn.comes) return stepFor(nodeId, 'runs', ['its conditions no longer hold, so it is skipped']);
    const open = this.#openRoots(node, known);
    if (open.length > 0)
      return stepFor(nodeId, 'maybe', ['its input depends on ', ...listed(open), ', and is only known then']);
    const input = resolveInput(node, context);
    return input !== undefined && this.#hasSameInput(node, input)
      ? stepFor(nodeId, 'reused', [])
      : stepFor(nodeId, 'runs', ['its input has changed']);
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

  /** Whether it, a node of its body, or of a run that these called, has asked a person: the answer holds for that run alone. */
  #hasAsked(node: CompiledNode): boolean {
    const [{ earlier }, inner] = [this.#request, new Set(nodesIn(node).map(({ id }) => id))];
    const hasAsks = ({ asks = [] }: NodeState): boolean => asks.length > 0;
    return [...earlier.nodes].some(([place, state]) => {
      const isInner = inner.has(place.slice(place.lastIndexOf('.') + 1));
      return isInner && (hasAsks(state) || earlier.calledBy(place).some((called) => hasAsks(called.state)));
    });
  }

  /** Nodes whose outputs it uses and that are not taken over. */
  #openRoots(node: CompiledNode, known: ReadonlyMap<string, JsonValue>): readonly string[] {
    const { flow } = this.#request;
    return this.#openAmong(this.#seesMore(node) ? nodesBefore(flow, node) : rootsOf(node), known);
  }

  /** Whether it sees more of the run than its input: a step sees all that the steps before it gave. */
  #seesMore(node: CompiledNode): boolean {
    return this.#request.flow.dialect !== undefined || seesBeside(node);
  }

  #openAmong(ids: readonly string[], known: ReadonlyMap<string, JsonValue>): readonly string[] {
    return ids.filter((id) => !known.has(id) && this.#request.flow.nodes.some((other) => other.id === id));
  }

  #reasonToRun(node: CompiledNode): readonly WhyPart[] | undefined {
    const { earlier, nodeSettings } = this.#request;
    const place = this.#reasonOfPlace(node);
    if (place !== undefined) return place;
    const former = this.#formerNodes.get(node.id);
    const state = earlier.nodes.get(node.id);
    if (former === undefined || state === undefined) return ['it did not run before'];
    if (state.status === 'skipped') return skippedBefore;
    if (state.status !== 'completed' && state.status !== 'reused') return [`it was ${state.status} before`];
    if (state.isPinned === true) return ['its output was pinned before'];
    if (node.disabled) return ['it is disabled, so it is skipped'];
    if (definitionText(former) !== definitionText(node)) return ['its definition has changed'];
    if (this.#seesOtherInputs(node)) return ['the inputs of the flow have changed'];
    if (this.#hasAsked(node)) return ['it asked a person, who is asked again'];
    if (nodesIn(node).some(callsWhatIsBound)) return ['only the run knows which flow it calls'];
    return hasSameSettings(node, earlier.nodeSettings, nodeSettings) ? undefined : otherSettings(node);
  }

  /** Of a step: who says from where a run goes on takes over what stands before it as it is. */
  #reasonOfPlace({ id, config }: CompiledNode): readonly WhyPart[] | undefined {
    const { flow, fromNode } = this.#request;
    if (id === fromNode) return ['it is the node to run from'];
    if (fromNode !== undefined) return this.#behind.has(id) ? ['it stands behind ', { nodeId: fromNode }] : undefined;
    const isAgentStep = flow.dialect !== undefined && config['agent'] !== undefined;
    return isAgentStep ? ['nobody knows whether its agent has changed'] : undefined;
  }

  /** The defaults in the file may be others than before. */
  #seesOtherInputs(node: CompiledNode): boolean {
    const { earlier, flow, inputs } = this.#request;
    if (!seesBeside(node) || !rootsOf(node).includes('flow')) return false;
    return !jsonEquals({ ...earlier.flow.inputs, ...inputs }, { ...flow.inputs, ...inputs });
  }

  #hasSameInput({ id }: CompiledNode, resolvedInput: JsonMap): boolean {
    const { earlier } = this.#request;
    const former = earlier.nodes.get(id)?.input;
    if (former === undefined) return false;
    const text = JSON.stringify(resolvedInput);
    return isValueHandle(former) ? former.$value === earlier.hash(text) : JSON.stringify(former) === text;
  }

  #outputOf(nodeId: string): JsonValue {
    const { earlier } = this.#request;
    return earlier.whole(earlier.nodes.get(nodeId)?.output ?? null);
  }
}

/** What a step would see. */
interface KnownSteps {
  /** Of the steps that are taken over. */
  readonly known: ReadonlyMap<string, JsonValue>;
  readonly metas: ReadonlyMap<string, JsonMap>;
}

function stepValuesOf({ nodes }: CompiledFlow, payload: JsonMap, { known, metas }: KnownSteps): StepValues {
  return new StepView(nodes, { payload, outputOf: (id) => known.get(id), metaOf: (id) => metas.get(id) }).values();
}

function otherSettings(node: CompiledNode): readonly WhyPart[] {
  if (!nodesIn(node).some(({ type }) => type === callType)) return ['its model settings or its pack have changed'];
  return ['the flow that it calls, or what that works with, has changed'];
}

function callsWhatIsBound({ type, input }: CompiledNode): boolean {
  return type === callType && holdsBinding(input['flow'] ?? null);
}

const skippedBefore: readonly WhyPart[] = ['it was skipped before'];

function stepFor(nodeId: string, fate: RerunStep['fate'], whyParts: readonly WhyPart[]): RerunStep {
  const why = whyParts.map((part) => (typeof part === 'string' ? part : part.nodeId)).join('');
  return { nodeId, fate, why, whyParts };
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

/** Everything of a node that its output may depend on; not its place, its names, or what happens when it fails. */
function definitionText({ type, input, config, when, body }: CompiledNode): string {
  const inner = body?.nodes.map(definitionText);
  const edges = body?.edges.map(({ from, to, when: condition }) => ({ from, to, condition }));
  return JSON.stringify({ type, input, config, when, inner, edges });
}

function hasSameSettings(
  node: CompiledNode,
  former: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): boolean {
  const inner = node.body?.nodes ?? [];
  return former[node.id] === present[node.id] && inner.every((one) => hasSameSettings(one, former, present));
}

function nodeNotFound(nodeId: string, flow: CompiledFlow): EngineError {
  const ids = flow.nodes.map(({ id }) => id);
  return new EngineError({
    code: 'node.not-found',
    message: `The flow has no node "${nodeId}" from which it could run again.${didYouMean(nodeId, ids)}`,
    nodeId,
  });
}
