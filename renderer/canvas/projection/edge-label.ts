/**
 * What stands on an edge that has a condition: the route it stands for, else the condition, as long as it may be.
 */
import { failureAsked, type WhenExpr, whenText } from '../../../engine/isomorphic.ts';
import { branchOf, isTruth, wayName } from '../../stores/flow/ways.ts';

export interface EdgeLabel {
  /** Cut to what an edge can carry. */
  readonly lines: readonly string[];
  /** In full. */
  readonly title: string;
}

const mostInLine = 20;
const mostLines = 2;
/** Of the letters, JetBrains Mono at 11 px. */
const letterWidth = 6.6;
const padding = 12;
/** From line to line, pixels on the canvas at 100 %. */
const labelLineHeight = 14;
const heightAround = 4;

/** The label of an edge that leaves `source` on this condition. */
export function edgeLabel(source: string, when: WhenExpr): EdgeLabel {
  const title = whenText(when);
  if (failureAsked(source, when) === false) return { lines: ['succeeded'], title };
  const not = 'not' in when ? branchOf(source, when.not) : null;
  const way = branchOf(source, when);
  const name = way !== null ? wayName(way) : not !== null ? `not ${wayName(not)}` : title;
  return { lines: inLines(isTruth(way ?? not ?? '') ? title : name), title };
}

/** Broken between words where that is possible. */
function inLines(text: string): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > mostInLine && lines.length < mostLines - 1) {
    const space = rest.lastIndexOf(' ', mostInLine);
    const end = space > 0 ? space : mostInLine;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest.length > mostInLine ? `${rest.slice(0, mostInLine - 1).trimEnd()}…` : rest];
}

/** Pixels on the canvas at 100 %. */
export function labelSize({ lines }: Pick<EdgeLabel, 'lines'>): { readonly width: number; readonly height: number } {
  const longest = Math.max(...lines.map(({ length }) => length));
  return { width: Math.ceil(longest * letterWidth) + padding, height: lines.length * labelLineHeight + heightAround };
}

/** How far below the middle of a label the middle of one of its lines is. */
export function lineOffset({ lines }: Pick<EdgeLabel, 'lines'>, index: number): number {
  return (index - (lines.length - 1) / 2) * labelLineHeight;
}
