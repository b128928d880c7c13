/**
 * Registers the node types against which flow files are checked.
 */
import { builtinTypes, createNodeRegistry } from '../isomorphic.ts';

export const builtinRegistry = createNodeRegistry(builtinTypes);
