/**
 * Determines the models used by the nodes of a flow, and the initial model of a new node.
 */
import { modelSettingOf, type NodeDoc } from '../../../engine/isomorphic.ts';
import { nodeTypes } from './node-types.ts';

/** Information about the models of a workspace. */
export interface UsedModels {
  /** Null if there is none. */
  readonly defaultModel: string | null;
  /** Models used by its flows, most frequent first. */
  readonly used: readonly string[];
}

/** Returns the setting of a node type that selects a model, or undefined. */
export function modelKeyOf(type: string): string | undefined {
  const spec = nodeTypes.get(type);
  return spec === undefined ? undefined : modelSettingOf(spec);
}

/** Returns a node's model. Null for the default, undefined if the node uses none or is disabled. */
export function modelOf({ type, config, disabled }: NodeDoc): string | null | undefined {
  const key = modelKeyOf(type);
  if (key === undefined || disabled === true) return undefined;
  const model = config?.[key];
  if (model === undefined || model === null) return null;
  return typeof model === 'string' && model !== '' ? model : undefined;
}

/**
 * Returns the initial model of a new node: the one used by other nodes of its flow, or else the default, or else the
 * one used most often in the workspace.
 * @param models models of the nodes that use one, in file order; null for the default
 * @returns undefined to set none: the default is used, or there is none and the user has to choose
 */
export function usualModel(models: readonly (string | null)[], known: UsedModels | null): string | undefined {
  const { defaultModel = null, used = [] } = known ?? {};
  const counts = new Map<string | null, number>();
  // Without a default, a node that sets no model is incomplete and does not count.
  for (const model of models) {
    if (model !== null || defaultModel !== null) counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  const usual = models.findLast((model) => counts.get(model) === most);
  if (usual !== undefined) return usual ?? undefined;
  return defaultModel === null ? used[0] : undefined;
}
