/**
 * What a list of steps can have: each type of step, and the tools and agents that steps of its product may name, its own ones first.
 */
import { stepNodeTypes, withFields } from '../../../engine/isomorphic.ts';
import type { OfferedType } from './offered-type.ts';
import { type OfferedTool, toolOffer } from './tool-offers.ts';

const agentKey = 'agent:';

/** An agent of a product. */
export interface OfferedAgent {
  /** With that of its product before it, as steps call it. */
  readonly name: string;
  /** Of its file, relative to the workspace. */
  readonly path: string;
}

/** @param product whose flow it is; undefined = nobody's */
export function stepOffersOf(
  tools: readonly OfferedTool[],
  agents: readonly OfferedAgent[],
  product: string | undefined,
): readonly OfferedType[] {
  const types = stepNodeTypes.map((spec): OfferedType => withFields(spec, { key: spec.type, group: 'Steps' }));
  const toolSpec = types.find(({ type }) => type === 'tool');
  const agentSpec = types.find(({ type }) => type === 'agent');
  const own = `Of ${product}`;
  const isOwn = (tool: OfferedTool): boolean => product !== undefined && tool.product === product;
  // What another product has, and does not share, would be refused.
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
      description: `Has the agent of ${path} work on the params, and keeps what it gives.`,
      group: `Of ${product}`,
      start: () => ({ input: {}, config: { agent: name } }),
    },
  ];
}

/** The agent that a key offers; undefined when it offers none. */
export function agentOfKey(key: string): string | undefined {
  return key.startsWith(agentKey) ? key.slice(agentKey.length) : undefined;
}
