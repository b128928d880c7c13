/**
 * A flow's text for its running nodes: locates node strings in the file.
 */
import type { JsonMap } from '../json/json-value.ts';
import { type ValuePath, valueAt } from '../schema/schema-problems.ts';
import { type ParsedFlow, parseFlow } from './parse-flow.ts';

/** The location of a string in its file. */
export interface SourceTextPosition {
  /** Line number, starting at 1: the string's first line, or the node's line if only that is known. */
  readonly line: number;
  /** Whether each line of the string is a line of the file, as in `|` blocks. */
  readonly isExact: boolean;
}

/** Returns the file line for a line (starting at 1) of a string. */
export function lineInFile({ line, isExact }: SourceTextPosition, lineOfText: number): number {
  return isExact ? line + lineOfText - 1 : line;
}

/** A running definition. Its text is parsed when a location is requested. */
export class FlowSource {
  /** Path relative to the workspace with `/`, or absolute if it is outside. */
  readonly path: string;
  readonly #text: string;
  #parsed: ParsedFlow | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
  }

  /** Returns the location of a node's string. @param path the string's path in the node */
  placeOf(nodeId: string, path: ValuePath): SourceTextPosition {
    this.#parsed ??= parseFlow(this.#text);
    return textPlace(this.#parsed, this.#text, { nodeId, path });
  }
}

/** Returns the location of a node's string; line 1 if there is no such node. */
export function textPlace(
  parsed: ParsedFlow,
  text: string,
  { nodeId, path }: { readonly nodeId: string; readonly path: ValuePath },
): SourceTextPosition {
  const index = parsed.doc?.nodes.findIndex(({ id }) => id === nodeId) ?? -1;
  const node = parsed.doc?.nodes[index];
  const ofNode = { line: parsed.nodeRange(nodeId)?.line ?? 1, isExact: false };
  if (node === undefined || typeof valueAt(node as unknown as JsonMap, path) !== 'string') return ofNode;
  const { line, column } = parsed.rangeOf(['nodes', index, ...path]);
  const written = text.replace(/^\uFEFF/, '').split('\n')[line - 1] ?? '';
  // The indicator is part of a block, and no other string can start with it.
  return written[column - 1] === '|' ? { line: line + 1, isExact: true } : ofNode;
}
