/**
 * The entries of palettes: node types, their variants, tools, and steps.
 */
import type { NodeTypeSpec } from '../../../engine/isomorphic.ts';

/** An entry that can be added: a type, or one of its variants with its text and initial values. */
export interface OfferedType extends NodeTypeSpec {
  /** The type, or `type#variant`. */
  readonly key: string;
}
