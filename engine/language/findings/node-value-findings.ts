/**
 * Validates a node's literal input and config against the schemas of its type: for the file, and per field for forms.
 */
import type { z } from 'zod';
import { holdsBinding } from '../bindings/bindings.ts';
import type { NodeDoc } from '../flow/flow-doc.ts';
import type { JsonMap } from '../json/json-value.ts';
import { fitToSchema } from '../schema/coerce-input.ts';
import { acceptorOf } from '../schema/schema-acceptor.ts';
import { problemsOf, type SchemaMismatch, type ValuePath, valueAt } from '../schema/schema-problems.ts';
import { knownKeysAt } from '../schema/schema-shape.ts';
import type { NodeTypeSpec } from '../types/node-type-spec.ts';
import type { Severity } from './diagnostic.ts';
import { type Finding, messageOf } from './finding.ts';

/**
 * Returns everything in the input that is invalid or unknown; paths are relative to the node. Values with bindings are
 * validated during the run.
 */
export function inputFindings(node: NodeDoc, spec: NodeTypeSpec): readonly Finding[] {
  return partFindings({ part: 'input', value: node.input, schema: spec.inputSchema });
}

/** Returns everything in the config that is invalid or unknown; paths are relative to the node. */
export function configFindings(node: NodeDoc, spec: NodeTypeSpec): readonly Finding[] {
  return partFindings({ part: 'config', value: node.config ?? {}, schema: spec.configSchema });
}

/** Returns settings that have no effect; paths are relative to the node. */
export function unusedFindings({ input, config = {}, policy }: NodeDoc, spec: NodeTypeSpec): readonly Finding[] {
  const { maxAttempts, backoffMs = 0 } = policy?.retry ?? {};
  const ofRetry: Finding[] =
    maxAttempts === 1 && backoffMs > 0
      ? [
          unused(
            ['policy', 'retry', 'backoffMs'],
            'This has no effect with a single attempt: maxAttempts includes the first attempt.',
          ),
        ]
      : [];
  const ofType = spec.unusedSettings?.({ input, config, policy }) ?? [];
  return [...ofRetry, ...ofType.map(({ path, message }) => unused(path, message))];
}

function unused(path: readonly (string | number)[], message: string): Finding {
  return { code: 'node.unused-setting', severity: 'info', message, path, focus: 'key' };
}

interface NodePart {
  readonly part: 'input' | 'config';
  readonly value: JsonMap;
  readonly schema: z.ZodType;
}

function partFindings(nodePart: NodePart): readonly Finding[] {
  const { value, schema } = nodePart;
  if (acceptorOf(schema)(value)) return [];
  const fitted = fitToSchema(value, schema, 'scalars');
  const problems = problemsOf(schema, fitted.value).filter((problem) => isCertain(problem, nodePart));
  return [
    ...fitted.unknownKeys.map((path) => unknownKeyFinding(path, nodePart)),
    ...problems.map((problem) => problemFinding(problem, nodePart)),
  ];
}

/**
 * Whether a problem exists whatever the bindings resolve to. This is true for missing values; all other problems depend
 * on the bound value.
 */
function isCertain({ kind, path }: SchemaMismatch, { part, value }: NodePart): boolean {
  if (part === 'config' || kind === 'missing') return true;
  return !holdsBinding(valueAt(value, path) ?? null);
}

function unknownKeyFinding(path: ValuePath, { part, schema }: NodePart): Finding {
  const key = String(path.at(-1));
  return {
    code: 'node.unknown-input',
    severity: 'warning',
    message: `This node type does not use "${key}" in its ${part}, so it is ignored.`,
    path: [part, ...path],
    focus: 'key',
    mistyped: { word: key, known: knownKeysAt(schema, path.slice(0, -1)) },
  };
}

function problemFinding({ kind, path, message }: SchemaMismatch, { part }: NodePart): Finding {
  const name = [part, ...path].join('.');
  if (kind === 'missing') {
    const code = part === 'input' ? 'node.missing-input' : 'node.bad-config';
    return { code, severity: 'error', message: `The node needs "${name}".`, path: [], field: [part, ...path] };
  }
  const code = part === 'input' ? 'node.bad-input' : 'node.bad-config';
  // Problems of a schema inside the value end with a period.
  const text = `"${name}" ${message.replace(/\.$/, '')}.`;
  return { code, severity: 'error', message: text, path: [part, ...path] };
}

export interface FieldProblem {
  /** Path relative to the node, for example `['input', 'prompt']`. */
  readonly path: ValuePath;
  /** The same message as in the diagnostic. */
  readonly message: string;
  readonly severity: Severity;
}

/** Returns the problems in a node's input and config that belong to one field. */
export function fieldProblems(node: NodeDoc, spec: NodeTypeSpec): readonly FieldProblem[] {
  return [...inputFindings(node, spec), ...configFindings(node, spec)].flatMap((finding) => {
    const path = finding.field ?? finding.path;
    return path.length < 2 ? [] : [{ path, message: messageOf(finding), severity: finding.severity }];
  });
}
