/**
 * What stands on an edge that has a condition: the route it stands for, else the condition, as long as it may be.
 */
import type { WhenExpr } from '../../../engine/isomorphic.ts';
import { whenText } from '../../card/when-text.ts';
import { branchOf } from '../../stores/flow/new-edge.ts';

export interface EdgeLabel {
  /** Cut to what an edge can carry. */
  readonly text: string;
  /** In full. */
  readonly title: string;
}

const mostCharacters = 18;
/** Of the letters, JetBrains Mono at 11 px. */
const letterWidth = 6.6;
const padding = 12;

/** Pixels on the canvas at 100 %. */
export const labelHeight = 18;

/** The label of an edge that leaves `source` on this condition. */
export function edgeLabel(source: string, when: WhenExpr): EdgeLabel {
  const title = whenText(when);
  const text = branchOf(source, when) ?? title;
  const isCut = text.length > mostCharacters;
  return { text: isCut ? `${text.slice(0, mostCharacters - 1)}…` : text, title };
}

/** Pixels that a label needs on the line. */
export function labelWidth({ text }: Pick<EdgeLabel, 'text'>): number {
  return Math.ceil(text.length * letterWidth) + padding;
}
