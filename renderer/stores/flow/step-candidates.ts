/**
 * The names that templates of steps can use: the payload of the run, and outputs of earlier steps.
 */
import { type FlowDoc, isJsonMap, type JsonValue, type NodeDoc } from '../../../engine/isomorphic.ts';
import type { Candidate, CandidateFinder } from './binding-candidates.ts';
import { text } from './text.ts';

/** The parts of a step that determine its output. */
export type GivingStep = Pick<NodeDoc, 'id' | 'type' | 'config' | 'input'>;

/**
 * Returns all paths that can be used in the params of a step, nearest steps first.
 * @param nodeId the step with these params; null for any step
 */
export function stepCandidates({ nodes }: Pick<FlowDoc, 'nodes'>, nodeId: string | null): CandidateFinder {
  const index = nodes.findIndex(({ id }) => id === nodeId);
  const candidates = namesBefore(index === -1 ? nodes : nodes.slice(0, index), nodes);
  return () => candidates;
}

/** Returns the output paths of steps, and the payload paths that the flow already uses. */
export function namesBefore(before: readonly GivingStep[], all: readonly GivingStep[]): readonly Candidate[] {
  const given = before.toReversed().flatMap(givenBy);
  const seen = new Set<string>();
  return [...given, ...payloadNames(all)].filter(({ path }) => !seen.has(path) && seen.add(path));
}

function givenBy({ id, type, config = {}, input }: GivingStep): readonly Candidate[] {
  const own = /^[\w.-]+$/.test(id) ? [artifact(`step.${id}.output`, text.stepNames.output({ id }))] : [];
  const { tool, agent } = config;
  switch (type) {
    case 'tool':
      return [...own, ...named('tool', tool)];
    case 'agent':
      return [...own, ...named('agent', agent)];
    case 'plan_proposal':
      return [artifact('plan.proposal', text.stepNames.plan), ...own];
    case 'user_input':
      return [...answers(input), ...own];
    default:
      return own;
  }
}

function named(kind: 'tool' | 'agent', name: JsonValue | undefined): readonly Candidate[] {
  if (typeof name !== 'string' || !/^[\w.-]+$/.test(name)) return [];
  return [artifact(`${kind}.${name}.output`, kind === 'tool' ? text.stepNames.toolOutput : text.stepNames.agentOutput)];
}

function answers({ form_id: form, schema }: NodeDoc['input']): readonly Candidate[] {
  if (typeof form !== 'string') return [];
  const properties = isJsonMap(schema ?? null) ? (schema as { readonly properties?: JsonValue }).properties : undefined;
  const keys = isJsonMap(properties ?? null) ? Object.keys(properties as object) : [];
  const base = `user_input.${form}`;
  return [
    ...keys.map((key) => artifact(`${base}.values.${key}`, text.stepNames.answer)),
    artifact(`${base}.values`, text.stepNames.answers),
    artifact(`${base}.comment`, text.stepNames.comment),
  ];
}

function artifact(path: string, description: string): Candidate {
  return { path: `artifacts.${path}`, detail: '', description };
}

/** A run accepts any payload, so the best candidates are the paths that other params use. */
function payloadNames(steps: readonly GivingStep[]): readonly Candidate[] {
  const inputs = JSON.stringify(steps.map(({ input }) => input));
  const paths = Array.from(inputs.matchAll(/\{\{\s*(payload\.[\w.-]+)\s*\}\}/g), ([, path = '']) => path);
  return [...new Set(paths)].map((path) => ({ path, detail: '', description: text.stepNames.payload }));
}
