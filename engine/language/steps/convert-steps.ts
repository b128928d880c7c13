/**
 * Converts a step flow to a flow of nodes, with edges and with bindings in place of templates. Anything without an
 * equivalent is reported, never guessed.
 */
import { pathText } from '../bindings/binding-path.ts';
import {
  type EdgeDoc,
  FLOW_VERSION,
  type FlowDoc,
  type NodeDoc,
  nodeIdPattern,
  reservedNodeIds,
} from '../flow/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { approvalOf } from './approval-request.ts';
import { type InputRequestDoc, inputOf } from './input-request.ts';
import type { StepDoc, StepFlowDoc } from './step-flow-doc.ts';
import { replaceTokens, type TokenPath } from './step-templates.ts';

/** Something that the other format cannot express. */
export interface LostPart {
  /** The step's ID; absent if it concerns the entire flow. */
  readonly step?: string;
  /** One sentence that names the lost part and its replacement. */
  readonly message: string;
}

export interface ConvertedSteps {
  /** The converted flow. Must not run before a person has reviewed what was lost. */
  readonly doc: FlowDoc;
  readonly lost: readonly LostPart[];
}

/** Converts steps to nodes and edges. */
export function convertSteps(flow: StepFlowDoc): ConvertedSteps {
  const conversion = new StepConversion(flow);
  return { doc: conversion.doc(), lost: conversion.lost };
}

/** The step being converted. */
interface ConvertedStepPosition {
  readonly step: StepDoc;
  readonly index: number;
}

class StepConversion {
  readonly lost: LostPart[] = [];
  readonly #flow: StepFlowDoc;
  /** Node IDs by step ID. */
  readonly #ids: ReadonlyMap<string, string>;

  constructor(flow: StepFlowDoc) {
    this.#flow = flow;
    this.#ids = nodeIdsOf(flow.steps.map(({ id }) => id));
  }

  doc(): FlowDoc {
    const { id, description, autonomy_level: autonomy, steps, version, metadata } = this.#flow;
    const nodes = steps.map((step, index) => this.#nodeOf(step, index));
    if (version !== 'v1') this.#lose(`The version ${JSON.stringify(version)} of the flow is removed.`);
    if (Object.keys(metadata).length > 0) this.#lose('The metadata of the flow is removed.');
    this.#lose(
      'A flow of nodes returns the output of its last node, even if it is empty. A step flow returns the last output that is not empty.',
    );
    return {
      flow: {
        ...{ name: id, version: FLOW_VERSION },
        ...(description === undefined ? {} : { description }),
        policy: { autonomy },
      },
      nodes,
      edges: nodes.slice(1).map(({ id: to }, index): EdgeDoc => ({ from: nodes[index]?.id ?? '', to })),
    };
  }

  #lose(message: string, step?: StepDoc): void {
    this.lost.push(step === undefined ? { message } : { step: step.id, message });
  }

  #nodeOf(step: StepDoc, index: number): NodeDoc {
    const id = this.#ids.get(step.id) ?? step.id;
    if (id !== step.id)
      this.#lose(`Its id becomes "${id}" because ids of nodes can only contain letters, digits and _.`, step);
    const { name, retry } = step;
    const tries = retry !== undefined && retry.max_attempts > 1;
    if (tries) this.#lose('A node is retried after every failure, a step only after a recoverable one.', step);
    return {
      id,
      type: step.type,
      ...this.#contentOf(step, index),
      ...(name === undefined ? {} : { name }),
      ...(tries
        ? {
            policy: { retry: { maxAttempts: retry.max_attempts, backoffMs: Math.round(retry.backoff_seconds * 1000) } },
          }
        : {}),
    };
  }

  #contentOf(step: StepDoc, index: number): Pick<NodeDoc, 'input' | 'config'> {
    const params = this.#bound(step.params, { step, index }) as JsonMap;
    switch (step.type) {
      case 'tool':
        return { input: params, config: { tool: step.tool ?? '' } };
      case 'human_approval':
        return { input: approvalInput(step, params), ...deadlineOf(step) };
      case 'user_input':
        return { input: { ...inputOf(step.id, params as InputRequestDoc) } };
      case 'plan_proposal':
        this.#lose(
          `The node does not request the plan from ${step.agent}. Add a node for the agent before it, and bind the output of that node to plan.`,
          step,
        );
        return { input: { plan: null } };
      case 'agent':
        this.#lose(
          `Agents in nodes receive a list of inputs and return { outputs, after_all }: ${step.agent} receives its params as the only input, without payload and artifacts.`,
          step,
        );
        return { input: { agent: step.agent ?? '', inputs: [params] } };
    }
  }

  /** Returns the value with bindings in place of its templates. */
  #bound(value: JsonValue, at: ConvertedStepPosition): JsonValue {
    if (typeof value === 'string') return this.#boundText(value, at);
    if (isJsonList(value)) return value.map((item) => this.#bound(item, at));
    if (!isJsonMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#bound(item, at)]));
  }

  #boundText(text: string, at: ConvertedStepPosition): string {
    return replaceTokens(text, {
      other: escaped,
      token: (token, path, isWhole) => {
        const binding = this.#bindingTo(path, at, isWhole);
        if (binding !== undefined) return binding;
        this.#lose(`${token} has no equivalent in a flow of nodes, so it stays as text.`, at.step);
        return escaped(token);
      },
    });
  }

  /** As in steps, a missing value resolves to null, or to empty text inside other text. */
  #bindingTo({ root, segments }: TokenPath, { index }: ConvertedStepPosition, isWhole: boolean): string | undefined {
    const path = root === 'payload' ? ['flow', 'input', ...segments] : this.#outputPath(segments, index);
    if (path === undefined) return undefined;
    return isWhole ? `{{${pathText(path)} | default:null}}` : `{{?${pathText(path)}}}`;
  }

  /** Returns an artifact's path in its node's output; undefined if no node outputs it. */
  #outputPath(segments: readonly string[], index: number): readonly string[] | undefined {
    const path = segments.join('.');
    for (const before of this.#flow.steps.slice(0, index).toReversed()) {
      for (const [key, below] of artifactsOf(before)) {
        if (path !== key && !path.startsWith(`${key}.`)) continue;
        const rest = path === key ? [] : path.slice(key.length + 1).split('.');
        return [this.#ids.get(before.id) ?? before.id, ...below, ...rest];
      }
    }
    return undefined;
  }
}

/** Returns a step's artifact keys, with their paths in its node's output. */
function artifactsOf(step: StepDoc): readonly [key: string, path: readonly string[]][] {
  const { id, type, tool, params } = step;
  const own = (path: readonly string[]): [string, readonly string[]] => [`step.${id}.output`, path];
  switch (type) {
    case 'tool':
      return [own([]), [`tool.${tool}.output`, []]];
    case 'plan_proposal':
      return [own(['proposal']), ['plan.proposal', ['proposal']]];
    case 'user_input': {
      const key = `user_input.${String(params['form_id'])}`;
      return [own([]), [`${key}.values`, ['values']], [`${key}.comment`, ['comment']]];
    }
    case 'human_approval':
      return [own([])];
    case 'agent':
      return [own(['outputs', '0']), [`agent.${step.agent}.output`, ['outputs', '0']]];
  }
}

/** Braces that are not a template are plain text in both formats. */
function escaped(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

/** Returns the deadline with node keys. */
function deadlineOf({ deadline_ms: deadlineMs, on_deadline: onDeadline }: StepDoc): Pick<NodeDoc, 'config'> {
  if (deadlineMs === undefined) return {};
  return { config: { deadlineMs, ...(onDeadline === undefined ? {} : { onDeadline }) } };
}

/** The step's own text contains no templates. */
function approvalInput({ id, title, message }: StepDoc, params: JsonMap): JsonMap {
  const own = { title: title && escaped(title), message: message && escaped(message) };
  const { approval_context: _, ...input } = approvalOf(id, params, own);
  return { ...input };
}

/** Returns unique, valid node IDs. */
function nodeIdsOf(ids: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(ids.filter(isNodeId));
  return new Map(
    ids.map((id) => {
      if (isNodeId(id)) return [id, id];
      const plain = id.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
      let free = isNodeId(plain) ? plain : `step_${plain}`;
      for (let count = 2; taken.has(free); count++) free = `${plain}_${count}`;
      taken.add(free);
      return [id, free];
    }),
  );
}

function isNodeId(id: string): boolean {
  return nodeIdPattern.test(id) && !reservedNodeIds.has(id);
}
