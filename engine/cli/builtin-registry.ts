/**
 * The node types that flow files are checked against.
 */
import { builtinTypes, createNodeRegistry } from '../isomorphic.ts';

export const builtinRegistry = createNodeRegistry(builtinTypes);
