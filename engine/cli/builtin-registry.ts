/**
 * The node types that flow files are checked against.
 */
import { builtinNodes, createNodeRegistry } from '../isomorphic.ts';

export const builtinRegistry = createNodeRegistry(builtinNodes);
