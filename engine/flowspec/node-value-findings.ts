/**
 * A node's literal input and config against the schemas of its type.
 */
import type { z } from 'zod';
import { holdsBinding } from './bindings.ts';
import { fitToSchema } from './coerce-input.ts';
import type { DiagnosticCode, Severity } from './diagnostic.ts';
import type { NodeDoc } from './flow-doc.ts';
import type { JsonMap } from './json-value.ts';
import { didYouMean } from './nearest.ts';
import type { NodeTypeSpec } from './node-type-spec.ts';
import type { Focus } from './parse-flow.ts';
import { checkAgainst, type SchemaProblem, type ValuePath, valueAt } from './schema-problems.ts';
import { knownKeysAt } from './schema-shape.ts';

/** A problem inside a node. */
export interface NodeFinding {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  /** Below the node. */
  readonly path: ValuePath;
  readonly focus?: Focus;
}

/** Everything in the input that the type refuses or does not know. Values that hold bindings are left to the run. */
export function inputFindings(node: NodeDoc, spec: NodeTypeSpec): readonly NodeFinding[] {
  return partFindings({ part: 'input', value: node.input, schema: spec.inputSchema });
}

/** Everything in the config that the type refuses or does not know. */
export function configFindings(node: NodeDoc, spec: NodeTypeSpec): readonly NodeFinding[] {
  return partFindings({ part: 'config', value: node.config ?? {}, schema: spec.configSchema });
}

interface NodePart {
  readonly part: 'input' | 'config';
  readonly value: JsonMap;
  readonly schema: z.ZodType;
}

function partFindings(nodePart: NodePart): readonly NodeFinding[] {
  const { value, schema } = nodePart;
  const fitted = fitToSchema(value, schema, 'scalars');
  const checked = checkAgainst(schema, fitted.value);
  const problems = checked.ok ? [] : checked.problems.filter((problem) => isCertain(problem, nodePart));
  return [
    ...fitted.unknownKeys.map((path) => unknownKeyFinding(path, nodePart)),
    ...problems.map((problem) => problemFinding(problem, nodePart)),
  ];
}

/** Whether a binding could still mend it: what is missing is missing, everything else depends on the bound value. */
function isCertain({ kind, path }: SchemaProblem, { part, value }: NodePart): boolean {
  if (part === 'config' || kind === 'missing') return true;
  return !holdsBinding(valueAt(value, path) ?? null);
}

function unknownKeyFinding(path: ValuePath, { part, schema }: NodePart): NodeFinding {
  const key = String(path.at(-1));
  const advice = didYouMean(key, knownKeysAt(schema, path.slice(0, -1)));
  return {
    code: 'node.unknown-input',
    severity: 'warning',
    message: `This node type does not know "${key}" in its ${part}, so it is ignored.${advice}`,
    path: [part, ...path],
    focus: 'key',
  };
}

function problemFinding({ kind, path, message }: SchemaProblem, { part }: NodePart): NodeFinding {
  const name = [part, ...path].join('.');
  if (kind === 'missing') {
    const code = part === 'input' ? 'node.missing-input' : 'node.bad-config';
    return { code, severity: 'error', message: `The node needs "${name}".`, path: [] };
  }
  const code = part === 'input' ? 'node.bad-input' : 'node.bad-config';
  return { code, severity: 'error', message: `"${name}" ${message}.`, path: [part, ...path] };
}
