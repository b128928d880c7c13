import { useSyncExternalStore } from 'react';
import type { NodeTypeCatalog } from '../../engine/isomorphic.ts';
import { presentNodeTypes, subscribeNodeTypes } from './flow/node-types.ts';

/** Returns the current node types. Agents that are node types can be added, changed and removed. */
export function useNodeTypes(): NodeTypeCatalog {
  return useSyncExternalStore(subscribeNodeTypes, presentNodeTypes);
}
