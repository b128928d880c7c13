/**
 * Which models the nodes of a flow ask, and which one a new node begins with.
 */
import { modelSettingOf, type NodeDoc } from '../../../engine/isomorphic.ts';
import { nodeTypes } from './node-types.ts';

/** What is known of the models of a workspace. */
export interface UsedModels {
  /** Null = there is none. */
  readonly defaultModel: string | null;
  /** Those that its flows name, the one named most often first. */
  readonly used: readonly string[];
}

/** The setting of a node type that names a model; undefined = it has none. */
export function modelKeyOf(type: string): string | undefined {
  const spec = nodeTypes.get(type);
  return spec === undefined ? undefined : modelSettingOf(spec);
}

/** The model that a node asks; null = the default, undefined = it asks none, or is disabled. */
export function modelOf({ type, config, disabled }: NodeDoc): string | null | undefined {
  const key = modelKeyOf(type);
  if (key === undefined || disabled === true) return undefined;
  const model = config?.[key];
  if (model === undefined || model === null) return null;
  return typeof model === 'string' && model !== '' ? model : undefined;
}

/**
 * The model that a new node begins with: what the other nodes of its flow ask, else the default, else what the flows of
 * the workspace name most often.
 * @param models of the nodes that ask one, in the order of the file; null = the default
 * @returns undefined = none is named: the default answers, or there is none and the person is to choose
 */
export function usualModel(models: readonly (string | null)[], known: UsedModels | null): string | undefined {
  const { defaultModel = null, used = [] } = known ?? {};
  const counts = new Map<string | null, number>();
  // Without a default, a node that names none waits for a model itself.
  for (const model of models) {
    if (model !== null || defaultModel !== null) counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  const usual = models.findLast((model) => counts.get(model) === most);
  if (usual !== undefined) return usual ?? undefined;
  return defaultModel === null ? used[0] : undefined;
}
