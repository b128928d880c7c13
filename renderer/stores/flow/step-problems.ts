/**
 * Assigns each problem of a step to the form field at its position in the file.
 */
import {
  type Diagnostic,
  type FieldProblem,
  type NodeDoc,
  parseFlow,
  type TextRange,
} from '../../../engine/isomorphic.ts';

/**
 * Returns the problems that belong to a param or setting of a step, with the same messages as the file's problems.
 */
export function stepProblems(text: string, node: NodeDoc, diagnostics: readonly Diagnostic[]): readonly FieldProblem[] {
  const own = diagnostics.filter(({ nodeId }) => nodeId === node.id);
  if (own.length === 0) return [];
  const { doc, rangeOf } = parseFlow(text);
  const index = doc?.nodes.findIndex(({ id }) => id === node.id) ?? -1;
  if (index === -1) return [];
  const fields = [
    ...Object.keys(node.input).map((key) => ['input', key]),
    ...Object.keys(node.config ?? {}).map((key) => ['config', key]),
  ].map((path) => ({ path, range: rangeOf(['nodes', index, ...path]) }));
  return own.flatMap(({ message, severity, range }) => {
    const field = fields.find((one) => holds(one.range, range));
    return field === undefined ? [] : [{ path: field.path, message, severity }];
  });
}

/** Returns whether a position is in a value or in its key. */
function holds(value: TextRange, place: TextRange): boolean {
  const isBefore =
    place.endLine < value.endLine || (place.endLine === value.endLine && place.endColumn <= value.endColumn);
  const isInside = place.line > value.line || (place.line === value.line && place.column >= value.column);
  return isBefore && (isInside || isKeyOf(value, place));
}

/** Between a key and its value on the same line there are at most a quote, a colon and spaces. */
function isKeyOf({ line, column }: TextRange, { endLine, endColumn }: TextRange): boolean {
  return endLine === line && column >= endColumn && column - endColumn <= 4;
}
