import {
  builtinTypes,
  createNodeRegistry,
  describedType,
  findOtherNames,
  type MissingNodeType,
  type NodeDoc,
  type NodeFit,
  type NodeTypeCatalog,
  type NodeTypeData,
  type NodeTypeSpec,
  nodeFit,
  plainName,
  withFields,
} from '../../../engine/isomorphic.ts';

import type { OfferedType } from './offered-type.ts';
import { type OfferedAgent, stepOffersOf } from './step-offers.ts';
import { text } from './text.ts';
import { type ToolCandidate, toolOffer, toolOfKey } from './tool-offers.ts';

const builtin = createNodeRegistry(builtinTypes);

/** The engine's information about agents: those that are node types, and those used by a flow that are not. */
type AgentNodeTypes = readonly (NodeTypeData | MissingNodeType)[];

/** Returns the built-in types, which never change, together with the agents. */
function catalogWith(agents: AgentNodeTypes): NodeTypeCatalog {
  const specs = agents.flatMap((one) => ('problem' in one ? [] : [describedType(one)]));
  const byType = new Map(specs.map((spec) => [spec.type, spec]));
  const problems = new Map(agents.flatMap((one) => ('problem' in one ? [[one.type, one.problem] as const] : [])));
  const all = [...builtin.list(), ...specs];
  return {
    get: (type) => builtin.get(type) ?? byType.get(type),
    list: () => all,
    packs: () => builtin.packs(),
    allowsLongLived: (type) => builtin.allowsLongLived(type),
    agentProblem: (type) => problems.get(type),
  };
}

let known = JSON.stringify([]);
let current = catalogWith([]);
const listeners = new Set<() => void>();

/** Updates the agents. @returns whether anything has changed */
export function setAgentTypes(agents: AgentNodeTypes): boolean {
  const text = JSON.stringify(agents);
  if (text === known) return false;
  known = text;
  current = catalogWith(agents);
  offers = offersOf(current);
  for (const tell of listeners) tell();
  return true;
}

/** Calls the listener whenever the types change. Returns a function that unsubscribes. */
export function subscribeNodeTypes(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the current types. A new object after each change. */
export function presentNodeTypes(): NodeTypeCatalog {
  return current;
}

/** The current node types known to the engine, for validation and for everything that is drawn of a node. */
export const nodeTypes: NodeTypeCatalog = {
  get: (type) => current.get(type),
  list: () => current.list(),
  packs: () => current.packs(),
  allowsLongLived: (type) => current.allowsLongLived(type),
  agentProblem: (type) => current.agentProblem?.(type),
};

let knownTools: readonly ToolCandidate[] = [];

/** Updates the known tools. Each is offered as a node. */
export function setOfferedTools(tools: readonly ToolCandidate[]): void {
  if (tools === knownTools) return;
  knownTools = tools;
  stepOffers.clear();
  current = { ...current };
  offers = offersOf(current);
  for (const tell of listeners) tell();
}

function offersOf(catalog: NodeTypeCatalog): readonly OfferedType[] {
  const toolSpec = catalog.get('tool');
  const tools = toolSpec === undefined ? [] : knownTools.map((tool) => toolOffer(toolSpec, tool));
  return catalog
    .list()
    .flatMap((spec) => [
      withFields(spec, { key: spec.type }),
      ...(spec.variants ?? []).map((variant) => withFields(spec, { ...variant, key: `${spec.type}#${variant.id}` })),
    ])
    .concat(tools);
}

let offers = offersOf(current);

let knownAgents: readonly OfferedAgent[] = [];

/** Updates the known agents of products, which steps may use. */
export function setOfferedAgents(agents: readonly OfferedAgent[]): void {
  if (JSON.stringify(agents) === JSON.stringify(knownAgents)) return;
  knownAgents = agents;
  stepOffers.clear();
  current = { ...current };
  for (const tell of listeners) tell();
}

/** Resets all information about a closed window: the next one starts without agents, tools and recently used types. */
export function forgetWindowTypes(): void {
  setAgentTypes([]);
  setOfferedTools([]);
  setOfferedAgents([]);
  recent = [];
}

/** By product. Created for the current tools and agents. */
const stepOffers = new Map<string | undefined, readonly OfferedType[]>();

function offeredSteps(product: string | undefined): readonly OfferedType[] {
  const steps = stepOffers.get(product) ?? stepOffersOf(knownTools, knownAgents, product);
  stepOffers.set(product, steps);
  return steps;
}

/** Returns the step, tool or agent with this key for a list of steps, or undefined. */
export function offeredStep(key: string): OfferedType | undefined {
  const product = /^(?:agent|tool):([^.]+)\./.exec(key)?.[1];
  return offeredSteps(product).find((offer) => offer.key === key);
}

/**
 * Returns the steps, tools and agents that match a query, also by names from other tools. Without a query, returns all
 * of them by group.
 * @param product product of the flow, or undefined
 */
export function stepChoice(query: string, product: string | undefined): readonly TypeSection[] {
  return choiceAmong(offeredSteps(product), query, null);
}

/** Returns the type with this key, or undefined. */
export function offeredType(key: string): OfferedType | undefined {
  return offers.find((offer) => offer.key === key);
}

/** Section headings in order, and the categories below each. */
const groups: readonly (readonly [title: string, categories: readonly NodeTypeSpec['category'][]])[] = [
  [text.groups.models, ['model', 'agent']],
  [text.groups.control, ['logic', 'loop', 'flow', 'human']],
  [text.groups.data, ['text']],
  [text.groups.files, ['file']],
  [text.groups.web, ['net']],
];

/** Returns the section heading for a type. */
export function groupOf({ category, group, pack }: NodeTypeSpec): string {
  return group ?? pack ?? groups.find(([, categories]) => categories.includes(category))?.[0] ?? category;
}

const mostRecent = 5;
let recent: readonly string[] = [];

/** Remembers in this window that a node was added. @param key key of the selected type */
export function noteRecentType(key: string): void {
  recent = [key, ...recent.filter((known) => known !== key)].slice(0, mostRecent);
}

/** The neighbor of a new node: the node before or after it. */
export interface TypeNeighbour {
  readonly side: 'before' | 'behind';
  readonly node: Pick<NodeDoc, 'type' | 'input'>;
}

interface TypeSection {
  /** `groups.fits` or `groups.recent` of the text, or a group's name. Null if there is only one section. */
  readonly title: string | null;
  readonly types: readonly OfferedType[];
}

/** Equivalents for names from other tools. */
interface InsteadOf {
  /** The reason for each match, by key. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Explanations of names without an equivalent node. */
  readonly hints: readonly string[];
}

/** Returns the equivalents for a query that uses names from other tools. */
export function insteadOf(query: string): InsteadOf {
  const meant = findOtherNames(query);
  const reasons = new Map<string, string>();
  for (const { types, instead } of meant) {
    for (const [index, type] of types.entries()) if (!reasons.has(type)) reasons.set(type, index === 0 ? instead : '');
  }
  return { reasons, hints: meant.filter(({ types }) => types.length === 0).map(({ instead }) => instead) };
}

/**
 * Returns the types that match a query, also by names from other tools. Without a query: those that fit the neighbor or
 * were used recently, then the others by group.
 */
export function typeChoice(query: string, neighbour: TypeNeighbour | null): readonly TypeSection[] {
  return choiceAmong(offers, query, neighbour);
}

function choiceAmong(
  all: readonly OfferedType[],
  query: string,
  neighbour: TypeNeighbour | null,
): readonly TypeSection[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const { reasons } = insteadOf(query);
  const found = withFewTools(
    all.filter((offer) => reasons.has(offer.key) || words.every((word) => textOf(offer).includes(word))),
    words,
  );
  const otherRanks = new Map([...reasons.keys()].map((type, index) => [type, index]));
  const otherRank = ({ key }: OfferedType): number => otherRanks.get(key) ?? reasons.size;
  const fits = new Map(found.map((spec) => [spec, fitOf(spec, neighbour)]));
  const suits = (spec: OfferedType): NodeFit => fits.get(spec) ?? 0;
  const inOrder = found.toSorted(
    (a, b) =>
      titleRank(a, words) - titleRank(b, words) ||
      otherRank(a) - otherRank(b) ||
      suits(b) - suits(a) ||
      recentRank(a) - recentRank(b),
  );
  // With a query, the best match comes first, whether or not it fits the neighbor.
  if (words.length > 0) return [{ title: null, types: inOrder }];
  const isFirst = (spec: OfferedType): boolean =>
    neighbour !== null ? suits(spec) > 0 : all === offers && recent.includes(spec.key);
  const first = inOrder.filter(isFirst);
  const others = inGroups(inOrder.filter((spec) => !isFirst(spec)));
  return first.length === 0
    ? others
    : [{ title: neighbour === null ? text.groups.recent : text.groups.fits, types: first }, ...others];
}

/** Groups types under familiar headings. Types of other groups come last. */
function inGroups(types: readonly OfferedType[]): readonly TypeSection[] {
  const titles = new Set([...groups.map(([title]) => title), ...types.map(groupOf)]);
  return [...titles]
    .map((title) => ({ title, types: types.filter((one) => groupOf(one) === title) }))
    .filter((section) => section.types.length > 0);
}

/** Maximum number of tools to list. Servers may have thousands, and a query finds the others. */
const mostTools = 40;

/** Omits tools beyond the maximum, but keeps those that match the query by name. */
function withFewTools(found: readonly OfferedType[], words: readonly string[]): readonly OfferedType[] {
  const tools = found.filter(({ key }) => toolOfKey(key) !== undefined);
  if (tools.length <= mostTools) return found;
  const rank = new Map(tools.map((tool) => [tool, titleRank(tool, words)]));
  const kept = new Set(tools.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0)).slice(0, mostTools));
  return found.filter((offer) => kept.has(offer) || toolOfKey(offer.key) === undefined);
}

const texts = new WeakMap<OfferedType, string>();

function textOf(offer: OfferedType): string {
  let known = texts.get(offer);
  if (known === undefined) {
    const { key, title, description, category } = offer;
    known = `${title} ${key} ${description} ${category} ${groupOf(offer)}`.toLowerCase();
    texts.set(offer, known);
  }
  return known;
}

function fitOf(spec: NodeTypeSpec, neighbour: TypeNeighbour | null): NodeFit {
  const other = nodeTypes.get(neighbour?.node.type ?? '');
  if (neighbour === null || other === undefined) return 0;
  return neighbour.side === 'before'
    ? nodeFit(spec, { spec: other, input: neighbour.node.input })
    : nodeFit(other, { spec });
}

function recentRank({ key }: OfferedType): number {
  const index = recent.indexOf(key);
  return index === -1 ? recent.length : index;
}

/** Ranks exact titles first, then types and titles with a word that starts with the query. */
function titleRank({ title, type }: NodeTypeSpec, words: readonly string[]): number {
  const [first] = words;
  if (first === undefined) return 0;
  const wanted = plainName(words.join(''));
  if ([title, type, type.replace(/^.*\./, '')].some((name) => plainName(name) === wanted)) return 0;
  const own = [type, ...title.toLowerCase().split(/[\s-]+/)];
  return own.some((name) => name.startsWith(first)) ? 1 : 2;
}
