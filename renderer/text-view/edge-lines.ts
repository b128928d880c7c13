/**
 * Lines of edges in the text of a flow. The check of a text tells places of nodes only; edges are found when one is asked for.
 */
import { type FlowDoc, nameEdges } from '../../engine/isomorphic.ts';
import { indexOfModel } from './flow-language/flow-language.ts';
import type { TextEditor } from './text-editor.ts';
import type { NamedLines } from './text-places.ts';

/** The edges with their lines; none while text and document tell of different ones. */
function allEdges({ file }: TextEditor, doc: FlowDoc): readonly NamedLines[] {
  const { edges } = indexOfModel(file.model);
  if (edges.length !== doc.edges.length) return [];
  const lineOf = (offset: number): number => file.filePlace(file.model.getPositionAt(offset)).lineNumber;
  return nameEdges(doc.edges).flatMap(({ id }, index) => {
    const entry = edges[index]?.entry;
    return entry === undefined ? [] : [{ name: id, first: lineOf(entry.start), last: lineOf(entry.end) }];
  });
}

/** The edge that a line belongs to. */
export function edgeAtLine(editor: TextEditor | null, doc: FlowDoc | null, line: number): string | undefined {
  if (editor === null || doc === null) return undefined;
  return allEdges(editor, doc).find(({ first, last }) => first <= line && line <= last)?.name;
}

/** The lines of an edge. */
export function edgeLines(editor: TextEditor | null, doc: FlowDoc | null, name: string): NamedLines | undefined {
  if (editor === null || doc === null) return undefined;
  return allEdges(editor, doc).find((edge) => edge.name === name);
}
