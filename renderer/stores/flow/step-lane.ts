/**
 * Flows that are a list of steps: what canvas and outline do alike to them, and what cannot be done to them.
 */
import { type FlowChange, type FlowDoc, freeId, type NodeDoc, starterNode } from '../../../engine/isomorphic.ts';
import { offeredStep } from './node-types.ts';
import { agentOfKey } from './step-offers.ts';
import { toolOfKey } from './tool-offers.ts';

/** Whether the nodes of a flow are the steps of a list, whose order is all that joins them. */
export function isStepFlow(doc: Pick<FlowDoc, 'steps'> | null | undefined): boolean {
  return doc?.steps !== undefined;
}

/** Lets steps, in the order they have, stand behind so many of the others; null when they do already. */
export function moveToSlot(doc: FlowDoc, ids: ReadonlySet<string>, slot: number): FlowChange | null {
  const moved = doc.nodes.flatMap(({ id }) => (ids.has(id) ? [id] : []));
  const rest = doc.nodes.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
  const after = rest.toSpliced(slot, 0, ...moved);
  const side = slot === 0 ? 'before' : 'behind';
  const of = rest[Math.max(0, slot - 1)];
  if (of === undefined || after.every((id, index) => id === doc.nodes[index]?.id)) return null;
  return { do: 'reorder', nodes: moved, side, of };
}

/** Moves steps past so many of the others, to the end of the list at most. @param by negative = to the front */
export function moveBy(doc: FlowDoc, ids: ReadonlySet<string>, by: number): FlowChange | null {
  const rest = doc.nodes.filter(({ id }) => !ids.has(id));
  const first = doc.nodes.findIndex(({ id }) => ids.has(id));
  if (first === -1) return null;
  return moveToSlot(doc, ids, Math.min(rest.length, Math.max(0, first + by)));
}

/** Where a step comes: behind another, or first of all; undefined = last of all. */
export type StepPlace = { readonly behind: string } | 'first' | undefined;

export interface NewStep {
  readonly node: NodeDoc;
  readonly changes: readonly FlowChange[];
  /** For the undo menu. */
  readonly label: string;
}

/**
 * A step that is valid as it is, with an id of its own.
 * @param key a type of step, a tool or an agent
 * @param others steps that come into the file before it
 * @returns null for a type that no step has
 */
export function newStep(
  doc: FlowDoc,
  key: string,
  { place, others = [] }: { readonly place: StepPlace; readonly others?: readonly NodeDoc[] },
): NewStep | null {
  const spec = offeredStep(key);
  if (spec === undefined) return null;
  const taken = [...doc.nodes, ...others].map(({ id }) => id);
  const named = toolOfKey(key) ?? agentOfKey(key);
  const name = named?.replace(/^.*\./, '') ?? stepNames[spec.type] ?? spec.type;
  const started = starterNode(spec, freeId(name, taken), null);
  const node = { ...started, ...(named === undefined ? settingsOf(started, doc) : {}) };
  return { node, changes: placedSteps(doc, [node], place), label: `Add ${spec.title.toLowerCase()}` };
}

/** What people would call a step of the type. */
const stepNames: Readonly<Record<string, string>> = {
  human_approval: 'approval',
  user_input: 'input',
  plan_proposal: 'plan',
};

/** Agents are those of the product that the other steps name; forms have names of their own. */
function settingsOf({ type, config, input }: NodeDoc, { nodes }: FlowDoc): Partial<NodeDoc> {
  if (type === 'user_input') {
    const taken = nodes.flatMap(({ input: { form_id: known } }) => (typeof known === 'string' ? [known] : []));
    return { input: { ...input, form_id: freeId(String(input['form_id']), taken) } };
  }
  const agent = config?.['agent'];
  if (typeof agent !== 'string') return {};
  const names = nodes.flatMap(({ config: known }) => [known?.['agent'], known?.['tool']]);
  const owned = names.find((name) => typeof name === 'string' && name.includes('.') && !name.startsWith('core.'));
  const product = typeof owned === 'string' ? owned.slice(0, owned.indexOf('.')) : undefined;
  return product === undefined ? {} : { config: { ...config, agent: agent.replace('product', product) } };
}

/** The changes that put new steps into the list. */
export function placedSteps(doc: FlowDoc, nodes: readonly NodeDoc[], place: StepPlace): readonly FlowChange[] {
  const [front] = doc.nodes;
  if (place === 'first' && front !== undefined) {
    return [
      { do: 'add', nodes },
      { do: 'reorder', nodes: nodes.map(({ id }) => id), side: 'before', of: front.id },
    ];
  }
  return [{ do: 'add', nodes, ...(typeof place === 'object' ? { after: place.behind } : {}) }];
}
