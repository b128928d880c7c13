import { builtinNodes, createNodeRegistry, type NodeTypeCatalog } from '../../../engine/isomorphic.ts';

/** The node types that the engine knows, for checks and for everything that is drawn of a node. */
export const nodeTypes: NodeTypeCatalog = createNodeRegistry(builtinNodes);
