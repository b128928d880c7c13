/**
 * The entries for a list of steps: each type of step, and the tools and agents that steps of its product may use, the
 * product's own first.
 */
import { stepNodeTypes, withFields } from '../../../engine/isomorphic.ts';
import type { OfferedType } from './offered-type.ts';
import { text } from './text.ts';
import { type ToolCandidate, toolOffer } from './tool-offers.ts';

const agentKey = 'agent:';

/** An agent of a product. */
export interface OfferedAgent {
  /** Includes the name of its product, as used by steps. */
  readonly name: string;
  /** Path of its file, relative to the workspace. */
  readonly path: string;
}

/** @param product product of the flow, or undefined */
export function stepOffersOf(
  tools: readonly ToolCandidate[],
  agents: readonly OfferedAgent[],
  product: string | undefined,
): readonly OfferedType[] {
  const types = stepNodeTypes.map(
    (spec): OfferedType => withFields(spec, { key: spec.type, group: text.groups.steps }),
  );
  const toolSpec = types.find(({ type }) => type === 'tool');
  const agentSpec = types.find(({ type }) => type === 'agent');
  const own = product === undefined ? '' : text.groups.product({ name: product });
  const isOwn = (tool: ToolCandidate): boolean => product !== undefined && tool.product === product;
  // Tools of another product that are not shared would be rejected.
  const usable = tools.filter((tool) => tool.product === undefined || tool.shared === true || isOwn(tool));
  const offered = toolSpec === undefined ? [] : usable.map((tool) => ({ tool, offer: toolOffer(toolSpec, tool) }));
  return [
    ...types,
    ...(agentSpec === undefined ? [] : agents.flatMap((agent) => agentOffer(agentSpec, agent, product))),
    ...offered.flatMap(({ tool, offer }) => (isOwn(tool) ? [{ ...offer, group: own }] : [])),
    ...offered.flatMap(({ tool, offer }) => (isOwn(tool) ? [] : [offer])),
  ];
}

function agentOffer(
  spec: OfferedType,
  { name, path }: OfferedAgent,
  product: string | undefined,
): readonly OfferedType[] {
  if (product === undefined || !name.startsWith(`${product}.`)) return [];
  const { example: _example, variants: _variants, ...plain } = spec;
  return [
    {
      ...plain,
      key: `${agentKey}${name}`,
      title: name,
      description: text.agentStep({ path }),
      group: text.groups.product({ name: product }),
      start: () => ({ input: {}, config: { agent: name } }),
    },
  ];
}

/** Returns the agent with this key, or undefined. */
export function agentOfKey(key: string): string | undefined {
  return key.startsWith(agentKey) ? key.slice(agentKey.length) : undefined;
}
