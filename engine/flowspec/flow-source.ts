/**
 * The text of a flow as those see it that run its nodes: where in the file a text of theirs stands.
 */
import type { JsonMap } from './json-value.ts';
import { type ParsedFlow, parseFlow } from './parse-flow.ts';
import { type ValuePath, valueAt } from './schema-problems.ts';

/** Where a text stands in its file. */
export interface TextPlace {
  /** From 1: of the text's first line; of the node where only that is known. */
  readonly line: number;
  /** Whether each line of the text is a line of the file, as in `|` blocks. */
  readonly isExact: boolean;
}

/** The line of the file for a line (from 1) of a text. */
export function lineInFile({ line, isExact }: TextPlace, lineOfText: number): number {
  return isExact ? line + lineOfText - 1 : line;
}

/** A definition that runs. The text is read when a place is asked for. */
export class FlowSource {
  /** Relative to the workspace with `/`, or absolute when it lies outside. */
  readonly path: string;
  readonly #text: string;
  #parsed: ParsedFlow | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
  }

  /** The place of a text of a node. @param path of the text below the node */
  placeOf(nodeId: string, path: ValuePath): TextPlace {
    this.#parsed ??= parseFlow(this.#text);
    return textPlace(this.#parsed, this.#text, { nodeId, path });
  }
}

/** The place of a text of a node; line 1 when there is no such node. */
export function textPlace(
  parsed: ParsedFlow,
  text: string,
  { nodeId, path }: { readonly nodeId: string; readonly path: ValuePath },
): TextPlace {
  const index = parsed.doc?.nodes.findIndex(({ id }) => id === nodeId) ?? -1;
  const node = parsed.doc?.nodes[index];
  const ofNode = { line: parsed.nodeRange(nodeId)?.line ?? 1, isExact: false };
  if (node === undefined || typeof valueAt(node as unknown as JsonMap, path) !== 'string') return ofNode;
  const { line, column } = parsed.rangeOf(['nodes', index, ...path]);
  const written = text.replace(/^\uFEFF/, '').split('\n')[line - 1] ?? '';
  // Its indicator is part of a block, and nothing else that is text can begin so.
  return written[column - 1] === '|' ? { line: line + 1, isExact: true } : ofNode;
}
