/**
 * Node types by their id.
 */
import { EngineError } from '../base/engine-error.ts';
import type { NodeType, NodeTypeLookup } from '../flow/node-type.ts';
import type { NodeTypeCatalog } from '../flowspec/node-type-spec.ts';

export interface NodeRegistry extends NodeTypeLookup, NodeTypeCatalog {
  get(type: string): NodeType | undefined;
  /** In the order they were given. */
  list(): readonly NodeType[];
}

/**
 * Makes a registry that never changes.
 * @throws EngineError `node-type.duplicate` when two types have one id
 */
export function createNodeRegistry(types: readonly NodeType[]): NodeRegistry {
  const byType = new Map<string, NodeType>();
  for (const nodeType of types) {
    if (byType.has(nodeType.type)) {
      throw new EngineError({
        code: 'node-type.duplicate',
        message: `Two node types are called "${nodeType.type}". Rename one of them.`,
      });
    }
    byType.set(nodeType.type, nodeType);
  }
  const all = [...types];
  return { get: (type) => byType.get(type), list: () => all, packs: () => [], allowsLongLived: () => false };
}
