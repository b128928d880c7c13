/**
 * Node types by their id: the built-in ones, and those of the packs that a host allows.
 */
import { EngineError } from '../base/engine-error.ts';
import type { NodeType, NodeTypeLookup } from '../flow/node-type.ts';
import { builtinPack, type NodeTypeCatalog } from '../flowspec/node-type-spec.ts';

export interface NodeRegistry extends NodeTypeLookup, NodeTypeCatalog {
  get(type: string): NodeType | undefined;
  allowsLongLived(type: string): boolean;
  /** In the order they were given, those of packs last. */
  list(): readonly NodeType[];
}

/** A named bundle of node types that a host program brings. A flow uses it by listing its name in `flow.nodePacks`. */
export interface NodePack {
  readonly name: string;
  /** Any text that changes with what the types do: results of another version are not reused. */
  readonly version: string;
  readonly nodeTypes: readonly NodeType[];
}

export interface RegistryOptions {
  readonly nodePacks?: readonly NodePack[];
  /** Long-lived node types that may run all the same. */
  readonly allowLongLived?: readonly string[];
}

/**
 * Makes a registry that never changes.
 * @throws EngineError `node-type.duplicate` when two types have one id, `node-pack.duplicate` when two packs have one name, or one has
 * that of the built-in types
 */
export function createNodeRegistry(types: readonly NodeType[], options: RegistryOptions = {}): NodeRegistry {
  const { nodePacks = [], allowLongLived = [] } = options;
  const packNames = nodePacks.map(({ name }) => name);
  refuseRepeatedPack(packNames);
  const all = [...types, ...nodePacks.flatMap(typesOfPack)];
  const byType = typesById(all);
  const longLived = new Set(allowLongLived);
  return {
    get: (type) => byType.get(type),
    list: () => all,
    packs: () => packNames,
    allowsLongLived: (type) => longLived.has(type),
  };
}

function typesOfPack({ name, version, nodeTypes }: NodePack): readonly NodeType[] {
  return nodeTypes.map((nodeType) => ({ ...nodeType, pack: name, version }));
}

function refuseRepeatedPack(names: readonly string[]): void {
  const repeated = [builtinPack, ...names].find((name, index, all) => all.indexOf(name) < index);
  if (repeated === undefined) return;
  if (repeated === builtinPack) {
    throw new EngineError({
      code: 'node-pack.duplicate',
      message: `A node pack is called "${builtinPack}", which means the built-in types. Give it another name.`,
    });
  }
  throw new EngineError({
    code: 'node-pack.duplicate',
    message: `Two node packs are called "${repeated}". Give each name once.`,
  });
}

function typesById(types: readonly NodeType[]): ReadonlyMap<string, NodeType> {
  const byType = new Map<string, NodeType>();
  for (const nodeType of types) {
    const other = byType.get(nodeType.type);
    if (other !== undefined) throw duplicateType(other, nodeType);
    byType.set(nodeType.type, nodeType);
  }
  return byType;
}

function duplicateType(first: NodeType, second: NodeType): EngineError {
  const places = [first, second].map(({ pack }) => (pack === undefined ? 'the built-in types' : `pack "${pack}"`));
  return new EngineError({
    code: 'node-type.duplicate',
    message: `Two node types are called "${first.type}", in ${places.join(' and in ')}. Rename one of them.`,
  });
}
