import { useSyncExternalStore } from 'react';
import type { NodeTypeCatalog } from '../../engine/isomorphic.ts';
import { presentNodeTypes, subscribeNodeTypes } from './flow/node-types.ts';

/** The types of nodes as they are now; agents that are types come, change and go. */
export function useNodeTypes(): NodeTypeCatalog {
  return useSyncExternalStore(subscribeNodeTypes, presentNodeTypes);
}
