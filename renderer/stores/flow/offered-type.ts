/**
 * What palettes offer: node types, their variants, tools, and steps.
 */
import type { NodeTypeSpec } from '../../../engine/isomorphic.ts';

/** What can be chosen to add: a type, or one of its variants with the words and the beginning of that. */
export interface OfferedType extends NodeTypeSpec {
  /** The type, or `type#variant`. */
  readonly key: string;
}
