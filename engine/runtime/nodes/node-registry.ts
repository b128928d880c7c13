/**
 * Node types by ID: the built-in types, and those from the packs that a host allows.
 */
import { EngineError } from '../../base/engine-error.ts';
import { withFields } from '../../language/types/describe-type.ts';
import { builtinPack, type NodeTypeCatalog, type NodeTypeSpec } from '../../language/types/node-type-spec.ts';
import type { NodeType } from '../flow/node-type.ts';

/** A registry of executable types, unless it contains only descriptions. */
export interface NodeRegistry<Kind extends NodeTypeSpec = NodeType> extends NodeTypeCatalog {
  get(type: string): Kind | undefined;
  /** In registration order; pack types come last. */
  list(): readonly Kind[];
}

/**
 * A named bundle of node types that a host program supplies. A flow uses it by listing its name in `flow.nodePacks`.
 */
export interface NodePack<Kind extends NodeTypeSpec = NodeType> {
  readonly name: string;
  /** Any text that changes when the types' behavior changes. Results from another version are not reused. */
  readonly version: string;
  readonly nodeTypes: readonly Kind[];
}

export interface RegistryOptions<Kind extends NodeTypeSpec = NodeType> {
  readonly nodePacks?: readonly NodePack<Kind>[];
  /** Long-lived node types that may run nevertheless. */
  readonly allowLongLived?: readonly string[];
}

/**
 * Creates an immutable registry.
 * @throws EngineError `node-type.duplicate` if two types have the same ID, `node-pack.duplicate` if two packs have the
 * same name or one has the built-in types' name
 */
export function createNodeRegistry<Kind extends NodeTypeSpec = NodeType>(
  types: readonly Kind[],
  options: RegistryOptions<Kind> = {},
): NodeRegistry<Kind> {
  const { nodePacks = [], allowLongLived = [] } = options;
  const packNames = nodePacks.map(({ name }) => name);
  refuseRepeatedPack(packNames);
  const all = [...types, ...nodePacks.flatMap((pack) => typesOfPack(pack))];
  const byType = typesById(all);
  const longLived = new Set(allowLongLived);
  return {
    get: (type) => byType.get(type),
    list: () => all,
    packs: () => packNames,
    allowsLongLived: (type) => longLived.has(type),
  };
}

function typesOfPack<Kind extends NodeTypeSpec>({ name, version, nodeTypes }: NodePack<Kind>): readonly Kind[] {
  return nodeTypes.map((nodeType) => withFields(nodeType, { pack: name, version }));
}

function refuseRepeatedPack(names: readonly string[]): void {
  const repeated = [builtinPack, ...names].find((name, index, all) => all.indexOf(name) < index);
  if (repeated === undefined) return;
  if (repeated === builtinPack) {
    throw new EngineError({
      code: 'node-pack.duplicate',
      message: `A node pack is named "${builtinPack}", which is reserved for the built-in types. Rename the pack.`,
    });
  }
  throw new EngineError({
    code: 'node-pack.duplicate',
    message: `Two node packs are named "${repeated}". Rename one of them.`,
  });
}

function typesById<Kind extends NodeTypeSpec>(types: readonly Kind[]): ReadonlyMap<string, Kind> {
  const byType = new Map<string, Kind>();
  for (const nodeType of types) {
    const other = byType.get(nodeType.type);
    if (other !== undefined) throw duplicateType(other, nodeType);
    byType.set(nodeType.type, nodeType);
  }
  return byType;
}

function duplicateType(first: NodeTypeSpec, second: NodeTypeSpec): EngineError {
  const places = [first, second].map(({ pack }) => (pack === undefined ? 'the built-in types' : `pack "${pack}"`));
  return new EngineError({
    code: 'node-type.duplicate',
    message: `Two node types are named "${first.type}", in ${places.join(' and in ')}. Rename one of them.`,
  });
}
