/**
 * Compares the results of one earlier run with the inputs of the current run.
 */
import type { BindingContext } from '../../language/bindings/binding-path.ts';
import { holdsBinding } from '../../language/bindings/bindings.ts';
import { errorMarker, skipMarker } from '../../language/bindings/markers.ts';
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { callType } from '../../language/flow/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { NodeState } from '../../runtime/kernel/events/run-state.ts';
import { type EarlierRun, nodesIn } from './earlier-run.ts';
import { itemNameOf, rootsOf, seesBeside } from './node-dependencies.ts';

/** Text, or a reference to a node. */
export type WhyPart = string | { readonly nodeId: string };

/** The inputs of the current run. */
export interface PresentRun {
  /** The current flow. */
  readonly flow: CompiledFlow;
  /** Inputs of the caller. */
  readonly inputs: JsonMap;
  readonly nodeSettings: Readonly<Record<string, string>>;
}

/** A result, with metadata that a step has recorded about its call. */
export interface EarlierNodeResult {
  readonly output: JsonValue;
  readonly meta?: JsonMap;
}

export const skippedBefore: readonly WhyPart[] = ['it was skipped before'];

export class EarlierResults {
  readonly run: EarlierRun;
  readonly #present: PresentRun;
  #formerNodes: ReadonlyMap<string, CompiledNode> | undefined;

  constructor(run: EarlierRun, present: PresentRun) {
    this.run = run;
    this.#present = present;
  }

  /** Returns whether the definition of a node is unchanged. Does not read the log. */
  hasSameDefinition(node: CompiledNode): boolean {
    const former = this.formerNode(node.id);
    return former !== undefined && definitionText(former) === definitionText(node);
  }

  /**
   * Returns why a top-level node cannot reuse its result, whatever its input is; undefined if this depends only on the
   * input.
   */
  reasonToRun(node: CompiledNode): readonly WhyPart[] | undefined {
    const state = this.run.nodes.get(node.id);
    if (this.formerNode(node.id) === undefined || state === undefined) return ['it did not run before'];
    if (state.status === 'skipped') return skippedBefore;
    if (state.status !== 'completed' && state.status !== 'reused') return [`it was ${state.status} before`];
    if (this.run.isLost(state.output)) return ['its output is missing from the history'];
    if (state.isPinned === true) return ['its output was pinned before'];
    if (node.disabled) return ['it is disabled, so it is skipped'];
    if (!this.hasSameDefinition(node)) return ['its definition has changed'];
    if (this.#seesOtherInputs(node)) return ['the inputs of the flow have changed'];
    if (this.#hasAsked(node)) return ['it requested an answer, which is requested again'];
    if (nodesIn(node).some(callsWhatIsBound)) return ['the flow it calls is known only during the run'];
    return this.hasSameSettings(node) ? undefined : otherSettings(node);
  }

  hasSameInput({ id }: CompiledNode, resolvedInput: JsonMap): boolean {
    const former = this.run.nodes.get(id)?.input;
    if (former === undefined) return false;
    const text = JSON.stringify(resolvedInput);
    return isValueHandle(former) ? former.$value === this.run.hash(text) : JSON.stringify(former) === text;
  }

  /** Returns whether a node and the nodes in its body have the same settings, such as model settings. */
  hasSameSettings(node: CompiledNode): boolean {
    const [former, present] = [this.run.nodeSettings, this.#present.nodeSettings];
    return nodesIn(node).every(({ id }) => former[id] === present[id]);
  }

  /** Returns the result of a top-level node. */
  givenBy(id: string): EarlierNodeResult {
    const { metas, nodes } = this.run;
    const meta = metas.get(id);
    return { output: this.run.whole(nodes.get(id)?.output ?? null), ...(meta === undefined ? {} : { meta }) };
  }

  /** Returns whether a node had exactly this result. @param given undefined for a node that did not run */
  gave(id: string, given: EarlierNodeResult | undefined): boolean {
    const status = this.run.nodes.get(id)?.status;
    if (status !== 'completed' && status !== 'reused')
      return given === undefined && (status === undefined || status === 'skipped');
    if (given === undefined) return false;
    const former = this.givenBy(id);
    return jsonEquals(former.output, given.output) && jsonEquals(former.meta ?? {}, given.meta ?? {});
  }

  isMarker(name: string): boolean {
    const status = this.run.nodes.get(name)?.status;
    return status === 'skipped' || status === 'failed';
  }

  /** Returns a node in the earlier flow, which may be in a loop body. */
  formerNode(id: string): CompiledNode | undefined {
    this.#formerNodes ??= new Map(this.run.flow.nodes.flatMap(nodesIn).map((node) => [node.id, node]));
    return this.#formerNodes.get(id);
  }

  /** Returns the values visible to a node, by its full name. */
  contextOf(name: string): BindingContext {
    return { get: (root) => this.#seenFrom(name, root) };
  }

  #seenFrom(name: string, root: string): JsonValue | undefined {
    const { flow, inputs, nodes } = this.run;
    const end = name.lastIndexOf('].');
    const state = nodes.get(end === -1 ? root : `${name.slice(0, end)}].${root}`);
    if (state !== undefined) return this.#seenOf(state);
    if (end === -1) return root === 'flow' ? { input: { ...flow.inputs, ...inputs } } : undefined;
    const start = name.lastIndexOf('[', end);
    const [loop, index] = [name.slice(0, start), Number(name.slice(start + 1, end))];
    if (root === 'loop') return { index };
    const node = this.formerNode(loop.slice(loop.lastIndexOf('.') + 1));
    if (node !== undefined && itemNameOf(node) === root) return this.itemsAt(loop)?.[index];
    return this.#seenFrom(loop, root);
  }

  #seenOf({ status, output, error, attempts, skip }: NodeState): JsonValue | undefined {
    if (status === 'skipped') return skipMarker(skip?.reason ?? 'edge');
    if (status === 'failed' && error !== undefined) return errorMarker(error, attempts);
    return output === undefined ? undefined : this.run.whole(output);
  }

  /** Returns the list processed by a loop, by its full name; undefined if unknown. */
  itemsAt(loop: string): readonly JsonValue[] | undefined {
    const input = this.run.whole(this.run.nodes.get(loop)?.input ?? null);
    const items = isJsonMap(input) ? this.run.whole(input['items'] ?? null) : null;
    return isJsonList(items) ? items : undefined;
  }

  /** Counts the items of a completed loop that failed or were only suggested. */
  badItems(loop: string): { readonly failed: number; readonly suggested: number } {
    const bad = { failed: new Set<number>(), suggested: new Set<number>() };
    for (const [name, { status, skip }] of this.run.nodes) {
      if (!name.startsWith(`${loop}[`)) continue;
      const index = Number.parseInt(name.slice(loop.length + 1), 10);
      if (status === 'failed' || status === 'cancelled') bad.failed.add(index);
      if (skip?.reason === 'autonomy' || skip?.reason === 'suggested') bad.suggested.add(index);
    }
    return { failed: bad.failed.size, suggested: bad.suggested.size };
  }

  /**
   * Returns whether the node, a node in its body, or a node in one of their child runs has asked a person. Answers
   * apply only to that run.
   */
  #hasAsked(node: CompiledNode): boolean {
    const inner = new Set(nodesIn(node).map(({ id }) => id));
    return [...this.run.asked].some((place) => inner.has(place.slice(place.lastIndexOf('.') + 1)));
  }

  /** Returns whether a node reads flow inputs that have changed, including defaults in the file. */
  #seesOtherInputs(node: CompiledNode): boolean {
    const { flow, inputs } = this.#present;
    const isStep = flow.dialect !== undefined;
    if (!isStep && (!seesBeside(node) || !rootsOf(node).includes('flow'))) return false;
    return !jsonEquals({ ...this.run.flow.inputs, ...this.run.inputs }, { ...flow.inputs, ...inputs });
  }
}

function otherSettings(node: CompiledNode): readonly WhyPart[] {
  if (!nodesIn(node).some(({ type }) => type === callType)) return ['its model settings or its pack have changed'];
  return ['the called flow or its dependencies have changed'];
}

/** Returns whether the flow that a node calls is known only during the run. */
export function callsWhatIsBound({ type, input }: CompiledNode): boolean {
  return type === callType && holdsBinding(input['flow'] ?? null);
}

/**
 * Returns, as text, all parts of a node that may affect its output. Position, names and error handling are excluded.
 */
export function definitionText({ type, input, config, when, body }: CompiledNode): string {
  return JSON.stringify({ type, input, config, when, ...(body === undefined ? {} : bodyText(body)) });
}

/** Returns, as text, all parts of a loop body that may affect its items' results. */
export function bodyText({ nodes, edges }: NonNullable<CompiledNode['body']>): object {
  return {
    inner: nodes.map(definitionText),
    edges: edges.map(({ from, to, when: condition }) => ({ from, to, condition })),
  };
}
