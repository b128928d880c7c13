/**
 * What the schemas of a node's type refuse of its values, each problem at its field: for forms.
 */
import type { Severity } from './diagnostic.ts';
import { messageOf } from './finding.ts';
import type { NodeDoc } from './flow-doc.ts';
import type { NodeTypeSpec } from './node-type-spec.ts';
import { configFindings, inputFindings } from './node-value-findings.ts';
import type { ValuePath } from './schema-problems.ts';

export interface FieldProblem {
  /** Below the node, for example `['input', 'prompt']`. */
  readonly path: ValuePath;
  /** The same sentence as that of the diagnostic. */
  readonly message: string;
  readonly severity: Severity;
}

/** The problems of a node's input and config that belong to one field. */
export function fieldProblems(node: NodeDoc, spec: NodeTypeSpec): readonly FieldProblem[] {
  return [...inputFindings(node, spec), ...configFindings(node, spec)].flatMap((finding) => {
    const path = finding.field ?? finding.path;
    return path.length < 2 ? [] : [{ path, message: messageOf(finding), severity: finding.severity }];
  });
}
