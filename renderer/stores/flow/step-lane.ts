/**
 * Flows that are lists of steps: edits shared by canvas and outline, and what is not available for steps.
 */
import { type FlowChange, type FlowDoc, freeId, type NodeDoc, starterNode } from '../../../engine/isomorphic.ts';
import { offeredStep } from './node-types.ts';
import { agentOfKey } from './step-offers.ts';
import { text } from './text.ts';
import { toolOfKey } from './tool-offers.ts';

/** Returns whether the nodes of a flow are a list of steps, which are connected only by their order. */
export function isStepFlow(doc: Pick<FlowDoc, 'steps'> | null | undefined): boolean {
  return doc?.steps !== undefined;
}

/** Moves steps, in their current order, after this number of other steps. Returns null if they are already there. */
export function moveToSlot(doc: FlowDoc, ids: ReadonlySet<string>, slot: number): FlowChange | null {
  const moved = doc.nodes.flatMap(({ id }) => (ids.has(id) ? [id] : []));
  const rest = doc.nodes.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
  const after = rest.toSpliced(slot, 0, ...moved);
  const side = slot === 0 ? 'before' : 'behind';
  const of = rest[Math.max(0, slot - 1)];
  if (of === undefined || after.every((id, index) => id === doc.nodes[index]?.id)) return null;
  return { do: 'reorder', nodes: moved, side, of };
}

/**
 * Moves steps past this number of others, at most to the end of the list. @param by negative to move toward the start
 */
export function moveBy(doc: FlowDoc, ids: ReadonlySet<string>, by: number): FlowChange | null {
  const rest = doc.nodes.filter(({ id }) => !ids.has(id));
  const first = doc.nodes.findIndex(({ id }) => ids.has(id));
  if (first === -1) return null;
  return moveToSlot(doc, ids, Math.min(rest.length, Math.max(0, first + by)));
}

/** Position of a step: after another one, or first. Undefined for last. */
export type StepInsertPosition = { readonly behind: string } | 'first' | undefined;

export interface StepAddition {
  readonly node: NodeDoc;
  readonly changes: readonly FlowChange[];
  /** Label in the undo menu. */
  readonly label: string;
}

/**
 * Creates a valid step with a new ID.
 * @param key a type of step, a tool or an agent
 * @param others steps that are added to the file before it
 * @returns null for a type that steps cannot have
 */
export function newStep(
  doc: FlowDoc,
  key: string,
  { place, others = [] }: { readonly place: StepInsertPosition; readonly others?: readonly NodeDoc[] },
): StepAddition | null {
  const spec = offeredStep(key);
  if (spec === undefined) return null;
  const taken = [...doc.nodes, ...others].map(({ id }) => id);
  const named = toolOfKey(key) ?? agentOfKey(key);
  const name = named?.replace(/^.*\./, '') ?? stepNames[spec.type] ?? spec.type;
  const started = starterNode(spec, freeId(name, taken), null);
  const node = { ...started, ...(named === undefined ? settingsOf(started, doc) : {}) };
  return { node, changes: placedSteps(doc, [node], place), label: text.edits.add(spec) };
}

/** Natural names for steps of a type. */
const stepNames: Readonly<Record<string, string>> = {
  human_approval: 'approval',
  user_input: 'input',
  plan_proposal: 'plan',
};

/** Uses an agent of the product that the other steps refer to, and a new name for a form. */
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

/** Returns the changes that add new steps to the list. */
export function placedSteps(doc: FlowDoc, nodes: readonly NodeDoc[], place: StepInsertPosition): readonly FlowChange[] {
  const [front] = doc.nodes;
  if (place === 'first' && front !== undefined) {
    return [
      { do: 'add', nodes },
      { do: 'reorder', nodes: nodes.map(({ id }) => id), side: 'before', of: front.id },
    ];
  }
  return [{ do: 'add', nodes, ...(typeof place === 'object' ? { after: place.behind } : {}) }];
}
