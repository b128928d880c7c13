/**
 * The label of an edge with a condition: the branch it represents, or else the condition, shortened if necessary.
 */
import { conditionTestsFailure, type WhenExpr, whenText } from '../../../engine/isomorphic.ts';
import { branchOf, isTruth, wayName } from '../../stores/flow/branches.ts';
import { text } from '../text.ts';

export interface EdgeLabel {
  /** Shortened to fit on an edge. */
  readonly lines: readonly string[];
  /** The full text. */
  readonly title: string;
}

const mostInLine = 20;
const mostLines = 2;
/** Width of a character in JetBrains Mono at 11 px. */
const letterWidth = 6.6;
const padding = 12;
/** Line height in canvas pixels at 100 %. */
const labelLineHeight = 14;
const heightAround = 4;

/** Returns the label of an edge that leaves `source` under this condition. */
export function edgeLabel(source: string, when: WhenExpr): EdgeLabel {
  const title = whenText(when);
  if (conditionTestsFailure(source, when) === false) return { lines: [text.edges.succeeded], title };
  const not = 'not' in when ? branchOf(source, when.not) : null;
  const way = branchOf(source, when);
  const name = way !== null ? wayName(way) : not !== null ? text.edges.not({ branch: wayName(not) }) : title;
  return { lines: inLines(isTruth(way ?? not ?? '') ? title : name), title };
}

/** Breaks text into lines, between words if possible. */
function inLines(label: string): readonly string[] {
  const lines: string[] = [];
  let rest = label;
  while (rest.length > mostInLine && lines.length < mostLines - 1) {
    const space = rest.lastIndexOf(' ', mostInLine);
    const end = space > 0 ? space : mostInLine;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest.length > mostInLine ? `${rest.slice(0, mostInLine - 1).trimEnd()}…` : rest];
}

/** Returns the size in canvas pixels at 100 %. */
export function labelSize({ lines }: Pick<EdgeLabel, 'lines'>): { readonly width: number; readonly height: number } {
  const longest = Math.max(...lines.map(({ length }) => length));
  return { width: Math.ceil(longest * letterWidth) + padding, height: lines.length * labelLineHeight + heightAround };
}

/** Returns the distance from the middle of a label down to the middle of one of its lines. */
export function lineOffset({ lines }: Pick<EdgeLabel, 'lines'>, index: number): number {
  return (index - (lines.length - 1) / 2) * labelLineHeight;
}
